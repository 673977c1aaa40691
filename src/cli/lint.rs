//! `lint`: what is wrong with case files.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use crate::case::{Corpus, lint};
use crate::report::printable;

/// Arguments of `lint`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The folder of case files
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    cases: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    if !arguments.cases.is_dir() {
        let folder = arguments.cases.display();
        return Err(Exit::usage(format!("expected a folder of cases, but {folder} is none; name one with --cases")));
    }
    let (corpus, errors) = Corpus::from_folder_with_errors(&arguments.cases);
    let findings = lint(&corpus);
    let mut out = std::io::BufWriter::new(anstream::stdout());
    for error in &errors {
        writeln!(out, "{}", printable(&error.to_string()))?;
    }
    for finding in &findings {
        let file = file(&arguments.cases, &finding.id);
        let line = format!("{}:{}: {}: {}", file.display(), finding.place, finding.code, finding.message);
        writeln!(out, "{}", printable(&line))?;
    }
    let found = errors.len() + findings.len();
    writeln!(out, "{} cases, {found} findings", corpus.cases.len())?;
    out.flush()?;
    Ok(if found == 0 { Exit::success() } else { Exit::failure() })
}

fn file(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}
