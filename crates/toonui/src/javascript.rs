//! JSON values as JavaScript orders and prints them. Nothing here recurses, so values may nest at any depth.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use genui_json::{Json, JsonString, Number, Style};

/// The greatest array index; `4294967295` is a name like any other.
const MAX_INDEX: u32 = u32::MAX - 1;

/// A part of a value that is still to be written; the next one is on top of the stack.
enum Piece<'v> {
    Value(&'v Json),
    Name(&'v JsonString),
    Mark(char),
}

/// Returns the value as `JSON.stringify` writes it.
pub(crate) fn stringify(value: &Json) -> String {
    let mut out = String::new();
    let mut pieces = vec![Piece::Value(value)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Mark(mark) => out.push(mark),
            Piece::Name(name) => {
                name.write_to(&mut out, Style::Compact);
                out.push(':');
            }
            Piece::Value(Json::Null) => out.push_str("null"),
            Piece::Value(Json::Bool(value)) => out.push_str(word(*value)),
            Piece::Value(Json::String(text)) => text.write_to(&mut out, Style::Compact),
            Piece::Value(Json::Number(number)) => {
                let value = double(number);
                if value.is_finite() {
                    out.push_str(ryu_js::Buffer::new().format_finite(value));
                } else {
                    out.push_str("null");
                }
            }
            Piece::Value(Json::Array(items)) => {
                out.push('[');
                pieces.push(Piece::Mark(']'));
                push_items(&mut pieces, items);
            }
            Piece::Value(Json::Object(members)) => {
                out.push('{');
                pieces.push(Piece::Mark('}'));
                for (index, (name, value)) in ordered(members).into_iter().enumerate().rev() {
                    pieces.extend([Piece::Value(value), Piece::Name(name)]);
                    pieces.extend((index > 0).then_some(Piece::Mark(',')));
                }
            }
        }
    }
    out
}

/// Pushes the items of an array with commas between them, the first on top.
fn push_items<'v>(pieces: &mut Vec<Piece<'v>>, items: &'v [Json]) {
    for (index, item) in items.iter().enumerate().rev() {
        pieces.push(Piece::Value(item));
        pieces.extend((index > 0).then_some(Piece::Mark(',')));
    }
}

/// Returns the value as `String()` converts it. A lone surrogate becomes U+FFFD.
pub(crate) fn string_of(value: &Json) -> Cow<'_, str> {
    match value {
        Json::Null => "null".into(),
        Json::Bool(value) => word(*value).into(),
        Json::Number(number) => written(double(number)).into(),
        Json::String(text) => text.to_text(),
        Json::Object(_) => "[object Object]".into(),
        Json::Array(_) => joined(value).into(),
    }
}

/// Returns an array as `join` writes it, nested arrays included; null is empty.
fn joined(array: &Json) -> String {
    let mut out = String::new();
    let mut pieces = vec![Piece::Value(array)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Value(Json::Null) => {}
            Piece::Value(Json::Array(items)) => push_items(&mut pieces, items),
            Piece::Value(leaf) => out.push_str(&string_of(leaf)),
            Piece::Mark(mark) => out.push(mark),
            Piece::Name(_) => unreachable!("an object is a leaf here"),
        }
    }
    out
}

/// Returns the entries of a value as `Object.entries` does, the names as text.
pub(crate) fn entries(value: &Json) -> Vec<(Cow<'_, str>, Cow<'_, Json>)> {
    match value {
        Json::Object(members) => {
            ordered(members).into_iter().map(|(name, value)| (name.to_text(), Cow::Borrowed(value))).collect()
        }
        Json::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string().into(), Cow::Borrowed(item))).collect()
        }
        Json::String(text) => {
            let units: Vec<u16> = match text {
                JsonString::Unicode(text) => text.encode_utf16().collect(),
                JsonString::Surrogates(units) => units.clone(),
            };
            let unit = |unit| Cow::Owned(Json::String(JsonString::from(vec![unit])));
            units.into_iter().enumerate().map(|(index, code)| (index.to_string().into(), unit(code))).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

/// Returns the members of an object in JavaScript's order: array indexes first and ascending, then the others in the
/// given order. A repeated name has its first place and its last value.
pub(crate) fn ordered(members: &[(JsonString, Json)]) -> Vec<(&JsonString, &Json)> {
    let mut places: HashMap<&JsonString, usize> = HashMap::with_capacity(members.len());
    let mut kept: Vec<(&JsonString, &Json)> = Vec::with_capacity(members.len());
    for (name, value) in members {
        match places.entry(name) {
            Entry::Occupied(place) => kept[*place.get()].1 = value,
            Entry::Vacant(place) => {
                place.insert(kept.len());
                kept.push((name, value));
            }
        }
    }
    // The sort is stable: names that are no index keep their order, after those that are.
    kept.sort_by_key(|(name, _)| name.as_str().and_then(array_index).map_or(u64::MAX, u64::from));
    kept
}

/// Returns the array index that a name represents: decimal digits without a leading zero.
pub(crate) fn array_index(name: &str) -> Option<u32> {
    let is_canonical = name == "0" || !name.starts_with('0');
    let is_digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|index| is_canonical && is_digits && *index <= MAX_INDEX)
}

fn double(number: &Number) -> f64 {
    // Every JSON number is valid for Rust; one beyond every finite double becomes infinite.
    number.as_str().parse().expect("a JSON number is one for Rust")
}

fn written(value: f64) -> String {
    ryu_js::Buffer::new().format(value).to_owned()
}

fn word(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genui_json as json;

    #[test]
    fn only_canonical_digits_up_to_the_limit_are_an_index() {
        for (name, index) in [("0", Some(0)), ("7", Some(7)), ("4294967294", Some(4_294_967_294))] {
            assert_eq!(array_index(name), index, "{name}");
        }
        for name in ["", "00", "01", "-0", "-1", "+1", "1.0", "1e3", " 1", "4294967295", "99999999999", "\u{0661}"] {
            assert_eq!(array_index(name), None, "{name}");
        }
    }

    #[test]
    fn values_nested_very_deep_are_written() {
        const DEPTH: usize = 10_000;
        let text = format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        let value = json::parse_within(&text, DEPTH).expect("is JSON");
        assert_eq!(stringify(&value), text);
        assert_eq!(string_of(&value), "");
    }
}
