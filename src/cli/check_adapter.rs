//! `check-adapter`: a scripted dialogue.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::adapter::{Deadlines, parse_profile, watch_for_interrupts};
use super::exit::Exit;
use crate::adapter::{AdapterOptions, StepOutcome, check};
use crate::openui::Profile;
use crate::report::{excerpt, printable};

/// Arguments of `check-adapter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The OpenUI profile that the dialogue asks for
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
    #[command(flatten)]
    deadlines: Deadlines,
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
    let steps = check(&options, &stop)
        .map_err(|error| Exit::unusable_adapter(format!("the adapter cannot be used: {error}")))?;
    if stop.load(Ordering::Relaxed) {
        return Err(Exit::interrupted());
    }
    let mut out = std::io::BufWriter::new(anstream::stdout());
    let mut complaints = 0;
    for step in &steps {
        let name = printable(&step.name);
        match &step.outcome {
            StepOutcome::Right => writeln!(out, "  ok     {name}")?,
            StepOutcome::Skipped(why) => writeln!(out, "  -      {name}: {why}")?,
            StepOutcome::Wrong(what) => {
                complaints += 1;
                writeln!(out, "  WRONG  {name}: {}", excerpt(&printable(what), SHOWN))?;
                writeln!(out, "         see spec/adapter-protocol.md, {}", step.section)?;
            }
        }
    }
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    writeln!(out, "{}, {}", plural(steps.len(), "step"), plural(complaints, "complaint"))?;
    out.flush()?;
    Ok(if complaints == 0 { Exit::success() } else { Exit::failure() })
}
