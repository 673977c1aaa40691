//! Sampled requests: a fixed sample of generated requests, as cases. The reference decides what is expected, for each of
//! the choices that bear on a request, so a run judges them like written cases.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::case::sampled_case;
use super::signature::deciding_rules;
use crate::adapter::{Answer, Implementation};
use crate::case::{Case, SAMPLED_TOPIC};
use crate::format::{Method, Reference, Reply};
use crate::formats::FORMATS;
use crate::generate::{Input, Seeded, mutated_request, request};
use crate::json::{self, Json};
use crate::open_points::OpenPoint;
use crate::parallel::in_parallel;
use crate::rules;
use crate::run::compare::difference;
use crate::run::{CaseResult, RunResult, judge_again};
use crate::settings::{ProfileName, Settings};
use crate::settled::is_askable;
use crate::shrink;

/// The seed of the sample. It and the generators change only with a release of the corpus, so that a run fails on no
/// request on which it passed before.
const SEED: u64 = 0x6765_6e75_6931;

/// The number of requests of each method, unless another is requested.
pub const SAMPLE_SIZE: usize = 400;

/// The number of draws until a request is specified. Mutated requests often are not.
const DRAWS: u64 = 16;

/// The greatest number of answers that a case can have. Beyond it, too many open points bear on the request.
const MOST_OPTIONS: usize = 24;

/// The number of wrong answers of a run whose requests are shrunk, and of attempts for each.
const SHRUNK: usize = 48;
const SHRINK_ATTEMPTS: usize = 200;

/// A right answer, and the choices with which it is right, by rule id.
pub(super) struct SampledOption {
    pub(super) choices: Choices,
    pub(super) answer: Reply,
}

/// The place of a sampled request: its method, and its number from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampledId {
    /// The method.
    pub method: Method,
    /// The number.
    pub number: usize,
}

impl SampledId {
    /// Reads an id such as `FORMAT/sampled/METHOD/17`; `None` if it is none.
    #[must_use]
    pub fn parse(id: &str) -> Option<SampledId> {
        let [format, topic, method, number] = id.split('/').collect::<Vec<_>>()[..] else { return None };
        let is_number = !number.is_empty() && number.len() < 10 && number.bytes().all(|byte| byte.is_ascii_digit());
        if topic != SAMPLED_TOPIC || !is_number || number.len() > 1 && number.starts_with('0') {
            return None;
        }
        Some(SampledId { method: FORMATS.method(&format!("{format}.{method}"))?, number: number.parse().ok()? })
    }

    fn text(self) -> String {
        let (format, method) =
            self.method.name().split_once('.').expect("the name of a method begins with that of its format");
        format!("{format}/{SAMPLED_TOPIC}/{method}/{}", self.number)
    }
}

/// Choices on open points, by rule id.
type Choices = BTreeMap<&'static str, &'static str>;

