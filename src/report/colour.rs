//! Colours as escape sequences. The caller removes them if the output is not a terminal.

pub(super) const BOLD: &str = "\u{1b}[1m";
pub(super) const DIM: &str = "\u{1b}[2m";
pub(super) const RED: &str = "\u{1b}[31m";
pub(super) const GREEN: &str = "\u{1b}[32m";
pub(super) const YELLOW: &str = "\u{1b}[33m";
pub(super) const PLAIN: &str = "\u{1b}[0m";
