//! A badge: the JSON of shields.io endpoints, which shields.io turns into a picture.

use std::io::{self, Write};

use serde_json::json;

use super::escape::plural;
use super::summary::Summary;
use crate::run::{Claim, Verdict};

/// Writes a badge with the verdict of a run, in the format of <https://shields.io/badges/endpoint-badge>.
///
/// # Errors
///
/// When writing fails.
pub fn write_badge(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let answered = summary.cases.len() - summary.counts.of(Verdict::Unsupported);
    let (message, color) = match summary.verdict {
        Claim::Conformant => (format!("conformant, {}", plural(answered, "case")), "brightgreen"),
        Claim::InPart => (summary.conformance.clone(), "yellow"),
        Claim::NotConformant => (format!("{} failing", summary.failing()), "red"),
        Claim::None => (summary.conformance.clone(), "lightgrey"),
    };
    let label = format!("genui-conform {}", summary.profile);
    serde_json::to_writer(
        &mut *out,
        &json!({ "schemaVersion": 1, "label": label, "message": message, "color": color }),
    )?;
    writeln!(out)
}
