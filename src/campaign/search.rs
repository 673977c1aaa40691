//! The campaign itself: sends batches of requests to both targets, and shrinks the findings.
//!
//! Requests are mutations of the seed corpus, or newly generated. Keeping requests with novel answers as new seeds was
//! tried; mutants were not found sooner (`benches/campaign.rs`: 133 requests in the geometric mean against 93 without,
//! from the grammar alone).

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::shrink::shrink;
use super::signature::{Finding, Signature, deciding_rules, disagreement, left_open};
use crate::adapter::{Answer, Ask, Fault, FaultKind, Implementation, InProcess, Omitting};
use crate::format::{Feature, Method};
use crate::formats::FORMATS;
use crate::generate::{Draw, DrawExt, Input, Seeded, mutated_request, request};
use crate::settings::ProfileName;
use crate::settings::Settings;
use crate::settled::{is_askable, is_settled};

/// Requests that are usually sent together: enough to keep every process busy.
pub const BATCH: usize = 512;

/// Attempts to shrink one finding.
const REDUCE_ATTEMPTS: usize = 600;

/// Attempts to shrink a request that times out.
const TIMEOUTS_TO_REDUCE: usize = 24;

/// Findings that are shrunk between two batches.
const REDUCED_PER_BATCH: usize = 4;

/// Findings that wait to be shrunk. Further ones are counted, and shrunk when they occur again.
const MOST_WAITING: usize = 64;

/// One of this many requests is newly generated; the others are mutations of the seed corpus.
const FRESH_ONE_IN: usize = 3;

/// An implementation, and the choices by which it is judged.
pub struct Target<'i> {
    /// The implementation.
    pub implementation: &'i mut dyn Implementation,
    /// The profile and the choices by which it is judged.
    pub options: Settings,
}

/// The settings of a campaign.
#[derive(Clone, Debug)]
pub struct CampaignOptions {
    /// The methods to which requests are sent.
    pub methods: Vec<Method>,
    /// The random seed.
    pub seed: u64,
    /// When the campaign ends.
    pub limit: Limit,
    /// How many requests are sent together.
    pub batch: usize,
}

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After this many requests, rounded up to a batch.
    Runs(usize),
    /// After this time.
    Time(Duration),
    /// With the first finding, or after this many requests.
    UntilFirst(usize),
}

/// An event of a campaign.
#[derive(Clone, Debug)]
pub enum Progress<'f> {
    /// This many requests have been sent so far.
    Runs(usize),
    /// A finding is new.
    Found(&'f Finding),
}

/// The number of requests of a campaign, by what became of them. Requests to shrink a finding are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All requests.
    pub requests: usize,
    /// Requests that both targets answered.
    pub answered: usize,
    /// Requests that a target does not support, as it says itself.
    pub not_offered: usize,
    /// Requests to which a target gave no valid answer.
    pub unanswered: usize,
    /// Requests that were not sent: the target was abandoned, or the campaign interrupted.
    pub not_asked: usize,
    /// Requests to which both targets gave different answers where the documents leave the answer open: by rule and
    /// name.
    pub unspecified: BTreeMap<(&'static str, &'static str), usize>,
    /// The first missing answer, as text; text of the adapter is not escaped.
    pub silence: Option<String>,
    /// Why the first request that was not sent was not.
    pub given_up: Option<String>,
}

impl Tally {
    fn count(&mut self, input: &Input, left: &Answer, right: &Answer) {
        self.requests += 1;
        match Reply::of(input, left, right) {
            Reply::Answered => self.answered += 1,
            Reply::NotOffered => self.not_offered += 1,
            Reply::None(fault) if fault.kind == FaultKind::NotRun => {
                self.not_asked += 1;
                self.given_up.get_or_insert_with(|| fault.detail.clone());
            }
            Reply::None(fault) => {
                self.unanswered += 1;
                self.silence.get_or_insert_with(|| fault.detail.clone());
            }
        }
    }
}

/// What became of one request to both targets.
enum Reply<'a> {
    Answered,
    NotOffered,
    None(&'a Fault),
}

