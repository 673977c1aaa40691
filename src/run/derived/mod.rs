//! Derived checks: what must hold of every message, whatever it says. They come free with every case that reads
//! one, and need no expectation: an implementation is held to its own answers, with what is left open as it was
//! bound. `spec/openui.md` words them, under Derived checks.

mod checks;
mod message;
mod questions;
mod sweep;

pub use questions::{Knowledge, Question};
pub use sweep::{DerivedOutcome, Evidence, examine_message, sweep, sweep_checks};

use crate::json::Json;
use message::Subject;

/// A derived check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// While a marker line arrives, nothing of it shows.
    NoFlash,
    /// What shows grows.
    Growth,
    /// Away from markers, streaming shows what whole reading shows.
    Settle,
    /// However the text is cut into chunks, the same shows.
    Chunks,
    /// CRLF reads like LF.
    LineEndings,
    /// An unknown section at the end changes nothing.
    UnknownSection,
    /// What was read can be written and reads the same again.
    Rewrite,
}

impl Check {
    /// Every check.
    pub const ALL: [Check; 7] = [
        Check::NoFlash,
        Check::Growth,
        Check::Settle,
        Check::Chunks,
        Check::LineEndings,
        Check::UnknownSection,
        Check::Rewrite,
    ];

    /// The name behind the `#` of an id.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::NoFlash => "no-flash",
            Check::Growth => "growth",
            Check::Settle => "settle",
            Check::Chunks => "chunks",
            Check::LineEndings => "line-endings",
            Check::UnknownSection => "unknown-section",
            Check::Rewrite => "rewrite",
        }
    }

    /// The rule that a departure breaks.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Check::NoFlash => "openui.stream.no-flash",
            Check::Growth => "openui.stream.growth",
            Check::Settle => "openui.stream.settle",
            Check::Chunks => "openui.stream.chunks",
            Check::LineEndings => "openui.section.crlf",
            Check::UnknownSection => "openui.read.unknown-kind",
            Check::Rewrite => "openui.build.round-trip",
        }
    }
}

/// What came of a check on one message.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds, or the message is none that it speaks of.
    Holds,
    /// The implementation does not offer what it needs.
    Unsupported,
    /// It does not hold.
    Departs(Departs),
    /// One of the questions got no answer.
    NoAnswer(Question, crate::adapter::Answer),
}

/// Why a check does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Departs {
    /// What was asked, and shows it.
    pub question: Question,
    /// What had to come, in words or as JSON.
    pub expected: String,
    /// What came.
    pub found: String,
    /// The rule that is broken, where it is not that of the check.
    pub rule: Option<&'static str>,
}

/// Asks what a check needs to know; `None` while some answers are missing, which [`Knowledge`] then lists.
fn examine(check: Check, subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    match check {
        Check::NoFlash => checks::no_flash(subject, known),
        Check::Growth => checks::growth(subject, known),
        Check::Settle => checks::settle(subject, known),
        Check::Chunks => checks::chunks(subject, known),
        Check::LineEndings => checks::line_endings(subject, known),
        Check::UnknownSection => checks::unknown_section(subject, known),
        Check::Rewrite => checks::rewrite(subject, known),
    }
}

/// The content of a result; `None` where there is none.
fn content(result: &Json) -> Option<&str> {
    result.get("content").and_then(Json::as_str)
}
