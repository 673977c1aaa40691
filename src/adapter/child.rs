//! One child process: its pipes, its lines, its end. Each pipe has a thread of its own, since a child may stop reading
//! while it writes. No thread is joined, since a process outside of its group may keep a pipe open.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child as Process, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::group;
use super::options::AdapterOptions;
use super::traffic_log::{Direction, TrafficLog};
use super::{Answer, Fault, FaultKind};
use crate::json::Json;
use crate::protocol::{Answered, read_answer};
use crate::protocol::{Handshake, INITIALIZE, VERSION};

/// The longest line that an adapter may write: far beyond any real answer, and short enough to be kept in memory.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// How much of standard error is kept for the report of a crash.
const STDERR_KEPT: usize = 4 * 1024;

/// How long the output of a child that has ended is still read while nothing comes: a process that it started may keep
/// the pipe open for ever.
const DRAIN: Duration = Duration::from_millis(200);

/// Lines that wait to be read; a child that writes faster has to wait.
const LINES_WAITING: usize = 32;

/// How often a wait checks whether the run was interrupted.
pub(super) const INTERRUPT_POLL: Duration = Duration::from_millis(50);

/// How long the end of a killed child is awaited. A child that cannot be killed is left to the system.
const KILL_WAIT: Duration = Duration::from_secs(2);

/// Why an adapter cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The command is empty.
    #[error("expected a command, but found none")]
    NoCommand,
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {source}")]
    Program {
        /// The program.
        program: String,
        /// Why it cannot be started.
        source: io::Error,
    },
    /// A thread for its pipes cannot be started.
    #[error("no thread can be started: {0}")]
    Thread(#[source] io::Error),
    /// The run was interrupted.
    #[error("the run was interrupted")]
    Interrupted,
    /// It answered another request than the handshake.
    #[error("expected the answer to request 0, but found one to {0}")]
    OtherAnswer(u64),
    /// A fault came instead of the answer.
    #[error("during the handshake: {0}")]
    Fault(String),
    /// No answer came in time.
    #[error(
        "expected the answer to `{INITIALIZE}` within {seconds} s, but none came{last_words}; is it flushed? `check-adapter` looks closer"
    )]
    Timeout {
        /// The time that it had.
        seconds: f32,
        /// The last line of standard error, as a clause.
        last_words: String,
    },
    /// The answer is no result.
    #[error("expected the result of `{INITIALIZE}`, but the adapter answered {0:?}")]
    NoResult(Answer),
    /// A value of the result is no object.
    #[error("expected an object as {place}, but found {found}")]
    NoObject {
        /// The place.
        place: &'static str,
        /// The kind that was found.
        found: &'static str,
    },
    /// The adapter speaks another version of the protocol.
    #[error("expected protocol version {VERSION}, but the adapter speaks {0}")]
    OtherVersion(serde_json::Value),
    /// The version is no number.
    #[error("expected the number {VERSION} as `protocol`, but found {0}")]
    NoVersion(serde_json::Value),
    /// The result is no handshake.
    #[error("expected the result of `{INITIALIZE}`, but found {result}: {source}")]
    NoHandshake {
        /// The result, as JSON text.
        result: String,
        /// Why it is none.
        source: serde_json::Error,
    },
}

/// What a child does.
enum Event {
    Line(Vec<u8>),
    TooLong,
    OutputClosed,
    Exited,
}

/// The result of waiting for a child.
pub(super) enum ChildEvent {
    /// An answer to the request of this id.
    Answer(u64, Answer),
    /// A fault, which ends the session.
    Fault(Fault),
    /// Nothing, until the deadline.
    Nothing,
}

/// A running child.
pub(super) struct Child {
    process: Process,
    tap: TrafficLog,
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Closed once everything on standard error has been kept.
    stderr_closed: Receiver<()>,
    exited: bool,
    output_closed: bool,
    reaped: bool,
}

