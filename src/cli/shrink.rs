//! `shrink`: a failing case, made small by hand.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::adapter::{Deadlines, parse_profile, watch_for_interrupts};
use super::exit::Exit;
use super::fuzz::{Asked, write_finding};
use super::{CorpusArguments, no_such_case};
use crate::adapter::AdapterOptions;
use crate::hunt::{BATCH, Campaign, CampaignOptions, Limit, input_of};
use crate::openui::Profile;
use crate::report::printable;

/// Arguments of `shrink`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The id of the case
    #[arg(value_name = "CASE")]
    case: String,
    #[command(flatten)]
    corpus: CorpusArguments,
    /// The OpenUI profile: core, chat or line-start
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
    #[command(flatten)]
    deadlines: Deadlines,
    /// The adapter's command
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let corpus = arguments.corpus.corpus()?;
    let case = corpus.case(&arguments.case).ok_or_else(|| no_such_case(&arguments.case, &corpus))?;
    let input =
        input_of(case).ok_or_else(|| Exit::usage(format!("{} asks nothing that can be made small", case.id)))?;
    let adapter = AdapterOptions { profile: arguments.profile, ..arguments.deadlines.of(&arguments.command) };
    let mut asked = Asked::start(adapter, &corpus, &stop)?;
    let options = CampaignOptions { methods: vec![case.method], seed: 0, limit: Limit::Runs(0), batch: BATCH };
    let mut campaign = Campaign { left: None, right: asked.side(), options };
    let mut out = anstream::stdout();
    match campaign.shrink(&input, &stop) {
        Some(finding) => {
            write_finding(&finding, false, &mut out)?;
            Ok(Exit::failure())
        }
        None => {
            let (id, profile) = (printable(&case.id), arguments.profile);
            writeln!(out, "{id}: the adapter answers as the reference does in profile {profile}")?;
            Ok(Exit::success())
        }
    }
}
