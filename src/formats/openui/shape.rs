//! The shape of params that have messages.

use crate::format::{value_shape, words};
use crate::json::Json;
use crate::openui::PREFIX;

/// The shape of params: lines of texts by what they are.
pub(super) fn message(params: &Json, out: &mut String) {
    value_shape(params, &text_shape, out);
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
