//! The traffic log: all lines between the suite and the processes of an adapter, as they pass.

use std::fmt;
use std::sync::Arc;

/// A part of the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficEvent<'a> {
    /// The process, by the id that the system gave it.
    pub process: u32,
    /// Its direction.
    pub way: Direction,
    /// The bytes: one or more lines with their LFs, or for an event a description. Not escaped.
    pub bytes: &'a [u8],
}

/// The direction of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent to the process.
    In,
    /// Received from it, on standard output.
    Out,
    /// Received from it, on standard error: pieces of any length.
    Log,
    /// An event: the process was started, or ended.
    Event,
}

/// Receives every line sent and received; the default discards them. Threads of several processes call it.
#[derive(Clone, Default)]
pub struct TrafficLog(Option<Arc<Listener>>);

type Listener = dyn Fn(TrafficEvent<'_>) + Send + Sync;

impl TrafficLog {
    /// Returns a log that calls `listener` for all traffic.
    pub fn new(listener: impl Fn(TrafficEvent<'_>) + Send + Sync + 'static) -> TrafficLog {
        TrafficLog(Some(Arc::new(listener)))
    }

    pub(super) fn on_event(&self, process: u32, way: Direction, bytes: &[u8]) {
        if let Some(listener) = &self.0 {
            listener(TrafficEvent { process, way, bytes });
        }
    }
}

impl fmt::Debug for TrafficLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "TrafficLog(listening)" } else { "TrafficLog(off)" })
    }
}