impl Child {
    /// Starts the command and performs the handshake.
    pub(super) fn start(options: &AdapterOptions, stop: &AtomicBool) -> Result<(Child, Handshake), StartError> {
        let mut child = Child::spawn(options)?;
        match child.start_session(options, stop) {
            Ok(handshake) => Ok((child, handshake)),
            Err(why) => {
                child.kill();
                Err(why)
            }
        }
    }

    /// Starts the command, and sends nothing yet.
    pub(super) fn spawn(options: &AdapterOptions) -> Result<Child, StartError> {
        let (program, arguments) = options.command.split_first().ok_or(StartError::NoCommand)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        group::lead(&mut command);
        let mut process = command.spawn().map_err(|source| StartError::Program { program: program.clone(), source })?;
        group::remember(process.id());
        let (input, lines) = channel::<Vec<u8>>();
        let (report, events) = sync_channel(LINES_WAITING);
        let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let id = process.id();
        let (said, last_said) = channel();
        let tap = options.tap.clone();
        tap.on_event(id, Direction::Event, b"started");
        // From here on the child is always ended when this value is dropped.
        let child = Child {
            process,
            tap: tap.clone(),
            input: Some(input),
            events,
            stderr: Arc::default(),
            stderr_closed: last_said,
            exited: false,
            output_closed: false,
            reaped: false,
        };
        let kept = Arc::clone(&child.stderr);
        let exits = report.clone();
        run(move || write_lines(stdin, &lines))?;
        let out = tap.clone();
        run(move || read_lines(stdout, &report, &|line| out.on_event(id, Direction::Out, line)))?;
        run(move || {
            keep_tail(stderr, &kept, &|piece| tap.on_event(id, Direction::Log, piece));
            drop(said);
        })?;
        run(move || {
            group::wait_without_reaping(id);
            // The receiver is gone once the child was killed on purpose.
            let _ = exits.send(Event::Exited);
        })?;
        Ok(child)
    }

    fn start_session(&mut self, options: &AdapterOptions, stop: &AtomicBool) -> Result<Handshake, StartError> {
        self.send(initialize_line(options));
        self.await_handshake(options, stop)
    }

    /// Waits for the answer to the handshake.
    pub(super) fn await_handshake(
        &mut self,
        options: &AdapterOptions,
        stop: &AtomicBool,
    ) -> Result<Handshake, StartError> {
        let deadline = Instant::now() + options.start_timeout;
        match self.hear_unless(stop, deadline) {
            ChildEvent::Nothing if stop.load(Ordering::Relaxed) => Err(StartError::Interrupted),
            ChildEvent::Answer(0, answer) => read_handshake(&answer),
            ChildEvent::Answer(id, _) => Err(StartError::OtherAnswer(id)),
            ChildEvent::Fault(fault) => Err(StartError::Fault(fault.detail)),
            ChildEvent::Nothing => {
                Err(StartError::Timeout { seconds: options.start_timeout.as_secs_f32(), last_words: self.last_words() })
            }
        }
    }

    /// Sends lines. They are written while the caller continues.
    pub(super) fn send(&mut self, lines: Vec<u8>) {
        if let Some(input) = &self.input {
            self.tap.on_event(self.process.id(), Direction::In, &lines);
            // A closed channel means a broken pipe; the reader reports what became of the child.
            let _ = input.send(lines);
        }
    }

    /// Ends its input, once all sent lines have been written.
    pub(super) fn end_input(&mut self) {
        if self.input.take().is_some() {
            self.tap.on_event(self.process.id(), Direction::Event, b"its input was ended");
        }
    }

    /// Waits for the next answer until `deadline`. The end of the child is a fault.
    pub(super) fn hear(&mut self, deadline: Instant) -> ChildEvent {
        self.listen(deadline).unwrap_or_else(|| ChildEvent::Fault(self.crash()))
    }

    /// Waits like [`Child::hear`], but at most for the interval at which interrupts are checked.
    pub(super) fn hear_unless(&mut self, stop: &AtomicBool, deadline: Instant) -> ChildEvent {
        loop {
            match self.hear(deadline.min(Instant::now() + INTERRUPT_POLL)) {
                ChildEvent::Nothing if Instant::now() < deadline && !stop.load(Ordering::Relaxed) => {}
                heard => return heard,
            }
        }
    }

