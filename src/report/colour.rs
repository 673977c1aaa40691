//! Colours of human-readable reports: `{RED}` begins a colour, `{RED:#}` ends it. The caller removes the escape sequences
//! if the output is not a terminal.

use anstyle::{AnsiColor, Style};

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const RED: Style = AnsiColor::Red.on_default();
pub(super) const GREEN: Style = AnsiColor::Green.on_default();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default();
/// No colour, without any escape sequence.
pub(super) const PLAIN: Style = Style::new();
