//! Paragraphs of running text.

use std::io::{self, Write};

use super::escape::printable;

/// The column at which paragraphs wrap.
const WIDTH: usize = 100;

/// Writes a paragraph, wrapped between words, each line behind `indent`. What could not be printed is escaped.
///
/// # Errors
///
/// When writing fails.
pub(super) fn write_wrapped(text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut column = 0;
    for word in printable(text).split(' ') {
        let width = word.chars().count();
        if column == 0 {
            write!(out, "{indent}{word}")?;
            column = indent.len() + width;
        } else if column + 1 + width > WIDTH {
            write!(out, "\n{indent}{word}")?;
            column = indent.len() + width;
        } else {
            write!(out, " {word}")?;
            column += 1 + width;
        }
    }
    writeln!(out)
}
