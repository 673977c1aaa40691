//! What comes back for a request, from whatever implementation.

use std::fmt;

use crate::format::Feature;
use crate::json::Json;

/// What came back for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A result.
    Result(Json),
    /// A refusal that a case can expect (code 1).
    Refusal {
        /// `data.kind`.
        kind: String,
        /// What the implementation says of it.
        message: String,
    },
    /// Not offered for this request (code 2), with the reason.
    Unsupported(String),
    /// It was not asked: it needs a feature that the implementation declares to omit.
    Omitted(Feature),
    /// The method is not offered (-32601).
    NoSuchMethod,
    /// No answer.
    Fault(Fault),
}

impl Answer {
    /// What stands for the answer to a request that was not asked.
    pub(crate) fn not_run(why: impl Into<String>) -> Answer {
        Answer::Fault(Fault::new(FaultKind::NotRun, why))
    }
}

/// In words: a result as JSON in ASCII, everything else said. Text of the adapter is not escaped.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Result(result) => f.write_str(&result.to_ascii()),
            Answer::Refusal { kind, message } => write!(f, "the refusal {kind}: {message}"),
            Answer::Unsupported(reason) => write!(f, "not offered: {reason}"),
            Answer::Omitted(feature) => write!(f, "not asked: the implementation omits {feature}"),
            Answer::NoSuchMethod => f.write_str("no such method"),
            Answer::Fault(fault) => f.write_str(&fault.detail),
        }
    }
}

/// What came instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of thing.
    pub kind: FaultKind,
    /// What exactly, with what the adapter said; text for people, not escaped yet.
    pub detail: String,
}

/// The ways not to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// Another JSON-RPC error than those that mean something here.
    Error,
    /// The adapter ended, or closed its output.
    Crash,
    /// Nothing came before the deadline.
    Timeout,
    /// A line that is not of the protocol.
    Garbage,
    /// A line that is too long.
    Flood,
    /// An answer to something that was not asked, or a second one.
    WrongId,
    /// It failed with several requests open, and answered each of them alone.
    Unstable,
    /// It was not asked.
    NotRun,
}

impl FaultKind {
    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Error => "error",
            FaultKind::Crash => "crash",
            FaultKind::Timeout => "timeout",
            FaultKind::Garbage => "garbage",
            FaultKind::Flood => "flood",
            FaultKind::WrongId => "wrong-id",
            FaultKind::Unstable => "unstable",
            FaultKind::NotRun => "not-run",
        }
    }
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}
