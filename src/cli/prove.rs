//! `prove`: runs the suite against every mutant and lists the cases that kill it.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::CorpusArguments;
use super::exit::Exit;
use super::session::Session;
use crate::case::Shard;
use crate::formats::FORMATS;
use crate::mutation::{MutantRun, MutationReport, test_mutants, test_reference};
use crate::nearest::did_you_mean;
use crate::report::printable;
use crate::settings::ProfileName;

/// Arguments of `prove`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    /// Exclude the cases of this rule, to see which mutants only they kill
    #[arg(long, value_name = "RULE")]
    without: Option<String>,
    /// Run only part I of N of the mutants
    ///
    /// All mutants of a rule are in the same part.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let mut corpus = arguments.corpus.corpus()?;
    if let Some(rule) = &arguments.without {
        let listed: BTreeSet<&str> = corpus.cases.iter().flat_map(|case| &case.rules).map(String::as_str).collect();
        if !listed.contains(&rule[..]) {
            let question = did_you_mean(rule, listed);
            return Err(Exit::usage(format!("expected a rule of a case, but found {rule}{question}")));
        }
        corpus.cases.retain(|case| !case.rules.contains(rule));
    }
    let is_in_part = |rule: &str| arguments.shard.is_none_or(|shard| shard.has(rule));
    let mutants: Vec<_> = FORMATS.mutants().filter(|mutant| is_in_part(mutant.rule)).collect();
    if mutants.is_empty() {
        return Err(Exit::nothing_ran("this part has no mutants"));
    }
    let Session { out, signals, .. } = session;
    let stop = signals.stop();
    let mut report = test_mutants(&corpus, &mutants, stop);
    report.rules_without_mutant.retain(|rule| is_in_part(&rule.id));
    let control = test_reference(&corpus, stop);
    let is_complete = report.is_complete() && !stop.load(Ordering::Relaxed);
    let holds = is_complete && report.all_killed() && control.is_empty();
    if arguments.json {
        writeln!(out, "{:#}", to_json(&report, &control, is_complete, holds))?;
    } else {
        write_text(&report, &control, holds, out)?;
        if !is_complete {
            writeln!(out, "interrupted: {} of {} runs of mutants", report.runs.len(), report.due)?;
        }
    }
    Ok(match (is_complete, holds) {
        (false, _) => Exit::interrupted(),
        (true, true) => Exit::success(),
        (true, false) => Exit::failure(),
    })
}

fn write_text(
    report: &MutationReport<'_>,
    control: &[(ProfileName, String)],
    holds: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut rule = "";
    for run in &report.runs {
        if run.mutant.rule != rule {
            rule = run.mutant.rule;
            writeln!(out, "{rule}")?;
        }
        let (name, profile) = (run.mutant.name, run.profile.name());
        write!(out, "  {name:44} {profile:10} ")?;
        match run.first() {
            Some(first) => {
                let (killed_by, also_killed_by) = (run.killed_by.len(), run.also_killed_by.len());
                writeln!(
                    out,
                    "killed by {killed_by:4} of its rule, {also_killed_by:3} others, first {}",
                    printable(first)
                )?;
            }
            None => writeln!(out, "SURVIVED: {}", run.mutant.about)?,
        }
    }
    if !report.ineffective.is_empty() {
        writeln!(out, "\nIneffective cases: they kill no mutant of a rule that they list")?;
        for (case, rule) in &report.ineffective {
            writeln!(out, "  {}  {rule}", printable(&case.id))?;
        }
    }
    writeln!(out)?;
    for complaint in problems(report, control) {
        writeln!(out, "{complaint}")?;
    }
    let names: BTreeSet<&str> = report.runs.iter().map(|run| run.mutant.name).collect();
    let killed = report.runs.iter().filter(|run| !run.killed_by.is_empty()).count();
    writeln!(
        out,
        "{} mutants: {} of {} killed by their own rule; {} ineffective cases: {}",
        names.len(),
        killed,
        report.runs.len(),
        report.ineffective.len(),
        if holds { "every mutant is killed" } else { "FAILED" }
    )
}

/// Returns one line for each problem.
fn problems(report: &MutationReport<'_>, control: &[(ProfileName, String)]) -> Vec<String> {
    let survived = |run: &&MutantRun| run.killed_by.is_empty();
    let mut problems: Vec<String> = report
        .runs
        .iter()
        .filter(survived)
        .map(|run| {
            let (name, profile, rule) = (run.mutant.name, run.profile, run.mutant.rule);
            match run.first() {
                None => format!("SURVIVED {name} ({profile}): no case of {rule} kills it"),
                Some(first) => format!("KILLED ELSEWHERE {name} ({profile}): only {first} kills it, no case of {rule}"),
            }
        })
        .collect();
    problems.extend(
        report.rules_without_mutant.iter().map(|rule| format!("NO MUTANT of {} ({})", rule.id, rule.level_name())),
    );
    problems.extend(control.iter().map(|(profile, id)| format!("REFERENCE FAILED ({profile}): {id}")));
    problems
}

fn to_json(
    report: &MutationReport<'_>,
    control: &[(ProfileName, String)],
    is_complete: bool,
    holds: bool,
) -> serde_json::Value {
    let run = |run: &MutantRun| {
        json!({
            "mutant": run.mutant.name,
            "about": run.mutant.about,
            "rule": run.mutant.rule,
            "profile": run.profile.name(),
            "killed": run.is_killed(),
            "killed_by": run.killed_by,
            "also_killed_by": run.also_killed_by,
        })
    };
    json!({
        "holds": holds,
        "complete": is_complete,
        "runs": report.runs.iter().map(run).collect::<Vec<_>>(),
        "rules_without_mutant": report.rules_without_mutant.iter().map(|rule| &rule.id).collect::<Vec<_>>(),
        "control": control.iter().map(|(profile, id)| json!({ "profile": profile.name(), "by": id })).collect::<Vec<_>>(),
        "ineffective": report.ineffective.iter().map(|(case, rule)| json!({ "case": case.id, "rule": rule })).collect::<Vec<_>>(),
    })
}
