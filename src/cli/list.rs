//! `list`: cases, a line each.

use std::io::Write;

use super::CaseArguments;
use super::exit::Exit;
use super::session::Session;
use crate::report::printable;

/// Arguments of `list`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let corpus = arguments.cases.corpus.corpus()?;
    let cases = arguments.cases.select(&corpus)?;
    let width = cases.iter().map(|case| case.id.len()).max().unwrap_or(0);
    let out = &mut session.out;
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
    Ok(Exit::success())
}
