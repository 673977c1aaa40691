//! `check-adapter`: a scripted dialogue.

use std::io::Write;
use std::sync::atomic::Ordering;

use super::adapter::{Deadlines, parse_profile};
use super::exit::Exit;
use super::session::Session;
use crate::adapter::{AdapterOptions, Step, StepOutcome, check};
use crate::report::{excerpt, plural, printable};
use crate::settings::ProfileName;

/// Arguments of `check-adapter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The OpenUI profile that the dialogue asks for
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: ProfileName,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Ask each process one request, sent together with `initialize` and the end of its input
    #[arg(long)]
    oneshot: bool,
    /// The adapter's command
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

/// A complaint may quote what the adapter said.
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
            // Steps may take their time; each shows as it comes.
            written = write_step(&step, out).and_then(|()| out.flush());
        }
    })
    .map_err(Exit::unusable_adapter)?;
    written?;
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "interrupted: {}, {} by then", plural(steps, "step"), plural(complaints, "complaint"))?;
        return Ok(Exit::interrupted());
    }
    writeln!(out, "{}, {}", plural(steps, "step"), plural(complaints, "complaint"))?;
    Ok(if complaints == 0 { Exit::success() } else { Exit::failure() })
}

fn write_step(step: &Step, out: &mut dyn Write) -> std::io::Result<()> {
    let name = printable(&step.name);
    match &step.outcome {
        StepOutcome::Right => writeln!(out, "  ok     {name}"),
        StepOutcome::Skipped(why) => writeln!(out, "  -      {name}: {why}"),
        StepOutcome::Wrong(what) => {
            writeln!(out, "  WRONG  {name}: {}", excerpt(&printable(what), SHOWN))?;
            writeln!(out, "         see spec/adapter-protocol.md, {}", step.section)
        }
    }
}
