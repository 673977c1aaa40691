//! The URL Standard's basic URL parser, for urls of the schemes `http` and `https`. The crate `url` parses only what is
//! before the path: its paths differ from the standard's in some corners (`..` after a segment such as `c:`, more than
//! two slashes at the start, `^`).

use url::{Host, Url};

/// A url that leads to the web: one of the scheme `http` or `https`.
pub(super) struct WebUrl {
    pub(super) scheme: String,
    pub(super) host: Host<String>,
    pub(super) port: Option<u16>,
    pub(super) path: String,
    /// The text after the `#`. The standard's fragment, percent-decoded, is this text, percent-decoded.
    pub(super) fragment: String,
}

/// Reads a url without a base.
pub(super) fn read_base(text: &str) -> Option<WebUrl> {
    let url = Url::parse(text).ok()?;
    let is_web = ["http", "https"].contains(&url.scheme());
    web_url(&url, url.path().to_owned(), String::new()).filter(|_| is_web)
}

/// Parses a text with a base whose path is `/`. Returns `None` if the standard's parser does not accept it, or finds
/// another scheme than `http` and `https`.
pub(super) fn parse(text: &str, base: &WebUrl) -> Option<WebUrl> {
    // Blanks and control characters around the text are dropped, and tabs and line ends within it.
    let text = text.trim_matches(|character| character <= ' ').replace(['\t', '\n', '\r'], "");
    let (text, fragment) = text.split_once('#').unwrap_or((&text, ""));
    let text = text.split('?').next().unwrap_or_default();
    // "scheme state" and "no scheme state"
    let (scheme, rest) = match split_scheme(text) {
        Some((scheme, rest)) => (scheme, rest),
        None => (base.scheme.clone(), text),
    };
    if scheme != "http" && scheme != "https" {
        return None;
    }
    // "special authority slashes state" for a scheme other than that of the base; "special relative or authority state"
    // and "relative slash state" otherwise.
    let after_slashes = rest.trim_start_matches(SLASHES);
    let slashes = rest.len() - after_slashes.len();
    if scheme == base.scheme && slashes < 2 {
        let (host, fragment) = (base.host.clone(), fragment.to_owned());
        return Some(WebUrl { scheme, host, port: base.port, path: path(after_slashes), fragment });
    }
    // "special authority ignore slashes state" and "authority state"
    let path_start = after_slashes.find(SLASHES).unwrap_or(after_slashes.len());
    let (authority, after) = after_slashes.split_at(path_start);
    let url = Url::parse(&format!("{scheme}://{authority}/")).ok()?;
    web_url(&url, path(after.strip_prefix(SLASHES).unwrap_or(after)), fragment.to_owned())
}

/// A `\` is a slash in urls of these schemes.
const SLASHES: [char; 2] = ['/', '\\'];

fn web_url(url: &Url, path: String, fragment: String) -> Option<WebUrl> {
    let host = url.host()?.to_owned();
    Some(WebUrl { scheme: url.scheme().to_owned(), host, port: url.port_or_known_default(), path, fragment })
}

/// Returns the scheme in lower case and the text after its `:`, if the text begins with a scheme.
fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// "path state": the path of a text after its first slash. Dot segments are resolved, also percent-encoded ones.
fn path(text: &str) -> String {
    let given: Vec<&str> = text.split(SLASHES).collect();
    let mut segments: Vec<String> = Vec::new();
    for (index, segment) in given.iter().enumerate() {
        let is_last = index + 1 == given.len();
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            ".." => {
                segments.pop();
            }
            "." => {}
            _ => {
                segments.push(percent_encoded(segment));
                continue;
            }
        }
        // A dot segment at the end leaves an empty one.
        if is_last {
            segments.push(String::new());
        }
    }
    format!("/{}", segments.join("/"))
}

/// Percent-encodes a text with the path percent-encode set.
fn percent_encoded(segment: &str) -> String {
    let mut encoded = String::new();
    for byte in segment.bytes() {
        match byte {
            b'"' | b'#' | b'<' | b'>' | b'?' | b'^' | b'`' | b'{' | b'}' => encoded.push_str(&format!("%{byte:02X}")),
            b'!'..=b'~' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