impl<'a> Reply<'a> {
    fn of(input: &Input, left: &'a Answer, right: &'a Answer) -> Reply<'a> {
        let fault = |answer: &'a Answer| match answer {
            // If the answer is unspecified, an error is as right as any other answer.
            Answer::Fault(fault) if fault.kind != FaultKind::Error || is_settled(input.method, &input.params) => {
                Some(fault)
            }
            _ => None,
        };
        match (fault(right).or(fault(left)), left, right) {
            (Some(fault), ..) => Reply::None(fault),
            (None, Answer::Result(_) | Answer::Refusal { .. } | Answer::Fault(_), right) => match right {
                Answer::Unsupported(_) | Answer::Omitted(_) | Answer::NoSuchMethod => Reply::NotOffered,
                Answer::Result(_) | Answer::Refusal { .. } | Answer::Fault(_) => Reply::Answered,
            },
            (None, Answer::Unsupported(_) | Answer::Omitted(_) | Answer::NoSuchMethod, _) => Reply::NotOffered,
        }
    }
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The findings, in the order in which they occurred.
    pub findings: Vec<Finding>,
    /// The number of requests, by what became of them.
    pub tally: Tally,
}

/// The result of shrinking the request of one case.
#[derive(Clone, Debug)]
pub enum Shrunk {
    /// The two targets also disagree on this smaller request.
    Finding(Box<Finding>),
    /// They agree.
    Agreement,
    /// A target does not support a feature that the request needs.
    NotOffered,
    /// A target gave no valid answer, and why.
    NoAnswer(String),
}

/// A request and the answers of both targets.
pub type Exchange = (Input, Answer, Answer);

/// A campaign: one implementation against the reference, or two against each other.
pub struct Campaign<'i> {
    /// The first of two; the reference where there is none.
    pub left: Option<Target<'i>>,
    /// The implementation under test.
    pub right: Target<'i>,
    /// The settings.
    pub options: CampaignOptions,
}

