//! `export`: the corpus as one JSON document.

use std::io::Write;

use super::CorpusArguments;
use super::exit::Exit;
use crate::case::write_bundle;

/// Arguments of `export`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    corpus: CorpusArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let corpus = arguments.corpus.corpus()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    write_bundle(&corpus, &mut out)?;
    out.flush()?;
    Ok(Exit::success())
}
