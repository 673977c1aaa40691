//! The answer to a request, from any implementation.

use std::fmt;

use genui_json::Json;
use strum::{Display, IntoStaticStr};

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A result.
    Result(Json),
    /// A refusal that a case can expect (code 1).
    Refusal {
        /// `data.kind`.
        kind: String,
        /// The implementation's message.
        message: String,
    },
    /// Unsupported for this request (code 2), with the reason.
    Unsupported(String),
    /// Not sent, since it needs the feature of this name, which the implementation declares to omit.
    Omitted(String),
    /// The method is unsupported (-32601).
    NoSuchMethod,
    /// No valid answer.
    Fault(Fault),
}

impl Answer {
    /// Returns the answer that replaces the one to a request that was not sent.
    #[must_use]
    pub fn not_run(why: impl Into<String>) -> Answer {
        Answer::Fault(Fault::new(FaultKind::NotRun, why))
    }
}

/// Writes the answer as text: a result as JSON in ASCII, otherwise a description. Text of the adapter is not escaped.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Result(result) => f.write_str(&result.to_ascii()),
            Answer::Refusal { kind, message } => write!(f, "the refusal {kind}: {message}"),
            Answer::Unsupported(reason) => write!(f, "unsupported: {reason}"),
            Answer::Omitted(feature) => write!(f, "not sent: the implementation omits {feature}"),
            Answer::NoSuchMethod => f.write_str("no such method"),
            Answer::Fault(fault) => f.write_str(&fault.detail),
        }
    }
}

/// What came instead of a valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The details, with the adapter's output; human-readable, not escaped yet.
    pub detail: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum FaultKind {
    /// Another JSON-RPC error than those of the protocol.
    Error,
    /// The adapter ended, or closed its output.
    Crash,
    /// No answer before the deadline.
    Timeout,
    /// A line that is not valid in the protocol.
    Malformed,
    /// A line that is too long.
    Oversized,
    /// An answer to a request that was not sent, or a second answer.
    UnexpectedId,
    /// It failed with several requests open, and answered each of them alone.
    Flaky,
    /// It was not sent.
    NotRun,
}

impl FaultKind {
    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Fault {
    /// Returns a fault with these details.
    #[must_use]
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}
