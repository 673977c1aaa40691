//! The campaign itself: batches of requests, both sides asked, what differs made small.
//!
//! Requests are mutations of the seeds, or generated anew. To keep those whose answers have a new shape and breed from
//! them was tried, and made the mutants no sooner found (`benches/campaign.rs`: 133 requests in the geometric mean
//! against 93 without, from the grammar alone); so nothing is kept.

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

/// Requests that are asked together, usually: enough to keep every process busy.
pub const BATCH: usize = 512;

/// Questions for making one disagreement small.
const REDUCE_ATTEMPTS: usize = 600;

/// Questions for making small what gets no answer in time.
const TIMEOUTS_TO_REDUCE: usize = 24;

/// Disagreements that are made small between two batches.
const REDUCED_PER_BATCH: usize = 4;

/// Disagreements that wait to be made small. More are counted, and made small when they are met again.
const MOST_WAITING: usize = 64;

/// One of every so many requests is generated anew; the others are mutations of the seeds.
const FRESH_ONE_IN: usize = 3;

/// An implementation, and the choices that bind it.
pub struct Target<'i> {
    /// The implementation.
    pub implementation: &'i mut dyn Implementation,
    /// The profile and the choices by which it is judged.
    pub options: Settings,
}

/// How a campaign is led.
#[derive(Clone, Debug)]
pub struct CampaignOptions {
    /// The methods that are asked.
    pub methods: Vec<Method>,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// When it ends.
    pub limit: Limit,
    /// How many requests are asked together.
    pub batch: usize,
}

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After so many requests, rounded up to a batch.
    Runs(usize),
    /// After so long.
    Time(Duration),
    /// With the first disagreement, or after so many requests.
    UntilFirst(usize),
}

/// What a campaign tells as it goes.
#[derive(Clone, Debug)]
pub enum Progress<'f> {
    /// So many requests have been asked by now.
    Runs(usize),
    /// Something new was found.
    Found(&'f Finding),
}

/// How many requests of a campaign were answered. Requests to make a finding small are not counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests.
    pub requests: usize,
    /// Of these, how many both sides answered.
    pub answered: usize,
    /// How many a side does not offer, by its own word.
    pub not_offered: usize,
    /// How many a side was asked, and gave no answer to.
    pub unanswered: usize,
    /// How many a side was not asked: it was given up, or the campaign interrupted.
    pub not_asked: usize,
    /// How often both sides answered otherwise where the documents leave the answer open: by rule and name.
    pub unspecified: BTreeMap<(&'static str, &'static str), usize>,
    /// What came in place of the first answer that did not come, in words; text of the adapter is not escaped.
    pub silence: Option<String>,
    /// Why the first request that was not asked was not.
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

/// What came of asking one request of both sides.
enum Reply<'a> {
    Answered,
    NotOffered,
    None(&'a Fault),
}

impl<'a> Reply<'a> {
    fn of(input: &Input, left: &'a Answer, right: &'a Answer) -> Reply<'a> {
        let fault = |answer: &'a Answer| match answer {
            // Where the rules settle nothing, an error is as good as any other answer.
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

/// What a campaign found out.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// What was found, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// How many requests were answered.
    pub tally: Tally,
}

/// What came of making the request of one case small.
#[derive(Clone, Debug)]
pub enum Shrunk {
    /// The two sides disagree, on this smaller request too.
    Finding(Box<Finding>),
    /// They agree.
    Agreement,
    /// A side does not offer what the request needs.
    NotOffered,
    /// A side gave no answer: why.
    NoAnswer(String),
}

/// A request and the answers of both sides.
pub type Exchange = (Input, Answer, Answer);

/// A campaign: one implementation against the reference, or two against each other.
pub struct Campaign<'i> {
    /// The first of two; the reference where there is none.
    pub left: Option<Target<'i>>,
    /// The implementation under test.
    pub right: Target<'i>,
    /// How it is led.
    pub options: CampaignOptions,
}

