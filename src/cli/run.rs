//! `run`: cases against an implementation.

use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::CaseArguments;
use super::exit::{Exit, INTERRUPTED};
use crate::adapter::{Implementation, InProcess, Pool, PoolOptions, kill_all_adapters};
use crate::openui::Profile;
use crate::report::{HumanReport, Repeat, Summary, write_human, write_json, write_junit};
use crate::run::{Baseline, Plan, PlanError, Record, execute, options, read_choice, updated_baseline};

/// Arguments of `run`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
    /// The OpenUI profile: core, chat or line-start
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
    /// Ask for a choice on a point that the documents leave open
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// How many processes of the adapter to run at once [default: as many as there are cores, 4 at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// How long an answer may take, such as 10s or 500ms
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    timeout: Duration,
    /// How long the adapter may take to start
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    start_timeout: Duration,
    /// Leave out the derived checks, which ask many more questions about each message
    #[arg(long)]
    no_derived: bool,
    /// Also measure how the time of answers grows with their requests, on the cases about cost
    #[arg(long)]
    cost: bool,
    /// Write a report to a file too: json=FILE or junit=FILE; may be given several times
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = parse_report)]
    reports: Vec<(ReportKind, PathBuf)>,
    /// A file of known failures; one that is not in it fails the run, and so does an entry that is no longer true
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the known failures of this run to a file, keeping the reasons and comments that are there
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// With a baseline, let cases that are newer than it fail (`fail`) or not (`warn`)
    #[arg(long, value_name = "HOW", value_parser = ["fail", "warn"], default_value = "fail", requires = "baseline")]
    new: String,
    /// Fail on warnings about wrong answers of this level too
    #[arg(long, value_name = "LEVEL", value_parser = ["should"])]
    fail_on: Option<String>,
    /// The adapter's command; without it, the built-in reference is run
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(super) fn parse_profile(text: &str) -> Result<Profile, String> {
    let known = Profile::ALL.map(Profile::name).join(", ");
    Profile::named(text).ok_or_else(|| format!("expected one of {known}"))
}

fn read_baseline(file: &Path) -> Result<Baseline, Exit> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?;
    Baseline::parse(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))
}

/// Writes what the run needs to pass. Entries that are there are kept as far as they still cover something.
fn write_baseline(file: &Path, record: &Record<'_>) -> Result<(), Exit> {
    let name = file.display();
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?,
    };
    let mut marked = record.clone();
    if !text.is_empty() {
        Baseline::parse(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))?.apply(&mut marked);
    }
    let text = updated_baseline(&text, &marked).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    std::fs::write(file, text).map_err(|error| Exit::usage(format!("the baseline {name} cannot be written: {error}")))
}

/// What a report file holds.
#[derive(Clone, Copy, Debug)]
enum ReportKind {
    Json,
    Junit,
}

fn parse_report(text: &str) -> Result<(ReportKind, PathBuf), String> {
    let (kind, file) = text.split_once('=').unwrap_or((text, ""));
    let kind = match kind {
        "json" => ReportKind::Json,
        "junit" => ReportKind::Junit,
        _ => return Err("expected json=FILE or junit=FILE".to_owned()),
    };
    if file.is_empty() { Err("expected a file behind `=`".to_owned()) } else { Ok((kind, PathBuf::from(file))) }
}

/// A report file that is open.
struct ReportFile {
    kind: ReportKind,
    path: PathBuf,
    file: std::fs::File,
}

fn open_report(kind: ReportKind, path: &Path) -> Result<ReportFile, Exit> {
    let file = std::fs::File::create(path)
        .map_err(|error| Exit::usage(format!("the report {} cannot be written: {error}", path.display())))?;
    Ok(ReportFile { kind, path: path.to_owned(), file })
}

