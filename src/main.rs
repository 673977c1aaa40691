//! The command line; each command is a file in `cli`.

use std::process::ExitCode;

/// A run makes and drops millions of small values.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    genui_conform::cli::run()
}
