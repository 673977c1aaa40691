//! Paragraphs of running text.

use std::io::{self, Write};

use super::escape::printable;

/// The column at which paragraphs wrap.
const WIDTH: usize = 100;

/// Writes a paragraph, wrapped between words: `first` before its first line, as many spaces before the others. Unprintable
/// characters are escaped.
///
/// # Errors
///
/// When writing fails.
pub(super) fn write_wrapped(text: &str, first: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut line = first.to_owned();
    let indent = " ".repeat(first.len());
    let mut empty = true;
    for word in printable(text).split(' ') {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    writeln!(out, "{line}")
}
