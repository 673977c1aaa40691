//! What software does to texts and names that it should carry through unchanged.

use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

static DOLLAR: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\$([$&])").expect("is a pattern"));

/// Letters of two characters, or of an old one, and the character in their place under NFC.
const COMPOSED: &[(&str, &str)] = &[
    ("e\u{301}", "\u{e9}"),
    ("a\u{308}", "\u{e4}"),
    ("o\u{308}", "\u{f6}"),
    ("u\u{308}", "\u{fc}"),
    ("\u{212b}", "\u{c5}"),
    ("\u{2126}", "\u{3a9}"),
];

/// Composes letters and their accents, as NFC does.
pub(super) fn composed(text: &str) -> String {
    COMPOSED.iter().fold(text.to_owned(), |text, (two, one)| text.replace(two, one))
}

/// Removes white space around a text.
pub(super) fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

/// Cuts a text at a number of characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Writes LF for each CRLF.
pub(super) fn in_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Reads `$$` and `$&` as `String.replace` of JavaScript does, in a template with the name `text` in braces.
pub(super) fn replaced(text: &str) -> String {
    DOLLAR.replace_all(text, |found: &Captures<'_>| if &found[1] == "$" { "$" } else { "{text}" }).into_owned()
}

/// Escapes a text for HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Decodes percent signs; bytes that are not UTF-8 become U+FFFD, and a percent sign without digits stays.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Whether a text has nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether a text does not decode: a percent sign has no two digits after it, or the bytes are not UTF-8.
pub(super) fn is_malformed(text: &str) -> bool {
    let hex = |piece: &str| piece.len() >= 2 && piece.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    !text.split('%').skip(1).all(hex) || percent_decode_str(text).decode_utf8().is_err()
}
