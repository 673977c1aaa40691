//! `run`: runs cases against an implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::ValueEnum;

use super::adapter::{Deadlines, Processes, Trace, default_jobs, execute_plan, start};
use super::baseline::{read_baseline, write_baseline};
use super::choices::read_choices;
use super::exit::Exit;
use super::names::profile_parser;
use super::report_file::{ReportFiles, ReportKind, parse_report};
use super::session::Session;
use super::text_file::read_text;
use super::{CaseArguments, ShardArgument, add_sampled, near_case, unusable_files};
use crate::adapter::{AdapterOptions, Implementation, InProcess};
use crate::campaign::{SAMPLE_SIZE, Sampler};
use crate::case::{Case, Corpus, Shard};
use crate::format::Method;
use crate::formats::FORMATS;
use crate::formats::openui::fixtures::FixtureFolder;
use crate::protocol::Handshake;
use crate::report::{
    ComparedRun, Comparison, Detail, HumanReport, Rerun, Summary, plural, read_failed, write_badge, write_html,
    write_human, write_json, write_junit, write_markdown,
};
use crate::rules::Level;
use crate::run::{Assessment, Baseline, Bounds, CaseResult, FailFast, NewCases, Plan, Policy, judge_again, options};
use crate::settings::ProfileName;

/// Arguments of `run`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
    /// Read the cases from this folder of OpenUI message fixtures
    ///
    /// Each fixture is a folder with message.txt and expected.json.
    #[arg(long, value_name = "DIR", conflicts_with = "cases")]
    fixtures: Option<PathBuf>,
    /// Use this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser())]
    profile: ProfileName,
    /// Request a choice on an open point
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// Run N processes of the adapter at once [default: one for each core, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Start a process for each request
    ///
    /// Each process receives `initialize`, one request and the end of its input at once. The derived checks send tens of
    /// thousands of requests; `--no-derived` skips them.
    #[arg(long, requires = "command")]
    oneshot: bool,
    /// Write every line sent to the adapter and received from it to a file
    #[arg(long, value_name = "FILE", requires = "command")]
    trace: Option<PathBuf>,
    /// Run only the selected cases that failed in an earlier report of kind json
    #[arg(long, value_name = "REPORT")]
    failed: Option<PathBuf>,
    #[command(flatten)]
    shard: ShardArgument,
    /// Run each selected case N times
    ///
    /// A case whose answers differ is unstable and fails the run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Stop the run after N failures, or after the first
    ///
    /// Known failures do not count. The suite sends at most as many cases at a time as failures are left.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
          value_parser = clap::value_parser!(u32).range(1..))]
    fail_fast: Option<u32>,
    /// Skip the derived checks
    ///
    /// They send many more requests for each message.
    #[arg(long)]
    no_derived: bool,
    /// Skip the sampled requests
    ///
    /// They are generated, and the same in every run of this version; a run without filters sends them after the cases.
    #[arg(long)]
    no_sampled: bool,
    /// Send N sampled requests of each method
    #[arg(long, value_name = "N", default_value_t = SAMPLE_SIZE, conflicts_with = "no_sampled")]
    sampled: usize,
    /// Also run the cost cases, which measure how the response time grows with the request
    #[arg(long)]
    cost: bool,
    /// Write a report to a file: json=FILE, junit=FILE, markdown=FILE, html=FILE or badge=FILE
    ///
    /// May be given several times. A badge has the format of shields.io endpoints.
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = |text: &str| parse_report(text, ReportKind::of_a_run()))]
    reports: Vec<(ReportKind, PathBuf)>,
    /// Read known failures from a file; other failures and stale entries fail the run
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the failures of this run to a baseline file, keeping its reasons and comments
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Let failures of cases that are newer than the baseline fail the run (`fail`) or not (`warn`)
    #[arg(long, value_name = "HOW", value_enum, default_value_t, requires = "baseline")]
    new: New,
    /// Also fail on warnings about wrong answers of this level
    #[arg(long, value_name = "LEVEL", value_enum)]
    fail_on: Option<FailOn>,
    /// Show N failures of each rule in full, or `all` [default: 3, fewer in a long report]
    #[arg(long, value_name = "N", value_parser = parse_max_failures, conflicts_with = "summary")]
    max_failures: Option<Detail>,
    /// Show only the verdict and the table of rules
    #[arg(long)]
    summary: bool,
    /// Run this adapter command instead of the built-in reference
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// What failures of cases that are newer than the baseline do.
#[derive(Clone, Copy, Default, ValueEnum)]
enum New {
    #[default]
    Fail,
    Warn,
}

impl From<New> for NewCases {
    fn from(new: New) -> NewCases {
        match new {
            New::Fail => NewCases::Fail,
            New::Warn => NewCases::Warn,
        }
    }
}

/// A level whose warnings can fail the run.
#[derive(Clone, Copy, ValueEnum)]
enum FailOn {
    Should,
}