impl ReportFile {
    fn write(self, summary: &Summary) -> Result<(), Exit> {
        let mut out = std::io::BufWriter::new(self.file);
        let written = match self.kind {
            ReportKind::Json => write_json(summary, &mut out),
            ReportKind::Junit => write_junit(summary, &mut out),
        };
        written
            .and_then(|()| out.flush())
            .map_err(|error| Exit::usage(format!("the report {} cannot be written: {error}", self.path.display())))
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time above zero and up to a day, such as 10s, 1.5s or 500ms".to_owned();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().map_err(|_| expected())? * unit;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && *time <= LONGEST).ok_or_else(expected)
}

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
const DEFAULT_START_TIMEOUT: Duration = Duration::from_secs(30);

/// No run needs a longer deadline, and sums with it stay sums.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A second interrupt so soon after the first is the same one: some programs signal a process and its group.
const SAME_INTERRUPT: Duration = Duration::from_secs(1);

/// Processes that run at once where nobody says how many: more rarely help, and each costs its start.
const DEFAULT_JOBS: usize = 4;

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let profile = arguments.profile;
    let mut asked = BTreeMap::new();
    for choice in &arguments.choices {
        let (rule, name) = read_choice(choice, profile).map_err(|error| Exit::usage(format!("--choice: {error}")))?;
        if let Some(other) = asked.insert(rule.clone(), name.clone()).filter(|other| *other != name) {
            return Err(Exit::usage(format!("--choice: expected one choice for {rule}, but found {other} and {name}")));
        }
    }
    let corpus = arguments.cases.corpus()?;
    let baseline = arguments.baseline.as_deref().map(read_baseline).transpose()?;
    let cases = arguments.cases.select(&corpus)?;
    if !cases.iter().any(|case| case.profiles.contains(&profile)) {
        return Err(Exit::nothing_ran(format!("none of the {} selected cases runs in profile {profile}", cases.len())));
    }
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let mut implementation: Box<dyn Implementation> = if arguments.command.is_empty() {
        Box::new(InProcess::new(options(profile, &asked)))
    } else {
        let available = std::thread::available_parallelism().map_or(1, usize::from).min(DEFAULT_JOBS);
        let pool = PoolOptions {
            command: arguments.command.clone(),
            jobs: arguments.jobs.map_or(available, usize::from),
            timeout: arguments.timeout,
            start_timeout: arguments.start_timeout,
            profile,
            choices: asked.clone(),
        };
        match Pool::start(pool, &stop) {
            Ok(pool) => Box::new(pool),
            Err(_) if stop.load(Ordering::Relaxed) => return Err(Exit::interrupted()),
            Err(error) => return Err(Exit::unusable_adapter(format!("the adapter cannot be used: {error}"))),
        }
    };
    let plan = Plan { cases, profile, asked, derived: !arguments.no_derived, cost: arguments.cost };
    let bar = progress_bar();
    let progress = |total: usize| {
        if total > 0 {
            bar.set_length(total as u64);
        } else {
            bar.inc(1);
        }
    };
    // Opened before anything is asked: what cannot be written is told at once.
    let files = arguments.reports.iter().map(|(kind, file)| open_report(*kind, file)).collect::<Result<Vec<_>, _>>()?;
    let mut record = execute(&plan, implementation.as_mut(), &stop, &progress).map_err(|error| match error {
        PlanError::Profile(_) => Exit::usage(error),
        PlanError::Declaration(_) => Exit::unusable_adapter(format!("the adapter cannot be used: {error}")),
    })?;
    bar.finish_and_clear();
    record.strict = arguments.fail_on.is_some();
    if let Some(file) = &arguments.write_baseline {
        write_baseline(file, &record)?;
    }
    if let Some(baseline) = &baseline {
        baseline.apply(&mut record);
    }
    let repeat = repeat(arguments);
    // Files first: a terminal that goes away takes nothing from them.
    if !files.is_empty() {
        let summary = Summary::new(&record, &corpus.hash(), &repeat);
        files.into_iter().try_for_each(|file| file.write(&summary))?;
    }
    let mut out = std::io::BufWriter::new(anstream::stdout());
    let written = write_human(&HumanReport { record: &record, repeat: &repeat }, &mut out);
    let written = written.and_then(|()| out.flush());
    // The exit code is the gate's, whether somebody reads the report to its end or not.
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        return Err(error.into());
    }
    Ok(if record.interrupted {
        Exit::interrupted()
    } else if !(record.conforms() || (arguments.new == "warn" && record.only_new_fail())) {
        Exit::failure()
    } else if !record.ran() {
        Exit::nothing_ran("nothing ran: the adapter offers nothing of what was selected")
    } else {
        Exit::success()
    })
}

/// The first interrupt lets the run end with a report of what there is, a later one ends it at once.
fn watch_for_interrupts(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    let mut first: Option<Instant> = None;
    let handler = move || {
        stop.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            kill_all_adapters();
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    // Where no handler can be set, an interrupt ends the program as it always does.
    let _ = ctrlc::set_handler(handler);
}

fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} {pos}/{len} answers").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
}

fn repeat(arguments: &Arguments) -> Repeat {
    let mut flags = vec!["--profile".to_owned(), arguments.profile.name().to_owned()];
    for choice in &arguments.choices {
        flags.extend(["--choice".to_owned(), choice.clone()]);
    }
    if let Some(baseline) = &arguments.baseline {
        flags.extend(["--baseline".to_owned(), baseline.display().to_string()]);
    }
    if arguments.no_derived {
        flags.push("--no-derived".to_owned());
    }
    if arguments.cost {
        flags.push("--cost".to_owned());
    }
    if let Some(folder) = &arguments.cases.cases {
        flags.extend(["--cases".to_owned(), folder.display().to_string()]);
    }
    for (flag, time, default) in [
        ("--timeout", arguments.timeout, DEFAULT_TIMEOUT),
        ("--start-timeout", arguments.start_timeout, DEFAULT_START_TIMEOUT),
    ] {
        if time != default {
            flags.extend([flag.to_owned(), format!("{}s", time.as_secs_f64())]);
        }
    }
    Repeat { flags, command: arguments.command.clone() }
}
