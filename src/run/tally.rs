//! The tally of each rule: how many cases and checks ran, how many failed, and how suspicious the rule is.

use std::collections::BTreeMap;

use super::assessed::{AssessedCase, AssessedCheck};
use super::evidence::weight;
use super::record::{CaseResult, Failure};
use super::verdict::{Counts, Verdict};
use crate::rules;

/// The result of a run for a rule.
#[derive(Clone, Debug, Default)]
pub struct RuleTally {
    /// The rule's id; empty for cases that list no rule.
    pub rule: String,
    /// Cases that list it and were answered.
    pub asked: usize,
    /// Cases that are listed under it and fail the run.
    pub failed: usize,
    /// Derived checks that judge it and ran.
    pub checks: usize,
    /// Derived checks of it that fail the run.
    pub checks_failed: usize,
    /// What else reports show under it, by verdict: warnings and infos.
    pub others: Counts,
    /// How suspicious the rule is, from 0 to 1: how many of the failures it explains, and how many of its cases fail.
    pub suspicion: f64,
}

impl RuleTally {
    /// Whether reports show a failure, a warning or an info under it.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.failed + self.checks_failed > 0 || !self.others.is_empty()
    }
}

/// Returns the tally of each rule, the most suspicious one first.
pub(super) fn tally(cases: &[AssessedCase<'_, '_>], checks: &[AssessedCheck<'_, '_>]) -> Vec<RuleTally> {
    let mut tallies: BTreeMap<&str, RuleTally> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.verdict.is_asked() && case.is_listed()) {
        for rule in &case.outcome.case.rules {
            tallies.entry(rule).or_default().asked += 1;
        }
        let tally = tallies.entry(case.rule).or_default();
        if case.rule.is_empty() {
            tally.asked += 1;
        }
        if case.verdict.is_failure() {
            if case.fails {
                tally.failed += 1;
            } else {
                tally.others.add(case.verdict);
            }
        }
    }
    for check in checks.iter().filter(|check| check.verdict.is_asked()) {
        let tally = tallies.entry(check.outcome.rule).or_default();
        tally.checks += 1;
        if check.verdict.is_failure() {
            if check.fails {
                tally.checks_failed += 1;
            } else {
                tally.others.add(check.verdict);
            }
        }
    }
    suspect(cases, &mut tallies);
    let mut tallies: Vec<RuleTally> =
        tallies.into_iter().map(|(rule, tally)| RuleTally { rule: rule.to_owned(), ..tally }).collect();
    let place = |tally: &RuleTally| rules::all().iter().position(|rule| rule.id == tally.rule).unwrap_or(usize::MAX);
    tallies.sort_by(|a, b| b.suspicion.total_cmp(&a.suspicion).then_with(|| place(a).cmp(&place(b))));
    tallies
}

/// Computes how suspicious each rule is. The measure is Ochiai's, from fault localization by failing tests: the
/// failures that a rule explains, relative to all failures and to all cases that list it. Derived checks are measured
/// apart, since there are thousands of them on the same messages.
fn suspect(cases: &[AssessedCase<'_, '_>], tallies: &mut BTreeMap<&str, RuleTally>) {
    let is_wrong = |case: &&AssessedCase<'_, '_>| {
        case.verdict.is_failure()
            && case.verdict != Verdict::Info
            && !matches!(case.outcome.failure, Some(Failure::Warning(_)))
    };
    let wrong: Vec<&CaseResult<'_>> = cases.iter().filter(is_wrong).map(|case| case.outcome).collect();
    let mut against: BTreeMap<&str, f64> = BTreeMap::new();
    for outcome in &wrong {
        for rule in &outcome.case.rules {
            *against.entry(rule).or_default() += weight(outcome, rule);
        }
    }
    let checks_failed: usize = tallies.values().map(|tally| tally.checks_failed).sum();
    for (rule, tally) in tallies.iter_mut() {
        let ochiai = |hits: f64, all: usize, asked: usize| match all * asked {
            0 => 0.0,
            #[expect(clippy::cast_precision_loss, reason = "counts of cases are far below 2^52")]
            product => hits / (product as f64).sqrt(),
        };
        let cases = ochiai(against.get(rule).copied().unwrap_or(0.0), wrong.len(), tally.asked);
        #[expect(clippy::cast_precision_loss, reason = "counts of checks are far below 2^52")]
        let checks = ochiai(tally.checks_failed as f64, checks_failed, tally.checks);
        tally.suspicion = f64::max(cases, checks);
    }
}
