//! The shape of params: cases of one shape test the same.

use crate::json::Json;

/// Writes the shape of a value, in which `text_shape` writes that of each text.
pub fn value_shape(value: &Json, text_shape: &dyn Fn(&str, &mut String), out: &mut String) {
    match value {
        Json::String(string) => match string.as_str() {
            Some(text) => text_shape(text, out),
            None => out.push_str(&string.to_string()),
        },
        Json::Array(items) => items.iter().for_each(|item| {
            out.push('[');
            value_shape(item, text_shape, out);
        }),
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            out.push_str(&words(&name.to_string()));
            out.push(':');
            value_shape(value, text_shape, out);
        }),
        Json::Null | Json::Bool(_) => out.push_str(&value.to_ascii()),
        Json::Number(number) => out.push_str(&words(number.as_str())),
    }
    out.push(',');
}

/// A text with each run of letters as one letter and each run of digits as one digit.
#[must_use]
pub fn words(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let class = match character {
            'a'..='z' | 'A'..='Z' => 'a',
            '0'..='9' => '0',
            other => other,
        };
        if !(matches!(class, 'a' | '0') && out.ends_with(class)) {
            out.push(class);
        }
    }
    out
}