    /// Waits for the next answer until `deadline`; returns `None` once the child has ended or closed its output, and
    /// all its output before has been received.
    fn listen(&mut self, deadline: Instant) -> Option<ChildEvent> {
        while !self.output_closed {
            // Output from before its end may not have been read yet, so an early deadline must not lose it.
            let wait = if self.exited { DRAIN } else { deadline.saturating_duration_since(Instant::now()) };
            match self.events.recv_timeout(wait) {
                Ok(Event::Line(line)) => {
                    return Some(match read_answer(&line) {
                        Ok(Answered { id, answer }) => ChildEvent::Answer(id, answer),
                        Err(fault) => ChildEvent::Fault(fault),
                    });
                }
                Ok(Event::TooLong) => {
                    let detail = format!("a line of more than {MAX_LINE} bytes");
                    return Some(ChildEvent::Fault(Fault::new(FaultKind::Oversized, detail)));
                }
                Ok(Event::Exited) => self.exited = true,
                Ok(Event::OutputClosed) => self.output_closed = true,
                Err(RecvTimeoutError::Timeout) if !self.exited => return Some(ChildEvent::Nothing),
                Err(_) => return None,
            }
        }
        None
    }

    /// Whether the process ends before `deadline`.
    fn ends_by(&mut self, deadline: Instant) -> bool {
        while !self.exited {
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(wait) {
                Ok(event) => self.exited = matches!(event, Event::Exited),
                Err(_) => break,
            }
            if wait.is_zero() {
                break;
            }
        }
        self.exited
    }

    fn crash(&mut self) -> Fault {
        // A child that closes its output first may be about to end; its exit status is more informative.
        let how = if self.ends_by(Instant::now() + DRAIN) {
            // The group is killed first: once the leader is reaped, its id no longer identifies the group.
            group::kill(self.process.id());
            self.reaped = true;
            match self.process.wait() {
                Ok(status) => {
                    self.tap.on_event(self.process.id(), Direction::Event, format!("ended ({status})").as_bytes());
                    // The child ended regularly, although there is input left to read: it may answer only one request.
                    let hint = if status.success() && self.input.is_some() {
                        " before the end of its input; one that answers a request and ends is run with --oneshot"
                    } else {
                        ""
                    };
                    format!("the adapter ended ({status}){hint}")
                }
                Err(_) => "the adapter ended".to_owned(),
            }
        } else {
            "the adapter closed its standard output".to_owned()
        };
        Fault::new(FaultKind::Crash, format!("{how}{}", self.last_words()))
    }

    /// Returns the last line of standard error, to be appended to a sentence.
    pub(super) fn last_words(&self) -> String {
        if self.exited {
            // Its last output may not have been read yet.
            let _ = self.stderr_closed.recv_timeout(DRAIN);
        }
        let kept = self.stderr.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("; its last words on standard error: {}", line.trim()),
            None => String::new(),
        }
    }

    /// Ends the child and everything in its group.
    pub(super) fn kill(self) {
        drop(self);
    }

    /// Ends the input and gives the child `grace` to end, but no time once the run is interrupted. Returns its first
    /// further output, and notes on how it ended.
    pub(super) fn stop(mut self, grace: Duration, stop: &AtomicBool) -> (Option<ChildEvent>, Vec<String>) {
        self.end_input();
        let deadline = Instant::now() + grace;
        let soon = || deadline.min(Instant::now() + INTERRUPT_POLL);
        let has_time = || Instant::now() < deadline && !stop.load(Ordering::Relaxed);
        // The first further output is enough: a child may write without end.
        let late = loop {
            match self.listen(soon()) {
                Some(ChildEvent::Nothing) if has_time() => {}
                heard => break heard.filter(|heard| !matches!(heard, ChildEvent::Nothing)),
            }
        };
        let mut notes = Vec::new();
        while !self.ends_by(soon()) && has_time() {}
        if self.exited {
            let status = self.process.wait();
            self.reaped = true;
            if group::is_left(self.process.id()) {
                group::kill(self.process.id());
                notes.push("the adapter left processes in its process group; they were killed".to_owned());
            }
            if let Ok(status) = &status {
                self.tap.on_event(self.process.id(), Direction::Event, format!("ended ({status})").as_bytes());
            }
            if let Some(status) = status.ok().filter(|status| !status.success()) {
                notes.push(format!("the adapter ended with {status} at the end of input{}", self.last_words()));
            }
        } else if !stop.load(Ordering::Relaxed) {
            let seconds = grace.as_secs_f32();
            notes.push(format!("the adapter did not end within {seconds} s of the end of its input; it was killed"));
        }
        (late, notes)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let id = self.process.id();
        self.input = None;
        if !self.reaped {
            self.tap.on_event(id, Direction::Event, b"killed");
            group::kill(id);
            // The child may have left its group.
            let _ = self.process.kill();
            let deadline = Instant::now() + KILL_WAIT;
            while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
        }
        group::forget(id);
    }
}

