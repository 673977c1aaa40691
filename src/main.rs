//! The command line; each command is a file in `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    genui_conform::cli::run()
}
