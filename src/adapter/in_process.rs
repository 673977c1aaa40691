//! Implementations in this process, called without a pipe.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::in_process_adapter::InProcessAdapter;
use super::{Answer, Ask, Implementation};
use crate::format::Reference;
use crate::protocol::Handshake;
use crate::settings::Settings;

/// The reference, or a mutant, as an implementation under test.
pub struct InProcess {
    session: Box<dyn Reference>,
    handshake: Handshake,
    durations: Vec<Option<Duration>>,
}

impl InProcess {
    /// The reference with these options, all of whose choices it declares.
    #[must_use]
    pub fn new(options: Settings) -> InProcess {
        InProcess::of(InProcessAdapter::reference(), options)
    }

    /// Returns an adapter in this process that gets these options in the handshake.
    #[must_use]
    pub fn of(adapter: InProcessAdapter, options: Settings) -> InProcess {
        InProcess { session: adapter.start(&options), handshake: adapter.handshake(&options), durations: Vec::new() }
    }
}

impl Implementation for InProcess {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        self.durations.clear();
        let answer = |ask: &Ask<'_>| {
            let started = Instant::now();
            if stop.load(Ordering::Relaxed) {
                self.durations.push(None);
                return Answer::not_run("the run was interrupted");
            }
            let answer = self.session.answer(ask.method, ask.params);
            self.durations.push(Some(started.elapsed()));
            progress();
            match answer {
                Ok(result) => Answer::Result(result),
                Err(refusal) => Answer::Refusal { kind: refusal.kind.name().to_owned(), message: refusal.message },
            }
        };
        asks.iter().map(answer).collect()
    }

    fn durations(&mut self) -> Vec<Option<Duration>> {
        std::mem::take(&mut self.durations)
    }
}
