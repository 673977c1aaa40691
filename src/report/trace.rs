//! A message line by line, as the reader read it.

use std::io::{self, Write};

use super::escape::excerpt;
use crate::json::Json;
use crate::openui::{Mode, Options, trace};

/// Longer lines are cut.
const SHOWN: usize = 120;

/// Writes a line for each line of the message: its number, what it is, the rule that says so, and its text in
/// quotes.
///
/// # Errors
///
/// When writing fails.
pub fn write_trace(raw: &str, mode: Mode, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    for line in trace(raw, mode, options) {
        let text = excerpt(&Json::from(&raw[line.span.clone()]).to_ascii(), SHOWN);
        writeln!(out, "  {:>4}  {:8}  {:36}  {text}", line.number, line.kind.name(), line.rule)?;
    }
    Ok(())
}
