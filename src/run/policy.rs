//! Policies: what fails a run.

use std::collections::BTreeMap;

use super::assessed::{AssessedCase, AssessedCheck};
use super::baseline::{Baseline, BaselineUse, Item};
use super::conformance::{Claim, Conformance};
use super::derived::Evidence;
use super::record::RunResult;
use super::tally::{RuleTally, tally};
use super::verdict::{Counts, Verdict};
use crate::adapter::Answer;
use crate::case::Case;
use crate::format::Method;
use crate::rules::Level;

/// What failures of cases that are newer than the baseline do to a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NewCases {
    /// They fail the run.
    #[default]
    Fail,
    /// They are reported, and do not fail it.
    Warn,
}

/// What fails a run.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Wrong answers of this level and above fail the run.
    pub fail_on: Level,
    /// What failures of cases that are newer than the baseline do.
    pub new_cases: NewCases,
    /// The known failures.
    pub baseline: Option<Baseline>,
}

/// Wrong answers at level must and invalid answers fail the run; nothing is known.
impl Default for Policy {
    fn default() -> Policy {
        Policy { fail_on: Level::Must, new_cases: NewCases::default(), baseline: None }
    }
}

impl Policy {
    /// Whether the outcome is a failure that fails the run if it is not known. Such failures can end a run early.
    pub(super) fn fails(&self, item: &Item, case: &Case) -> bool {
        let is_strict = self.fail_on <= Level::Should;
        (item.fails || (is_strict && item.warns)) && !(self.new_cases == NewCases::Warn && self.is_new(case))
    }

    /// Whether the case is newer than the suite for which the baseline was written.
    fn is_new(&self, case: &Case) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.is_older_than(case))
    }

    /// Assesses a run: the verdicts after the baseline, the failures, and the result of the run.
    #[must_use]
    pub fn assess<'r, 'c>(&self, record: &'r RunResult<'c>) -> Assessment<'r, 'c> {
        let cases = record.outcomes.iter().map(|outcome| Item::of_case(outcome, record.profile));
        let mut items: Vec<Item> = cases.chain(record.derived.iter().map(Item::of_check)).collect();
        let baseline = self.baseline.as_ref().map(|baseline| baseline.mark(&mut items, record));
        // If a run ended early, requests that were not sent are no fault of the adapter.
        let counts = |item: &Item| !(record.ended_early && item.verdict == Verdict::NOT_RUN);
        let fails = |item: &Item, case: &Case| counts(item) && self.fails(item, case);
        let (case_items, check_items) = items.split_at(record.outcomes.len());
        let cases: Vec<AssessedCase<'_, '_>> = record
            .outcomes
            .iter()
            .zip(case_items)
            .map(|(outcome, item)| AssessedCase {
                outcome,
                rule: outcome.rule(record.profile).unwrap_or_default(),
                verdict: item.verdict,
                fails: fails(item, outcome.case),
            })
            .collect();
        let checks: Vec<AssessedCheck<'_, '_>> = record
            .derived
            .iter()
            .zip(check_items)
            .map(|(outcome, item)| AssessedCheck { outcome, verdict: item.verdict, fails: fails(item, outcome.case) })
            .collect();
        let old_fail = cases.iter().any(|case| case.fails && !self.is_new(case.outcome.case))
            || checks.iter().any(|check| check.fails && !self.is_new(check.outcome.case));
        Assessment {
            record,
            counts: cases.iter().filter(|case| !case.is_sampled()).map(|case| case.verdict).collect(),
            sampled_counts: cases.iter().filter(|case| case.is_sampled()).map(|case| case.verdict).collect(),
            check_counts: checks.iter().map(|check| check.verdict).collect(),
            unsupported: unsupported(&cases, &checks),
            conformance: Conformance::of(record, &cases, &checks),
            tally: tally(&cases, &checks),
            only_new_fail: baseline.is_some() && !old_fail,
            baseline,
            cases,
            checks,
        }
    }
}

/// A run as a policy assesses it. Reports take everything that is derived from a record from here.
#[derive(Clone, Debug)]
pub struct Assessment<'r, 'c> {
    /// What happened.
    pub record: &'r RunResult<'c>,
    /// Every case, in the order of the record.
    pub cases: Vec<AssessedCase<'r, 'c>>,
    /// Every derived check, in the order of the record.
    pub checks: Vec<AssessedCheck<'r, 'c>>,
    /// How many cases have each verdict.
    pub counts: Counts,
    /// How many derived checks have each verdict.
    pub check_counts: Counts,
    /// How many sampled requests have each verdict; they are not among `counts`.
    pub sampled_counts: Counts,
    /// What the baseline covers, where there is one.
    pub baseline: Option<BaselineUse>,
    /// Whether there is a baseline, and only newer cases fail.
    pub only_new_fail: bool,
    /// Why cases are unsupported, each method and reason once: first unsupported methods and omitted features, then
    /// refusals.
    pub unsupported: Vec<Unsupported>,
    /// The conformance statement of the run.
    pub conformance: Conformance,
    /// The tally of each rule, the most suspicious one first.
    pub tally: Vec<RuleTally>,
}

impl Assessment<'_, '_> {
    /// Whether nothing fails the run.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.conformance.failing == 0
    }

    /// Whether any case was answered at all.
    #[must_use]
    pub fn ran(&self) -> bool {
        self.cases.iter().any(|case| case.verdict.is_asked())
    }

    /// Whether cases of level must were selected, and no case or derived check of that level was judged.
    #[must_use]
    pub fn judged_no_must(&self) -> bool {
        self.conformance.claim == Claim::None && self.cases.iter().any(|case| case.outcome.case.level == Level::Must)
    }
}

/// Why cases are unsupported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Whether these are requests to a listed method that were refused, which fails the run.
    pub refused: bool,
    /// The method that was requested.
    pub method: Method,
    /// The reason; `None` where the method is not listed.
    pub reason: Option<String>,
    /// The number of cases; of refusals, the number of cases and derived checks.
    pub count: usize,
    /// The first of them.
    pub first: String,
}

fn unsupported(cases: &[AssessedCase<'_, '_>], checks: &[AssessedCheck<'_, '_>]) -> Vec<Unsupported> {
    let mut reasons: BTreeMap<(bool, Method, Option<String>), (usize, String)> = BTreeMap::new();
    let mut enter = |refused, method, answer: &Answer, id: String| {
        let reason = match answer {
            Answer::Unsupported(reason) => Some(reason.clone()),
            Answer::Omitted(feature) => Some(format!("the adapter omits {feature}")),
            _ => None,
        };
        reasons.entry((refused, method, reason)).or_insert((0, id)).0 += 1;
    };
    for assessed in cases.iter().filter(|assessed| assessed.verdict == Verdict::Unsupported) {
        let outcome = assessed.outcome;
        enter(assessed.is_refused(), outcome.case.method, outcome.deciding_answer(), outcome.case.id.clone());
    }
    for outcome in checks.iter().filter(|check| check.is_refused()).map(|check| check.outcome) {
        if let Some(Evidence::NoAnswer(question, answer)) = &outcome.evidence {
            enter(true, question.method, answer, outcome.id());
        }
    }
    let reason = |((refused, method, reason), (count, first))| Unsupported { refused, method, reason, count, first };
    reasons.into_iter().map(reason).collect()
}
