//! Listening in: everything that goes between the suite and the processes of an adapter, as it goes by.

use std::fmt;
use std::sync::Arc;

/// Something that went by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic<'a> {
    /// The process, by the id that the system gave it.
    pub process: u32,
    /// Which way it went.
    pub way: Way,
    /// What it was: a line or several with their LFs, or for people a word on what happened. Not escaped.
    pub bytes: &'a [u8],
}

/// Which way something went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Into the process.
    In,
    /// Out of it, on standard output.
    Out,
    /// Out of it, on standard error: pieces of any length.
    Log,
    /// Nothing went: the process was started, or ended.
    Event,
}

/// Whoever listens in; nobody by default. Threads of several processes call it.
#[derive(Clone, Default)]
pub struct WireTap(Option<Arc<Listener>>);

type Listener = dyn Fn(Traffic<'_>) + Send + Sync;

impl WireTap {
    /// A tap that calls `listener` for everything that goes by.
    pub fn new(listener: impl Fn(Traffic<'_>) + Send + Sync + 'static) -> WireTap {
        WireTap(Some(Arc::new(listener)))
    }

    pub(super) fn tell(&self, process: u32, way: Way, bytes: &[u8]) {
        if let Some(listener) = &self.0 {
            listener(Traffic { process, way, bytes });
        }
    }
}

impl fmt::Debug for WireTap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "WireTap(listening)" } else { "WireTap(nobody)" })
    }
}
