//! `show`: cases whole.

use std::io::Write;

use super::CaseArguments;
use super::exit::Exit;
use crate::case::Case;
use crate::json::{self, Json};
use crate::openui::{Mode, Options};
use crate::protocol::{Method, Request};
use crate::report::{printable, write_trace};
use crate::rules;

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let corpus = arguments.cases.corpus.corpus()?;
    let cases = arguments.cases.select(&corpus)?;
    let mut out = std::io::BufWriter::new(anstream::stdout());
    for (index, case) in cases.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        show(case, &mut out)?;
    }
    out.flush()?;
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
            None => writeln!(out, "\n  {}: no rule of this suite", printable(id))?,
        }
    }
    // The file says it best: what is asked and expected, in the words of whoever wrote it.
    writeln!(out)?;
    for line in case.source.lines() {
        writeln!(out, "  {}", printable(line))?;
    }
    if let (Method::OpenuiParse | Method::OpenuiModelText, Some(profile)) = (case.method, case.profiles.first()) {
        writeln!(out, "\n  how the reference reads it in profile {profile}")?;
        if let Some((raw, mode)) = message(case) {
            write_trace(&raw, mode, &Options::of(*profile), out)?;
        }
    }
    Ok(())
}

/// The message of a case that reads one, and whether more of it may come.
fn message(case: &Case) -> Option<(String, Mode)> {
    let raw = json::parse(&case.params).ok()?.get("raw").and_then(Json::as_str).map(str::to_owned)?;
    let mode = match Request::read(case.method, &case.params).ok()? {
        Request::OpenuiParse(params) if params.streaming == Some(true) => Mode::Streaming,
        _ => Mode::Whole,
    };
    Some((raw, mode))
}
