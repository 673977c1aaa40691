//! `fuzz`: runs a campaign against one implementation, or between two.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::CorpusArguments;
use super::adapter::{Deadlines, parse_duration};
use super::exit::Exit;
use super::findings::Findings;
use super::names::{method_parser, profile_parser};
use super::session::Session;
use crate::adapter::{AdapterOptions, Answer, Ask, FaultKind, Implementation, InProcess, Pool};
use crate::campaign::{
    BATCH, Campaign, CampaignOptions, CostFindings, Exchange, Finding, Limit, Progress, Results, Tally, Target,
    find_superlinear, input_of,
};
use crate::case::{Case, Corpus};
use crate::format::Method;
use crate::formats::FORMATS;
use crate::generate::Input;
use crate::report::{excerpt, plural, printable};
use crate::run::{Plan, execute, options};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// Arguments of `fuzz`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Use this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser())]
    profile: ProfileName,
    /// Use this random seed [default: taken from the clock, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop after N requests
    #[arg(long, value_name = "N", conflicts_with = "time")]
    runs: Option<usize>,
    /// Stop after this time, such as 60s [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Fuzz only this method; may be given several times
    #[arg(long = "method", value_name = "M", value_parser = method_parser(), hide_possible_values = true)]
    methods: Vec<Method>,
    /// Run N processes of each adapter at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Fuzz for requests whose response time grows super-linearly, instead of wrong answers
    #[arg(long, conflicts_with_all = ["runs", "save"])]
    cost: bool,
    /// Save each finding as a case file in this folder, and start from the findings in it
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    #[command(flatten)]
    deadlines: Deadlines,
    /// Fuzz this adapter command; two commands with `--` between them are compared with each other
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

/// The number of characters of a request or an answer that is shown.
const SHOWN: usize = 600;

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let corpus = CorpusArguments::default().corpus()?;
    let mut commands = arguments.command.split(|word| word == "--").map(<[String]>::to_vec);
    let (first, second) = (commands.next().unwrap_or_default(), commands.next());
    if first.is_empty() || second.as_ref().is_some_and(Vec::is_empty) || commands.next().is_some() {
        return Err(Exit::usage("expected one command, or two with `--` between"));
    }
    let saved = match &arguments.save {
        Some(folder) => Some(Findings::open(folder)?),
        None => None,
    };
    let Session { out, signals, .. } = session;
    let stop = signals.stop();
    let start = |command: &[String]| {
        let deadlines = arguments.deadlines.of(command);
        let adapter = AdapterOptions { jobs: arguments.jobs.into(), profile: arguments.profile, ..deadlines };
        FuzzTarget::start(adapter, &corpus, stop)
    };
    let mut first = start(&first)?;
    let second = second.as_deref().map(start).transpose()?;
    let is_offered = |method: &Method| {
        first.pool.handshake().offers(method.name())
            && second.as_ref().is_none_or(|second| second.pool.handshake().offers(method.name()))
    };
    let methods = if arguments.methods.is_empty() { FORMATS.methods().collect() } else { arguments.methods.clone() };
    let methods: Vec<Method> = methods.into_iter().filter(is_offered).collect();
    if methods.is_empty() {
        return Err(Exit::nothing_ran("nothing to fuzz: the adapter supports none of these methods"));
    }
    let seed = arguments.seed.unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_secs())
    });
    let limit = match (arguments.runs, arguments.time) {
        (Some(runs), _) => Limit::Runs(runs),
        (None, time) => Limit::Time(time.unwrap_or(Duration::from_secs(10))),
    };
    writeln!(
        out,
        "genui-conform fuzz: {}, profile {}, seed {seed}",
        name_of(&first, second.as_ref()),
        arguments.profile
    )?;
    // The next output may take long.
    out.flush()?;
    if arguments.cost {
        let time = arguments.time.unwrap_or(Duration::from_secs(10));
        let options = first.options;
        let found = find_superlinear(&mut first.pool, &methods, &options, seed, time, stop);
        return report_costs(&found, stop.load(Ordering::Relaxed), out);
    }
    let mut seeds: Vec<Input> = corpus.cases.iter().filter_map(input_of).collect();
    seeds.extend(saved.iter().flat_map(Findings::inputs));
    campaign(arguments, CampaignOptions { methods, seed, limit, batch: BATCH }, (first, second), seeds, saved, session)
}

