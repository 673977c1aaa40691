//! The campaign itself: batches of requests, both sides asked, what is new kept to breed from, what differs made small.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::disagreement::{Class, Finding, deciding_rules, disagreement};
use super::reduce::reduce;
use crate::adapter::{Answer, Ask, Implementation, InProcess};
use crate::generate::{Draw, Input, Seeded, mutated_request, request};
use crate::json::Json;
use crate::openui::{Options, Profile};
use crate::protocol::Method;

/// Requests that are asked together: enough to keep every process busy.
const BATCH: usize = 512;

/// Questions for making one disagreement small.
const REDUCE_ATTEMPTS: usize = 600;

/// Disagreements of one sort, as it shows before they are made small, that are made small.
const REDUCED_OF_A_SORT: usize = 1;

/// Requests that are kept to breed from, beside the seeds.
const MOST_KEPT: usize = 4_096;

/// One of every so many requests is generated anew; the others are mutations of what is kept.
const FRESH_ONE_IN: usize = 3;

/// An implementation, and the choices that bind it.
pub struct Side<'i> {
    /// The implementation.
    pub implementation: &'i mut dyn Implementation,
    /// The profile and the choices by which it is judged.
    pub options: Options,
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
    /// Whether requests that show something new are kept to breed from. Without, every one is drawn afresh.
    pub breeds: bool,
}

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After so many requests, rounded up to a batch.
    Runs(usize),
    /// After so long.
    Time(Duration),
    /// With the first disagreement, or after so many requests.
    FirstOf(usize),
}

/// What a campaign tells as it goes.
#[derive(Clone, Debug)]
pub enum Progress<'f> {
    /// So many requests have been asked by now.
    Runs(usize),
    /// Something new was found.
    Found(&'f Finding),
}

/// A campaign: one implementation against the reference, or two against each other.
pub struct Campaign<'i> {
    /// The first of two; the reference where there is none.
    pub left: Option<Side<'i>>,
    /// The implementation under test.
    pub right: Side<'i>,
    /// How it is led.
    pub options: CampaignOptions,
}

