//! `run`: cases against an implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::adapter::{Deadlines, Trace, parse_profile, progress_bar, watch_for_interrupts};
use super::exit::Exit;
use super::{CaseArguments, unusable_files};
use crate::adapter::{AdapterOptions, Implementation, InProcess, OneShot, Pool, StartError};
use crate::case::{Case, Corpus};
use crate::openui::Profile;
use crate::report::{HumanReport, Repeat, Summary, read_failed, write_human, write_json, write_junit};
use crate::run::{Baseline, Plan, PlanError, Record, execute, options, read_choice, updated_baseline};

/// Arguments of `run`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
    /// Read the cases from this folder of OpenUI message fixtures, each a folder with message.txt and expected.json
    #[arg(long, value_name = "DIR", conflicts_with = "cases")]
    fixtures: Option<PathBuf>,
    /// The OpenUI profile: core, chat or line-start
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
    /// Ask for a choice on a point that the documents leave open
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// How many processes of the adapter to run at once [default: as many as there are cores, 4 at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Start a process for each request, which gets `initialize`, the request and the end of its input at once. The
    /// derived checks ask tens of thousands; `--no-derived` leaves them out
    #[arg(long, requires = "command")]
    oneshot: bool,
    /// Write every line that goes to the adapter and comes from it to a file
    #[arg(long, value_name = "FILE", requires = "command")]
    trace: Option<PathBuf>,
    /// Run only what failed in an earlier report of kind json, as far as the filters select it
    #[arg(long, value_name = "REPORT")]
    failed: Option<PathBuf>,
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