/// Runs the campaign and reports its findings.
fn campaign(
    arguments: &Arguments,
    options: CampaignOptions,
    (mut first, mut second): (FuzzTarget, Option<FuzzTarget>),
    seeds: Vec<Input>,
    mut saved: Option<Findings>,
    session: &mut Session,
) -> Result<Exit, Exit> {
    let Session { out, signals, progress } = session;
    let stop = signals.stop();
    let known_answers =
        [Some(&first), second.as_ref()].into_iter().flatten().map(FuzzTarget::answered).min().unwrap_or(0);
    let known = match &second {
        None => first.faults.iter().map(|(input, answer)| first.against_reference(input, answer)).collect(),
        Some(second) => first.against(second),
    };
    let known: Vec<Exchange> =
        Vec::into_iter(known).filter(|(input, ..)| options.methods.contains(&input.method)).collect();
    let (left, right) = match &mut second {
        None => (None, first.target()),
        Some(second) => (Some(first.target()), second.target()),
    };
    let ever_answered = known_answers > 0;
    let (compared, judged_by) = (left.is_some(), right.options.clone());
    let mut campaign = Campaign { left, right, options };
    let mut unsaved = None;
    let bar = progress.bar("{elapsed_precise} {pos} requests, {per_sec}, {msg}");
    let mut distinct = 0;
    let Results { findings, tally } = campaign.run(known, seeds, stop, &mut |progress| match progress {
        Progress::Found(finding) => {
            distinct += 1;
            bar.println(printable(&finding.signature.to_string()));
            if let Some(saved) = &mut saved {
                unsaved = saved.keep(finding, &judged_by).err().or(unsaved.take());
            }
        }
        Progress::Runs(runs) => {
            bar.set_position(runs as u64);
            bar.set_message(plural(distinct, "distinct finding"));
        }
    });
    bar.finish_and_clear();
    for finding in &findings {
        write_finding(finding, compared, out)?;
    }
    let silence = tally.silence.as_ref().or(tally.given_up.as_ref());
    let is_interrupted = stop.load(Ordering::Relaxed);
    write_tally(&tally, findings.len(), is_interrupted, out)?;
    if let Some(folder) = arguments.save.as_ref().filter(|_| !findings.is_empty()) {
        writeln!(out, "saved as cases, not reviewed yet: {}", folder.display())?;
    }
    if let Some(error) = unsaved {
        return Err(error);
    }
    Ok(if is_interrupted {
        Exit::interrupted()
    } else if let Some(why) = silence.filter(|_| tally.answered == 0 && !ever_answered) {
        Exit::unusable_adapter(format!("it answered no request: {}", shown(why)))
    } else if !findings.is_empty() {
        Exit::failure()
    } else if let Some(why) = silence {
        let requests = plural(tally.unanswered + tally.not_asked, "request");
        Exit::unusable_adapter(format!("{requests} got no answer: {}", shown(why)))
    } else if tally.answered == 0 {
        Exit::nothing_ran("nothing ran: the adapter supports none of the requests")
    } else {
        Exit::success()
    })
}

/// Writes the number of requests, their outcomes and the number of findings.
fn write_tally(tally: &Tally, findings: usize, is_interrupted: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let interrupted = if is_interrupted { "interrupted: " } else { "" };
    write!(out, "\n{interrupted}{}, {} answered", plural(tally.requests, "request"), tally.answered)?;
    let others = [(tally.not_offered, "unsupported"), (tally.unanswered, "failed"), (tally.not_asked, "not sent")];
    for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
        write!(out, ", {count} {what}")?;
    }
    writeln!(out, ", {}", plural(findings, "distinct finding"))?;
    let unspecified = tally.unspecified.iter().map(|((rule, name), count)| format!("{count} by {rule} ({name})"));
    let unspecified: Vec<String> = unspecified.collect();
    if !unspecified.is_empty() {
        writeln!(out, "unspecified differences: {}", unspecified.join(", "))?;
    }
    match tally.given_up.as_ref().filter(|_| !is_interrupted) {
        Some(why) => writeln!(out, "not sent, because {}", shown(why)),
        None => Ok(()),
    }
}

/// Escapes and shortens text from an adapter.
fn shown(text: &str) -> String {
    excerpt(&printable(text), SHOWN)
}

/// Reports the findings of `--cost`.
fn report_costs(costs: &CostFindings, is_interrupted: bool, out: &mut dyn Write) -> Result<Exit, Exit> {
    for finding in &costs.findings {
        let text = |text: &str| crate::json::Json::from(text).to_ascii();
        let before =
            if finding.before.is_empty() { String::new() } else { format!("{} and then ", text(&finding.before)) };
        writeln!(out, "\n{}: {}", finding.method, finding.growth)?;
        writeln!(out, "    input      {}: {before}{} repeated", finding.at, text(&finding.unit))?;
    }
    let interrupted = if is_interrupted { "interrupted: " } else { "" };
    let (tried, measured, found) = (costs.tried, costs.measured, costs.findings.len());
    writeln!(out, "\n{interrupted}{tried} fragments, {measured} measured, {found} super-linear")?;
    Ok(match &costs.silence {
        _ if is_interrupted => Exit::interrupted(),
        _ if found > 0 => Exit::failure(),
        Some(why) => Exit::unusable_adapter(format!("a request got no answer: {}", shown(why))),
        None if measured == 0 => Exit::nothing_ran("nothing ran: no fragment was measured"),
        None => Exit::success(),
    })
}

/// An adapter, with the choices that were inferred from its answers to the corpus.
pub(super) struct FuzzTarget {
    pool: Pool,
    options: Settings,
    /// The requests of the corpus and the answers to them.
    answers: Vec<(Input, Answer)>,
    /// The requests that failed.
    faults: Vec<(Input, Answer)>,
}

