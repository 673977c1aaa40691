//! `shrink`: shrinks the request of one failing case.

use std::io::Write;
use std::sync::atomic::Ordering;

use super::adapter::Deadlines;
use super::exit::Exit;
use super::fuzz::{FuzzTarget, write_finding};
use super::names::profile_parser;
use super::session::Session;
use super::{CorpusArguments, add_sampled, near_case};
use crate::adapter::AdapterOptions;
use crate::campaign::{BATCH, Campaign, CampaignOptions, Limit, Shrunk, input_of};
use crate::report::printable;
use crate::settings::ProfileName;

/// Arguments of `shrink`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Shrink the case with this id
    #[arg(value_name = "CASE")]
    case: String,
    #[command(flatten)]
    corpus: CorpusArguments,
    /// Use this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser())]
    profile: ProfileName,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Run this adapter command
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let mut corpus = arguments.corpus.corpus()?;
    add_sampled(&mut corpus, std::slice::from_ref(&arguments.case), arguments.profile);
    let case = corpus.case(&arguments.case).ok_or_else(|| {
        let question = near_case(&arguments.case, &corpus);
        Exit::usage(format!("expected the id of a case, but found {}{question}", arguments.case))
    })?;
    let input = input_of(case).ok_or_else(|| Exit::usage(format!("{} has no request to shrink", case.id)))?;
    let Session { out, signals, .. } = session;
    let stop = signals.stop();
    let adapter = AdapterOptions { profile: arguments.profile, ..arguments.deadlines.of(&arguments.command) };
    let mut asked = FuzzTarget::start(adapter, &corpus, stop)?;
    if !asked.offers(case.method) {
        return Err(Exit::nothing_ran(format!("nothing ran: the adapter does not support {}", case.method)));
    }
    let known = asked.fault_on(&input);
    let options = CampaignOptions { methods: vec![case.method], seed: 0, limit: Limit::Runs(0), batch: BATCH };
    let mut campaign = Campaign { left: None, right: asked.target(), options };
    let id = printable(&case.id);
    let shrunk = campaign.shrink(&input, known, stop);
    if let Shrunk::Finding(finding) = &shrunk {
        write_finding(finding, false, out)?;
    }
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "{id}: interrupted")?;
        return Ok(Exit::interrupted());
    }
    match shrunk {
        Shrunk::Finding(_) => Ok(Exit::failure()),
        Shrunk::Agreement => {
            let profile = arguments.profile;
            writeln!(out, "{id}: the adapter gives the same answer as the reference in profile {profile}")?;
            Ok(Exit::success())
        }
        Shrunk::NotOffered => Err(Exit::nothing_ran(format!("nothing ran: the adapter does not support {id}"))),
        Shrunk::NoAnswer(why) => Err(Exit::unusable_adapter(format!("{id} got no answer: {why}"))),
    }
}
