//! What software does to texts and values that it should carry through unchanged. Each mutant does it in one place.

use std::borrow::Cow;
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex::{Captures, Regex};

use crate::formats::values::changed;
use crate::json::{Json, JsonString};

static ENTITY: LazyLock<Regex> = LazyLock::new(|| pattern("&(amp|lt|gt|quot);"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern("</?[A-Za-z][^<>]*>"));
static DOLLAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$([$&])"));
static HUMP: LazyLock<Regex> = LazyLock::new(|| pattern("([a-z])([A-Z])"));

/// Characters of markup, and their entities.
const ENTITIES: [(&str, &str); 4] = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")];

/// Letters of two characters, and the character in their place under NFC.
const COMPOSED: [(&str, &str); 4] =
    [("e\u{301}", "\u{e9}"), ("a\u{308}", "\u{e4}"), ("o\u{308}", "\u{f6}"), ("u\u{308}", "\u{fc}")];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("is a pattern")
}

/// Decodes the entities of markup.
pub(super) fn decoded(text: &str) -> String {
    let character = |entity: &Captures<'_>| {
        let known = ENTITIES.iter().find(|(_, known)| *known == &entity[0]);
        known.map_or_else(|| entity[0].to_owned(), |(character, _)| (*character).to_owned())
    };
    ENTITY.replace_all(text, character).into_owned()
}

/// Writes entities for the characters of markup.
pub(super) fn escaped(text: &str) -> String {
    ENTITIES.iter().fold(text.to_owned(), |text, (character, entity)| text.replace(character, entity))
}

/// Removes the tags of HTML.
pub(super) fn untagged(text: &str) -> String {
    TAG.replace_all(text, "").into_owned()
}

/// Composes letters and their accents, as NFC does.
pub(super) fn composed(text: &str) -> String {
    COMPOSED.iter().fold(text.to_owned(), |text, (two, one)| text.replace(two, one))
}

/// Reads `$$` and `$&` as `String.replace` of JavaScript does, in a template with the name `text` in braces.
pub(super) fn replaced(text: &str) -> String {
    DOLLAR.replace_all(text, |found: &Captures<'_>| if &found[1] == "$" { "$" } else { "{text}" }).into_owned()
}

/// Decodes percent-encoding. What is no UTF-8 then stays as it is.
pub(super) fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text)).into_owned()
}

/// Puts a space where a capital follows a small letter.
pub(super) fn split_words(text: &str) -> String {
    HUMP.replace_all(text, "$1 $2").into_owned()
}

/// Writes LF for each CRLF.
pub(super) fn in_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Removes a byte order mark at the start.
pub(super) fn unmarked(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()
}

/// Removes white space at both ends.
pub(super) fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

/// Cuts a text after a number of characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Returns a value with each value in it changed, those within others first.
pub(super) fn with_each(value: &Json, change: &dyn Fn(Json) -> Json) -> Json {
    change(match value {
        Json::Array(items) => Json::Array(items.iter().map(|item| with_each(item, change)).collect()),
        Json::Object(members) => {
            let changed = |(name, value): &(JsonString, Json)| (name.clone(), with_each(value, change));
            Json::Object(members.iter().map(changed).collect())
        }
        scalar => scalar.clone(),
    })
}

/// Returns a value with the strings within it changed; names are unchanged.
pub(super) fn with_texts(value: &Json, change: &dyn Fn(&str) -> String) -> Json {
    with_each(value, &|value| match value {
        Json::String(text) => change(&text.to_text()).into(),
        other => other,
    })
}

/// Returns an object with the strings within these members changed.
pub(super) fn with_texts_in(object: &Json, names: &[&str], change: &dyn Fn(&str) -> String) -> Json {
    names.iter().fold(object.clone(), |object, name| changed(object, name, |value| with_texts(value, change)))
}

/// Returns a value without the members for which this is true, at any depth.
pub(super) fn without_members(value: &Json, is_lost: &dyn Fn(&str, &Json) -> bool) -> Json {
    with_each(value, &|value| match value {
        Json::Object(members) => {
            Json::Object(members.into_iter().filter(|(name, value)| !is_lost(&name.to_text(), value)).collect())
        }
        other => other,
    })
}

/// Returns a value with null in place of what is within so many lists and objects.
pub(super) fn within_levels(value: &Json, levels: usize) -> Json {
    match value {
        Json::Array(_) | Json::Object(_) if levels == 0 => Json::Null,
        Json::Array(items) => Json::Array(items.iter().map(|item| within_levels(item, levels - 1)).collect()),
        Json::Object(members) => {
            let changed = |(name, value): &(JsonString, Json)| (name.clone(), within_levels(value, levels - 1));
            Json::Object(members.iter().map(changed).collect())
        }
        scalar => scalar.clone(),
    }
}
