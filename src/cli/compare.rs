//! `compare`: runs several implementations on the same cases and compares them.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::CaseArguments;
use super::adapter::{Deadlines, Processes, Progress, Unstarted, default_jobs, execute_plan, start};
use super::baseline::read_baseline;
use super::exit::{Exit, UNUSABLE};
use super::report_file::{ReportFiles, ReportKind, parse_report};
use super::session::Session;
use super::text_file::read_text;
use crate::adapter::{AdapterOptions, Implementation, InProcess};
use crate::case::{Case, Corpus};
use crate::formats::FORMATS;
use crate::report::{ComparedRun, Comparison, Detail, Rerun, write_comparison, write_html, write_markdown};
use crate::run::{
    Assessment, Baseline, Bounds, ComparedImplementation, Plan, Policy, REFERENCE, RunResult, read_comparison_file,
};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// Arguments of `compare`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Read the implementations from this comparison file
    ///
    /// It has a table [[implementation]] for each, with name and command, and optionally profile, baseline and choices. The
    /// built-in reference is compared too.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    #[command(flatten)]
    cases: CaseArguments,
    /// Print JSON instead of Markdown
    #[arg(long)]
    json: bool,
    /// Skip the derived checks
    ///
    /// They send many more requests for each message.
    #[arg(long)]
    no_derived: bool,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Write a report to a file: json=FILE, markdown=FILE or html=FILE
    ///
    /// May be given several times.
    #[arg(long = "report", value_name = "KIND=FILE", value_parser = |text: &str| parse_report(text, ReportKind::OF_A_COMPARISON))]
    reports: Vec<(ReportKind, PathBuf)>,
}

/// A finished run.
struct Finished<'c> {
    name: String,
    record: RunResult<'c>,
    policy: Policy,
    rerun: Rerun,
    is_reference: bool,
    /// The reason why the implementation could not be run.
    unusable: Option<String>,
}

impl Finished<'_> {
    /// Whether the implementation was run, completely or until a signal.
    fn is_run(&self) -> bool {
        self.unusable.is_none()
    }
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let name = arguments.file.display();
    let text = read_text(&arguments.file).map_err(|error| Exit::usage(format!("{name} cannot be read: {error}")))?;
    let entrants = read_comparison_file(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    let corpus = arguments.cases.corpus.corpus()?;
    let cases = arguments.cases.select(&corpus)?;
    let baselines: Vec<Option<Baseline>> = entrants
        .iter()
        .map(|entrant| entrant.baseline.as_deref().map(|file| read_baseline(file, &corpus)).transpose())
        .collect::<Result<_, _>>()?;
    let files = ReportFiles::open(&arguments.reports)?;
    let stop = session.signals.stop();

    let mut finished = references(arguments, &entrants, &corpus, &cases, stop, session.progress)?;
    for (entrant, baseline) in entrants.iter().zip(baselines) {
        let mut run = run_entrant(arguments, entrant, &corpus, &cases, stop, session.progress)?;
        run.policy.baseline = baseline.filter(|_| run.is_run());
        finished.push(run);
    }
    let assessments: Vec<Assessment<'_, '_>> = finished.iter().map(|run| run.policy.assess(&run.record)).collect();
    let runs: Vec<ComparedRun<'_>> = finished
        .iter()
        .zip(&assessments)
        .map(|(Finished { name, rerun, is_reference, unusable, .. }, assessment)| ComparedRun {
            name,
            assessment,
            rerun,
            is_reference: *is_reference,
            unusable: unusable.as_deref(),
        })
        .collect();
    let comparison = Comparison::new(&runs, &corpus.hash());

    let write = |kind, out: &mut dyn Write| match kind {
        ReportKind::Json => write_comparison(&comparison, out),
        ReportKind::Html => write_html(&comparison, out),
        _ => write_markdown(&comparison, Detail::default(), out),
    };
    let unwritten = files.write(write);
    let printed = if arguments.json { ReportKind::Json } else { ReportKind::Markdown };
    write(printed, &mut session.out)?;
    let unusable = |run: &Finished<'_>| Some(format!("{}: {UNUSABLE}{}", run.name, run.unusable.as_ref()?));
    let unusable: Vec<String> = finished.iter().filter_map(unusable).collect();
    let exit = if finished.iter().any(|run| run.record.interrupted) {
        Exit::interrupted()
    } else if !unusable.is_empty() {
        Exit::unusable_adapters(unusable)
    } else if !comparison.all_conform() {
        Exit::failure()
    } else if !assessments.iter().any(Assessment::ran) {
        Exit::nothing_ran("nothing ran: none of the selected cases runs in a profile of these implementations")
    } else {
        Exit::success()
    };
    Ok(unwritten.into_iter().fold(exit, Exit::and))
}

