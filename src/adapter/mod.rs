//! Implementations under test, and how requests are sent to them: in this process, or to a child process that speaks
//! the adapter protocol. `spec/adapter-protocol.md` describes it.

#[cfg(not(unix))]
compile_error!("adapters are run in process groups of their own, which only Unix systems have");

mod check;
mod child;
mod group;
mod health;
mod in_process;
mod in_process_adapter;
mod omitting;
mod one_shot;
mod options;
mod pool;
mod serve;
mod traffic_log;

pub use crate::protocol::{Answer, Fault, FaultKind};
pub use check::{Step, StepOutcome, check};
pub use child::StartError;
pub use group::kill_all as kill_all_adapters;
pub use in_process::InProcess;
pub use in_process_adapter::InProcessAdapter;
pub use omitting::Omitting;
pub use one_shot::OneShot;
pub use options::AdapterOptions;
pub use pool::Pool;
pub use serve::serve;
pub use traffic_log::{Direction, TrafficEvent, TrafficLog};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::format::Method;
use crate::protocol::Handshake;

/// An implementation that answers requests.
pub trait Implementation {
    /// Returns its handshake.
    fn handshake(&self) -> &Handshake;

    /// Sends all requests and returns an answer for each, in the same order. Calls `progress` after each answer. Once
    /// `stop` is set, requests without an answer get [`FaultKind::NotRun`]. It may be called many times.
    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer>;

    /// How long each answer of the last [`send_all`](Implementation::send_all) took, in the same order: from the sending
    /// of the request, or from the previous answer of the same process if that came later, since until then the process
    /// had other requests to answer. Empty if nothing was measured.
    fn durations(&mut self) -> Vec<Option<Duration>> {
        Vec::new()
    }

    /// Shuts it down after the last request; at once if `stop` is set.
    fn finish(&mut self, _stop: &AtomicBool) -> Shutdown {
        Shutdown::default()
    }
}

/// How an implementation ended.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
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
