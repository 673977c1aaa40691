//! What software does to texts and values that it should carry through unchanged. Each mutant does it in one place.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::json::{self, Json};

static ENTITY: LazyLock<Regex> = LazyLock::new(|| pattern("&(amp|lt|gt|quot|#[0-9]{1,7});"));
static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern("(?s)<!--.*?-->"));
static DOLLAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$([$&])"));
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\([nt\\])"));
static FENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)^```[a-z]*\n(.*)\n```\n?$"));

/// Letters of two characters, or of an old one, and the character in their place under NFC.
const COMPOSED: &[(&str, &str)] = &[
    ("e\u{301}", "\u{e9}"),
    ("a\u{308}", "\u{e4}"),
    ("o\u{308}", "\u{f6}"),
    ("u\u{308}", "\u{fc}"),
    ("A\u{30a}", "\u{c5}"),
    ("\u{212b}", "\u{c5}"),
    ("\u{2126}", "\u{3a9}"),
];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("is a pattern")
}

/// Decodes entities of HTML: the four of markup, and decimal ones.
pub(super) fn entities_decoded(text: &str) -> String {
    let decoded = |entity: &Captures<'_>| match &entity[1] {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        number => {
            let character = number[1..].parse().ok().and_then(char::from_u32);
            character.map_or_else(|| entity[0].to_owned(), String::from)
        }
    };
    ENTITY.replace_all(text, decoded).into_owned()
}

/// Removes comments of HTML.
pub(super) fn without_comments(text: &str) -> String {
    COMMENT.replace_all(text, "").into_owned()
}

/// Composes letters and their accents, as NFC does.
pub(super) fn composed(text: &str) -> String {
    COMPOSED.iter().fold(text.to_owned(), |text, (two, one)| text.replace(two, one))
}

/// Reads `$$` and `$&` as `String.replace` of JavaScript does, in a template with the name `text` in braces.
pub(super) fn replaced(text: &str) -> String {
    DOLLAR.replace_all(text, |found: &Captures<'_>| if &found[1] == "$" { "$" } else { "{text}" }).into_owned()
}

/// Reads `\n`, `\t` and two backslashes, as `re.sub` of Python does.
pub(super) fn escapes_read(text: &str) -> String {
    let read = |found: &Captures<'_>| match &found[1] {
        "n" => "\n".to_owned(),
        "t" => "\t".to_owned(),
        other => other.to_owned(),
    };
    ESCAPE.replace_all(text, read).into_owned()
}

/// Removes a code fence around the whole text.
pub(super) fn unfenced(text: &str) -> String {
    FENCE.replace(text, "$1").into_owned()
}

/// Removes a byte order mark at the start.
pub(super) fn unmarked(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()
}

/// Writes LF for each CRLF.
pub(super) fn in_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Cuts a text at a number of characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Writes U+FFFD for each character beyond the first 65,536.
pub(super) fn within_16_bits(text: &str) -> String {
    text.chars().map(|character| if character > '\u{ffff}' { '\u{fffd}' } else { character }).collect()
}

/// A string of digits is the number. A leading zero keeps it a string.
pub(super) fn number_of_digits(value: Json) -> Json {
    match value.as_str().filter(|text| text.starts_with(|first: char| first.is_ascii_digit())) {
        Some(text) => json::parse(text).unwrap_or(value),
        None => value,
    }
}

/// Returns a value with each value in it changed, those within others first.
pub(super) fn with_values(value: Json, change: &dyn Fn(Json) -> Json) -> Json {
    change(match value {
        Json::Array(items) => Json::Array(items.into_iter().map(|item| with_values(item, change)).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, with_values(value, change))).collect())
        }
        scalar => scalar,
    })
}

/// Returns a value with each of its strings changed, and its names left alone.
pub(super) fn with_texts(value: Json, change: &dyn Fn(&str) -> String) -> Json {
    with_values(value, &|value| value.as_str().map(change).map_or_else(|| value.clone(), Json::from))
}

/// Returns a value without the members for whose value `is_lost` is true, at any depth.
pub(super) fn without_members(value: Json, is_lost: &dyn Fn(&Json) -> bool) -> Json {
    with_values(value, &|value| match value {
        Json::Object(members) => Json::Object(members.into_iter().filter(|(_, value)| !is_lost(value)).collect()),
        other => other,
    })
}

/// Whether a value is an empty string, list or object.
pub(super) fn is_empty(value: &Json) -> bool {
    match value {
        Json::String(text) => text.as_str() == Some(""),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}