impl From<FailOn> for Level {
    fn from(level: FailOn) -> Level {
        match level {
            FailOn::Should => Level::Should,
        }
    }
}

impl Arguments {
    fn detail(&self) -> Detail {
        if self.summary { Detail::Summary } else { self.max_failures.unwrap_or_default() }
    }
}

/// The error for a value of `--max-failures`.
#[derive(Debug, thiserror::Error)]
#[error("expected a whole number or `all`")]
struct NotALimit;

fn parse_max_failures(text: &str) -> Result<Detail, NotALimit> {
    match text {
        "all" => Ok(Detail::ALL),
        _ => text.parse().map(Detail::Failures).map_err(|_| NotALimit),
    }
}

/// Keeps only the cases that failed in a report, or that have a failed derived check in it.
fn keep_failed(cases: &mut Vec<&Case>, report: &Path, corpus: &Corpus) -> Result<(), Exit> {
    let name = report.display();
    let text = read_text(report).map_err(|error| Exit::usage(format!("the report {name} cannot be read: {error}")))?;
    let failed = read_failed(&text).map_err(|why| Exit::usage(format!("{name}: {why}")))?;
    if failed.is_empty() {
        return Err(Exit::nothing_ran(format!("nothing failed in {name}")));
    }
    if let Some(id) = failed.iter().find(|id| corpus.case(id).is_none()) {
        let question = near_case(id, corpus);
        return Err(Exit::usage(format!("{name}: expected ids of cases, but found {id}{question}")));
    }
    let failed: BTreeSet<&str> = failed.iter().filter_map(|id| corpus.case(id)).map(|case| &case.id[..]).collect();
    cases.retain(|case| failed.contains(&case.id[..]));
    if cases.is_empty() { Err(Exit::nothing_ran(format!("no selected case failed in {name}"))) } else { Ok(()) }
}

/// Whether the cases are not those of the built-in corpus.
fn other_cases(arguments: &Arguments) -> bool {
    arguments.fixtures.is_some() || arguments.cases.corpus.cases.is_some()
}

/// The sampled requests of the methods that an implementation lists, in the order of their ids.
fn sampled_cases(
    profile: ProfileName,
    handshake: &Handshake,
    count: usize,
    shard: Option<Shard>,
    stop: &AtomicBool,
) -> Vec<Case> {
    let methods: Vec<Method> = FORMATS.methods().filter(|method| handshake.offers(method.name())).collect();
    let cases = Sampler::sample(profile, &methods, count, stop).into_iter();
    cases.filter(|case| shard.is_none_or(|shard| shard.has(&case.id))).collect()
}

