//! `export`: the corpus as one JSON document.

use std::io::Write;
use std::path::PathBuf;

use super::CaseArguments;
use super::exit::Exit;
use crate::case::write_bundle;

/// Arguments of `export`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Read the cases from this folder instead of the built-in corpus
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let corpus = CaseArguments { filters: Vec::new(), cases: arguments.cases.clone() }.corpus()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    write_bundle(&corpus, &mut out)?;
    out.flush()?;
    Ok(Exit::success())
}
