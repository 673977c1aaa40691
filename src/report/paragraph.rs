//! Paragraphs of running text.

use std::io::{self, Write};

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::escape::printable;

/// The column at which paragraphs wrap.
const WIDTH: usize = 100;

/// Returns the options with which reports wrap: lines break only at spaces, and a longer word has a line of its own.
pub(super) fn wrapping<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(false)
}

/// Writes a paragraph, wrapped between words: `first` before its first line, as many spaces before the others. Unprintable
/// characters are escaped.
///
/// # Errors
///
/// When writing fails.
pub(super) fn write_wrapped(text: &str, first: &str, out: &mut dyn Write) -> io::Result<()> {
    let indent = " ".repeat(first.len());
    let options = wrapping(WIDTH).initial_indent(first).subsequent_indent(&indent);
    writeln!(out, "{}", textwrap::fill(&printable(text), options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_only_at_spaces() {
        let long = "x".repeat(120);
        let text = format!("{} a-bc {long} c", "word ".repeat(18).trim_end());
        let mut out = Vec::new();
        write_wrapped(&text, "  why  ", &mut out).expect("can be written");
        let out = String::from_utf8(out).expect("is text");
        let head = "word ".repeat(18);
        let line = |text: &str| format!("       {text}\n");
        assert_eq!(out, format!("  why  {}\n", head.trim_end()) + &line("a-bc") + &line(&long) + &line("c"));
    }
}