/// Loads the corpus. If nothing but the selected cases is needed, no other case of the built-in corpus is decoded.
fn corpus(arguments: &Arguments) -> Result<Corpus, Exit> {
    let needs_all = arguments.baseline.is_some()
        || arguments.write_baseline.is_some()
        || arguments.failed.is_some()
        || !arguments.reports.is_empty();
    if needs_all { arguments.cases.corpus.corpus() } else { arguments.cases.corpus_of_filters() }
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let profile = arguments.profile;
    let requested = read_choices(&arguments.choices, profile)?;
    let FixtureFolder { mut corpus, passed_over, known_failing } = match &arguments.fixtures {
        Some(folder) => FixtureFolder::read(folder).map_err(unusable_files)?,
        None => FixtureFolder { corpus: corpus(arguments)?, ..FixtureFolder::default() },
    };
    add_sampled(&mut corpus, &arguments.cases.filters, profile);
    let baseline = arguments.baseline.as_deref().map(|file| read_baseline(file, &corpus)).transpose()?;
    let baseline = Baseline::with_fixtures(baseline, &known_failing);
    let mut cases = arguments.cases.select_in_front_of_command(&corpus)?;
    if let Some(report) = &arguments.failed {
        keep_failed(&mut cases, report, &corpus)?;
    }
    arguments.shard.cut(&mut cases)?;
    if !cases.iter().any(|case| case.profiles.contains(&profile)) {
        return Err(Exit::nothing_ran(format!("none of the {} selected cases runs in profile {profile}", cases.len())));
    }
    let stop = session.signals.stop();
    let trace = arguments.trace.as_deref().map(Trace::create).transpose()?;
    let start = || -> Result<Box<dyn Implementation>, Exit> {
        if arguments.command.is_empty() {
            return Ok(Box::new(InProcess::new(options(profile, &requested))));
        }
        let options = AdapterOptions {
            jobs: arguments.jobs.map_or_else(default_jobs, usize::from),
            profile,
            choices: requested.clone(),
            tap: trace.as_ref().map(Trace::tap).unwrap_or_default(),
            ..arguments.deadlines.of(&arguments.command)
        };
        start(options, if arguments.oneshot { Processes::OneShot } else { Processes::Kept }, stop)
    };
    let mut implementation = start()?;
    let is_whole = arguments.cases.filters.is_empty() && arguments.failed.is_none() && !other_cases(arguments);
    let sampled = match is_whole && !arguments.no_sampled {
        true => sampled_cases(profile, implementation.handshake(), arguments.sampled, arguments.shard.shard, stop),
        false => Vec::new(),
    };
    let partial = corpus.is_part || cases.len() < corpus.cases.len();
    cases.extend(&sampled);
    let requested = requested.clone();
    let plan = Plan { cases, profile, requested, partial, derived: !arguments.no_derived, cost: arguments.cost };
    let files = ReportFiles::open(&arguments.reports)?;
    let policy = Policy {
        fail_on: arguments.fail_on.map_or(Level::Must, Level::from),
        new_cases: arguments.new.into(),
        baseline,
    };
    let fail_fast = arguments.fail_fast.map(|limit| FailFast { limit: limit as usize, policy: &policy });
    let bounds = Bounds { repeat: arguments.repeat.into(), fail_fast };
    let shrunk;
    let mut record = execute_plan(&plan, &bounds, implementation.as_mut(), stop, session.progress)?;
    let is_wrong = |outcome: &CaseResult<'_>| outcome.case.is_sampled() && outcome.verdict.is_failure();
    if !record.interrupted && record.outcomes.iter().any(is_wrong) {
        // The first one has ended with the run.
        let mut again = start()?;
        shrunk = Sampler::new(profile).shrink(&record, again.as_mut(), stop);
        record.replace(shrunk.iter().map(|case| judge_again(case, &record, again.as_mut(), stop)).collect());
        record.notes.extend(again.finish(stop).notes);
    }
    record.notes.extend(what_was_passed_over(&passed_over));
    record.unsampled = is_whole && arguments.no_sampled;
    if let Some(file) = &arguments.write_baseline {
        session.note(&write_baseline(file, &record, policy.fail_on, &known_failing)?);
    }
    let assessment = policy.assess(&record);
    let rerun = rerun_of(arguments);
    // Files first: a closed terminal must not lose them, and a full disk must not lose the output on the terminal.
    let mut unwritten = write_reports(files, &assessment, &corpus, &rerun, arguments.detail());
    unwritten.extend(trace.and_then(Trace::finish));
    let other_cases = other_cases(arguments);
    let report = HumanReport { assessment: &assessment, rerun: &rerun, detail: arguments.detail(), other_cases };
    write_human(&report, &mut session.out)?;
    let exit = if record.interrupted {
        Exit::interrupted()
    } else if !assessment.conforms() {
        Exit::failure()
    } else if !assessment.ran() {
        Exit::nothing_ran("nothing ran: the adapter supports none of the selected cases")
    } else if assessment.judged_no_must() {
        Exit::nothing_ran("no case of level must was judged")
    } else {
        Exit::success()
    };
    Ok(unwritten.into_iter().fold(exit, Exit::and))
}

/// Returns a note on the fixture folders of other areas, which are ignored.
fn what_was_passed_over(folders: &BTreeMap<String, usize>) -> Option<String> {
    let count: usize = folders.values().sum();
    let areas: Vec<String> = folders.iter().map(|(area, count)| format!("{area} ({count})")).collect();
    let areas = areas.join(", ");
    (count > 0).then(|| format!("{} of other areas ignored: {areas}", plural(count, "folder")))
}

/// Writes the report files and returns an error for each one that could not be written.
fn write_reports(
    files: ReportFiles,
    assessment: &Assessment<'_, '_>,
    corpus: &Corpus,
    rerun: &Rerun,
    detail: Detail,
) -> Vec<Exit> {
    if files.is_empty() {
        return Vec::new();
    }
    let hash = corpus.hash();
    let summary = Summary::new(assessment, &hash, rerun);
    let comparison = files.has(&[ReportKind::Markdown, ReportKind::Html]).then(|| {
        let name = &assessment.record.handshake.implementation.name;
        Comparison::new(&[ComparedRun { name, assessment, rerun, is_reference: false, unusable: None }], &hash)
    });
    files.write(|kind, out| match (kind, &comparison) {
        (ReportKind::Json, _) => write_json(&summary, out),
        (ReportKind::Junit, _) => write_junit(&summary, out),
        (ReportKind::Badge, _) => write_badge(&summary, out),
        (ReportKind::Markdown, Some(comparison)) => write_markdown(comparison, detail, out),
        (ReportKind::Html, Some(comparison)) => write_html(comparison, out),
        (ReportKind::Markdown | ReportKind::Html, None) => Ok(()),
    })
}

fn rerun_of(arguments: &Arguments) -> Rerun {
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
    if arguments.repeat > 1 {
        flags.extend(["--repeat".to_owned(), arguments.repeat.to_string()]);
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
    let mut selection: Vec<String> = Vec::new();
    if let Some(report) = &arguments.failed {
        selection.extend(["--failed".to_owned(), report.display().to_string()]);
    }
    selection.extend(arguments.cases.filters.iter().cloned());
    Rerun { flags, command: arguments.command.clone(), selection }
}