impl Campaign<'_> {
    /// Runs until the limit, or until `stop` is set. `seeds` are requests to begin with. What was found, in the order
    /// in which it was found, and how many requests were asked. With a limit in requests it is the same every time.
    pub fn run(
        &mut self,
        seeds: Vec<Input>,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Finding>, usize) {
        let started = Instant::now();
        let mut draw = Seeded::new(self.options.seed);
        let mut pool: Vec<Input> =
            seeds.into_iter().filter(|input| self.options.methods.contains(&input.method)).collect();
        let mut shapes: HashSet<String> = HashSet::new();
        let mut sorts: BTreeMap<Class, (usize, Option<Class>)> = BTreeMap::new();
        let mut findings: Vec<Finding> = Vec::new();
        let (mut runs, mut kept) = (0, 0);
        // What is there already is asked first: a seed may show something as it stands.
        let mut first: Vec<Input> = pool.clone();
        loop {
            let is_over = match self.options.limit {
                Limit::Runs(most) => runs >= most,
                Limit::Time(most) => started.elapsed() >= most,
                Limit::FirstOf(most) => !findings.is_empty() || runs >= most,
            };
            if is_over || stop.load(Ordering::Relaxed) {
                return (findings, runs);
            }
            let batch: Vec<Input> = if first.is_empty() {
                (0..BATCH).map(|_| self.drawn(&mut draw, &pool)).collect()
            } else {
                first.drain(..first.len().min(BATCH)).collect()
            };
            let answered = self.ask(&batch, stop);
            runs += batch.len();
            for (input, (left, right)) in batch.into_iter().zip(answered) {
                let what = self.judged(&input, &left, &right);
                let rules = deciding_rules(&input, &self.right.options);
                if self.options.breeds
                    && kept < MOST_KEPT
                    && shapes.insert(shape(&input, &left, what.as_deref(), &rules))
                {
                    pool.push(input.clone());
                    kept += 1;
                }
                let Some(what) = what else { continue };
                let sort = Class { method: input.method.name(), what, rules };
                if let Some((count, class)) = sorts.get_mut(&sort) {
                    *count += 1;
                    let same = findings.iter_mut().find(|finding| Some(&finding.class) == class.as_ref());
                    same.into_iter().for_each(|finding| finding.count += 1);
                    if *count > REDUCED_OF_A_SORT {
                        continue;
                    }
                }
                let finding = self.reduced(&input, &sort.what, left, right, stop);
                sorts.insert(sort, (1, Some(finding.class.clone())));
                match findings.iter_mut().find(|known| known.class == finding.class) {
                    Some(known) => known.count += 1,
                    None => {
                        tell(Progress::Found(&finding));
                        findings.push(finding);
                    }
                }
            }
            tell(Progress::Runs(runs));
        }
    }

    fn drawn(&self, draw: &mut Seeded, pool: &[Input]) -> Input {
        let method = draw.pick(&self.options.methods);
        if pool.is_empty() || draw.one_in(FRESH_ONE_IN) {
            return request(draw, method);
        }
        let (parent, donor) = (draw.below(pool.len()), draw.below(pool.len()));
        let input = mutated_request(draw, &pool[parent], &pool[donor]);
        // A role, say, is no text to be mutated.
        match crate::protocol::Request::read(input.method, &input.params.to_ascii()) {
            Ok(_) => input,
            Err(_) => pool[parent].clone(),
        }
    }

    /// The answers of both sides.
    fn ask(&mut self, inputs: &[Input], stop: &AtomicBool) -> Vec<(Answer, Answer)> {
        let params: Vec<String> = inputs.iter().map(|input| input.params.to_ascii()).collect();
        let asks: Vec<Ask<'_>> =
            inputs.iter().zip(&params).map(|(input, params)| Ask { method: input.method, params }).collect();
        let profile = self.right.options;
        let right = &mut self.right.implementation;
        let (left, right) = match &mut self.left {
            Some(side) => (side.implementation.ask_all(&asks, stop, &|| {}), right.ask_all(&asks, stop, &|| {})),
            // The reference answers while the other side does.
            None => std::thread::scope(|scope| {
                let asks = &asks;
                let expected =
                    scope.spawn(move || InProcess::new(profile).ask_all(asks, &AtomicBool::new(false), &|| {}));
                let found = right.ask_all(asks, stop, &|| {});
                (expected.join().expect("the reference answers"), found)
            }),
        };
        left.into_iter().zip(right).collect()
    }

    /// What the answers disagree in. Of two implementations that choose otherwise on an open point both may be right.
    fn judged(&self, input: &Input, left: &Answer, right: &Answer) -> Option<String> {
        let profile = self.profile();
        let what = disagreement(input, profile, left, right)?;
        let Some(side) = &self.left else { return Some(what) };
        let params = input.params.to_ascii();
        let is_right = |options: Options, found: &Answer| {
            let asks = [Ask { method: input.method, params: &params }];
            let expected = InProcess::new(options).ask_all(&asks, &AtomicBool::new(false), &|| {}).pop();
            expected.is_some_and(|expected| disagreement(input, profile, &expected, found).is_none())
        };
        if is_right(side.options, left) && is_right(self.right.options, right) { None } else { Some(what) }
    }

    fn profile(&self) -> Profile {
        self.right.options.profile
    }

    /// The disagreement on a smaller request that shows the same.
    fn reduced(&mut self, input: &Input, what: &str, left: Answer, right: Answer, stop: &AtomicBool) -> Finding {
        let mut last = (input.clone(), left, right);
        let mut holds = |candidate: &Input| {
            if stop.load(Ordering::Relaxed) {
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
        reduce(input, REDUCE_ATTEMPTS, &mut holds);
        let (input, left, right) = last;
        let rules = deciding_rules(&input, &self.right.options);
        let class = Class { method: input.method.name(), what: what.to_owned(), rules };
        Finding { class, input, left, right, count: 1 }
    }
}

/// What is remarkable about a request and its answers: one that shows nothing new is not kept.
fn shape(
    input: &Input,
    answer: &Answer,
    what: Option<&str>,
    rules: &std::collections::BTreeSet<&'static str>,
) -> String {
    let kind = |value: &Json| match value {
        Json::String(text) if text.as_str() == Some("") => "empty",
        Json::Object(members) if members.is_empty() => "none",
        other => other.kind(),
    };
    let answer = match answer {
        Answer::Result(Json::Object(members)) => members
            .iter()
            .map(|(name, value)| format!("{}:{}", name.to_ascii(), kind(value)))
            .collect::<Vec<_>>()
            .join(","),
        Answer::Refusal { kind, .. } => kind.clone(),
        _ => String::new(),
    };
    let rules = rules.iter().copied().collect::<Vec<_>>().join(",");
    format!("{} {answer} {} {rules}", input.method, what.unwrap_or("same"))
}
