//! Mutations of text that readers of such formats fail on: line endings, cuts, pieces moved about.

use super::{Draw, DrawExt};

/// Single characters that readers treat specially.
const ODD: &[&str] = &[
    "\r",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{b}",
    "\u{e9}",
    "\u{1f600}",
    "]",
    "?",
    "%",
    "+",
];

/// The text after one to four mutations. `other` is a text to take pieces from.
#[must_use]
pub fn mutated(draw: &mut dyn Draw, text: &str, other: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=draw.below(4) {
        text = once(draw, &text, other);
    }
    text
}

fn once(draw: &mut dyn Draw, text: &str, other: &str) -> String {
    let at = place(draw, text);
    let (before, after) = text.split_at(at);
    match draw.below(12) {
        // A piece of the other text, inserted or in place of the rest.
        0 => format!("{before}{}{after}", piece(draw, other)),
        1 => format!("{before}{}", &other[place(draw, other)..]),
        // Cut off, cut out, doubled.
        2 => before.to_owned(),
        3 => format!("{before}{}", &after[place(draw, after)..]),
        4 => format!("{before}{}{after}", piece(draw, text)),
        // Line endings: all of a kind, one more, one less.
        5 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        6 => text.replace("\r\n", "\n"),
        7 => match nth(draw, text, '\n') {
            Some(at) => format!("{}{}", &text[..at], &text[at + 1..]),
            None => format!("{text}\n"),
        },
        8 => match nth(draw, text, '\n') {
            Some(at) => format!("{}\r{}", &text[..at], &text[at..]),
            None => format!("{text}\r"),
        },
        // An odd character; a token of the text somewhere else; a stretch.
        9 => format!("{before}{}{after}", draw.pick(ODD)),
        10 => format!("{before}{}{after}", token(draw, text)),
        _ => format!("{before}{}{after}", piece(draw, text).repeat(2 + draw.below(6))),
    }
}

/// A byte offset between two characters.
fn place(draw: &mut dyn Draw, text: &str) -> usize {
    text.floor_char_boundary(draw.below(text.len() + 1))
}

/// A short piece of the text.
fn piece<'t>(draw: &mut dyn Draw, text: &'t str) -> &'t str {
    let from = place(draw, text);
    let to = text.floor_char_boundary((from + 1 + draw.below(24)).min(text.len())).max(from);
    &text[from..to]
}

/// A word between white space: a marker, a word, a number.
fn token<'t>(draw: &mut dyn Draw, text: &'t str) -> &'t str {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    if tokens.is_empty() { "" } else { draw.pick(&tokens) }
}

/// Where one of these characters is.
fn nth(draw: &mut dyn Draw, text: &str, character: char) -> Option<usize> {
    let places: Vec<usize> = text.match_indices(character).map(|(at, _)| at).collect();
    if places.is_empty() { None } else { Some(draw.pick(&places)) }
}
