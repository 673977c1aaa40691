//! `show`: prints cases in full.

use std::io::Write;

use super::exit::Exit;
use super::session::Session;
use super::{CaseArguments, add_sampled};
use crate::case::Case;
use crate::json;
use crate::report::{printable, write_parts};
use crate::rules;
use crate::settings::{ProfileName, Settings};

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let mut corpus = arguments.cases.corpus_of_filters()?;
    add_sampled(&mut corpus, &arguments.cases.filters, ProfileName::default());
    let cases = arguments.cases.select(&corpus)?;
    let out = &mut session.out;
    for (index, case) in cases.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        show(case, out)?;
    }
    Ok(Exit::success())
}

fn show(case: &Case, out: &mut dyn Write) -> std::io::Result<()> {
    let profiles: Vec<&str> = case.profiles.iter().map(|profile| profile.name()).collect();
    writeln!(out, "{}", printable(&case.id))?;
    writeln!(out, "  {}", printable(&case.about))?;
    writeln!(out, "  level {}, since {}, profiles {}", case.level, case.since, profiles.join(", "))?;
    for id in &case.rules {
        match rules::named(id) {
            Some(rule) => writeln!(out, "\n  {id} ({}): {}", rule.level_name(), rule.text)?,
            None => writeln!(out, "\n  {}: unknown rule", printable(id))?,
        }
    }
    // The file is the clearest form of the request and the expected result.
    writeln!(out)?;
    for line in case.source.lines() {
        writeln!(out, "  {}", printable(line))?;
    }
    let Some(profile) = case.profiles.first() else { return Ok(()) };
    let explanation =
        json::parse(&case.params).ok().and_then(|params| (case.method.explain)(&params, &Settings::of(*profile)));
    if let Some(explanation) = explanation {
        let in_profile = explanation.profile.map_or_else(String::new, |profile| format!(" in profile {profile}"));
        writeln!(out, "\n  how the reference reads it{in_profile}")?;
        write_parts(&explanation, "  ", out)?;
    }
    Ok(())
}