/// References, by format and choices.
type References = BTreeMap<(&'static str, Choices), Rc<dyn Reference>>;

/// Makes the cases of sampled requests for a profile.
pub struct Sampler {
    profile: ProfileName,
    /// The points that the profile leaves open.
    open: Vec<&'static OpenPoint>,
    /// Those that were needed so far.
    references: RefCell<References>,
}

impl Sampler {
    /// The sampler of a profile.
    #[must_use]
    pub fn new(profile: ProfileName) -> Sampler {
        let is_open = |point: &&OpenPoint| rules::named(point.rule).is_some_and(|rule| rule.open_in.contains(&profile));
        Sampler { profile, open: FORMATS.open_points().filter(is_open).collect(), references: RefCell::default() }
    }

    /// The first sampled cases of each method, in the order of the methods and numbers. Once `stop` is set, no further one
    /// is made.
    #[must_use]
    pub fn sample(profile: ProfileName, methods: &[Method], count: usize, stop: &AtomicBool) -> Vec<Case> {
        let of_method = |method: &Method| {
            let sampler = Sampler::new(profile);
            let numbers = (0..count).take_while(|_| !stop.load(Ordering::Relaxed));
            numbers.filter_map(|number| sampler.case(SampledId { method: *method, number })).collect::<Vec<_>>()
        };
        in_parallel(methods, stop, of_method).into_iter().flatten().collect()
    }

    /// The sampled case of this id; `None` if no request was found that can be judged.
    #[must_use]
    pub fn case(&self, id: SampledId) -> Option<Case> {
        self.case_of(id, &sampled_request(id)?)
    }

    /// The case of a sampled request that was shrunk to this one; `None` if it cannot be judged.
    #[must_use]
    pub fn case_of(&self, id: SampledId, input: &Input) -> Option<Case> {
        let options = self.options(input)?;
        let open: Vec<&'static str> = options.first()?.choices.keys().copied().collect();
        let deciding = deciding_rules(input, &Settings::of(self.profile));
        sampled_case(&id.text(), input, &deciding, &open, &options, self.profile)
    }

    /// Shrinks the requests that an implementation answered wrongly in a run, by asking it again. Returns a case for each
    /// that got smaller, with the id of the sampled request: it fails as the whole request did.
    #[must_use]
    pub fn shrink(
        &self,
        record: &RunResult<'_>,
        implementation: &mut dyn Implementation,
        stop: &AtomicBool,
    ) -> Vec<Case> {
        let is_wrong = |outcome: &&CaseResult<'_>| {
            let is_answer = matches!(outcome.answer, Answer::Result(_) | Answer::Refusal { .. });
            outcome.case.is_sampled() && outcome.verdict.is_failure() && is_answer
        };
        let mut shrunk = Vec::new();
        for outcome in record.outcomes.iter().filter(is_wrong).take(SHRUNK) {
            let (Some(id), Ok(params)) = (SampledId::parse(&outcome.case.id), json::parse(&outcome.case.params)) else {
                continue;
            };
            let mut failing = |params: &Json| {
                if stop.load(Ordering::Relaxed) || !is_askable(id.method, params) {
                    return None;
                }
                let case = self.case_of(id, &Input { method: id.method, params: params.clone() })?;
                let again = judge_again(&case, record, implementation, stop);
                (again.verdict == outcome.verdict).then_some(case)
            };
            let small = shrink::value(&params, SHRINK_ATTEMPTS, &mut |params| failing(params).is_some());
            shrunk.extend(failing(&small));
        }
        shrunk
    }

    /// The right answers: one, or one for each combination of the choices that bear on the request. A point may bear on
    /// it only together with a choice on another one, so each combination is tried with every other choice.
    fn options(&self, input: &Input) -> Option<Vec<SampledOption>> {
        let params = input.params.to_ascii();
        let answer = |choices: &Choices| self.reference(input.method, choices).answer(input.method, &params);
        let mut bearing: Vec<&'static OpenPoint> = Vec::new();
        let mut options = vec![SampledOption { choices: Choices::new(), answer: answer(&Choices::new()) }];
        loop {
            let bears = |point: &&&'static OpenPoint| {
                point.names.iter().any(|name| {
                    options.iter().any(|option| {
                        let mut choices = option.choices.clone();
                        choices.insert(point.rule, name);
                        !self.is_same(input.method, &option.answer, &answer(&choices))
                    })
                })
            };
            let is_own = |point: &&&'static OpenPoint| {
                FORMATS.format_of(point.rule) == Some(input.method.format())
                    && !bearing.iter().any(|known| known.rule == point.rule)
            };
            let found: Vec<&'static OpenPoint> = self.open.iter().filter(is_own).filter(bears).copied().collect();
            if found.is_empty() {
                return Some(options);
            }
            bearing.extend(found);
            let combinations = combinations(&bearing);
            if combinations.len() > MOST_OPTIONS {
                return None;
            }
            let option = |choices: Choices| SampledOption { answer: answer(&choices), choices };
            options = combinations.into_iter().map(option).collect();
        }
    }

    /// The reference with these choices.
    fn reference(&self, method: Method, choices: &Choices) -> Rc<dyn Reference> {
        let make = || -> Rc<dyn Reference> {
            let mut settings = Settings::of(self.profile);
            for (rule, name) in choices {
                assert!(settings.choose(rule, name), "a point has its choices");
            }
            Rc::from(method.format().reference(&settings))
        };
        let mut known = self.references.borrow_mut();
        Rc::clone(known.entry((method.format().name(), choices.clone())).or_insert_with(make))
    }

    fn is_same(&self, method: Method, one: &Reply, other: &Reply) -> bool {
        match (one, other) {
            (Ok(one), Ok(other)) if one == other => true,
            (Ok(one), Ok(other)) => {
                difference(method, self.profile, super::signature::matchers(method), one, other).is_none()
            }
            (Err(one), Err(other)) => one.kind == other.kind,
            _ => false,
        }
    }
}

/// Every combination of the choices on these points.
fn combinations(points: &[&'static OpenPoint]) -> Vec<Choices> {
    points.iter().fold(vec![Choices::new()], |combinations, point| {
        let with = |choices: &Choices| {
            let choices = choices.clone();
            point.names.iter().map(move |name| {
                let mut choices = choices.clone();
                choices.insert(point.rule, *name);
                choices
            })
        };
        combinations.iter().flat_map(with).collect()
    })
}

/// The request of a place in the sample: two of three come from the grammar, one is a mutation of such a request.
fn sampled_request(id: SampledId) -> Option<Input> {
    let name = id.method.name().bytes().fold(SEED, |hash, byte| hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte));
    (0..DRAWS).find_map(|draw| {
        let mut seeded = Seeded::new(name.wrapping_add((id.number as u64) << 8).wrapping_add(draw));
        let input = request(&mut seeded, id.method);
        let input = if id.number % 3 == 2 {
            let other = request(&mut seeded, id.method);
            mutated_request(&mut seeded, &input, &other)
        } else {
            input
        };
        is_askable(id.method, &input.params).then_some(input)
    })
}

/// The ids that filters name: exact ones as they are, and the first of a method, of a format or of all for a folder.
#[must_use]
pub fn sampled_ids(filter: &str, count: usize) -> BTreeSet<SampledId> {
    if let Some(id) = SampledId::parse(filter) {
        return BTreeSet::from([id]);
    }
    let folder = filter.trim_end_matches(['*', '/']);
    let is_within = |method: &Method| {
        let Some((format, name)) = method.name().split_once('.') else { return false };
        folder == format!("{format}/{SAMPLED_TOPIC}") || folder == format!("{format}/{SAMPLED_TOPIC}/{name}")
    };
    let methods = FORMATS.methods().filter(is_within);
    methods.flat_map(|method| (0..count).map(move |number| SampledId { method, number })).collect()
}
