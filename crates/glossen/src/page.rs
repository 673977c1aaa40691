//! The list of pages.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

/// A page of the documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path, such as `/docs/backups`.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its anchors.
    pub anchors: Vec<Anchor>,
}

/// An anchor of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The text after the `#`.
    pub id: String,
    /// The heading to which it belongs; may be empty.
    pub heading: String,
}

/// The list of pages, indexed. Of pages with the same url, and of anchors with the same id, the first counts.
pub(crate) struct PageList<'a>(HashMap<&'a str, (&'a Page, HashMap<&'a str, &'a str>)>);

impl<'a> PageList<'a> {
    pub(crate) fn new(pages: &'a [Page]) -> PageList<'a> {
        let mut list = HashMap::new();
        for page in pages.iter().rev() {
            let anchors = page.anchors.iter().rev().map(|anchor| (anchor.id.as_str(), anchor.heading.as_str()));
            list.insert(page.url.as_str(), (page, anchors.collect()));
        }
        PageList(list)
    }

    pub(crate) fn page(&self, url: &str) -> Option<&'a Page> {
        self.0.get(url).map(|(page, _)| *page)
    }

    /// Returns the heading of an anchor, or `None` if the list does not have the page or the anchor.
    pub(crate) fn heading(&self, url: &str, anchor: &str) -> Option<&'a str> {
        self.0.get(url)?.1.get(anchor).copied()
    }

    /// Returns whether a page has an anchor, as it is written or percent-decoded.
    pub(crate) fn has_anchor(&self, url: &str, anchor: &str) -> bool {
        let decoded = || decode(anchor).is_some_and(|anchor| self.heading(url, &anchor).is_some());
        self.heading(url, anchor).is_some() || decoded()
    }
}

/// Returns the page and the anchor of a url, not decoded. An empty anchor is none.
pub(crate) fn split(url: &str) -> (&str, Option<&str>) {
    match url.split_once('#') {
        Some((page, anchor)) => (page, Some(anchor).filter(|anchor| !anchor.is_empty())),
        None => (url, None),
    }
}

/// Returns an anchor, percent-decoded, or `None` if it does not decode (`glossen.sources.malformed`).
pub(crate) fn decode(anchor: &str) -> Option<String> {
    let is_whole = |after: &str| after.len() >= 2 && after.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !anchor.split('%').skip(1).all(is_whole) {
        return None;
    }
    percent_decode_str(anchor).decode_utf8().ok().map(Into::into)
}