fn read_baseline(file: &Path, corpus: &Corpus) -> Result<Baseline, Exit> {
    let name = file.display();
    let text = read_text(file).map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?;
    let baseline = Baseline::parse(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    baseline.check_names(corpus).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    Ok(baseline)
}

/// Writes what the run needs to pass. Entries that are there are kept as far as they still cover something.
fn write_baseline(file: &Path, record: &Record<'_>) -> Result<(), Exit> {
    let name = file.display();
    let text = match read_text(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?,
    };
    let mut marked = record.clone();
    if !text.is_empty() {
        let baseline = Baseline::parse(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
        baseline.without_limits().apply(&mut marked);
    }
    let text = updated_baseline(&text, &marked).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    std::fs::write(file, &text)
        .map_err(|error| Exit::usage(format!("the baseline {name} cannot be written: {error}")))?;
    let (entries, empty) = (text.matches("[[known]]").count(), text.matches("reason = \"\"\n").count());
    let lacking = if empty > 0 { format!("; {empty} of them lack a reason") } else { String::new() };
    // The report is for standard output.
    let _ = writeln!(anstream::stderr(), "genui-conform: {entries} entries are in {name}{lacking}");
    Ok(())
}

/// Reads a text file that a user names; not without end, as some devices give.
fn read_text(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(file)?.take(LONGEST_FILE + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST_FILE {
        return Err(std::io::Error::other(format!("expected at most {LONGEST_FILE} bytes")));
    }
    Ok(text)
}

/// No baseline and no report of ours is longer.
const LONGEST_FILE: u64 = 64 * 1024 * 1024;

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
    if matches!(file, "" | "-") {
        Err("expected a file behind `=`".to_owned())
    } else {
        Ok((kind, PathBuf::from(file)))
    }
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

/// Leaves only the cases that failed in a report, or of which a derived check did.
fn keep_failed(cases: &mut Vec<&Case>, report: &Path, corpus: &Corpus) -> Result<(), Exit> {
    let name = report.display();
    let text = read_text(report).map_err(|error| Exit::usage(format!("the report {name} cannot be read: {error}")))?;
    let failed = read_failed(&text).map_err(|why| Exit::usage(format!("{name}: {why}")))?;
    if failed.is_empty() {
        return Err(Exit::nothing_ran(format!("nothing failed in {name}")));
    }
    if let Some(id) = failed.iter().find(|id| corpus.case(id).is_none()) {
        return Err(Exit::usage(format!("{name}: expected ids of cases, but the corpus has no {id}")));
    }
    let failed: BTreeSet<&str> = failed.iter().filter_map(|id| corpus.case(id)).map(|case| &case.id[..]).collect();
    cases.retain(|case| failed.contains(&case.id[..]));
    if cases.is_empty() { Err(Exit::nothing_ran(format!("no selected case failed in {name}"))) } else { Ok(()) }
}

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
    let corpus = match &arguments.fixtures {
        Some(folder) => Corpus::from_fixtures(folder).map_err(unusable_files)?,
        None => arguments.cases.corpus.corpus()?,
    };
    let baseline = arguments.baseline.as_deref().map(|file| read_baseline(file, &corpus)).transpose()?;
    let mut cases = arguments.cases.select(&corpus)?;
    if let Some(report) = &arguments.failed {
        keep_failed(&mut cases, report, &corpus)?;
    }
    if !cases.iter().any(|case| case.profiles.contains(&profile)) {
        return Err(Exit::nothing_ran(format!("none of the {} selected cases runs in profile {profile}", cases.len())));
    }
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let trace = arguments.trace.as_deref().map(Trace::create).transpose()?;
    let mut implementation: Box<dyn Implementation> = if arguments.command.is_empty() {
        Box::new(InProcess::new(options(profile, &asked)))
    } else {
        let available = std::thread::available_parallelism().map_or(1, usize::from).min(DEFAULT_JOBS);
        let options = AdapterOptions {
            jobs: arguments.jobs.map_or(available, usize::from),
            profile,
            choices: asked.clone(),
            tap: trace.as_ref().map(Trace::tap).unwrap_or_default(),
            ..arguments.deadlines.of(&arguments.command)
        };
        let started: Result<Box<dyn Implementation>, StartError> = if arguments.oneshot {
            OneShot::start(options, &stop).map(|processes| Box::new(processes) as _)
        } else {
            Pool::start(options, &stop).map(|pool| Box::new(pool) as _)
        };
        match started {
            Ok(implementation) => implementation,
            Err(_) if stop.load(Ordering::Relaxed) => return Err(Exit::interrupted()),
            Err(error) => return Err(Exit::unusable_adapter(format!("the adapter cannot be used: {error}"))),
        }
    };
    let partial = cases.len() < corpus.cases.len();
    let plan = Plan { cases, profile, asked, partial, derived: !arguments.no_derived, cost: arguments.cost };
    let bar = progress_bar("{bar:40} {pos}/{len} answers");
    let progress = |total: usize| {
        if total > 0 {
            bar.set_length(total as u64);
        } else {
            bar.inc(1);
        }
    };
    // Opened before anything is asked: what cannot be written is told at once.
    for (at, (_, file)) in arguments.reports.iter().enumerate() {
        if arguments.reports[..at].iter().any(|(_, other)| other == file) {
            let file = file.display();
            return Err(Exit::usage(format!("expected a file of its own for each report, but found {file} twice")));
        }
    }
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
        record.spares_new = arguments.new == "warn";
    }
    let repeat = repeat(arguments);
    // Files first: a terminal that goes away takes nothing from them, and a full disk takes nothing from the terminal.
    let mut unwritten = Vec::new();
    if !files.is_empty() {
        let summary = Summary::new(&record, &corpus.hash(), &repeat);
        unwritten.extend(files.into_iter().filter_map(|file| file.write(&summary).err()));
    }
    unwritten.extend(trace.and_then(Trace::finish));
    let mut out = std::io::BufWriter::new(anstream::stdout());
    let written = write_human(&HumanReport { record: &record, repeat: &repeat }, &mut out);
    let written = written.and_then(|()| out.flush());
    // The exit code is the gate's, whether somebody reads the report to its end or not.
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        return Err(error.into());
    }
    if let Some(error) = unwritten.into_iter().next() {
        return Err(error);
    }
    Ok(if record.interrupted {
        Exit::interrupted()
    } else if !record.conforms() {
        Exit::failure()
    } else if !record.ran() {
        Exit::nothing_ran("nothing ran: the adapter offers nothing of what was selected")
    } else {
        Exit::success()
    })
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
    if let Some(folder) = &arguments.cases.corpus.cases {
        flags.extend(["--cases".to_owned(), folder.display().to_string()]);
    }
    if let Some(folder) = &arguments.fixtures {
        flags.extend(["--fixtures".to_owned(), folder.display().to_string()]);
    }
    if arguments.oneshot {
        flags.push("--oneshot".to_owned());
    }
    flags.extend(arguments.deadlines.flags());
    Repeat { flags, command: arguments.command.clone() }
}
