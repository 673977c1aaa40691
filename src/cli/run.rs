//! `run`: cases against an implementation.

use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::adapter::{
    Deadlines, Processes, Trace, default_jobs, execute_plan, parse_profile, start, watch_for_interrupts,
};
use super::baseline::{read_baseline, write_baseline};
use super::choices::read_choices;
use super::exit::Exit;
use super::report_file::{ReportFiles, ReportKind, parse_report};
use super::text_file::read_text;
use super::{CaseArguments, unusable_files};
use crate::adapter::{AdapterOptions, Implementation, InProcess};
use crate::case::{Case, Corpus};
use crate::openui::Profile;
use crate::report::{
    ComparedRun, Comparison, Detail, HumanReport, Repeat, Summary, read_failed, write_badge, write_html, write_human,
    write_json, write_junit, write_markdown,
};
use crate::run::{Plan, Record, options};

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
    /// Write a report to a file too: json=FILE, junit=FILE, markdown=FILE, html=FILE or badge=FILE (the form that
    /// shields.io reads); may be given several times
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = |text: &str| parse_report(text, ReportKind::OF_A_RUN))]
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
    /// Show so many failures of each rule whole, or `all` of them [default: 3, as far as the report stays short]
    #[arg(long, value_name = "N", value_parser = parse_max_failures, conflicts_with = "summary")]
    max_failures: Option<Detail>,
    /// Show the verdict and the table of rules alone
    #[arg(long)]
    summary: bool,
    /// The adapter's command; without it, the built-in reference is run
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Arguments {
    fn detail(&self) -> Detail {
        if self.summary { Detail::Summary } else { self.max_failures.unwrap_or_default() }
    }
}

fn parse_max_failures(text: &str) -> Result<Detail, String> {
    match text {
        "all" => Ok(Detail::ALL),
        _ => text.parse().map(Detail::Failures).map_err(|_| "expected a whole number or `all`".to_owned()),
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

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let profile = arguments.profile;
    let asked = read_choices(&arguments.choices, profile)?;
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
        let options = AdapterOptions {
            jobs: arguments.jobs.map_or_else(default_jobs, usize::from),
            profile,
            choices: asked.clone(),
            tap: trace.as_ref().map(Trace::tap).unwrap_or_default(),
            ..arguments.deadlines.of(&arguments.command)
        };
        start(options, if arguments.oneshot { Processes::OneShot } else { Processes::Kept }, &stop)?
    };
    let partial = cases.len() < corpus.cases.len();
    let plan = Plan { cases, profile, asked, partial, derived: !arguments.no_derived, cost: arguments.cost };
    let files = ReportFiles::open(&arguments.reports)?;
    let mut record = execute_plan(&plan, implementation.as_mut(), &stop)?;
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
    let mut unwritten = write_reports(files, &record, &corpus, &repeat, arguments.detail());
    unwritten.extend(trace.and_then(Trace::finish));
    let mut out = std::io::BufWriter::new(anstream::stdout());
    let written = write_human(&HumanReport { record: &record, repeat: &repeat, detail: arguments.detail() }, &mut out);
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

/// Writes the report files, and says which could not be written.
fn write_reports(
    files: ReportFiles,
    record: &Record<'_>,
    corpus: &Corpus,
    repeat: &Repeat,
    detail: Detail,
) -> Vec<Exit> {
    if files.is_empty() {
        return Vec::new();
    }
    let hash = corpus.hash();
    let summary = Summary::new(record, &hash, repeat);
    let comparison = files.has(&[ReportKind::Markdown, ReportKind::Html]).then(|| {
        let name = &record.handshake.implementation.name;
        Comparison::new(&[ComparedRun { name, record, repeat, is_reference: false }], &hash)
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
    let mut selection: Vec<String> = Vec::new();
    if let Some(report) = &arguments.failed {
        selection.extend(["--failed".to_owned(), report.display().to_string()]);
    }
    selection.extend(arguments.cases.filters.iter().cloned());
    Repeat { flags, command: arguments.command.clone(), selection }
}
