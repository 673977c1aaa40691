//! `list`: cases, a line each.

use std::io::Write;

use super::CaseArguments;
use super::exit::Exit;
use crate::report::printable;

/// Arguments of `list`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let corpus = arguments.cases.corpus.corpus()?;
    let cases = arguments.cases.select(&corpus)?;
    let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0);
    let mut out = std::io::BufWriter::new(anstream::stdout());
    for case in cases {
        writeln!(
            out,
            "{:width$}  {:6}  {:18}  {}",
            printable(&case.id),
            case.level,
            case.method,
            printable(&case.about)
        )?;
    }
    out.flush()?;
    Ok(Exit::success())
}
