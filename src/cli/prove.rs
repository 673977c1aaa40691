//! `prove`: every mutant, and what tells it.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::CorpusArguments;
use super::exit::Exit;
use super::session::Session;
use crate::case::Shard;
use crate::formats::FORMATS;
use crate::nearest::did_you_mean;
use crate::prove::{Proof, Trial, prove, prove_control};
use crate::report::printable;
use crate::settings::ProfileName;

/// Arguments of `prove`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    /// Take away the cases that list this rule: what then goes untold is what only they tell
    #[arg(long, value_name = "RULE")]
    without: Option<String>,
    /// Only the I-th of N parts of the mutants, all of a rule in the same part
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
            return Err(Exit::usage(format!("expected a rule that cases list, but found {rule}{question}")));
        }
        corpus.cases.retain(|case| !case.rules.contains(rule));
    }
    let is_in_part = |rule: &str| arguments.shard.is_none_or(|shard| shard.has(rule));
    let mutants: Vec<_> = FORMATS.mutants().filter(|mutant| is_in_part(mutant.rule)).collect();
    if mutants.is_empty() {
        return Err(Exit::nothing_ran("no mutant is in this part"));
    }
    let Session { out, signals, .. } = session;
    let stop = signals.stop();
    let mut proof = prove(&corpus, &mutants, stop);
    proof.unproven.retain(|rule| is_in_part(&rule.id));
    let control = prove_control(&corpus, stop);
    let is_complete = proof.is_complete() && !stop.load(Ordering::Relaxed);
    let holds = is_complete && proof.holds() && control.is_empty();
    if arguments.json {
        writeln!(out, "{:#}", in_json(&proof, &control, is_complete, holds))?;
    } else {
        in_words(&proof, &control, holds, out)?;
        if !is_complete {
            writeln!(out, "interrupted: {} of {} trials were made", proof.trials.len(), proof.due)?;
        }
    }
    Ok(match (is_complete, holds) {
        (false, _) => Exit::interrupted(),
        (true, true) => Exit::success(),
        (true, false) => Exit::failure(),
    })
}

fn in_words(
    proof: &Proof<'_>,
    control: &[(ProfileName, String)],
    holds: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut rule = "";
    for trial in &proof.trials {
        if trial.mutant.rule != rule {
            rule = trial.mutant.rule;
            writeln!(out, "{rule}")?;
        }
        let (name, profile) = (trial.mutant.name, trial.profile.name());
        write!(out, "  {name:44} {profile:10} ")?;
        match trial.first() {
            Some(first) => {
                let (own, others) = (trial.own.len(), trial.others.len());
                writeln!(out, "{own:4} of its rule, {others:3} others, first {}", printable(first))?;
            }
            None => writeln!(out, "SURVIVES: {}", trial.mutant.about)?,
        }
    }
    if !proof.idle.is_empty() {
        writeln!(out, "\nCases that tell no mutant of a rule which they list")?;
        for (case, rule) in &proof.idle {
            writeln!(out, "  {}  {rule}", printable(&case.id))?;
        }
    }
    writeln!(out)?;
    for complaint in complaints(proof, control) {
        writeln!(out, "{complaint}")?;
    }
    let names: BTreeSet<&str> = proof.trials.iter().map(|trial| trial.mutant.name).collect();
    let killed = proof.trials.iter().filter(|trial| !trial.own.is_empty()).count();
    writeln!(
        out,
        "{} mutants, {} of {} trials told by their own rule, {} idle listings: {}",
        names.len(),
        killed,
        proof.trials.len(),
        proof.idle.len(),
        if holds { "the suite bites" } else { "NOT proven" }
    )
}

/// What is wrong, a line each.
fn complaints(proof: &Proof<'_>, control: &[(ProfileName, String)]) -> Vec<String> {
    let untold = |trial: &&Trial| trial.own.is_empty();
    let mut complaints: Vec<String> = proof
        .trials
        .iter()
        .filter(untold)
        .map(|trial| {
            let (name, profile, rule) = (trial.mutant.name, trial.profile, trial.mutant.rule);
            match trial.first() {
                None => format!("SURVIVOR {name} in {profile}: nothing tells it; it breaks {rule}"),
                Some(first) => format!("BY OTHERS ALONE {name} in {profile}: no case of {rule} tells it, but {first}"),
            }
        })
        .collect();
    complaints.extend(proof.unproven.iter().map(|rule| format!("NO MUTANT of {} ({})", rule.id, rule.level_name())));
    complaints.extend(control.iter().map(|(profile, id)| format!("CONTROL in {profile}: told by {id}")));
    complaints
}

fn in_json(proof: &Proof<'_>, control: &[(ProfileName, String)], is_complete: bool, holds: bool) -> serde_json::Value {
    let trial = |trial: &Trial| {
        json!({
            "mutant": trial.mutant.name,
            "about": trial.mutant.about,
            "rule": trial.mutant.rule,
            "profile": trial.profile.name(),
            "killed": trial.is_killed(),
            "own": trial.own,
            "others": trial.others,
        })
    };
    json!({
        "holds": holds,
        "complete": is_complete,
        "trials": proof.trials.iter().map(trial).collect::<Vec<_>>(),
        "unproven": proof.unproven.iter().map(|rule| &rule.id).collect::<Vec<_>>(),
        "control": control.iter().map(|(profile, id)| json!({ "profile": profile.name(), "by": id })).collect::<Vec<_>>(),
        "idle": proof.idle.iter().map(|(case, rule)| json!({ "case": case.id, "rule": rule })).collect::<Vec<_>>(),
    })
}
