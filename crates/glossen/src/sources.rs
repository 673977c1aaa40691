//! The sources of an answer.

use std::collections::HashSet;
use std::fmt;

use memchr::{memchr, memmem};

use super::page::{Page, PageList, decode};
use super::url;

/// A page that an answer links to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its title: of the page, and of the heading if there is one.
    pub title: String,
    /// Its path, with the anchor if there is one.
    pub url: String,
}

/// The error of an origin that is not `http` or `https` and a host, such as `https://docs.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginError;

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected http or https and a host as origin, such as `https://docs.example`")
    }
}

impl std::error::Error for OriginError {}

/// Returns the pages of the list that an answer links to, in the order of the links, each once.
///
/// The rules are `glossen.sources.*`. `origin` is that of the documentation; links to other sites are no sources.
///
/// # Errors
///
/// Returns an error if `origin` is not `http` or `https` and a host.
///
/// # Examples
///
/// ```
/// use genui_glossen::{Page, sources};
///
/// let pages = [Page { url: "/docs/backups".into(), title: "Backups".into(), anchors: Vec::new() }];
/// let found = sources("See [here](/docs/backups/).", "https://docs.example", &pages)?;
/// assert_eq!((&*found[0].url, &*found[0].title), ("/docs/backups", "Backups"));
/// # Ok::<(), genui_glossen::OriginError>(())
/// ```
pub fn sources(answer: &str, origin: &str, pages: &[Page]) -> Result<Vec<Source>, OriginError> {
    let base = url::base(origin).ok_or(OriginError)?;
    let pages = PageList::new(pages);
    let mut given = HashSet::new();
    let mut found = Vec::new();
    for target in targets(answer) {
        let source = url::resolve(&base, target).and_then(|(path, fragment)| source(&pages, &path, fragment));
        if let Some(source) = source
            && given.insert(source.url.clone())
        {
            found.push(source);
        }
    }
    Ok(found)
}

fn source(pages: &PageList<'_>, path: &str, fragment: Option<String>) -> Option<Source> {
    let page = pages.page(path)?;
    let anchor = match fragment {
        // A link that does not decode is not a source (`glossen.sources.malformed`).
        Some(fragment) => Some(decode(&fragment)?),
        None => None,
    };
    let heading = anchor.as_ref().and_then(|anchor| Some((anchor, pages.heading(path, anchor)?)));
    let (url, title) = match heading {
        Some((anchor, "")) => (format!("{}#{anchor}", page.url), page.title.clone()),
        Some((anchor, heading)) => (format!("{}#{anchor}", page.url), format!("{} \u{203a} {heading}", page.title)),
        None => (page.url.clone(), page.title.clone()),
    };
    Some(Source { title, url })
}

/// Returns the targets of the links (`glossen.sources.links`).
fn targets(answer: &str) -> impl Iterator<Item = &str> {
    let mut rest = answer;
    std::iter::from_fn(move || {
        loop {
            let opened = rest[memmem::find(rest.as_bytes(), b"](")? + 2..].trim_start_matches(is_white_space);
            let (target, after) = split_target(opened);
            if target.is_empty() {
                rest = opened;
                continue;
            }
            // Without a `)` this is no link, and nothing after it is one.
            rest = &after[memchr(b')', after.as_bytes())? + 1..];
            return Some(target);
        }
    })
}

/// Returns the target at the start of a text, and the text after it. An empty target is none.
fn split_target(opened: &str) -> (&str, &str) {
    let ends = |character: char| matches!(character, ')' | '>') || is_white_space(character);
    let run = |text: &str| text.find(ends).unwrap_or(text.len());
    match opened.strip_prefix('<').map(|inner| inner.split_at(run(inner))) {
        Some((target, after)) if !target.is_empty() => (target, after),
        // A `<` with no target after it is the target.
        _ => opened.split_at(run(opened)),
    }
}

/// Returns whether `\s` matches a character in ECMAScript.
fn is_white_space(character: char) -> bool {
    matches!(character, '\u{feff}') || (character.is_whitespace() && character != '\u{85}')
}
