//! Urls, by the URL Standard.

use std::borrow::Cow;
use std::sync::LazyLock;

use url::Url;

/// Any address of the web: what a url that stands alone is resolved against.
static SOMEWHERE: LazyLock<Url> = LazyLock::new(|| Url::parse("https://somewhere.invalid/").expect("is a url"));

/// Whether a url leads to the web (`glossen.type.url`, choice `checked`).
pub(crate) fn leads_to_the_web(url: &str) -> bool {
    SOMEWHERE.join(&two_slashes(url)).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Whether a url is absolute and written as the URL Standard's parser writes it (`glossen.model.file`).
pub(crate) fn is_plain(url: &str) -> bool {
    Url::parse(url).is_ok_and(|parsed| parsed.as_str() == url)
}

/// An origin, as the base of links; `None` where it is none.
pub(crate) fn base(origin: &str) -> Option<Url> {
    let is_site = |url: &Url| matches!(url.scheme(), "http" | "https") && url.path() == "/";
    Url::parse(&format!("{origin}/")).ok().filter(is_site)
}

/// The path and the fragment of a link that stays on the site; `None` where it leads away or nowhere.
pub(crate) fn resolve(base: &Url, target: &str) -> Option<(String, Option<String>)> {
    let url = base
        .join(&two_slashes(target))
        .ok()
        .filter(|url| url.scheme() == base.scheme() && url.origin() == base.origin())?;
    // Only `/` itself stays: a path of several slashes is that of no page.
    let path = if url.path() == "/" { "/" } else { url.path().trim_end_matches('/') };
    Some((path.to_owned(), url.fragment().filter(|anchor| !anchor.is_empty()).map(str::to_owned)))
}

/// The target with just two slashes in front of a host. By the URL Standard more of them, and backslashes, count for
/// nothing where the base is of the web ("special authority ignore slashes state"); the `url` crate finds no host behind
/// three.
fn two_slashes(target: &str) -> Cow<'_, str> {
    // What the parser drops before it looks: white space and control characters in front, tabs and line ends anywhere.
    let trimmed = target.trim_start_matches(|character: char| character <= ' ');
    let is_dropped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let rest = trimmed.trim_start_matches(|character| matches!(character, '/' | '\\') || is_dropped(character));
    let slashes = trimmed[..trimmed.len() - rest.len()].chars().filter(|character| !is_dropped(*character)).count();
    if slashes > 2 { Cow::Owned(format!("//{rest}")) } else { Cow::Borrowed(target) }
}
