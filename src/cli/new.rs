//! `new`: a finding becomes a case of the corpus.

use std::io::Write;
use std::path::PathBuf;

use super::exit::Exit;
use super::findings::write_whole;
use crate::case::{is_well_formed_id, read_case};

/// Arguments of `new`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The id of the new case, such as openui/end/behind-a-table
    #[arg(value_name = "ID")]
    id: String,
    /// The case file that it comes from, as `fuzz --save` writes it; it is taken away from there
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The folder of case files
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    cases: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let (id, from) = (&arguments.id, arguments.from.display());
    if !is_well_formed_id(id) {
        return Err(Exit::usage(format!("expected an id `format/topic/name` of a-z, 0-9 and `-`, but found `{id}`")));
    }
    let text = std::fs::read_to_string(&arguments.from)
        .map_err(|error| Exit::usage(format!("{from} cannot be read: {error}")))?;
    read_case(id, &text).map_err(|error| Exit::usage(format!("{from}:{error}")))?;
    let path = arguments.cases.join(format!("{id}.json"));
    if path.exists() {
        return Err(Exit::usage(format!("expected an id that no case has, but {} is there", path.display())));
    }
    write_whole(&path, &text)?;
    std::fs::remove_file(&arguments.from)
        .map_err(|error| Exit::usage(format!("{from} cannot be taken away: {error}")))?;
    let mut out = anstream::stdout();
    let what = "say why it exists, check its rules, and decide by them what must come back";
    writeln!(out, "{}: {what}", path.display())?;
    Ok(Exit::success())
}
