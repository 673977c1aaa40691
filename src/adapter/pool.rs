//! Several children of one command with many requests in flight in each, and the recovery when one of them fails.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::child::{Child, ChildEvent, INTERRUPT_POLL, StartError, request_line};
use super::health::{Health, lock};
use super::options::AdapterOptions;
use super::{Answer, Ask, Fault, FaultKind, Implementation, Shutdown};
use crate::protocol::Handshake;

/// The most requests that are open in one child.
const WINDOW: usize = 256;

/// The least number of open requests for each child, since an adapter may answer in any order.
const SMALLEST_WINDOW: usize = 16;

/// Each child takes at most this part of its even share at a time, so that a fast one can take over from a slow one.
const SHARES: usize = 4;

/// An adapter that does not start again is abandoned after this many attempts.
const RESTART_LIMIT: usize = 3;

/// Children of one command, as an implementation under test.
pub struct Pool {
    options: AdapterOptions,
    handshake: Handshake,
    /// Children that wait for the next requests.
    idle: Mutex<Vec<Member>>,
    /// The number of earlier requests; the ids of the next ones follow.
    asked: usize,
    health: Health,
    /// Children that are running.
    at_work: AtomicUsize,
    shutdown: Mutex<Shutdown>,
    /// How long each answer of the last batch took.
    durations: Vec<Option<Duration>>,
}

/// A child, and what it has answered.
struct Member {
    child: Child,
    answered: Answered,
}

impl Member {
    fn new(child: Child) -> Member {
        Member { child, answered: Answered::default() }
    }
}

impl Pool {
    /// Starts the first child and performs the handshake.
    ///
    /// # Errors
    ///
    /// If the command cannot be started, or does not complete the handshake in this version of the protocol; also once
    /// `stop` is set.
    pub fn start(options: AdapterOptions, stop: &AtomicBool) -> Result<Pool, StartError> {
        let (first, handshake) = Child::start(&options, stop)?;
        Ok(Pool {
            options,
            handshake,
            idle: Mutex::new(vec![Member::new(first)]),
            asked: 0,
            health: Health::default(),
            at_work: AtomicUsize::new(0),
            shutdown: Mutex::default(),
            durations: Vec::new(),
        })
    }
}

impl Implementation for Pool {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let shared = Shared {
            pool: self,
            asks,
            stop,
            progress,
            next: AtomicUsize::new(0),
            answers: Mutex::new(vec![None; asks.len()]),
            durations: Mutex::new(vec![None; asks.len()]),
        };
        std::thread::scope(|scope| {
            // A worker without a request would start a process in vain.
            for _ in 0..self.options.jobs.clamp(1, asks.len().max(1)) {
                scope.spawn(|| Worker { shared: &shared }.run());
            }
        });
        let answers = std::mem::take(&mut *lock(&shared.answers));
        self.durations = std::mem::take(&mut *lock(&shared.durations));
        if stop.load(Ordering::Relaxed) {
            self.health.interrupt();
        }
        self.asked += asks.len();
        answers.into_iter().map(|answer| answer.unwrap_or_else(|| self.health.not_run())).collect()
    }

    fn durations(&mut self) -> Vec<Option<Duration>> {
        std::mem::take(&mut self.durations)
    }

    fn finish(&mut self, stop: &AtomicBool) -> Shutdown {
        let grace = self.options.stop_grace();
        let members = std::mem::take(&mut *lock(&self.idle));
        std::thread::scope(|scope| {
            for member in members {
                scope.spawn(|| let_end(member, grace, stop, &self.shutdown));
            }
        });
        let mut shutdown = std::mem::take(&mut *lock(&self.shutdown));
        shutdown.notes.sort();
        shutdown.notes.dedup();
        shutdown
    }
}

/// Shuts a child down. Its further output is blamed on the request that it answered last.
fn let_end(Member { child, answered }: Member, grace: Duration, stop: &AtomicBool, shutdown: &Mutex<Shutdown>) {
    let (late, notes) = child.stop(grace, stop);
    let mut shutdown = lock(shutdown);
    shutdown.notes.extend(notes);
    let (culprit, fault) = match late {
        Some(ChildEvent::Answer(id, _)) => answered.blame(id),
        Some(ChildEvent::Fault(fault)) => (None, fault),
        Some(ChildEvent::Nothing) | None => return,
    };
    match culprit.or(answered.last) {
        Some(number) => shutdown.late.push((number, fault)),
        None => shutdown.notes.push(format!("the adapter wrote a line without a request: {}", fault.detail)),
    }
}

/// The state that the workers share while a batch is sent.
struct Shared<'a> {
    pool: &'a Pool,
    asks: &'a [Ask<'a>],
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn() + Sync),
    /// The first request that no worker has taken.
    next: AtomicUsize,
    answers: Mutex<Vec<Option<Answer>>>,
    durations: Mutex<Vec<Option<Duration>>>,
}

