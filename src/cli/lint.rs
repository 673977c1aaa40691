//! `lint`: what is wrong with case files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::exit::Exit;
use super::session::Session;
use crate::case::{Corpus, lint};
use crate::report::printable;

/// Arguments of `lint`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The folder of case files
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    cases: PathBuf,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    if !arguments.cases.is_dir() {
        let folder = arguments.cases.display();
        return Err(Exit::usage(format!("expected a folder of cases, but {folder} is none; name one with --cases")));
    }
    let Session { out, signals, .. } = session;
    let (corpus, errors) = Corpus::from_folder_with_errors(&arguments.cases);
    let stop = signals.stop();
    // An interrupt leaves it at what cannot be read.
    let is_whole = !stop.load(Ordering::Relaxed);
    let findings = if is_whole { lint(&corpus) } else { Vec::new() };
    for error in &errors {
        writeln!(out, "{}", printable(&error.to_string()))?;
    }
    for finding in &findings {
        let file = file(&arguments.cases, &finding.id);
        let line = format!("{}:{}: {}: {}", file.display(), finding.place, finding.code, finding.message);
        writeln!(out, "{}", printable(&line))?;
    }
    let found = errors.len() + findings.len();
    if !is_whole {
        writeln!(out, "interrupted: {found} findings by then")?;
        return Ok(Exit::interrupted());
    }
    writeln!(out, "{} cases, {found} findings", corpus.cases.len())?;
    Ok(if found == 0 { Exit::success() } else { Exit::failure() })
}

fn file(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}
