//! URLs, by the URL Standard.

use std::borrow::Cow;
use std::sync::LazyLock;

use url::Url;

/// The base of a url that has no other: any address of the web.
static SOMEWHERE: LazyLock<Url> = LazyLock::new(|| Url::parse("https://somewhere.invalid/").expect("is a url"));

/// Returns whether a url leads to the web (`glossen.type.url`, choice `checked`).
pub(crate) fn leads_to_the_web(url: &str) -> bool {
    SOMEWHERE.join(&two_slashes(url)).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Returns whether a url is absolute and written as the parser of the URL Standard writes it (`glossen.model.file`).
pub(crate) fn is_plain(url: &str) -> bool {
    Url::parse(url).is_ok_and(|parsed| parsed.as_str() == url)
}

/// Returns an origin as the base of links, or `None` if the text is not an origin.
pub(crate) fn base(origin: &str) -> Option<Url> {
    let is_site = |url: &Url| matches!(url.scheme(), "http" | "https") && url.path() == "/";
    Url::parse(&format!("{origin}/")).ok().filter(is_site)
}

/// Returns the path and the fragment of a link within the site, or `None` for any other link.
pub(crate) fn resolve(base: &Url, target: &str) -> Option<(String, Option<String>)> {
    let url = base
        .join(&two_slashes(target))
        .ok()
        .filter(|url| url.scheme() == base.scheme() && url.origin() == base.origin())?;
    // Only `/` itself is kept: no page has a path of several slashes.
    let path = if url.path() == "/" { "/" } else { url.path().trim_end_matches('/') };
    Some((path.to_owned(), url.fragment().filter(|anchor| !anchor.is_empty()).map(str::to_owned)))
}

/// Returns the target with exactly two slashes before a host. With a base of the web, the URL Standard ignores further
/// slashes and backslashes ("special authority ignore slashes state"). The `url` crate finds no host after three.
fn two_slashes(target: &str) -> Cow<'_, str> {
    // The parser first removes leading white space and control characters, and tabs and line ends anywhere.
    let trimmed = target.trim_start_matches(|character: char| character <= ' ');
    let is_dropped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let rest = trimmed.trim_start_matches(|character| matches!(character, '/' | '\\') || is_dropped(character));
    let slashes = trimmed[..trimmed.len() - rest.len()].chars().filter(|character| !is_dropped(*character)).count();
    if slashes > 2 { Cow::Owned(format!("//{rest}")) } else { Cow::Borrowed(target) }
}
