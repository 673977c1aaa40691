//! `check-adapter`: runs a scripted session with an adapter.

use std::io::Write;
use std::sync::atomic::Ordering;

use super::adapter::Deadlines;
use super::exit::Exit;
use super::names::profile_parser;
use super::session::Session;
use crate::adapter::{AdapterOptions, Step, StepOutcome, check};
use crate::report::{excerpt, plural, printable};
use crate::settings::ProfileName;

/// Arguments of `check-adapter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Request this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser())]
    profile: ProfileName,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Start a process for each request
    ///
    /// Each process receives `initialize`, one request and the end of its input at once.
    #[arg(long)]
    oneshot: bool,
    /// Run this adapter command
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

/// The maximum length of an error, which may quote text from the adapter.
const SHOWN: usize = 600;

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let Session { out, signals, .. } = session;
    let stop = signals.stop();
    let options = AdapterOptions { profile: arguments.profile, ..arguments.deadlines.of(&arguments.command) };
    let (mut steps, mut complaints, mut written) = (0, 0, Ok(()));
    check(&options, arguments.oneshot, stop, &mut |step| {
        steps += 1;
        complaints += usize::from(matches!(step.outcome, StepOutcome::Wrong(_)));
        if written.is_ok() {
            // Steps may be slow; each one is shown when it ends.
            written = write_step(&step, out).and_then(|()| out.flush());
        }
    })
    .map_err(Exit::unusable_adapter)?;
    written?;
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "interrupted: {}, {} so far", plural(steps, "step"), plural(complaints, "error"))?;
        return Ok(Exit::interrupted());
    }
    writeln!(out, "{}, {}", plural(steps, "step"), plural(complaints, "error"))?;
    Ok(if complaints == 0 { Exit::success() } else { Exit::failure() })
}

fn write_step(step: &Step, out: &mut dyn Write) -> std::io::Result<()> {
    let name = printable(&step.name);
    match &step.outcome {
        StepOutcome::Right => writeln!(out, "  ok     {name}"),
        StepOutcome::Skipped(why) => writeln!(out, "  -      {name}: {why}"),
        StepOutcome::Wrong(what) => {
            writeln!(out, "  FAILED {name}: {}", excerpt(&printable(what), SHOWN))?;
            writeln!(out, "         see spec/adapter-protocol.md, {}", step.section)
        }
    }
}