/// Runs a function on a thread of its own, which is never joined.
fn run(work: impl FnOnce() + Send + 'static) -> Result<(), StartError> {
    let thread = thread::Builder::new().spawn(work);
    thread.map(|_| ()).map_err(StartError::Thread)
}

/// Returns the `initialize` request as a line.
pub(super) fn initialize_line(options: &AdapterOptions) -> Vec<u8> {
    let params = serde_json::to_string(&options.initialize_params()).expect("the params are text alone");
    request_line(0, INITIALIZE, &params)
}

/// Reads the answer to the `initialize` request.
pub(super) fn read_handshake(answer: &Answer) -> Result<Handshake, StartError> {
    let Answer::Result(result) = answer else {
        return Err(StartError::NoResult(answer.clone()));
    };
    // serde would accept a list of the members in their order.
    for (value, place) in [(Some(result), "result"), (result.get("implementation"), "`implementation`")] {
        if let Some(other) = value.filter(|value| !matches!(value, Json::Object(_))) {
            return Err(StartError::NoObject { place, found: other.kind() });
        }
    }
    let result = result.to_ascii();
    // The version is checked first: an adapter of another version may answer in another form.
    let value: serde_json::Value = serde_json::from_str(&result).unwrap_or_default();
    match &value["protocol"] {
        serde_json::Value::Null => {}
        version if version.as_u64() == Some(VERSION) => {}
        version if version.is_number() => {
            return Err(StartError::OtherVersion(version.clone()));
        }
        version => return Err(StartError::NoVersion(version.clone())),
    }
    serde_json::from_str(&result).map_err(|source| StartError::NoHandshake { result, source })
}

/// Returns a request as a line.
pub(super) fn request_line(id: u64, method: &str, params: &str) -> Vec<u8> {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n").into_bytes()
}

fn write_lines(pipe: Option<ChildStdin>, lines: &Receiver<Vec<u8>>) {
    let Some(mut pipe) = pipe else { return };
    // The other threads report a child that has ended.
    while let Ok(bytes) = lines.recv() {
        if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
            break;
        }
    }
}

fn read_lines(pipe: Option<ChildStdout>, report: &SyncSender<Event>, on_bytes: &dyn Fn(&[u8])) {
    let Some(pipe) = pipe else { return };
    let mut pipe = BufReader::with_capacity(1 << 16, pipe);
    loop {
        let mut line = Vec::new();
        let event = match (&mut pipe).take(MAX_LINE + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::OutputClosed,
            Ok(_) if line.len() as u64 > MAX_LINE => Event::TooLong,
            Ok(_) => Event::Line(line),
        };
        if let Event::Line(line) = &event {
            on_bytes(line);
        }
        let last = !matches!(event, Event::Line(_));
        if report.send(event).is_err() || last {
            return;
        }
    }
}

fn keep_tail(pipe: Option<ChildStderr>, kept: &Mutex<Vec<u8>>, on_bytes: &dyn Fn(&[u8])) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = pipe.read(&mut chunk) {
        on_bytes(&chunk[..read]);
        let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        let surplus = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..surplus);
    }
}
