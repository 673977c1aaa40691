//! The page list, and the anchors of its pages.

use genui_json::Json;

use super::{BAD_PARAMS, items};

/// A page of the documentation.
pub(super) struct Page {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) anchors: Vec<Anchor>,
}

/// An anchor of a page.
pub(super) struct Anchor {
    pub(super) id: String,
    /// The heading that it belongs to, which may be empty.
    pub(super) heading: String,
}

/// Reads the param `pages`.
pub(super) fn read_pages(pages: &Json) -> Result<Vec<Page>, &'static str> {
    items(pages).ok_or(BAD_PARAMS)?.iter().map(read_page).collect()
}

fn read_page(page: &Json) -> Result<Page, &'static str> {
    let anchors = page.get("anchors").and_then(items).ok_or(BAD_PARAMS)?;
    let anchors = anchors.iter().map(read_anchor).collect::<Result<_, _>>()?;
    Ok(Page { url: string(page, "url")?, title: string(page, "title")?, anchors })
}

fn read_anchor(anchor: &Json) -> Result<Anchor, &'static str> {
    Ok(Anchor { id: string(anchor, "id")?, heading: string(anchor, "heading")? })
}

fn string(value: &Json, name: &str) -> Result<String, &'static str> {
    value.get(name).and_then(Json::as_str).map(str::to_owned).ok_or(BAD_PARAMS)
}

/// Returns the text before the first `#`, and the anchor of the url: the text after it. An empty one counts as none.
pub(super) fn split_anchor(url: &str) -> (&str, Option<&str>) {
    match url.split_once('#') {
        Some((page, "")) => (page, None),
        Some((page, anchor)) => (page, Some(anchor)),
        None => (url, None),
    }
}

/// `glossen.user.anchor`: the page whose `url` equals the text before the `#`, character for character.
pub(super) fn page_of<'p>(url: &str, pages: &'p [Page]) -> Option<&'p Page> {
    pages.iter().find(|page| page.url == split_anchor(url).0)
}

/// `glossen.user.anchor`: whether an anchor is the `id` of one of the page's anchors, unchanged or percent-decoded. One
/// that does not decode is compared only unchanged.
pub(super) fn has_anchor(page: &Page, anchor: &str) -> bool {
    page.anchors.iter().any(|known| known.id == anchor || percent_decoded(anchor).as_ref() == Some(&known.id))
}

/// `glossen.sources.malformed`: a text percent-decoded as UTF-8. `None` if it has a `%` without two hexadecimal digits,
/// or the bytes are not UTF-8.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let value = digit(0)? * 16 + digit(1)?;
        bytes.push(u8::try_from(value).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}
