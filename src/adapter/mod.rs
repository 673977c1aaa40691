//! Implementations under test, and how they are asked: in this process, or as a child process that speaks the
//! adapter protocol. `spec/adapter-protocol.md` says it in words.

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

pub use crate::answer::{Answer, Fault, FaultKind};
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

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::format::Method;
use crate::protocol::Handshake;

/// Reads a line that an adapter has written: the id of the request, and what came back for it. This is what stands
/// between a hostile process and everything else here; it is public for those who want to throw lines at it.
///
/// # Errors
///
/// Says what is no answer of the protocol: [`FaultKind::Garbage`], or [`FaultKind::WrongId`] where all but the id is
/// well.
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

/// Something that can be asked.
pub trait Implementation {
    /// What it says of itself.
    fn handshake(&self) -> &Handshake;

    /// Asks everything and gives an answer for each, in the same order. Calls `progress` after each answer that
    /// comes in. Once `stop` is set, what has no answer yet gets [`FaultKind::NotRun`]. It may be called many times.
    fn ask_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer>;

    /// How long each answer of the last [`ask_all`](Implementation::ask_all) took, in the same order: from the sending of
    /// the request, or from the answer before it of the same process where that came later, since until then the process
    /// had others to answer. Nothing where nobody measured.
    fn durations(&mut self) -> Vec<Option<Duration>> {
        Vec::new()
    }

    /// Lets it end, once everything has been asked; at once where `stop` is set.
    fn finish(&mut self, _stop: &AtomicBool) -> Farewell {
        Farewell::default()
    }
}

/// How an implementation came to its end.
#[derive(Clone, Debug, Default)]
pub struct Farewell {
    /// What people should know of how it behaved.
    pub notes: Vec<String>,
    /// What came when everything had been answered: the request to blame, counted from 0 over all that was ever
    /// asked, and what is wrong.
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
