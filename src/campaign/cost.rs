//! Search for requests whose time grows faster than their length: a fragment is repeated more and more often.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::signature::deciding_rules;
use crate::adapter::{Answer, FaultKind, Implementation};
use crate::format::GrowthPoint;
use crate::format::Method;
use crate::generate::{Draw, DrawExt, Input, Seeded};
use crate::run::{Growth, measure_growth};
use crate::settings::Settings;

/// How often a fragment is repeated, from the request without any to the longest one.
const TIMES: [usize; 6] = [0, 1_000, 2_000, 4_000, 8_000, 16_000];

/// The number of repetitions from which the kind of a request is determined. Lists and chunks need this many to have a
/// fragment in each.
const A_FEW: usize = 8;

/// One of this many requests of a kind that was measured already is measured again.
const AGAIN_ONE_IN: usize = 8;

/// A fragment whose repetition takes more than proportional time.
#[derive(Clone, Debug)]
pub struct CostFinding {
    /// The method.
    pub method: Method,
    /// The JSON pointer of the text or list that it is repeated in.
    pub at: &'static str,
    /// The text before the first fragment.
    pub before: String,
    /// The fragment; of a list, the JSON text of an item.
    pub unit: String,
    /// How the time grows.
    pub growth: Growth,
}

/// The result of a search for costs.
#[derive(Clone, Debug, Default)]
pub struct CostFindings {
    /// One finding for each method, place, and set of rules by which the reference reads such a request.
    pub findings: Vec<CostFinding>,
    /// Fragments that were tried.
    pub tried: usize,
    /// Of these, how many were measured.
    pub measured: usize,
    /// The first missing answer, as text; text of the adapter is not escaped.
    pub silence: Option<String>,
}

