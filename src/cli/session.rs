//! What every command has: standard output, and word of signals. How all of them end is decided here.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anstream::ColorChoice;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_usize};
use signal_hook::iterator::Signals;

use super::adapter::Progress;
use super::exit::Exit;
use crate::adapter::kill_all_adapters;

/// Standard output and the signals of one command.
pub(super) struct Session {
    /// Where the command prints.
    pub(super) out: Output,
    /// The signals that came so far.
    pub(super) signals: SignalWatch,
    /// Whether the command shows how far it has come.
    pub(super) progress: Progress,
}

impl Session {
    /// Begins to watch for signals.
    pub(super) fn begin() -> Session {
        let out = Output::of(anstream::stdout());
        Session { out, signals: SignalWatch::begin(), progress: Progress::OnTerminal }
    }

    /// Prints with these colours from here on; a quiet command prints no report. For a command that has printed nothing yet.
    pub(super) fn print_with(&mut self, color: impl Into<ColorChoice>, quiet: bool) {
        color.into().write_global();
        if quiet {
            (self.out, self.progress) = (Output::of(io::sink()), Progress::Hidden);
        } else {
            self.out = Output::of(anstream::stdout());
        }
    }

    /// Prints a message that is no error to standard error, unless the command is quiet.
    pub(super) fn note(&self, message: &str) {
        if self.progress == Progress::OnTerminal {
            // The message is not worth more than the work.
            let _ = writeln!(anstream::stderr(), "genui-conform: {message}");
        }
    }

    /// Standard output for what programs read: nothing is taken out of it, whatever it looks like, and a quiet command prints
    /// it too. For a command that has printed nothing yet.
    pub(super) fn bytes(&mut self) -> &mut Output {
        self.out = Output::of(io::stdout());
        &mut self.out
    }

    /// Writes out what is left to write, reports how the command ended, and gives the code for it.
    pub(super) fn end(mut self, done: Result<Exit, Exit>) -> ExitCode {
        let (Ok(mut exit) | Err(mut exit)) = done;
        if let Err(error) = self.out.flush() {
            exit = exit.and(error.into());
        }
        if let Some(code) = self.signals.exit_code() {
            exit = exit.with_code(code);
        }
        exit.report()
    }
}

/// Standard output. A reader that has gone away changes nothing: what it does not read is dropped, and the command goes on,
/// so that its exit code is that of its work. Any other error is one.
pub(super) struct Output(BufWriter<DropsUnread<Box<dyn Write>>>);

impl Output {
    fn of(out: impl Write + 'static) -> Output {
        Output(BufWriter::new(DropsUnread { out: Box::new(out), is_unread: false }))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A writer that takes everything from the first broken pipe on.
struct DropsUnread<W> {
    out: W,
    is_unread: bool,
}

impl<W> DropsUnread<W> {
    fn unless_unread<T>(&mut self, unread: T, work: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.is_unread {
            return Ok(unread);
        }
        match work(&mut self.out) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_unread = true;
                Ok(unread)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for DropsUnread<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_unread(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_unread((), Write::flush)
    }
}

/// Signals that ask the program to end: an interrupt from the keyboard, a request to end, and a terminal that hangs up.
const WATCHED: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Shells give 128 and the number of the signal as the code of a command that a signal ended.
const BY_SIGNAL: u8 = 128;

/// What has not ended by itself so long after the first signal is ended: systems that run tests wait little longer. Report
/// files are written by then; what waits is a standard output that nobody reads.
const LAST_RESORT: Duration = Duration::from_secs(5);

/// A second signal so soon after the first is the same one: some programs signal a process and its group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// Watches for signals. The first one ends the program at once, unless the command ends by itself; a later one always does.
#[derive(Clone)]
pub(super) struct SignalWatch(Arc<State>);

#[derive(Default)]
struct State {
    /// The number of the last signal; 0 for none. Set by the handler itself: a thread would tell too late of one that comes
    /// while the command ends.
    signal: Arc<AtomicUsize>,
    came: Arc<AtomicBool>,
    ends_by_itself: AtomicBool,
}

impl SignalWatch {
    fn begin() -> SignalWatch {
        let watch = SignalWatch(Arc::default());
        // Where nothing can be watched for, a signal ends the program as it always does.
        for signal in WATCHED {
            let number = usize::try_from(signal).unwrap_or_default();
            let _ = register_usize(signal, Arc::clone(&watch.0.signal), number);
            let _ = register(signal, Arc::clone(&watch.0.came));
        }
        if let Ok(signals) = Signals::new(WATCHED) {
            let watch = watch.clone();
            let _ = std::thread::Builder::new().spawn(move || watch.run(signals));
        }
        watch
    }

    fn run(&self, mut signals: Signals) {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            let is_first = first.is_none();
            let is_later = first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL;
            if is_later || !self.0.ends_by_itself.load(Ordering::SeqCst) {
                self.end_at_once();
            }
            if is_first {
                let watch = self.clone();
                let wait = move || {
                    std::thread::sleep(LAST_RESORT);
                    watch.end_at_once();
                };
                let _ = std::thread::Builder::new().spawn(wait);
            }
        }
    }

    fn end_at_once(&self) {
        kill_all_adapters();
        std::process::exit(i32::from(self.exit_code().unwrap_or(BY_SIGNAL)));
    }

    /// For a command that looks at it, and ends by itself soon after it is set with what it has by then.
    pub(super) fn stop(&self) -> &AtomicBool {
        self.0.ends_by_itself.store(true, Ordering::SeqCst);
        &self.0.came
    }

    /// The exit code for the signal that came; `None` where none came.
    fn exit_code(&self) -> Option<u8> {
        match self.0.signal.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(u8::try_from(signal).map_or(BY_SIGNAL, |signal| BY_SIGNAL.saturating_add(signal))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails every write with an error of this kind.
    struct Fails(ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn only_a_broken_pipe_is_no_error() {
        let written = |kind| {
            let mut out = DropsUnread { out: Fails(kind), is_unread: false };
            out.write_all(b"a").and_then(|()| out.write_all(b"b")).and_then(|()| out.flush()).map_err(|why| why.kind())
        };
        assert_eq!(written(ErrorKind::BrokenPipe), Ok(()));
        assert_eq!(written(ErrorKind::StorageFull), Err(ErrorKind::StorageFull));
    }
}
