//! `check-adapter`: a scripted dialogue.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::adapter::{Deadlines, parse_profile, watch_for_interrupts};
use super::exit::Exit;
use crate::adapter::{AdapterOptions, Step, StepOutcome, check};
use crate::openui::Profile;
use crate::report::{excerpt, plural, printable};

/// Arguments of `check-adapter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The OpenUI profile that the dialogue asks for
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
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

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let options = AdapterOptions { profile: arguments.profile, ..arguments.deadlines.of(&arguments.command) };
    let mut out = anstream::stdout();
    let (mut steps, mut complaints, mut written) = (0, 0, Ok(()));
    check(&options, arguments.oneshot, &stop, &mut |step| {
        steps += 1;
        complaints += usize::from(matches!(step.outcome, StepOutcome::Wrong(_)));
        if !stop.load(Ordering::Relaxed) && written.is_ok() {
            written = write_step(&step, &mut out);
        }
    })
    .map_err(|error| Exit::unusable_adapter(format!("the adapter cannot be used: {error}")))?;
    written?;
    if stop.load(Ordering::Relaxed) {
        return Err(Exit::interrupted());
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
