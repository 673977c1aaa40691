//! Sampled requests: a fixed sample of generated requests, as cases. The reference decides what is expected, for each of
//! the choices that bear on a request, so a run judges them like written cases.

use std::collections::{BTreeMap, BTreeSet};

use super::case::sampled_case;
use super::signature::deciding_rules;
use crate::case::{Case, SAMPLED_TOPIC};
use crate::format::{Method, Reference, Reply};
use crate::formats::FORMATS;
use crate::generate::{Input, Seeded, mutated_request, request};
use crate::open_points::OpenPoint;
use crate::rules;
use crate::run::compare::difference;
use crate::settings::{ProfileName, Settings};
use crate::settled::is_askable;

/// The seed of the sample. It and the generators change only with a release of the corpus, so that a run fails on no
/// request on which it passed before.
const SEED: u64 = 0x6765_6e75_6931;

/// The number of requests of each method, unless another is requested.
pub const SAMPLE_SIZE: usize = 400;

/// The number of draws until a request is specified. Mutated requests often are not.
const DRAWS: u64 = 16;

/// The greatest number of answers that a case can have. Beyond it, too many open points bear on the request.
const MOST_OPTIONS: usize = 24;

/// A right answer, and the choices with which it is right, by rule id.
pub(super) struct SampledOption {
    pub(super) choices: BTreeMap<&'static str, &'static str>,
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

/// Makes the cases of sampled requests for a profile.
pub struct Sampler {
    profile: ProfileName,
    base: Box<dyn Reference>,
    /// For each other choice on a point that the profile leaves open: the point, the choice, and a reference that
    /// makes it.
    others: Vec<(&'static OpenPoint, &'static str, Box<dyn Reference>)>,
}

impl Sampler {
    /// Prepares references for a profile.
    #[must_use]
    pub fn new(profile: ProfileName) -> Sampler {
        let base = Settings::of(profile);
        let mut others = Vec::new();
        for point in FORMATS.open_points() {
            let is_open = rules::named(point.rule).is_some_and(|rule| rule.open_in.contains(&profile));
            for name in point.names.iter().skip(1).filter(|_| is_open) {
                let mut settings = base.clone();
                assert!(settings.choose(point.rule, name), "a point has its choices");
                others.push((point, *name, FORMATS.reference(&settings)));
            }
        }
        Sampler { profile, base: FORMATS.reference(&base), others }
    }

    /// The first sampled cases of a method, in the order of their numbers.
    pub fn cases(&self, method: Method, count: usize) -> impl Iterator<Item = Case> {
        (0..count).filter_map(move |number| self.case(SampledId { method, number }))
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

    /// The right answers: one, or one for each combination of the choices that bear on the request.
    fn options(&self, input: &Input) -> Option<Vec<SampledOption>> {
        let params = input.params.to_ascii();
        let expected = self.base.answer(input.method, &params);
        let format = input.method.format();
        let is_own = |point: &OpenPoint| FORMATS.format_of(point.rule) == Some(format);
        let mut bearing: Vec<&'static OpenPoint> = Vec::new();
        for (point, _, reference) in self.others.iter().filter(|(point, ..)| is_own(point)) {
            if bearing.last() != Some(point)
                && !self.is_same(input.method, &expected, &reference.answer(input.method, &params))
            {
                bearing.push(point);
            }
        }
        bearing.dedup();
        if bearing.is_empty() {
            return Some(vec![SampledOption { choices: BTreeMap::new(), answer: expected }]);
        }
        let combinations = combinations(&bearing);
        if combinations.len() > MOST_OPTIONS {
            return None;
        }
        let option = |choices: BTreeMap<&'static str, &'static str>| {
            let mut settings = Settings::of(self.profile);
            for (rule, name) in &choices {
                assert!(settings.choose(rule, name), "a point has its choices");
            }
            let answer = format.reference(&settings).answer(input.method, &params);
            SampledOption { choices, answer }
        };
        Some(combinations.into_iter().map(option).collect())
    }

    fn is_same(&self, method: Method, one: &Reply, other: &Reply) -> bool {
        match (one, other) {
            (Ok(one), Ok(other)) => {
                difference(method, self.profile, super::signature::matchers(method), one, other).is_none()
            }
            (Err(one), Err(other)) => one.kind == other.kind,
            _ => false,
        }
    }
}

/// Every combination of the choices on these points.
fn combinations(points: &[&'static OpenPoint]) -> Vec<BTreeMap<&'static str, &'static str>> {
    points.iter().fold(vec![BTreeMap::new()], |combinations, point| {
        let with = |choices: &BTreeMap<&'static str, &'static str>| {
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