impl Campaign<'_> {
    /// Runs until the limit, until `stop` is set, or until a side answers nothing any more. `known` are requests that were
    /// asked before, and count here too; `seeds` are requests to begin with. With a limit in requests the results are the
    /// same every time.
    pub fn run(
        &mut self,
        known: Vec<Exchange>,
        seeds: Vec<Input>,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress<'_>),
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
        // The seeds themselves are asked first: one may show something as it stands.
        let mut first: Vec<Input> = seeds.clone();
        loop {
            let is_over = match self.options.limit {
                Limit::Runs(most) => runs >= most,
                Limit::Time(most) => started.elapsed() >= most,
                Limit::UntilFirst(most) => !found.findings.is_empty() || runs >= most,
            };
            if is_over || is_silent || stop.load(Ordering::Relaxed) {
                // There is no time to make them small, or nobody to ask: they are shown as they came. At its limit a
                // campaign leaves them, unless there is nothing else to show.
                while let Some((kind, (input, left, right))) = found.waiting.pop_front() {
                    if is_over && !found.findings.is_empty() {
                        break;
                    }
                    let finding = Finding { signature: kind.clone(), input, left, right, count: 1 };
                    if let Some(finding) = found.file(kind, finding) {
                        tell(Progress::Found(finding));
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
            // An adapter that was given up answers nothing any more.
            is_silent = answered.iter().all(|(left, right)| is_not_run(left) || is_not_run(right));
            let exchanges = batch.into_iter().zip(answered).map(|(input, (left, right))| (input, left, right));
            self.enter(exchanges.collect(), &mut found, &mut tally);
            // Making one small costs hundreds of questions, so that only some are made small for each batch.
            for _ in 0..REDUCED_PER_BATCH {
                if is_silent || stop.load(Ordering::Relaxed) {
                    break;
                }
                let Some((kind, (input, left, right))) = found.waiting.pop_front() else { break };
                let finding = self.reduced(&input, &kind.what, left, right, stop);
                if let Some(finding) = found.file(kind, finding) {
                    tell(Progress::Found(finding));
                }
            }
            tell(Progress::Runs(runs));
        }
    }

    /// Judges requests and their answers, and enters what the two sides disagree in.
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

    /// Makes one request small on which the two sides disagree. `known` is its exchange where it was asked before; that
    /// counts where a side answers nothing any more.
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
        // A role, say, is no text to be mutated. A seed may be a case of level may, which is asked once as it is.
        match [&input, &seeds[parent]].into_iter().find(|input| is_askable(input.method, &input.params)) {
            Some(askable) => askable.clone(),
            None => request(draw, method),
        }
    }

    /// The answers of both sides.
    fn ask(&mut self, inputs: &[Input], stop: &AtomicBool) -> Vec<(Answer, Answer)> {
        let params: Vec<String> = inputs.iter().map(|input| input.params.to_ascii()).collect();
        let asks: Vec<Ask<'_>> =
            inputs.iter().zip(&params).map(|(input, params)| Ask { method: input.method, params }).collect();
        let options = self.right.options.clone();
        // What one of them omits says nothing about the other.
        let omitted = self.omitted();
        let mut right = Omitting::of(self.right.implementation, omitted.clone());
        let (left, right) = match &mut self.left {
            Some(side) => {
                let mut left = Omitting::of(side.implementation, omitted);
                (left.ask_all(&asks, stop, &|| {}), right.ask_all(&asks, stop, &|| {}))
            }
            // The reference answers while the other side does.
            None => std::thread::scope(|scope| {
                let asks = &asks;
                let expected = scope.spawn(move || {
                    let mut reference = InProcess::new(options);
                    Omitting::of(&mut reference, omitted).ask_all(asks, stop, &|| {})
                });
                let found = right.ask_all(asks, stop, &|| {});
                (expected.join().expect("the reference answers"), found)
            }),
        };
        left.into_iter().zip(right).collect()
    }

    /// The features that either side omits.
    fn omitted(&self) -> Vec<Feature> {
        let left = self.left.iter().flat_map(|side| FORMATS.omitted(side.implementation.handshake()));
        left.chain(FORMATS.omitted(self.right.implementation.handshake())).collect()
    }

    /// What the answers disagree in. Of two implementations that choose otherwise on an open point both may be right.
    fn judged(&self, input: &Input, left: &Answer, right: &Answer) -> Option<String> {
        let profile = self.profile();
        let what = disagreement(input, profile, left, right)?;
        let Some(side) = &self.left else { return Some(what) };
        let params = input.params.to_ascii();
        let is_right = |options: &Settings, found: &Answer| {
            let asks = [Ask { method: input.method, params: &params }];
            let mut reference = InProcess::new(options.clone());
            let mut reference = Omitting::of(&mut reference, self.omitted());
            let expected = reference.ask_all(&asks, &AtomicBool::new(false), &|| {}).pop();
            expected.is_some_and(|expected| disagreement(input, profile, &expected, found).is_none())
        };
        if is_right(&side.options, left) && is_right(&self.right.options, right) { None } else { Some(what) }
    }

    fn profile(&self) -> ProfileName {
        self.right.options.profile()
    }

    /// The disagreement on a smaller request that shows the same.
    fn reduced(&mut self, input: &Input, what: &str, left: Answer, right: Answer, stop: &AtomicBool) -> Finding {
        let mut last = (input.clone(), left, right);
        // A smaller request that brings in another rule shows something else.
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
        // Each of these questions would wait for its deadline, if it holds.
        let attempts = if what.ends_with("timeout") { TIMEOUTS_TO_REDUCE } else { REDUCE_ATTEMPTS };
        shrink(input, attempts, &mut holds);
        let (input, left, right) = last;
        let rules = deciding_rules(&input, &self.right.options);
        let signature = Signature { method: input.method.name(), what: what.to_owned(), rules };
        Finding { signature, input, left, right, count: 1 }
    }
}

/// Whether a request was not asked: the adapter was given up, or the campaign interrupted.
fn is_not_run(answer: &Answer) -> bool {
    matches!(answer, Answer::Fault(fault) if fault.kind == FaultKind::NotRun)
}

/// What has been found so far.
#[derive(Default)]
struct Findings {
    findings: Vec<Finding>,
    /// Each kind of disagreement as it shows before it is made small, how often it was met, and what became of it.
    kinds: BTreeMap<Signature, (usize, Option<Signature>)>,
    /// The first of each kind that is not made small yet.
    waiting: VecDeque<(Signature, (Input, Answer, Answer))>,
}

impl Findings {
    /// Counts a disagreement, and lets the first of its kind wait to be made small.
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

    /// Files what was made small; gives it back if it is of a new signature.
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