impl Shared<'_> {
    /// Keeps the answer to a request, counted over all batches. An answer to an earlier batch is too late to be kept,
    /// and is reported at the end.
    fn record(&self, number: usize, answer: Answer) {
        self.pool.health.observe(&answer, self.pool.options.timeout);
        match (number.checked_sub(self.pool.asked), answer) {
            (Some(index), answer) => {
                if lock(&self.answers)[index].replace(answer).is_none() {
                    (self.progress)();
                }
            }
            (None, Answer::Fault(fault)) => lock(&self.pool.shutdown).late.push((number, fault)),
            (None, _) => {}
        }
    }

    /// Keeps how long the answer to a request of this batch took.
    fn took(&self, number: usize, time: Duration) {
        if let Some(index) = number.checked_sub(self.pool.asked) {
            lock(&self.durations)[index] = Some(time);
        }
    }

    /// Whether no more requests are sent.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.pool.health.is_given_up()
    }

    /// Takes the next request; `None` when all are taken.
    fn take(&self) -> Option<usize> {
        // A plain addition would overflow after many calls past the last request.
        let next = |next: usize| (next < self.asks.len()).then_some(next + 1);
        let index = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(self.pool.asked + index)
    }

    fn line(&self, number: usize) -> Vec<u8> {
        let Ask { method, params } = self.asks[number - self.pool.asked];
        request_line(id_of(number), method.name(), params)
    }

    /// Returns a waiting child, or a new one; `None` if the adapter has been abandoned, or starts no further process
    /// besides those that are running.
    fn member(&self) -> Option<Member> {
        let waiting = lock(&self.pool.idle).pop();
        waiting.or_else(|| self.fresh())
    }

    /// Starts a new child; `None` as in [`Shared::member`].
    fn fresh(&self) -> Option<Member> {
        let Pool { options, health, at_work, .. } = self.pool;
        for attempt in 1..=RESTART_LIMIT {
            if self.is_over() {
                return None;
            }
            match Child::start(options, self.stop) {
                Ok((child, handshake)) => {
                    if handshake != self.pool.handshake {
                        self.note(
                            "a further process of the adapter answered the handshake differently from the first"
                                .to_owned(),
                        );
                    }
                    return Some(Member::new(child));
                }
                Err(_) if attempt < RESTART_LIMIT => {}
                Err(error) if at_work.load(Ordering::Relaxed) > 0 => {
                    let why = "no further process of the adapter could be started beside one at work";
                    self.note(format!("{why} ({error}); try --jobs 1"));
                }
                Err(error) => health.give_up(format!("the adapter did not start again: {error}")),
            }
        }
        None
    }

    fn note(&self, note: String) {
        lock(&self.pool.shutdown).notes.push(note);
    }
}

/// Returns the id of a request, counted from 0 over all batches. The id 0 is the handshake's.
fn id_of(number: usize) -> u64 {
    number as u64 + 1
}

/// Returns the request of an id.
fn number_of(id: u64) -> Option<usize> {
    usize::try_from(id).ok()?.checked_sub(1)
}

/// How a session ended.
enum End {
    /// All requests have been answered, and none is left to send.
    Done,
    /// No more requests are sent.
    Over,
    /// The child failed.
    Failed {
        fault: Fault,
        /// The request that is certainly to blame: it was answered twice.
        culprit: Option<usize>,
        /// Requests without an answer, in the order in which they were sent.
        open: Vec<usize>,
    },
}

/// Runs one child, on a thread of its own.
struct Worker<'a> {
    shared: &'a Shared<'a>,
}

