//! Looking for requests whose time grows faster than their length: a fragment is repeated more and more often.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::signature::deciding_rules;
use crate::adapter::{Answer, FaultKind, Implementation};
use crate::generate::{Draw, Input, Seeded, fragment};
use crate::json::Json;
use crate::options::Options;
use crate::protocol::Method;
use crate::run::{Growth, measure_growth};

/// How often a fragment is repeated, from the request that holds none to the longest one.
const TIMES: [usize; 6] = [0, 1_000, 2_000, 4_000, 8_000, 16_000];

/// Repetitions by which a kind of request is told.
const A_FEW: usize = 3;

/// A fragment whose repetition costs more than it is long.
#[derive(Clone, Debug)]
pub struct CostFinding {
    /// What stands in front of it.
    pub before: String,
    /// The fragment.
    pub unit: String,
    /// How the time grows.
    pub growth: Growth,
}

/// What a hunt for costs found out.
#[derive(Clone, Debug, Default)]
pub struct CostFindings {
    /// One finding for each set of rules by which the reference reads such a message.
    pub findings: Vec<CostFinding>,
    /// Fragments that were tried.
    pub tried: usize,
    /// Of these, how many were measured.
    pub measured: usize,
    /// What came in place of the first answer that did not come, in words; text of the adapter is not escaped.
    pub silence: Option<String>,
}

/// Reads messages that are a fragment over and over, until the time is up, `stop` is set, or a request is not asked any
/// more.
pub fn find_superlinear(
    implementation: &mut dyn Implementation,
    options: &Options,
    seed: u64,
    time: Duration,
    stop: &AtomicBool,
) -> CostFindings {
    let started = Instant::now();
    let mut draw = Seeded::new(seed);
    let mut seen: BTreeSet<BTreeSet<&'static str>> = BTreeSet::new();
    let mut findings: Vec<(BTreeSet<&str>, CostFinding)> = Vec::new();
    let (mut tried, mut measured, mut silence) = (0, 0, None);
    while started.elapsed() < time && !stop.load(Ordering::Relaxed) {
        let before = if draw.one_in(2) { String::new() } else { "]]>openui:content\n".to_owned() };
        let unit = fragment(&mut draw);
        let message = |times: usize| Json::object([("raw", format!("{before}{}", unit.repeat(times)).into())]);
        let rules = deciding_rules(&Input { method: Method::OpenuiParse, params: message(A_FEW) }, options);
        // What is read by the same rules is likely to cost the same; some of each kind are tried all the same.
        if unit.is_empty() || (seen.contains(&rules) && !draw.one_in(8)) {
            continue;
        }
        tried += 1;
        let requests = TIMES.map(|times| message(times).to_ascii());
        match measure_growth(Method::OpenuiParse, &requests, implementation, stop) {
            Ok((_, growth)) => {
                measured += 1;
                let is_new = !findings.iter().any(|(known, _)| *known == rules);
                if let Some(growth) = growth.filter(|_| is_new) {
                    findings.push((rules.clone(), CostFinding { before, unit, growth }));
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
            // What is not offered costs nothing.
            Err(_) => {}
        }
        seen.insert(rules);
    }
    let findings = findings.into_iter().map(|(_, finding)| finding).collect();
    CostFindings { findings, tried, measured, silence }
}
