//! The checks on OpenUI messages.

#[path = "streaming.rs"]
mod checks;
mod message;

use super::{Check, Finding, Knowledge};
use crate::json::Json;
pub(super) use message::Subject;

/// Asks what a check needs to know of a message; `None` while some answers are missing.
pub(super) fn examine(check: Check, subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    match check {
        Check::NoFlash => checks::no_flash(subject, known),
        Check::Growth => checks::growth(subject, known),
        Check::Settle => checks::settle(subject, known),
        Check::Chunks => checks::chunks(subject, known),
        Check::LineEndings => checks::line_endings(subject, known),
        Check::UnknownSection => checks::unknown_section(subject, known),
        Check::Rewrite => checks::rewrite(subject, known),
        Check::ModelMarkers => checks::model_markers(subject, known),
        Check::ModelContent => checks::model_content(subject, known),
        // Of other formats: there is nothing in a message that they speak of.
        _ => Some(Finding::Holds),
    }
}

/// The content of a result; `None` where there is none.
fn content(result: &Json) -> Option<&str> {
    result.get("content").and_then(Json::as_str)
}
