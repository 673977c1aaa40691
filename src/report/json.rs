//! The report as JSON.

use std::io::{self, Write};

use super::summary::Summary;

/// Writes the report as JSON, indented, with a LF at its end.
///
/// # Errors
///
/// When writing fails.
pub fn write_json(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, summary)?;
    writeln!(out)
}
