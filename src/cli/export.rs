//! `export`: writes the corpus as one JSON document, or cases as a folder of message fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::choices::read_choices;
use super::exit::Exit;
use super::findings::write_whole;
use super::names::profile_parser;
use super::session::Session;
use super::{CaseArguments, CorpusArguments};
use crate::case::{Case, write_bundle};
use crate::format::Method;
use crate::formats::openui::fixtures::{
    EXPECTED_FILE, ExportWarning, FixtureSet, MESSAGE_FILE, Unrepresentable, write_fixtures,
};
use crate::formats::openui::reader_options;
use crate::report::{plural, printable};
use crate::run::options;
use crate::settings::ProfileName;

/// Arguments of `export`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    /// Export the cases as OpenUI message fixtures to this new or empty folder
    ///
    /// The command also lists what a fixture cannot represent.
    #[arg(long, value_name = "DIR")]
    fixtures: Option<PathBuf>,
    /// Export fixtures for this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser(), requires = "fixtures")]
    profile: ProfileName,
    /// Export fixtures for this choice on an open point, instead of the reference's
    #[arg(long = "choice", value_name = "RULE=NAME", requires = "fixtures")]
    choices: Vec<String>,
    /// Export the cases that match, as for `run` [default: all]
    #[arg(value_name = "FILTER", requires = "fixtures")]
    filters: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    match &arguments.fixtures {
        Some(folder) => fixtures(arguments, folder, &mut session.out),
        None => {
            let corpus = arguments.corpus.corpus()?;
            write_bundle(&corpus, session.bytes())?;
            Ok(Exit::success())
        }
    }
}

fn fixtures(arguments: &Arguments, folder: &Path, out: &mut dyn Write) -> Result<Exit, Exit> {
    let choices = read_choices(&arguments.choices, arguments.profile)?;
    let selected = CaseArguments {
        filters: arguments.filters.clone(),
        corpus: CorpusArguments { cases: arguments.corpus.cases.clone() },
    };
    let corpus = selected.corpus.corpus()?;
    let cases = selected.select(&corpus)?;
    let set = write_fixtures(&cases, &reader_options(&options(arguments.profile, &choices)));
    check_empty(folder)?;
    for fixture in &set.fixtures {
        let folder = folder.join(&fixture.name);
        write_whole(&folder.join(MESSAGE_FILE), &fixture.message)?;
        write_whole(&folder.join(EXPECTED_FILE), &fixture.expected)?;
    }
    let what = format!("{} of {}", plural(set.fixtures.len(), "fixture"), plural(cases.len(), "case"));
    writeln!(out, "{}: {what}, for profile {}", printable(&folder.display().to_string()), arguments.profile)?;
    for (rule, name) in &choices {
        writeln!(out, "  and for the choice {rule}={name}")?;
    }
    write_remarks(&set, &cases, out)?;
    Ok(if set.fixtures.is_empty() {
        Exit::nothing_ran("no fixture can represent any of the selected cases")
    } else {
        Exit::success()
    })
}

/// Checks that the folder is new or empty: old fixtures in it would be taken for new ones.
fn check_empty(folder: &Path) -> Result<(), Exit> {
    let name = folder.display();
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Exit::usage(format!("expected a new or empty folder, but {name} contains files"))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Exit::usage(format!("{name} cannot be written: {error}"))),
    }
}

/// Writes what fixtures cannot represent: each reason with its cases, in order of appearance.
fn write_remarks(set: &FixtureSet, cases: &[&Case], out: &mut dyn Write) -> std::io::Result<()> {
    let (whole, part): (Vec<&ExportWarning>, Vec<&ExportWarning>) =
        set.remarks.iter().partition(|remark| remark.unrepresentable.is_whole());
    writeln!(out, "\nof every case, a fixture omits {}", Unrepresentable::OF_EVERY_CASE)?;
    if !whole.is_empty() {
        writeln!(out, "\n{} without a fixture, because", plural(cases.len() - set.fixtures.len(), "case"))?;
        write_reasons(&whole, out)?;
    }
    if !part.is_empty() {
        let held: BTreeSet<&str> = part.iter().map(|remark| &remark.case[..]).collect();
        writeln!(out, "\n{} with further losses", plural(held.len(), "fixture"))?;
        write_reasons(&part, out)?;
    }
    Ok(())
}

fn write_reasons(remarks: &[&ExportWarning], out: &mut dyn Write) -> std::io::Result<()> {
    let mut reasons: Vec<&str> = Vec::new();
    for remark in remarks {
        if !reasons.contains(&remark.unrepresentable.reason()) {
            reasons.push(remark.unrepresentable.reason());
        }
    }
    for reason in reasons {
        let of_reason = || remarks.iter().filter(|remark| remark.unrepresentable.reason() == reason);
        writeln!(out, "  {reason} ({})", plural(of_reason().count(), "case"))?;
        let mut by_method: BTreeMap<Method, usize> = BTreeMap::new();
        for remark in of_reason() {
            match (&remark.unrepresentable, remark.unrepresentable.detail()) {
                // `list method:NAME` names them.
                (Unrepresentable::Method(method), _) => *by_method.entry(*method).or_default() += 1,
                (_, Some(detail)) => writeln!(out, "    {}: {}", printable(&remark.case), printable(&detail))?,
                (_, None) => writeln!(out, "    {}", printable(&remark.case))?,
            }
        }
        for (method, count) in by_method {
            writeln!(out, "    {method}: {}", plural(count, "case"))?;
        }
    }
    Ok(())
}
