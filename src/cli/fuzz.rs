//! `fuzz`: a campaign against an implementation, or between two.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::CorpusArguments;
use super::adapter::{Deadlines, parse_duration, parse_profile, progress_bar, watch_for_interrupts};
use super::exit::Exit;
use super::findings::Findings;
use super::names::parse_method;
use crate::adapter::{AdapterOptions, Implementation, Pool};
use crate::case::{Case, Corpus};
use crate::generate::Input;
use crate::hunt::{BATCH, Campaign, CampaignOptions, Finding, Limit, Progress, Side, hunt_cost, input_of};
use crate::openui::Profile;
use crate::options::Options;
use crate::protocol::Method;
use crate::report::{excerpt, plural, printable};
use crate::run::{Plan, execute, options};

/// Arguments of `fuzz`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The OpenUI profile: core, chat or line-start
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: Profile,
    /// The seed of everything that is drawn [default: one from the clock, which is printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// End after so many requests
    #[arg(long, value_name = "N", conflicts_with = "time")]
    runs: Option<usize>,
    /// End after so long, such as 60s [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Ask only this method; may be given several times
    #[arg(long = "method", value_name = "M", value_parser = parse_method)]
    methods: Vec<Method>,
    /// How many processes of an adapter to run at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Look for messages whose time grows faster than their length, instead of for disagreements
    #[arg(long, conflicts_with_all = ["runs", "save", "methods"])]
    cost: bool,
    /// Write each finding to a case file in this folder, and go on from what is there
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    #[command(flatten)]
    deadlines: Deadlines,
    /// The adapter's command; two of them, with `--` between, are compared with each other
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

/// How much of a request and an answer is shown.
const SHOWN: usize = 600;

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    watch_for_interrupts(&stop);
    let corpus = CorpusArguments::default().corpus()?;
    let mut commands = arguments.command.split(|word| word == "--").map(<[String]>::to_vec);
    let (first, second) = (commands.next().unwrap_or_default(), commands.next());
    if first.is_empty() || second.as_ref().is_some_and(Vec::is_empty) || commands.next().is_some() {
        return Err(Exit::usage("expected one command, or two with `--` between"));
    }
    let mut saved = match &arguments.save {
        Some(folder) => Some(Findings::open(folder)?),
        None => None,
    };
    let start = |command: &[String]| {
        let deadlines = arguments.deadlines.of(command);
        let adapter = AdapterOptions { jobs: arguments.jobs.into(), profile: arguments.profile, ..deadlines };
        Asked::start(adapter, &corpus, &stop)
    };
    let mut first = start(&first)?;
    let mut second = second.as_deref().map(start).transpose()?;
    let is_offered = |method: &Method| {
        first.pool.handshake().offers(*method)
            && second.as_ref().is_none_or(|second| second.pool.handshake().offers(*method))
    };
    let methods = if arguments.methods.is_empty() { Method::ALL.to_vec() } else { arguments.methods.clone() };
    let methods: Vec<Method> = methods.into_iter().filter(is_offered).collect();
    if methods.is_empty() {
        return Err(Exit::nothing_ran("nothing to ask: no method of these is offered"));
    }
    let seed = arguments.seed.unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_secs())
    });
    let limit = match (arguments.runs, arguments.time) {
        (Some(runs), _) => Limit::Runs(runs),
        (None, time) => Limit::Time(time.unwrap_or(Duration::from_secs(10))),
    };
    let mut out = anstream::stdout();
    writeln!(
        out,
        "genui-conform fuzz: {}, profile {}, seed {seed}",
        name_of(&first, second.as_ref()),
        arguments.profile
    )?;
    if arguments.cost {
        let time = arguments.time.unwrap_or(Duration::from_secs(10));
        let options = first.options;
        let (findings, tried) = hunt_cost(&mut first.pool, &options, seed, time, &stop);
        for finding in &findings {
            let text = |text: &str| crate::json::Json::from(text).to_ascii();
            writeln!(out, "\nopenui.parse: {}", finding.growth)?;
            writeln!(out, "    message    {} and then {} again and again", text(&finding.before), text(&finding.unit))?;
        }
        writeln!(out, "\n{tried} fragments, {} that cost too much", findings.len())?;
        return Ok(if stop.load(Ordering::Relaxed) {
            Exit::interrupted()
        } else if findings.is_empty() {
            Exit::success()
        } else {
            Exit::failure()
        });
    }
    let mut seeds: Vec<Input> = corpus.cases.iter().filter_map(input_of).collect();
    seeds.extend(saved.iter().flat_map(Findings::inputs));
    let options = CampaignOptions { methods, seed, limit, batch: BATCH };
    let (left, right) = match &mut second {
        None => (None, first.side()),
        Some(second) => (Some(first.side()), second.side()),
    };
    let compared = left.is_some();
    let mut campaign = Campaign { left, right, options };
    let mut unsaved = None;
    let bar = progress_bar("{elapsed_precise} {pos} requests, {per_sec}, {msg}");
    let mut distinct = 0;
    let (findings, runs) = campaign.run(seeds, &stop, &mut |progress| match progress {
        Progress::Found(finding) => {
            distinct += 1;
            bar.println(printable(&finding.class.to_string()));
            if let Some(saved) = &mut saved {
                unsaved = saved.keep(finding, arguments.profile).err().or(unsaved.take());
            }
        }
        Progress::Runs(runs) => {
            bar.set_position(runs as u64);
            bar.set_message(plural(distinct, "distinct disagreement"));
        }
    });
    bar.finish_and_clear();
    for finding in &findings {
        write_finding(finding, compared, &mut out)?;
    }
    writeln!(out, "\n{runs} requests, {}", plural(findings.len(), "distinct disagreement"))?;
    if let Some(folder) = arguments.save.as_ref().filter(|_| !findings.is_empty()) {
        writeln!(out, "saved as cases, not reviewed yet: {}", folder.display())?;
    }
    if let Some(error) = unsaved {
        return Err(error);
    }
    Ok(if stop.load(Ordering::Relaxed) {
        Exit::interrupted()
    } else if findings.is_empty() {
        Exit::success()
    } else {
        Exit::failure()
    })
}

