//! `completions`: a script that completes the command line in a shell.

use std::io::Write;

use clap_complete::{Shell, generate};

use super::command_line;
use super::exit::Exit;
use super::session::Session;

/// Arguments of `completions`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let mut command = command_line();
    let name = command.get_name().to_owned();
    // `generate` panics if writing fails, so it writes to memory.
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, name, &mut script);
    session.bytes().write_all(&script)?;
    Ok(Exit::success())
}
