//! Implementations under test, and how requests are sent to them: in this process, or to a child process that speaks
//! the adapter protocol. `spec/adapter-protocol.md` describes it.

#[cfg(not(unix))]
compile_error!("adapters are run in process groups of their own, which only Unix systems have");

mod check;
mod child;
mod engine;
mod group;
mod health;
mod in_process;
mod line;
mod omitting;
mod one_shot;
mod options;
mod pool;
mod serve;
mod wire_tap;

pub use check::{Step, StepOutcome, check};
pub use child::StartError;
pub use engine::Engine;
pub use group::kill_all as kill_all_adapters;
pub use in_process::InProcess;
pub use omitting::Omitting;
pub use one_shot::OneShot;
pub use options::AdapterOptions;
pub use pool::Pool;
pub use serve::serve;
pub use wire_tap::{Traffic, Way, WireTap};

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::json::Json;
use crate::protocol::{Feature, Handshake, Method};

/// Reads a line that an adapter has written: the id of the request, and the answer to it. Everything that a hostile
/// process writes passes through here. It is public so that fuzz targets can call it.
///
/// # Errors
///
/// Returns why the line is no valid answer of the protocol: [`FaultKind::Garbage`], or [`FaultKind::WrongId`] if only
/// the id is wrong.
///
/// # Example
///
/// ```
/// use genui_conform::adapter::{Answer, FaultKind, read_line};
///
/// let (id, answer) = read_line(br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}"#).unwrap();
/// assert_eq!((id, answer), (7, Answer::NoSuchMethod));
/// assert_eq!(read_line(b"Listening ...").unwrap_err().kind, FaultKind::Garbage);
/// ```
pub fn read_line(line: &[u8]) -> Result<(u64, Answer), Fault> {
    line::read_answer(line).map(|answered| (answered.id, answered.answer))
}

/// An implementation that answers requests.
pub trait Implementation {
    /// Returns its handshake.
    fn handshake(&self) -> &Handshake;

    /// Sends all requests and returns an answer for each, in the same order. Calls `progress` after each answer. Once
    /// `stop` is set, requests without an answer get [`FaultKind::NotRun`]. It may be called many times.
    fn ask_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer>;

    /// How long each answer of the last [`ask_all`](Implementation::ask_all) took, in the same order: from the sending
    /// of the request, or from the previous answer of the same process if that came later, since until then the process
    /// had other requests to answer. Empty if nothing was measured.
    fn durations(&mut self) -> Vec<Option<Duration>> {
        Vec::new()
    }

    /// Shuts it down after the last request; at once if `stop` is set.
    fn finish(&mut self, _stop: &AtomicBool) -> Farewell {
        Farewell::default()
    }
}

/// How an implementation ended.
#[derive(Clone, Debug, Default)]
pub struct Farewell {
    /// Notes for the user on its behaviour.
    pub notes: Vec<String>,
    /// Output after all requests had been answered: the request to blame, counted from 0 over all requests ever sent,
    /// and the fault.
    pub late: Vec<(usize, Fault)>,
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The method.
    pub method: Method,
    /// The params: JSON text on one line.
    pub params: &'a str,
}

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
    /// Not sent, since it needs a feature that the implementation declares to omit.
    Omitted(Feature),
    /// The method is unsupported (-32601).
    NoSuchMethod,
    /// No valid answer.
    Fault(Fault),
}

impl Answer {
    /// Returns the answer that replaces the one to a request that was not sent.
    pub(crate) fn not_run(why: impl Into<String>) -> Answer {
        Answer::Fault(Fault::new(FaultKind::NotRun, why))
    }
}

/// Writes the answer as text: a result as JSON in ASCII, otherwise a description. Text of the adapter is not escaped.
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

/// What came instead of a valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The details, with the adapter's output; human-readable, not escaped yet.
    pub detail: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// Another JSON-RPC error than those of the protocol.
    Error,
    /// The adapter ended, or closed its output.
    Crash,
    /// No answer before the deadline.
    Timeout,
    /// A line that is not valid in the protocol.
    Garbage,
    /// A line that is too long.
    Flood,
    /// An answer to a request that was not sent, or a second answer.
    WrongId,
    /// It failed with several requests open, and answered each of them alone.
    Unstable,
    /// It was not sent.
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