impl Campaign<'_> {
    /// Runs until the limit, until `stop` is set, or until a target no longer answers. `known` are requests that were
    /// sent before, and count here too; `seeds` are the seed corpus. With a limit in requests, the results are the same
    /// every time.
    pub fn run(
        &mut self,
        known: Vec<Exchange>,
        seeds: Vec<Input>,
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(Progress<'_>),
    ) -> Results {
        let started = Instant::now();
        let mut draw = Seeded::new(self.options.seed);
        let seeds: Vec<Input> =
            seeds.into_iter().filter(|input| self.options.methods.contains(&input.method)).collect();
        let mut found = Findings::default();
        let mut tally = Tally::default();
        self.enter(known, &mut found, &mut tally);
        let mut runs = 0;
        let mut is_silent = false;
        // The seeds themselves are sent first: one may show a finding unchanged.
        let mut first: Vec<Input> = seeds.clone();
        loop {
            let is_over = match self.options.limit {
                Limit::Runs(most) => runs >= most,
                Limit::Time(most) => started.elapsed() >= most,
                Limit::UntilFirst(most) => !found.findings.is_empty() || runs >= most,
            };
            if is_over || is_silent || stop.load(Ordering::Relaxed) {
                // There is no time to shrink them, or the target was abandoned: they are reported as they are. At its
                // limit a campaign drops them, unless there is no other finding.
                while let Some((kind, (input, left, right))) = found.waiting.pop_front() {
                    if is_over && !found.findings.is_empty() {
                        break;
                    }
                    let finding = Finding { signature: kind.clone(), input, left, right, count: 1 };
                    if let Some(finding) = found.file(kind, finding) {
                        on_progress(Progress::Found(finding));
                    }
                }
                return Results { findings: found.findings, tally };
            }
            let batch: Vec<Input> = if first.is_empty() {
                (0..self.options.batch).map(|_| self.drawn(&mut draw, &seeds)).collect()
            } else {
                first.drain(..first.len().min(self.options.batch)).collect()
            };
            let answered = self.ask(&batch, stop);
            runs += batch.len();
            // An abandoned adapter answers no further requests.
            is_silent = answered.iter().all(|(left, right)| is_not_run(left) || is_not_run(right));
            let exchanges = batch.into_iter().zip(answered).map(|(input, (left, right))| (input, left, right));
            self.enter(exchanges.collect(), &mut found, &mut tally);
            // Shrinking one finding costs hundreds of requests, so only some are shrunk after each batch.
            for _ in 0..REDUCED_PER_BATCH {
                if is_silent || stop.load(Ordering::Relaxed) {
                    break;
                }
                let Some((kind, (input, left, right))) = found.waiting.pop_front() else { break };
                let finding = self.reduced(&input, &kind.what, left, right, stop);
                if let Some(finding) = found.file(kind, finding) {
                    on_progress(Progress::Found(finding));
                }
            }
            on_progress(Progress::Runs(runs));
        }
    }

    /// Compares the answers to requests, and adds the findings.
    fn enter(&self, exchanges: Vec<Exchange>, found: &mut Findings, tally: &mut Tally) {
        for (input, left, right) in exchanges {
            tally.count(&input, &left, &right);
            if let Some(what) = self.judged(&input, &left, &right) {
                let rules = deciding_rules(&input, &self.right.options);
                found.enter(Signature { method: input.method.name(), what, rules }, (input, left, right));
            } else if let Reply::Answered = Reply::of(&input, &left, &right)
                && let Some(unspecified) = left_open(&input, self.profile(), &left, &right)
            {
                *tally.unspecified.entry((unspecified.rule, unspecified.name)).or_default() += 1;
            }
        }
    }

    /// Shrinks one request on which the two targets disagree. `known` is its exchange if it was sent before; it is used
    /// if a target no longer answers.
    pub fn shrink(&mut self, input: &Input, known: Option<Exchange>, stop: &AtomicBool) -> Shrunk {
        let Some((mut left, mut right)) = self.ask(std::slice::from_ref(input), stop).pop() else {
            return Shrunk::NoAnswer("it was not asked".to_owned());
        };
        if is_not_run(&left) || is_not_run(&right) {
            (left, right) = known.map_or((left, right), |(_, left, right)| (left, right));
        }
        if let Some(what) = self.judged(input, &left, &right) {
            return Shrunk::Finding(Box::new(self.reduced(input, &what, left, right, stop)));
        }
        match Reply::of(input, &left, &right) {
            Reply::Answered => Shrunk::Agreement,
            Reply::NotOffered => Shrunk::NotOffered,
            Reply::None(fault) => Shrunk::NoAnswer(fault.detail.clone()),
        }
    }

    fn drawn(&self, draw: &mut Seeded, seeds: &[Input]) -> Input {
        let method = draw.pick(&self.options.methods);
        if seeds.is_empty() || draw.one_in(FRESH_ONE_IN) {
            return request(draw, method);
        }
        let (parent, donor) = (draw.below(seeds.len()), draw.below(seeds.len()));
        let input = mutated_request(draw, &seeds[parent], &seeds[donor]);
        // A role, for example, is no text to be mutated. A seed may be a case of level may, which is sent once,
        // unchanged.
        match [&input, &seeds[parent]].into_iter().find(|input| is_askable(input.method, &input.params)) {
            Some(askable) => askable.clone(),
            None => request(draw, method),
        }
    }

    /// Returns the answers of both targets.
    fn ask(&mut self, inputs: &[Input], stop: &AtomicBool) -> Vec<(Answer, Answer)> {
        let params: Vec<String> = inputs.iter().map(|input| input.params.to_ascii()).collect();
        let asks: Vec<Ask<'_>> =
            inputs.iter().zip(&params).map(|(input, params)| Ask { method: input.method, params }).collect();
        let options = self.right.options.clone();
        // A feature that one of them omits shows nothing about the other.
        let omitted = self.omitted();
        let mut right = Omitting::of(self.right.implementation, omitted.clone());
        let (left, right) = match &mut self.left {
            Some(side) => {
                let mut left = Omitting::of(side.implementation, omitted);
                (left.send_all(&asks, stop, &|| {}), right.send_all(&asks, stop, &|| {}))
            }
            // The reference answers while the other target does.
            None => std::thread::scope(|scope| {
                let asks = &asks;
                let expected = scope.spawn(move || {
                    let mut reference = InProcess::new(options);
                    Omitting::of(&mut reference, omitted).send_all(asks, stop, &|| {})
                });
                let found = right.send_all(asks, stop, &|| {});
                (expected.join().expect("the reference answers"), found)
            }),
        };
        left.into_iter().zip(right).collect()
    }

    /// Returns the features that either target omits.
    fn omitted(&self) -> Vec<Feature> {
        let left = self.left.iter().flat_map(|side| FORMATS.omitted(side.implementation.handshake()));
        left.chain(FORMATS.omitted(self.right.implementation.handshake())).collect()
    }

    /// Returns how the answers differ. Of two implementations with different choices on an open point, both may be
    /// right.
    fn judged(&self, input: &Input, left: &Answer, right: &Answer) -> Option<String> {
        let profile = self.profile();
        let what = disagreement(input, profile, left, right)?;
        let Some(side) = &self.left else { return Some(what) };
        let params = input.params.to_ascii();
        let is_right = |options: &Settings, found: &Answer| {
            let asks = [Ask { method: input.method, params: &params }];
            let mut reference = InProcess::new(options.clone());
            let mut reference = Omitting::of(&mut reference, self.omitted());
            let expected = reference.send_all(&asks, &AtomicBool::new(false), &|| {}).pop();
            expected.is_some_and(|expected| disagreement(input, profile, &expected, found).is_none())
        };
        if is_right(&side.options, left) && is_right(&self.right.options, right) { None } else { Some(what) }
    }

    fn profile(&self) -> ProfileName {
        self.right.options.profile()
    }

    /// Returns the finding on a smaller request with the same signature.
    fn reduced(&mut self, input: &Input, what: &str, left: Answer, right: Answer, stop: &AtomicBool) -> Finding {
        let mut last = (input.clone(), left, right);
        // A smaller request that involves another rule shows a different finding.
        let rules = deciding_rules(input, &self.right.options);
        let mut holds = |candidate: &Input| {
            if stop.load(Ordering::Relaxed) || !deciding_rules(candidate, &self.right.options).is_subset(&rules) {
                return false;
            }
            let answered = self.ask(std::slice::from_ref(candidate), stop).pop();
            let Some((left, right)) = answered else { return false };
            let same = self.judged(candidate, &left, &right).as_deref() == Some(what);
            if same {
                last = (candidate.clone(), left, right);
            }
            same
        };
        // Each of these requests that still times out waits for its deadline.
        let attempts = if what.ends_with("timeout") { TIMEOUTS_TO_REDUCE } else { REDUCE_ATTEMPTS };
        shrink(input, attempts, &mut holds);
        let (input, left, right) = last;
        let rules = deciding_rules(&input, &self.right.options);
        let signature = Signature { method: input.method.name(), what: what.to_owned(), rules };
        Finding { signature, input, left, right, count: 1 }
    }
}

