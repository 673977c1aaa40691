//! `list`: prints one line for each case.

use std::io::Write;

use super::exit::Exit;
use super::session::Session;
use super::{CaseArguments, ShardArgument};
use crate::report::printable;

/// Arguments of `list`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
    #[command(flatten)]
    shard: ShardArgument,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let corpus = arguments.cases.corpus.corpus()?;
    let mut cases = arguments.cases.select(&corpus)?;
    arguments.shard.cut(&mut cases)?;
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
