//! Shared by the commands that run an adapter: deadlines, trace, progress and interrupts.

use std::fs::File;
use std::io::{IsTerminal, LineWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::exit::Exit;
use crate::adapter::{AdapterOptions, Answer, Ask, Implementation, InProcess, OneShot, Pool, StartError, TrafficLog};
use crate::protocol::{Handshake, ImplementationInfo};
use crate::report::write_traffic;
use crate::run::{Bounds, Plan, PlanError, RunResult, execute_within};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// The deadlines of an adapter.
#[derive(clap::Args)]
pub(super) struct Deadlines {
    /// Wait this long for an answer, such as 500ms [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// Wait this long for the adapter to start [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    start_timeout: Option<Duration>,
}

impl Deadlines {
    /// Returns the options of a command with these deadlines.
    pub(super) fn of(&self, command: &[String]) -> AdapterOptions {
        let defaults = AdapterOptions::new(command.to_owned());
        AdapterOptions {
            timeout: self.timeout.unwrap_or(defaults.timeout),
            start_timeout: self.start_timeout.unwrap_or(defaults.start_timeout),
            ..defaults
        }
    }

    /// Returns the flags for the same deadlines.
    pub(super) fn flags(&self) -> Vec<String> {
        let given = [("--timeout", self.timeout), ("--start-timeout", self.start_timeout)];
        let given = given.into_iter().filter_map(|(flag, time)| Some((flag, time?)));
        given.flat_map(|(flag, time)| [flag.to_owned(), format!("{}s", time.as_secs_f64())]).collect()
    }
}

/// The longest deadline. No run needs more, and sums of deadlines cannot overflow.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The error for a text that is not a time within the limits.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a time above zero and up to a day, such as 10s, 1.5s, 500ms or 2m")]
pub(super) struct NotATime;

/// Parses a time with its units, such as `1m 30s`, or a number of seconds.
pub(super) fn parse_duration(text: &str) -> Result<Duration, NotATime> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    // Numbers such as `.5` and `1e3` have only these two units.
    let time = match number.parse::<f64>() {
        Ok(number) => Duration::try_from_secs_f64(number * unit).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.filter(|time| !time.is_zero() && *time <= LONGEST).ok_or(NotATime)
}

/// A file of all lines sent and received. Each line is written at once, so that a killed run loses none.
pub(super) struct Trace {
    path: PathBuf,
    state: Arc<Mutex<TraceState>>,
}

struct TraceState {
    out: LineWriter<File>,
    error: Option<std::io::Error>,
}

impl Trace {
    pub(super) fn create(path: &Path) -> Result<Trace, Exit> {
        let file = File::create(path).map_err(|error| cannot_trace(path, &error))?;
        let state = TraceState { out: LineWriter::new(file), error: None };
        Ok(Trace { path: path.to_owned(), state: Arc::new(Mutex::new(state)) })
    }

    /// Returns the observer that writes to the file.
    pub(super) fn tap(&self) -> TrafficLog {
        let (state, started) = (Arc::clone(&self.state), Instant::now());
        TrafficLog::new(move |traffic| {
            let TraceState { out, error } = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk does not stop the run; the error is reported at the end.
            if error.is_none() {
                *error = write_traffic(&traffic, started.elapsed(), out).err();
            }
        })
    }

    /// Returns the error that occurred while writing.
    pub(super) fn finish(self) -> Option<Exit> {
        let error = self.state.lock().unwrap_or_else(PoisonError::into_inner).error.take()?;
        Some(cannot_trace(&self.path, &error))
    }
}

fn cannot_trace(path: &Path, error: &std::io::Error) -> Exit {
    Exit::usage(format!("the trace {} cannot be written: {error}", path.display()))
}

/// The maximum default of `--jobs`: more processes rarely help, and each one costs its start.
const DEFAULT_JOBS: usize = 4;

/// Returns the default of `--jobs`.
pub(super) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(DEFAULT_JOBS)
}

