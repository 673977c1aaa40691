//! `rules`: lists the rules with their cases, their mutants and the known implementations that violate them.

use std::io::Write;

use globset::Glob;

use super::CorpusArguments;
use super::exit::Exit;
use super::session::Session;
use crate::case::Case;
use crate::formats::FORMATS;
use crate::nearest::{nearest_glob, suggestion};
use crate::report::printable;
use crate::rules;
use crate::run::Baseline;

/// Arguments of `rules`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// List the rules whose ids match this glob
    #[arg(value_name = "GLOB", default_value = "*")]
    glob: String,
    /// List only rules without a case, one line each
    #[arg(long)]
    untested: bool,
    #[command(flatten)]
    corpus: CorpusArguments,
}

/// The implementations that this repository tests, each with its known failures.
const KNOWN: [(&str, &str); 3] = [
    ("react-ui", include_str!("../../adapters/react-ui/baseline.toml")),
    ("ai 6", include_str!("../../adapters/ai-sdk/6/baseline.toml")),
    ("ai 7", include_str!("../../adapters/ai-sdk/7/baseline.toml")),
];

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let glob = Glob::new(&arguments.glob)
        .map_err(|error| Exit::usage(format!("expected a glob, but found `{}`: {}", arguments.glob, error.kind())))?
        .compile_matcher();
    let corpus = arguments.corpus.corpus()?;
    let selected: Vec<_> = rules::all().iter().filter(|rule| glob.is_match(&rule.id)).collect();
    if selected.is_empty() {
        let meant = nearest_glob(&arguments.glob, &rules::all().iter().map(|rule| &rule.id[..]).collect());
        let question = meant.map_or_else(String::new, suggestion);
        return Err(Exit::usage(format!("no rule matches `{}`{question}", arguments.glob)));
    }
    let known = KNOWN.map(|(name, text)| (name, Baseline::parse(text).expect("a test reads the baselines")));
    let out = &mut session.out;
    for rule in selected {
        let cases: Vec<&Case> = corpus.cases.iter().filter(|case| case.rules.contains(&rule.id)).collect();
        if arguments.untested {
            if cases.is_empty() {
                writeln!(out, "{}{}", rule.id, if rule.derived { " (derived)" } else { "" })?;
            }
            continue;
        }
        let profiles: Vec<&str> = rule.profiles.iter().map(|profile| profile.name()).collect();
        let profiles = profiles.join(", ");
        let facts: Vec<&str> =
            [rule.level_name(), &profiles, &rule.source].into_iter().filter(|fact| !fact.is_empty()).collect();
        writeln!(out, "{} ({})", rule.id, facts.join("; "))?;
        writeln!(out, "  {}", rule.text)?;
        if rule.is_open() {
            writeln!(out, "  choices: {}", rule.choices.join(", "))?;
        }
        for case in &cases {
            writeln!(out, "    {}", printable(&case.id))?;
        }
        if cases.is_empty() {
            writeln!(out, "    {}", if rule.derived { "checked on the cases of other rules" } else { "no case" })?;
        }
        for mutant in FORMATS.mutants().filter(|mutant| mutant.rule == rule.id) {
            writeln!(out, "  mutant {}: {}", mutant.name, mutant.about)?;
        }
        for (name, baseline) in &known {
            for reason in baseline.reasons(rule, &corpus) {
                writeln!(out, "  {name} violates it: {}", printable(reason))?;
            }
        }
        writeln!(out)?;
    }
    Ok(Exit::success())
}