/// The properties of requests that are likely to cost the same: the number of the place that grows, and the rules.
type Kind = (usize, BTreeSet<&'static str>);

/// Sends requests of these methods that repeat a fragment, until the time is up, `stop` is set, or a request is no
/// longer sent. Each place that can grow has its turn.
pub fn find_superlinear(
    implementation: &mut dyn Implementation,
    methods: &[Method],
    options: &Settings,
    seed: u64,
    time: Duration,
    stop: &AtomicBool,
) -> CostFindings {
    let points: Vec<(Method, &GrowthPoint)> =
        methods.iter().flat_map(|method| method.growth.iter().map(|point| (*method, point))).collect();
    let started = Instant::now();
    let mut draw = Seeded::new(seed);
    let mut seen: BTreeSet<Kind> = BTreeSet::new();
    let mut findings: Vec<(Kind, CostFinding)> = Vec::new();
    let (mut tried, mut measured, mut silence) = (0, 0, None);
    // Short searches with different seeds start at different places.
    let mut turns = points.iter().enumerate().cycle().skip(draw.below(points.len()));
    while started.elapsed() < time && !stop.load(Ordering::Relaxed) {
        let Some((number, (method, point))) = turns.next() else { break };
        let before = draw.pick(point.prefixes);
        let unit = (point.fragment)(&mut draw);
        let params = |times: usize| (point.params)(before, &unit, times);
        let rules = deciding_rules(&Input { method: *method, params: params(A_FEW) }, options);
        let kind = (number, rules);
        // Requests that are read by the same rules are likely to cost the same; some of each kind are tried
        // nevertheless.
        if unit.is_empty() || (seen.contains(&kind) && !draw.one_in(AGAIN_ONE_IN)) {
            continue;
        }
        tried += 1;
        let requests = TIMES.map(|times| params(times).to_ascii());
        match measure_growth(*method, &requests, implementation, stop) {
            Ok((_, growth)) => {
                measured += 1;
                let is_new = !findings.iter().any(|(known, _)| *known == kind);
                if let Some(growth) = growth.filter(|_| is_new) {
                    let before = before.to_owned();
                    findings.push((kind.clone(), CostFinding { method: *method, at: point.at, before, unit, growth }));
                }
            }
            Err(_) if stop.load(Ordering::Relaxed) => break,
            Err(Answer::Fault(fault)) => {
                let is_over = fault.kind == FaultKind::NotRun;
                silence.get_or_insert(fault.detail);
                if is_over {
                    break;
                }
            }
            // Unsupported requests cost nothing.
            Err(_) => {}
        }
        seen.insert(kind);
    }
    let findings = findings.into_iter().map(|(_, finding)| finding).collect();
    CostFindings { findings, tried, measured, silence }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::{Ask, Fault, InProcess};
    use crate::formats::FORMATS;
    use crate::json::Json;
    use crate::protocol::Handshake;

    /// The time that the first request of a measurement takes after the one without a fragment.
    const FIRST: Duration = Duration::from_micros(1_500);

    /// Answers whose time grows with the square of the length of the params. A request of more than a few times the first
    /// length gets no answer, which ends a measurement early.
    struct Growing {
        reference: InProcess,
        /// The lengths of the last request, and of the first one of a measurement that has a fragment.
        last: usize,
        first: Option<usize>,
    }

    impl Implementation for Growing {
        fn handshake(&self) -> &Handshake {
            self.reference.handshake()
        }

        fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
            let answer = |ask: &Ask<'_>| {
                let length = ask.params.len();
                if length < self.last {
                    // A new measurement starts with its smallest request.
                    self.first = None;
                } else if length > self.last && self.last > 0 {
                    self.first.get_or_insert(length);
                }
                self.last = length;
                let Some(first) = self.first else {
                    return Answer::Result(Json::Null);
                };
                let ratio = length as f64 / first as f64;
                if ratio > 5.0 {
                    self.last = 0;
                    self.first = None;
                    return Answer::Fault(Fault::new(FaultKind::Timeout, "too long"));
                }
                std::thread::sleep(FIRST.mul_f64(ratio * ratio));
                Answer::Result(Json::Null)
            };
            asks.iter().map(answer).collect()
        }
    }

    /// The places of a method's inputs in which no quadratic growth is found.
    fn places_without_finding(method: Method) -> BTreeSet<&'static str> {
        let mut places: BTreeSet<&str> = method.growth.iter().map(|point| point.at).collect();
        assert!(!places.is_empty(), "{method} has a text or a list");
        // A busy machine spoils some measurements; each round starts at another place and has other fragments.
        for seed in 0..30 {
            let mut growing = Growing { reference: InProcess::new(Settings::default()), last: 0, first: None };
            let (time, stop) = (Duration::from_millis(400), AtomicBool::new(false));
            let costs = find_superlinear(&mut growing, &[method], &Settings::default(), seed, time, &stop);
            for finding in costs.findings {
                assert_eq!(finding.method, method);
                places.remove(finding.at);
            }
            if places.is_empty() {
                break;
            }
        }
        places
    }

    #[test]
    fn quadratic_growth_is_found_in_every_input_of_every_method() {
        // They sleep most of the time.
        std::thread::scope(|scope| {
            let searches: Vec<_> =
                FORMATS.methods().map(|method| (method, scope.spawn(move || places_without_finding(method)))).collect();
            for (method, search) in searches {
                let places = search.join().expect("a search ends");
                assert!(places.is_empty(), "{method}: nothing found in {places:?}");
            }
        });
    }

    #[test]
    fn requests_grow_in_proportion_and_fit_their_methods() {
        for method in FORMATS.methods() {
            for (number, point) in method.growth.iter().enumerate() {
                let mut draw = Seeded::new(3);
                for before in point.prefixes {
                    let unit = (point.fragment)(&mut draw);
                    let lengths = TIMES.map(|times| {
                        let params = (point.params)(before, &unit, times).to_ascii();
                        let fits = (method.params.check)(&params);
                        assert!(fits.is_ok(), "{method}, {number}, {times} times {unit:?}: {fits:?}");
                        params.len()
                    });
                    assert!(unit.is_empty() || lengths.is_sorted_by(|less, more| less < more), "{method}: {lengths:?}");
                    // Four times the fragments are four times the length, but for what every request has, and numbers.
                    let grown = |from: usize, to: usize| {
                        (lengths[to] - lengths[0]) as f64 / (lengths[from] - lengths[0]) as f64
                    };
                    assert!(unit.is_empty() || (grown(3, 5) - 4.0).abs() < 0.4, "{method}, {}: {lengths:?}", point.at);
                }
            }
        }
    }
}
