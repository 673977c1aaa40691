//! A process for every request, for adapters that answer one request and end: each gets `initialize`, its request and
//! the end of its input before any answer is awaited.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::child::{Child, ChildEvent, INTERRUPT_POLL, StartError, initialize_line, read_handshake, request_line};
use super::health::{Health, lock};
use super::options::AdapterOptions;
use super::{Answer, Ask, Fault, FaultKind, Implementation, Shutdown};
use crate::protocol::Handshake;

/// The id of the only request that a process gets besides the handshake.
const REQUEST: u64 = 1;

/// Processes of one command, one for each request, as an implementation under test.
pub struct OneShot {
    options: AdapterOptions,
    handshake: Handshake,
    health: Health,
    notes: Mutex<Vec<String>>,
    /// How long each answer of the last batch took.
    durations: Vec<Option<Duration>>,
}

impl OneShot {
    /// Starts a process that gets the handshake and the end of its input.
    ///
    /// # Errors
    ///
    /// If the command cannot be started, or does not complete the handshake in this version of the protocol; also once
    /// `stop` is set.
    pub fn start(options: AdapterOptions, stop: &AtomicBool) -> Result<OneShot, StartError> {
        let mut child = Child::spawn(&options)?;
        child.send(initialize_line(&options));
        child.end_input();
        let handshake = child.await_handshake(&options, stop)?;
        let (_, notes) = child.stop(options.stop_grace(), stop);
        Ok(OneShot { options, handshake, health: Health::default(), notes: Mutex::new(notes), durations: Vec::new() })
    }

    /// Returns the answer to a request from a process of its own; `None` once the run is over.
    fn ask(&self, ask: &Ask<'_>, stop: &AtomicBool) -> Option<Answer> {
        let fault = |kind, detail: String| Some(Answer::Fault(Fault::new(kind, detail)));
        let mut child = match Child::spawn(&self.options) {
            Ok(child) => child,
            Err(error) => return fault(FaultKind::Crash, error.to_string()),
        };
        let mut lines = initialize_line(&self.options);
        lines.extend(request_line(REQUEST, ask.method.name(), ask.params));
        child.send(lines);
        child.end_input();
        let (mut has_shaken_hands, mut answer) = (false, None);
        let mut deadline = Instant::now() + self.options.start_timeout;
        while !has_shaken_hands || answer.is_none() {
            match child.hear(deadline.min(Instant::now() + INTERRUPT_POLL)) {
                ChildEvent::Answer(0, found) if !has_shaken_hands => {
                    match read_handshake(&found) {
                        Ok(handshake) if handshake == self.handshake => {}
                        Ok(_) => self.note(
                            "a process of the adapter answered the handshake differently from the first".to_owned(),
                        ),
                        Err(why) => return fault(FaultKind::Error, why.to_string()),
                    }
                    has_shaken_hands = true;
                    deadline = Instant::now() + self.options.timeout;
                }
                ChildEvent::Answer(REQUEST, found) if answer.is_none() => answer = Some(found),
                ChildEvent::Answer(id, _) => {
                    return fault(FaultKind::UnexpectedId, format!("an answer to request {id}, which was not open"));
                }
                ChildEvent::Fault(found) => return Some(Answer::Fault(found)),
                ChildEvent::Nothing if stop.load(Ordering::Relaxed) => return None,
                ChildEvent::Nothing if Instant::now() >= deadline => {
                    let (what, time): (_, Duration) = if has_shaken_hands {
                        ("no answer", self.options.timeout)
                    } else {
                        ("no handshake", self.options.start_timeout)
                    };
                    return fault(FaultKind::Timeout, format!("{what} within {} s", time.as_secs_f32()));
                }
                ChildEvent::Nothing => {}
            }
        }
        let (late, notes) = child.stop(self.options.stop_grace(), stop);
        lock(&self.notes).extend(notes);
        match late {
            Some(ChildEvent::Fault(late)) => Some(Answer::Fault(late)),
            Some(ChildEvent::Answer(id, _)) => {
                fault(FaultKind::UnexpectedId, format!("a further answer, to request {id}"))
            }
            Some(ChildEvent::Nothing) | None => answer,
        }
    }

    fn note(&self, note: String) {
        lock(&self.notes).push(note);
    }
}

impl Implementation for OneShot {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let next = AtomicUsize::new(0);
        let answers: Mutex<Vec<Option<Answer>>> = Mutex::new(vec![None; asks.len()]);
        let durations: Mutex<Vec<Option<Duration>>> = Mutex::new(vec![None; asks.len()]);
        let work = || {
            while !stop.load(Ordering::Relaxed) && !self.health.is_given_up() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let started = Instant::now();
                let Some(answer) = asks.get(index).and_then(|ask| self.ask(ask, stop)) else { return };
                lock(&durations)[index] = Some(started.elapsed());
                self.health.observe(&answer, self.options.timeout);
                lock(&answers)[index] = Some(answer);
                progress();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.options.jobs.clamp(1, asks.len().max(1)) {
                scope.spawn(work);
            }
        });
        if stop.load(Ordering::Relaxed) {
            self.health.interrupt();
        }
        self.durations = durations.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let answers = answers.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        answers.into_iter().map(|answer| answer.unwrap_or_else(|| self.health.not_run())).collect()
    }

    fn durations(&mut self) -> Vec<Option<Duration>> {
        std::mem::take(&mut self.durations)
    }

    fn finish(&mut self, _: &AtomicBool) -> Shutdown {
        let mut notes = std::mem::take(&mut *lock(&self.notes));
        notes.sort();
        notes.dedup();
        Shutdown { notes, late: Vec::new() }
    }
}