/// The lifetime of the processes of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// A few processes answer all requests.
    Kept,
    /// Each process answers one request.
    OneShot,
}

/// Starts an adapter. If an interrupt prevents the start, the run sends nothing and is reported nevertheless.
pub(super) fn start(
    options: AdapterOptions,
    processes: Processes,
    stop: &AtomicBool,
) -> Result<Box<dyn Implementation>, Exit> {
    let (command, profile) = (options.command.clone(), options.profile);
    let started: Result<Box<dyn Implementation>, StartError> = match processes {
        Processes::OneShot => OneShot::start(options, stop).map(|processes| Box::new(processes) as _),
        Processes::Kept => Pool::start(options, stop).map(|pool| Box::new(pool) as _),
    };
    match started {
        Ok(implementation) => Ok(implementation),
        Err(_) if stop.load(Ordering::Relaxed) => Ok(Box::new(Unstarted::new(&command.join(" "), profile))),
        Err(error) => Err(Exit::unusable_adapter(error)),
    }
}

/// Represents an adapter whose run was interrupted before the handshake.
pub(super) struct Unstarted(Handshake);

impl Unstarted {
    pub(super) fn new(name: &str, profile: ProfileName) -> Unstarted {
        // Its handshake is unknown: it may support all methods and follow the profile.
        let mut handshake = InProcess::new(Settings::of(profile)).handshake().clone();
        handshake.implementation = ImplementationInfo { name: name.to_owned(), version: None, language: None };
        handshake.choices.clear();
        Unstarted(handshake)
    }
}

impl Implementation for Unstarted {
    fn handshake(&self) -> &Handshake {
        &self.0
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        asks.iter().map(|_| Answer::not_run("the run was interrupted before the adapter had started")).collect()
    }
}

/// Runs a plan and shows its progress.
pub(super) fn execute_plan<'c>(
    plan: &Plan<'c>,
    bounds: &Bounds<'_>,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
    progress: Progress,
) -> Result<RunResult<'c>, Exit> {
    let bar = progress.bar("{bar:40} {pos}/{len} answers");
    let progress = |total: usize| {
        if total > 0 {
            bar.set_length(total as u64);
        } else {
            bar.inc(1);
        }
    };
    let record = execute_within(plan, bounds, implementation, stop, &progress).map_err(|error| match error {
        PlanError::UnlistedProfile { .. } => Exit::usage(error),
        PlanError::Declaration(_) => Exit::unusable_adapter(error),
    })?;
    bar.finish_and_clear();
    Ok(record)
}

/// The place where a command shows its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// On standard error, if that is a terminal.
    OnTerminal,
    /// Nowhere.
    Hidden,
}

impl Progress {
    /// Returns a progress bar, which is visible only on a terminal.
    pub(super) fn bar(self, template: &str) -> ProgressBar {
        if self == Progress::Hidden || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, milliseconds) in [
            ("10s", 10_000),
            ("1.5s", 1_500),
            ("500ms", 500),
            ("0.5ms", 0),
            (".5s", 500),
            ("5.s", 5_000),
            ("1e3ms", 1_000),
            ("1e-1s", 100),
            ("+5s", 5_000),
            ("10", 10_000),
            ("0.25", 250),
            ("2m", 120_000),
            ("1m 30s", 90_000),
            ("1h", 3_600_000),
            ("24h", 86_400_000),
        ] {
            let time = parse_duration(text);
            assert_eq!(time.map(|time| time.as_millis()), Ok(milliseconds), "{text}");
        }
    }

    #[test]
    fn other_times_are_refused() {
        for text in ["", "soon", "s", "0s", "0", "-1s", "-1", "inf", "NaN", "25h", "86401s", "10x", "1e400"] {
            assert_eq!(parse_duration(text), Err(NotATime), "{text}");
        }
    }
}
