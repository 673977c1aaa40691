//! What tells a slow adapter from one that is not worth asking any more.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Answer, FaultKind};

/// An adapter that has never answered anything is given up after so many requests that timed out alone: to wait
/// for each of hundreds of deadlines would tell nothing new.
const SILENT_LIMIT: usize = 3;

/// After so many requests in a row that timed out, one that has answered before is given up too.
const TIMEOUTS_IN_A_ROW: usize = 10;

/// Why nothing more is asked once a run was interrupted.
const INTERRUPTED: &str = "the run was interrupted";

/// How an adapter has done so far, and whether it is asked on.
#[derive(Default)]
pub(super) struct Health {
    ever_answered: AtomicBool,
    /// Requests in a row that timed out.
    timeouts: AtomicUsize,
    /// Why nothing more is asked.
    given_up: Mutex<Option<String>>,
}

impl Health {
    /// Looks at what came for a request, which had `timeout` to be answered.
    pub(super) fn observe(&self, answer: &Answer, timeout: Duration) {
        match answer {
            Answer::Fault(fault) if fault.kind == FaultKind::Timeout => {
                let in_a_row = self.timeouts.fetch_add(1, Ordering::Relaxed) + 1;
                let limit = if self.ever_answered.load(Ordering::Relaxed) { TIMEOUTS_IN_A_ROW } else { SILENT_LIMIT };
                if in_a_row >= limit {
                    let seconds = timeout.as_secs_f32();
                    self.give_up(format!("the adapter answered none of {in_a_row} requests within {seconds} s each"));
                }
            }
            Answer::Fault(fault) if fault.kind != FaultKind::Error => {}
            _ => {
                self.ever_answered.store(true, Ordering::Relaxed);
                self.timeouts.store(0, Ordering::Relaxed);
            }
        }
    }

    /// From here on nothing more is to be asked. The first reason stays.
    pub(super) fn give_up(&self, reason: String) {
        lock(&self.given_up).get_or_insert(reason);
    }

    /// Nothing more is to be asked, whatever the reason was before.
    pub(super) fn interrupt(&self) {
        *lock(&self.given_up) = Some(INTERRUPTED.to_owned());
    }

    pub(super) fn is_given_up(&self) -> bool {
        lock(&self.given_up).is_some()
    }

    /// What stands for the answer to a request that was not asked.
    pub(super) fn not_run(&self) -> Answer {
        let reason = lock(&self.given_up).clone().unwrap_or_else(|| "it was not asked".to_owned());
        Answer::not_run(reason)
    }
}

/// A worker that panics takes the run down with it; what it left is as good as before.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
