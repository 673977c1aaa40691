//! Reports without their colours.

/// The colours of reports.
const COLOURS: [&str; 6] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];

/// Removes the colours of a report and the space at line ends; other escape sequences stay.
pub(crate) fn plain(text: &str) -> String {
    let text = COLOURS.iter().fold(text.to_owned(), |text, colour| text.replace(colour, ""));
    text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}
