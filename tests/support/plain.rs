//! Reports without their colours.

/// The colours that reports have.
const COLOURS: [&str; 6] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];

/// A report without its colours; other escape sequences stay. No space is left at the end of a line.
pub(crate) fn plain(text: &str) -> String {
    let text = COLOURS.iter().fold(text.to_owned(), |text, colour| text.replace(colour, ""));
    text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}
