//! The report as JSON.

use std::io::{self, Write};

use serde::Deserialize;

use super::comparison::Comparison;
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

/// Writes a comparison as JSON, indented, with a LF at its end.
///
/// # Errors
///
/// When writing fails.
pub fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, comparison)?;
    writeln!(out)
}

/// The parts of a report that a later run needs.
#[derive(Deserialize)]
struct Earlier {
    cases: Vec<EarlierItem>,
    derived: Vec<EarlierItem>,
}

#[derive(Deserialize)]
struct EarlierItem {
    id: String,
    fails: bool,
}

/// The error for a text that is not a report of kind json.
#[derive(Debug, thiserror::Error)]
#[error("expected a report of kind json: {0}")]
pub struct NotAReport(#[from] serde_json::Error);

/// Returns the ids of the cases that failed in a report written by [`write_json`], or that have a failed derived check in it,
/// sorted and without duplicates.
///
/// # Errors
///
/// If the text is not such a report.
pub fn read_failed(text: &str) -> Result<Vec<String>, NotAReport> {
    let report: Earlier = serde_json::from_str(text)?;
    let failed = report.cases.into_iter().chain(report.derived).filter(|item| item.fails);
    let mut ids: Vec<String> = failed.map(|item| item.id.split('#').next().unwrap_or("").to_owned()).collect();
    ids.sort();
    ids.dedup();
    Ok(ids)
}