/// Runs the reference in each profile of the implementations.
fn references<'c>(
    arguments: &Arguments,
    entrants: &[ComparedImplementation],
    corpus: &Corpus,
    cases: &[&'c Case],
    stop: &AtomicBool,
    progress: Progress,
) -> Result<Vec<Finished<'c>>, Exit> {
    let used = FORMATS.profiles().filter(|profile| entrants.iter().any(|entrant| entrant.profile == *profile));
    let used: Vec<ProfileName> = used.collect();
    used.iter()
        .map(|profile| {
            let mut implementation = InProcess::new(Settings::of(*profile));
            let plan = plan(arguments, *profile, corpus, cases);
            let record = execute_plan(&plan, &Bounds::default(), &mut implementation, stop, progress)?;
            let name = if used.len() == 1 { REFERENCE.to_owned() } else { format!("{REFERENCE} ({profile})") };
            let rerun = rerun_of(arguments, *profile, Vec::new(), &[]);
            Ok(Finished { name, record, policy: Policy::default(), rerun, is_reference: true, unusable: None })
        })
        .collect()
}

fn run_entrant<'c>(
    arguments: &Arguments,
    entrant: &ComparedImplementation,
    corpus: &Corpus,
    cases: &[&'c Case],
    stop: &AtomicBool,
    progress: Progress,
) -> Result<Finished<'c>, Exit> {
    let ComparedImplementation { name, command, profile, baseline, choices } = entrant;
    let options = AdapterOptions {
        jobs: default_jobs(),
        profile: *profile,
        choices: choices.clone(),
        ..arguments.deadlines.of(command)
    };
    let mut plan = plan(arguments, *profile, corpus, cases);
    plan.requested.clone_from(choices);
    let run = |plan: &Plan<'c>| {
        let mut implementation: Box<dyn Implementation> = start(options, Processes::Kept, stop)?;
        execute_plan(plan, &Bounds::default(), implementation.as_mut(), stop, progress)
    };
    // An implementation that an interrupt kept from starting has no results; one that cannot be used does not stop the others.
    let ran = if stop.load(Ordering::Relaxed) { None } else { Some(run(&plan)) };
    let (record, unusable) = match ran {
        Some(Ok(record)) if record.ran() || !record.interrupted => (record, None),
        Some(Err(exit)) => (unstarted(plan, name, stop)?, Some(exit.message())),
        None | Some(Ok(_)) => (unstarted(plan, name, stop)?, None),
    };
    let unusable = unusable.map(|why| why.strip_prefix(UNUSABLE).unwrap_or(&why).to_owned());
    let mut flags: Vec<String> =
        choices.iter().flat_map(|(rule, choice)| ["--choice".to_owned(), format!("{rule}={choice}")]).collect();
    if let Some(baseline) = baseline {
        flags.extend(["--baseline".to_owned(), baseline.display().to_string()]);
    }
    let rerun = rerun_of(arguments, *profile, flags, command);
    Ok(Finished { name: name.clone(), record, policy: Policy::default(), rerun, is_reference: false, unusable })
}

/// Returns the empty result of an implementation that was not run.
fn unstarted<'c>(mut plan: Plan<'c>, name: &str, stop: &AtomicBool) -> Result<RunResult<'c>, Exit> {
    plan.cases.clear();
    execute_plan(&plan, &Bounds::default(), &mut Unstarted::new(name, plan.profile), stop, Progress::Hidden)
}

fn plan<'c>(arguments: &Arguments, profile: ProfileName, corpus: &Corpus, cases: &[&'c Case]) -> Plan<'c> {
    Plan {
        cases: cases.to_vec(),
        profile,
        requested: Default::default(),
        partial: cases.len() < corpus.cases.len(),
        derived: !arguments.no_derived,
        cost: false,
    }
}

fn rerun_of(arguments: &Arguments, profile: ProfileName, more: Vec<String>, command: &[String]) -> Rerun {
    let mut flags = vec!["--profile".to_owned(), profile.name().to_owned()];
    flags.extend(more);
    if arguments.no_derived {
        flags.push("--no-derived".to_owned());
    }
    if let Some(folder) = &arguments.cases.corpus.cases {
        flags.extend(["--cases".to_owned(), folder.display().to_string()]);
    }
    flags.extend(arguments.deadlines.flags());
    Rerun { flags, command: command.to_vec(), selection: arguments.cases.filters.clone() }
}