impl Worker<'_> {
    fn run(&self) {
        let shared = self.shared;
        // Enough for each child to have its share, however few requests there are.
        let share = shared.asks.len().div_ceil(SHARES * shared.pool.options.jobs.max(1));
        let window = share.clamp(SMALLEST_WINDOW, WINDOW);
        while shared.next.load(Ordering::Relaxed) < shared.asks.len() {
            let Some(mut member) = shared.member() else { return };
            let at_work = &shared.pool.at_work;
            at_work.fetch_add(1, Ordering::Relaxed);
            let end = converse(shared, &mut member, window, &mut || shared.take());
            at_work.fetch_sub(1, Ordering::Relaxed);
            match end {
                End::Done => lock(&shared.pool.idle).push(member),
                End::Over => {}
                End::Failed { fault, culprit, open } => {
                    member.child.kill();
                    self.settle(fault, culprit, open, member.answered.last);
                }
            }
        }
    }

    /// Attributes a failure to one of the open requests by sending them again to a new child, one at a time. A request
    /// that fails in a child which has answered another before is sent once more to a new child; if it is answered
    /// there, the one before it was to blame.
    fn settle(&self, fault: Fault, culprit: Option<usize>, open: Vec<usize>, last: Option<usize>) {
        let shared = self.shared;
        if let Some(number) = culprit {
            shared.record(number, Answer::Fault(fault.clone()));
        }
        let mut blamed = culprit.is_some();
        let mut suspect: Option<(usize, Fault)> = None;
        if let ([alone], None) = (&open[..], culprit) {
            match last {
                // It failed alone, in a child that had answered nothing else.
                None => return shared.record(*alone, Answer::Fault(fault)),
                Some(last) => {
                    blamed = true;
                    suspect = Some((last, fault.clone()));
                }
            }
        }
        let mut member: Option<Member> = None;
        let mut before: Option<usize> = None;
        for number in open.iter().copied() {
            loop {
                let Some(mut alone) = member.take().or_else(|| shared.fresh()) else {
                    // The adapter failed and does not start again: the original fault must not be lost.
                    if (!blamed || suspect.is_some()) && !shared.stop.load(Ordering::Relaxed) {
                        shared.record(number, Answer::Fault(fault));
                    }
                    return;
                };
                let mut next = Some(number);
                match converse(shared, &mut alone, 1, &mut || next.take()) {
                    End::Done => {
                        if let Some((earlier, fault)) = suspect.take() {
                            shared.record(earlier, Answer::Fault(fault));
                        }
                        member = Some(alone);
                        before = Some(number);
                        break;
                    }
                    End::Over => return,
                    End::Failed { fault, culprit, open } => {
                        alone.child.kill();
                        blamed = true;
                        match (culprit, before.take()) {
                            (Some(earlier), _) => {
                                shared.record(earlier, Answer::Fault(fault));
                                if open.is_empty() {
                                    break;
                                }
                            }
                            (None, Some(earlier)) => suspect = Some((earlier, fault)),
                            (None, None) => {
                                suspect = None;
                                shared.record(number, Answer::Fault(fault));
                                break;
                            }
                        }
                    }
                }
            }
        }
        if let (false, Some(first)) = (blamed, open.first()) {
            let detail = format!("{}; each of the requests that were open then was answered alone", fault.detail);
            shared.record(*first, Answer::Fault(Fault::new(FaultKind::Flaky, detail)));
        }
        lock(&shared.pool.idle).extend(member);
    }
}

/// The requests that a child has answered.
#[derive(Default)]
struct Answered {
    ids: HashSet<u64>,
    last: Option<usize>,
}

impl Answered {
    /// Returns the fault of an answer to a request that is not open, and the request to blame if it is known.
    fn blame(&self, id: u64) -> (Option<usize>, Fault) {
        if self.ids.contains(&id) {
            (number_of(id), Fault::new(FaultKind::UnexpectedId, format!("request {id} was answered twice")))
        } else {
            (None, Fault::new(FaultKind::UnexpectedId, format!("an answer to request {id}, which was not open")))
        }
    }
}

/// Sends the requests that `next` gives, with at most `window` of them open, until it gives no more.
fn converse(
    shared: &Shared<'_>,
    Member { child, answered }: &mut Member,
    window: usize,
    next: &mut dyn FnMut() -> Option<usize>,
) -> End {
    // Ordered by id, which is the order of sending.
    let mut open: BTreeMap<u64, Instant> = BTreeMap::new();
    let mut last_answer = Instant::now();
    let mut exhausted = false;
    loop {
        if shared.is_over() {
            return End::Over;
        }
        // Refilled when half of it is free, so that many lines are written at a time.
        if !exhausted && open.len() <= window / 2 {
            let mut lines = Vec::new();
            while !exhausted && open.len() < window {
                match next() {
                    Some(number) => {
                        lines.extend(shared.line(number));
                        open.insert(id_of(number), Instant::now());
                    }
                    None => exhausted = true,
                }
            }
            child.send(lines);
        }
        let Some(oldest) = open.values().next() else { return End::Done };
        let deadline = (*oldest).max(last_answer) + shared.pool.options.timeout;
        let failed = |open: BTreeMap<u64, Instant>, fault, culprit| {
            let open = open.into_keys().filter_map(number_of).collect();
            End::Failed { fault, culprit, open }
        };
        match child.hear(deadline.min(Instant::now() + INTERRUPT_POLL)) {
            ChildEvent::Answer(id, answer) if open.contains_key(&id) => {
                let waited_from = open.remove(&id).map_or(last_answer, |sent| sent.max(last_answer));
                last_answer = Instant::now();
                let number = number_of(id).expect("an open id is that of a request");
                shared.took(number, last_answer - waited_from);
                answered.ids.insert(id);
                answered.last = Some(number);
                shared.record(number, answer);
            }
            ChildEvent::Answer(id, _) => {
                let (culprit, fault) = answered.blame(id);
                return failed(open, fault, culprit);
            }
            ChildEvent::Fault(fault) => return failed(open, fault, None),
            ChildEvent::Nothing if Instant::now() >= deadline => {
                let seconds = shared.pool.options.timeout.as_secs_f32();
                return failed(open, Fault::new(FaultKind::Timeout, format!("no answer within {seconds} s")), None);
            }
            ChildEvent::Nothing => {}
        }
    }
}
