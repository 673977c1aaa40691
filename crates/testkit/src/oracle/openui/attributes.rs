//! The oracle for the rules `openui.attributes.*`: pairs are split from the text, and decoded byte by byte.

use genui_openui::Options;
use genui_openui::choices::{DuplicateAttribute, EmptyName};

/// The names and values of an attributes' text, in the order of the names' first places.
#[must_use]
pub fn attributes(text: &str, options: &Options) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for (name, value) in pairs(text) {
        if name.is_empty() && options.choices.empty_name == EmptyName::Dropped {
            continue;
        }
        match attributes.iter_mut().find(|(known, _)| *known == name) {
            None => attributes.push((name, value)),
            Some(known) if options.choices.duplicate_attribute == DuplicateAttribute::Last => known.1 = value,
            Some(_) => {}
        }
    }
    attributes
}

/// Returns every pair, decoded, before empty and repeated names are handled.
#[must_use]
pub fn pairs(text: &str) -> Vec<(String, String)> {
    let pieces = text.split('&').filter(|piece| !piece.is_empty());
    let pairs = pieces.map(|piece| piece.split_once('=').unwrap_or((piece, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match (first, after) {
            (b'+', _) => (b' ', after),
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (hex(*high) * 16 + hex(*low), after)
            }
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'A' + 10,
    }
}
