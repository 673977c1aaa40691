//! The shape of a case: what is left of its params when names, words and figures are taken out. Two cases with
//! the same shape that turn on the same rules say the same twice.

use super::Case;
use crate::json::{self, Json};
use crate::openui::PREFIX;
use crate::protocol::Format;

/// The shape of a case's request.
pub(super) fn shape(case: &Case) -> String {
    let mut out = format!("{} {:?} ", case.method, case.profiles);
    // The loader has read the params; what cannot be read has no shape to compare.
    if let Ok(params) = json::parse(&case.params) {
        match case.method.format() {
            Format::Openui | Format::Toonui => value_shape(&params, &mut out),
            Format::Glossen => message_shape(&params, "", &mut out),
        }
    }
    out
}

/// What a message is called and where it leads means something, unlike what is said in it.
fn message_shape(value: &Json, name: &str, out: &mut String) {
    match value {
        Json::Array(items) => {
            out.push('[');
            items.iter().for_each(|item| message_shape(item, name, out));
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (name, value) in members {
                out.push_str(&name.to_string());
                message_shape(value, &name.to_text(), out);
            }
            out.push('}');
        }
        Json::String(text) if matches!(name, "text" | "title" | "heading") => out.push_str(&words(&text.to_string())),
        other => out.push_str(&other.to_ascii()),
    }
    out.push(',');
}

fn value_shape(value: &Json, out: &mut String) {
    match value {
        Json::String(string) => match string.as_str() {
            Some(text) => text_shape(text, out),
            None => out.push_str(&string.to_string()),
        },
        Json::Array(items) => items.iter().for_each(|item| {
            out.push('[');
            value_shape(item, out);
        }),
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            out.push_str(&words(&name.to_string()));
            out.push(':');
            value_shape(value, out);
        }),
        Json::Null | Json::Bool(_) => out.push_str(&value.to_ascii()),
        Json::Number(number) => out.push_str(&words(number.as_str())),
    }
    out.push(',');
}

/// Lines of text: markers with their kind and the shape of their attributes, lines of a context as they are but
/// for words and figures, and of other lines only whether they are blank and what in them is odd.
fn text_shape(text: &str, out: &mut String) {
    let mut in_context = false;
    let mut last_was_plain = false;
    for line in text.split_inclusive('\n') {
        let (body, ending) = match line.strip_suffix('\n') {
            Some(body) => match body.strip_suffix('\r') {
                Some(body) => (body, "\\r\\n"),
                None => (body, "\\n"),
            },
            None => (line, ""),
        };
        let mut line_shape = String::new();
        if let Some(marker) = body.strip_prefix(PREFIX) {
            in_context = marker.starts_with("context");
            line_shape.push('#');
            line_shape.push_str(&marker_shape(marker));
        } else if in_context {
            line_shape.push_str(&words(body));
        } else {
            line_shape.push_str(&oddities(body));
        }
        let plain = line_shape == "t" && ending == "\\n";
        if !(plain && last_was_plain) {
            out.push_str(&line_shape);
            out.push_str(ending);
        }
        last_was_plain = plain;
    }
}

fn marker_shape(marker: &str) -> String {
    for kind in ["content", "context", "end"] {
        if let Some(rest) =
            marker.strip_prefix(kind).filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        {
            return format!("{kind}{}", words(rest));
        }
    }
    // A kind that only resembles a known one is its own thing.
    marker.to_owned()
}

/// A line of text: empty, or `t` with everything in it that a reader might stumble over.
fn oddities(line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    let mut out = String::from("t");
    if line.trim_matches([' ', '\t']).is_empty() {
        out.push_str("blank");
    } else if line.starts_with([' ', '\t']) || line.ends_with([' ', '\t']) {
        out.push_str("padded");
    }
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let skip = if rest.starts_with("]]>") {
            let piece = rest.split([' ', '"', '(', ')', ',']).next().unwrap_or(rest);
            let piece = &piece[..piece.floor_char_boundary(40)];
            out.push_str(piece);
            piece.len()
        } else if rest.starts_with("<cont") || rest.starts_with("</cont") {
            out.push_str(&rest[..rest.floor_char_boundary(10)]);
            // What follows the word may be nothing, or more than one byte.
            rest.floor_char_boundary(6)
        } else {
            if !matches!(character, ' '..='~') || character == ']' || character == '\\' {
                out.push_str(&format!("{character:?}"));
            }
            character.len_utf8()
        };
        rest = &rest[skip..];
    }
    // A long line is there for its length.
    if line.len() > 1_000 {
        out.push_str("long");
    }
    out
}

/// A text with each run of letters as one letter and each run of digits as one digit.
fn words(text: &str) -> String {
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
