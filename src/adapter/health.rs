//! Distinguishes a slow adapter from one to which no more requests should be sent.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Answer, FaultKind};

/// An adapter that has never answered is abandoned after this many requests that timed out alone: waiting for each of
/// hundreds of deadlines would show nothing new.
const SILENT_LIMIT: usize = 3;

/// After this many requests in a row that timed out, an adapter that has answered before is abandoned too.
const TIMEOUTS_IN_A_ROW: usize = 10;

/// Why no more requests are sent once a run was interrupted.
const INTERRUPTED: &str = "the run was interrupted";

/// How well an adapter has answered so far, and whether it still gets requests.
#[derive(Default)]
pub(super) struct Health {
    ever_answered: AtomicBool,
    /// Requests in a row that timed out.
    timeouts: AtomicUsize,
    /// Why no more requests are sent.
    given_up: Mutex<Option<String>>,
}

impl Health {
    /// Records the answer to a request, which had `timeout` to arrive.
    pub(super) fn observe(&self, answer: &Answer, timeout: Duration) {
        match answer {
            Answer::Fault(fault) if fault.kind == FaultKind::Timeout => {
                let in_a_row = self.timeouts.fetch_add(1, Ordering::Relaxed) + 1;
                let limit = if self.ever_answered.load(Ordering::Relaxed) { TIMEOUTS_IN_A_ROW } else { SILENT_LIMIT };
                if in_a_row >= limit {
                    let seconds = timeout.as_secs_f32();
                    self.give_up(format!("{in_a_row} requests in a row timed out after {seconds} s"));
                }
            }
            Answer::Fault(fault) if fault.kind != FaultKind::Error => {}
            _ => {
                self.ever_answered.store(true, Ordering::Relaxed);
                self.timeouts.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Abandons the adapter: no more requests are sent. The first reason stays.
    pub(super) fn give_up(&self, reason: String) {
        lock(&self.given_up).get_or_insert(reason);
    }

    /// Abandons the adapter, whatever the earlier reason was.
    pub(super) fn interrupt(&self) {
        *lock(&self.given_up) = Some(INTERRUPTED.to_owned());
    }

    pub(super) fn is_given_up(&self) -> bool {
        lock(&self.given_up).is_some()
    }

    /// Returns the answer that replaces the one to a request that was not sent.
    pub(super) fn not_run(&self) -> Answer {
        let reason = lock(&self.given_up).clone().unwrap_or_else(|| "it was not sent".to_owned());
        Answer::not_run(reason)
    }
}

/// A panic in a worker ends the run anyway, so the lock's content stays usable.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