impl FuzzTarget {
    pub(super) fn start(adapter: AdapterOptions, corpus: &Corpus, stop: &AtomicBool) -> Result<FuzzTarget, Exit> {
        let profile = adapter.profile;
        let mut pool = Pool::start(adapter, stop).map_err(|error| match stop.load(Ordering::Relaxed) {
            true => Exit::interrupted(),
            false => Exit::unusable_adapter(error),
        })?;
        let cases: Vec<&Case> = corpus.cases.iter().collect();
        let plan = Plan { cases, profile, requested: BTreeMap::new(), partial: false, derived: false, cost: false };
        let record = execute(&plan, &mut WithoutShutdown(&mut pool), stop, &|_| {}).map_err(Exit::unusable_adapter)?;
        let chosen = record.bound.iter().map(|(rule, bound)| (rule.clone(), bound.name.clone())).collect();
        let offers = |case: &Case| record.handshake.offers(case.method.name());
        let answers: Vec<(Input, Answer)> = record
            .outcomes
            .iter()
            .filter(|outcome| offers(outcome.case))
            .filter_map(|outcome| Some((input_of(outcome.case)?, outcome.answer.clone())))
            .collect();
        let is_fault = |answer: &Answer| matches!(answer, Answer::Fault(fault) if !matches!(fault.kind, FaultKind::NotRun | FaultKind::Error));
        let faults = answers.iter().filter(|(_, answer)| is_fault(answer)).cloned().collect();
        Ok(FuzzTarget { pool, options: options(profile, &chosen), answers, faults })
    }

    pub(super) fn target(&mut self) -> Target<'_> {
        Target { implementation: &mut self.pool, options: self.options.clone() }
    }

    /// Returns the number of corpus requests that the adapter answered.
    fn answered(&self) -> usize {
        self.answers.iter().filter(|(_, answer)| matches!(answer, Answer::Result(_) | Answer::Refusal { .. })).count()
    }

    /// Returns whether the adapter lists the method.
    pub(super) fn offers(&self, method: Method) -> bool {
        self.pool.handshake().offers(method.name())
    }

    /// Returns the exchange of a request, if that request failed.
    pub(super) fn fault_on(&self, input: &Input) -> Option<Exchange> {
        let (input, answer) = self.faults.iter().find(|(asked, _)| asked == input)?;
        Some(self.against_reference(input, answer))
    }

    fn against_reference(&self, input: &Input, answer: &Answer) -> Exchange {
        let params = input.params.to_ascii();
        let asks = [Ask { method: input.method, params: &params }];
        let expected = InProcess::new(self.options.clone()).send_all(&asks, &AtomicBool::new(false), &|| {}).pop();
        (input.clone(), expected.expect("there is an answer for each request"), answer.clone())
    }

    /// Returns the exchanges of the requests that failed on one of the two.
    fn against(&self, other: &FuzzTarget) -> Vec<Exchange> {
        let answer = |of: &FuzzTarget, input: &Input| {
            let found = of.answers.iter().find(|(asked, _)| asked == input);
            found.map_or_else(
                || Answer::Unsupported("the request was not sent".to_owned()),
                |(_, answer)| answer.clone(),
            )
        };
        let mut inputs: Vec<&Input> = Vec::new();
        for (input, _) in self.faults.iter().chain(&other.faults) {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        inputs.into_iter().map(|input| (input.clone(), answer(self, input), answer(other, input))).collect()
    }
}

/// An implementation that does not shut down after a run.
struct WithoutShutdown<'p>(&'p mut Pool);

impl Implementation for WithoutShutdown<'_> {
    fn handshake(&self) -> &crate::protocol::Handshake {
        self.0.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        self.0.send_all(asks, stop, progress)
    }
}

fn name_of(first: &FuzzTarget, second: Option<&FuzzTarget>) -> String {
    let name = |asked: &FuzzTarget| excerpt(&printable(&asked.pool.handshake().implementation.name), 80);
    match second {
        None => format!("{} against the reference", name(first)),
        Some(second) => format!("{} against {}", name(first), name(second)),
    }
}

/// Writes a finding: its signature, the request, both answers, and the request as a protocol line.
pub(super) fn write_finding(finding: &Finding, compared: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let (left, right) = if compared { ("first", "second") } else { ("reference", "found") };
    let params = finding.input.params.to_ascii();
    writeln!(out, "\n{}", printable(&finding.signature.to_string()))?;
    writeln!(out, "    request    {}", shown(&params))?;
    writeln!(out, "    {left:10} {}", shown(&finding.left.to_string()))?;
    writeln!(out, "    {right:10} {}", shown(&finding.right.to_string()))?;
    if !finding.signature.rules.is_empty() {
        writeln!(out, "    rules      {}", finding.signature.rules.iter().copied().collect::<Vec<_>>().join(", "))?;
    }
    writeln!(out, "    seen       {}", plural(finding.count, "time"))?;
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}","params":{params}}}"#, finding.input.method);
    writeln!(out, "    line       {}", shown(&line))
}