/// An adapter, with the choices that its answers to the corpus show.
pub(super) struct Asked {
    pool: Pool,
    options: Options,
}

impl Asked {
    pub(super) fn start(adapter: AdapterOptions, corpus: &Corpus, stop: &AtomicBool) -> Result<Asked, Exit> {
        let profile = adapter.profile;
        let unusable = |why: String| Exit::unusable_adapter(format!("the adapter cannot be used: {why}"));
        let mut pool = Pool::start(adapter, stop).map_err(|error| unusable(error.to_string()))?;
        let cases: Vec<&Case> = corpus.cases.iter().collect();
        let plan = Plan { cases, profile, asked: BTreeMap::new(), partial: false, derived: false, cost: false };
        let record =
            execute(&plan, &mut Unfinished(&mut pool), stop, &|_| {}).map_err(|why| unusable(why.to_string()))?;
        let chosen = record.bound.iter().map(|(rule, bound)| (rule.clone(), bound.name.clone())).collect();
        Ok(Asked { pool, options: options(profile, &chosen) })
    }

    pub(super) fn side(&mut self) -> Side<'_> {
        Side { implementation: &mut self.pool, options: self.options }
    }
}

/// An implementation that goes on after a run.
struct Unfinished<'p>(&'p mut Pool);

impl Implementation for Unfinished<'_> {
    fn handshake(&self) -> &crate::protocol::Handshake {
        self.0.handshake()
    }

    fn ask_all(
        &mut self,
        asks: &[crate::adapter::Ask<'_>],
        stop: &AtomicBool,
        progress: &(dyn Fn() + Sync),
    ) -> Vec<crate::adapter::Answer> {
        self.0.ask_all(asks, stop, progress)
    }
}

fn name_of(first: &Asked, second: Option<&Asked>) -> String {
    let name = |asked: &Asked| excerpt(&printable(&asked.pool.handshake().implementation.name), 80);
    match second {
        None => format!("{} against the reference", name(first)),
        Some(second) => format!("{} against {}", name(first), name(second)),
    }
}

/// Writes a finding: what differs, the request, both answers, and the line to ask again with.
pub(super) fn write_finding(finding: &Finding, compared: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let show = |text: &str| excerpt(&printable(text), SHOWN);
    let (left, right) = if compared { ("first", "second") } else { ("reference", "found") };
    let params = finding.input.params.to_ascii();
    writeln!(out, "\n{}", printable(&finding.class.to_string()))?;
    writeln!(out, "    asked      {}", show(&params))?;
    writeln!(out, "    {left:10} {}", show(&finding.left.to_string()))?;
    writeln!(out, "    {right:10} {}", show(&finding.right.to_string()))?;
    if !finding.class.rules.is_empty() {
        writeln!(out, "    rules      {}", finding.class.rules.iter().copied().collect::<Vec<_>>().join(", "))?;
    }
    writeln!(out, "    seen       {}", plural(finding.count, "time"))?;
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}","params":{params}}}"#, finding.input.method);
    writeln!(out, "    line       {}", show(&line))
}