/// Whether a request was not sent: the adapter was abandoned, or the campaign interrupted.
fn is_not_run(answer: &Answer) -> bool {
    matches!(answer, Answer::Fault(fault) if fault.kind == FaultKind::NotRun)
}

/// The findings so far.
#[derive(Default)]
struct Findings {
    findings: Vec<Finding>,
    /// Each signature before shrinking, how often it occurred, and what became of it.
    kinds: BTreeMap<Signature, (usize, Option<Signature>)>,
    /// The first request of each signature that is not shrunk yet.
    waiting: VecDeque<(Signature, (Input, Answer, Answer))>,
}

impl Findings {
    /// Counts a finding, and queues the first one of its signature for shrinking.
    fn enter(&mut self, kind: Signature, disagreement: (Input, Answer, Answer)) {
        match self.kinds.get_mut(&kind) {
            Some((count, signature)) => {
                *count += 1;
                let signature = signature.as_ref();
                if let Some(finding) = self.findings.iter_mut().find(|finding| Some(&finding.signature) == signature) {
                    finding.count += 1;
                }
            }
            None if self.waiting.len() < MOST_WAITING => {
                self.kinds.insert(kind.clone(), (1, None));
                self.waiting.push_back((kind, disagreement));
            }
            None => {}
        }
    }

    /// Adds a shrunk finding, and returns it if its signature is new.
    fn file(&mut self, kind: Signature, mut finding: Finding) -> Option<&Finding> {
        let met = self.kinds.entry(kind).or_insert((1, None));
        met.1 = Some(finding.signature.clone());
        finding.count = met.0;
        match self.findings.iter_mut().find(|known| known.signature == finding.signature) {
            Some(known) => {
                known.count += finding.count;
                None
            }
            None => {
                self.findings.push(finding);
                self.findings.last()
            }
        }
    }
}
