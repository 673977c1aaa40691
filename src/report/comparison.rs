//! The comparison of one or more implementations as plain data, made from assessments.
//! `spec/schemas/comparison.json` is its schema.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::rerun::Rerun;
use super::summary::{BoundChoice, CaseSummary, DerivedSummary, FailureText, Summary, UnsupportedSummary};
use crate::SUITE;
use crate::adapter::Answer;
use crate::case::{Case, Outcome};
use crate::format::Format;
use crate::formats::FORMATS;
use crate::json::Json;
use crate::protocol::ImplementationInfo;
use crate::rules;
use crate::run::compare::side_by_side;
use crate::run::{Assessment, CaseResult, Claim, Counts, Failure, RuleTally, Verdict, agreements};

/// The run of an implementation, as input of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRun<'a> {
    /// Its name in tables.
    pub name: &'a str,
    /// The results of the run, judged by its policy.
    pub assessment: &'a Assessment<'a, 'a>,
    /// The command that reruns a single case.
    pub rerun: &'a Rerun,
    /// Whether it is the built-in reference.
    pub is_reference: bool,
    /// The reason why it could not be run; its result is then empty.
    pub unusable: Option<&'a str>,
}

/// A comparison of implementations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "A comparison of implementations")]
pub struct Comparison {
    /// The version of the suite.
    pub suite: String,
    /// The SHA-256 of the corpus of the cases.
    pub corpus: String,
    /// The implementations. All `outcomes` and indices below are in their order, from 0.
    pub implementations: Vec<Column>,
    /// Every rule with a judged case or derived check, in the order of the documents.
    pub rules: Vec<RuleRow>,
    /// Every case, in the order of their ids.
    pub cases: Vec<CaseRow>,
    /// The derived checks that fail for at least one implementation.
    pub derived: Vec<DerivedRow>,
}

/// An implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Column {
    /// Its name in tables.
    pub name: String,
    /// Its own description, from the handshake.
    pub implementation: ImplementationInfo,
    /// Whether it is the built-in reference.
    pub is_reference: bool,
    /// The profile in which it ran.
    pub profile: String,
    /// The choices by which it was judged, by rule id, for the formats of the selected cases.
    pub choices: BTreeMap<String, BoundChoice>,
    /// The reason why it could not be run; absent if it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
    /// Whether the run completed.
    pub complete: bool,
    /// The verdict on conformance: `conformant`, `in-part`, `not-conformant`, or `none` if the run allows no verdict.
    pub verdict: Claim,
    /// The verdict as a sentence, which names what was judged.
    pub conformance: String,
    /// Whether nothing failed and a case of level must was judged: the verdict is `conformant` or `in-part`.
    pub conformant: bool,
    /// The number of refused requests to listed methods. They fail the run, and are also counted as `unsupported`.
    pub refused: usize,
    /// The number of cases with each verdict.
    pub counts: Counts,
    /// The number of derived checks with each verdict.
    pub derived_counts: Counts,
    /// The number of cases and derived checks that fail its run.
    pub failing: usize,
    /// The reasons for unsupported cases.
    pub unsupported: Vec<UnsupportedSummary>,
    /// The results of its run by rule, the most suspect rule first.
    #[serde(skip)]
    pub(super) tally: Vec<RuleTally>,
    /// The command that reruns it.
    #[serde(skip)]
    pub(super) rerun: Rerun,
    /// Further notes.
    pub notes: Vec<String>,
}

/// A rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleRow {
    /// Its id; empty for cases that are not covered by a rule.
    pub id: String,
    /// Its format.
    pub format: String,
    /// Its level, or `open`.
    pub level: String,
    /// Its source.
    pub source: String,
    /// Its text.
    pub text: String,
    /// The number of its cases and derived checks with each verdict, for each implementation.
    pub outcomes: Vec<Counts>,
}

/// A case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CaseRow {
    /// Its id.
    pub id: String,
    /// The reason why it exists.
    pub about: String,
    /// Its rule in tables: the one for which the first failure is evidence.
    pub rule: String,
    /// The rules that it tests.
    pub rules: Vec<String>,
    /// Its level.
    pub level: String,
    /// The version of the suite that added it.
    pub since: String,
    /// The method of the request.
    pub method: String,
    /// The params, as JSON text.
    pub params: String,
    /// The right answers: one, or several that depend on choices.
    pub expected: Vec<ExpectedAnswer>,
    /// The outcome for each implementation; null if the case does not run in its profile, or it could not be run.
    pub outcomes: Vec<Option<Cell>>,
    /// The groups of equal answers.
    pub answers: Vec<AnswerGroup>,
    /// The reason why the rules need review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<String>,
}

/// A right answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExpectedAnswer {
    /// The answer: a result as JSON text, or a refusal as text.
    pub answer: String,
    /// The choices that make it right, by rule id.
    pub choices: BTreeMap<String, String>,
    /// A warning about implementations with this answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// The outcome of a case for one implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
    /// The reason why it does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureText>,
}

/// A group of implementations with equal answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AnswerGroup {
    /// The indices of these implementations.
    pub members: Vec<usize>,
    /// The answer of the first one: a result as JSON text, or plain text.
    pub answer: String,
    /// The expected and the actual result, if they differ, in the form for a diff.
    #[serde(skip)]
    pub(super) side_by_side: Option<(Json, Json)>,
}

/// A derived check that fails for at least one implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedRow {
    /// Its id: the case's, `#`, and the check's name.
    pub id: String,
    /// The rule that was judged.
    pub rule: String,
    /// The outcome for each implementation; null if the check did not run.
    pub outcomes: Vec<Option<DerivedCell>>,
}

/// The outcome of a derived check for one implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedCell {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
    /// A smaller message on which the check fails too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<String>,
    /// The reason why it does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureText>,
}

impl CaseRow {
    /// Returns whether a report should show it: a verdict is no plain pass, the answers differ, or it needs review.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.review.is_some()
            || self.outcomes.iter().flatten().any(|cell| !cell.verdict.is_plain())
            || self.answers.iter().filter(|group| self.is_answered(group)).count() > 1
    }

    /// Returns whether the implementations of a group support the request.
    #[must_use]
    pub fn is_answered(&self, group: &AnswerGroup) -> bool {
        let first = group.members.first().and_then(|at| self.outcomes[*at].as_ref());
        first.is_some_and(|cell| cell.verdict != Verdict::Unsupported)
    }

    /// Returns the letter that represents the answer of the implementation at this index: `a` for the first group of equal
    /// answers, and so on; a number from the 27th group on; empty without an answer.
    #[must_use]
    pub fn letter(&self, place: usize) -> String {
        let answered = |group: &&AnswerGroup| self.is_answered(group);
        match self.answers.iter().filter(answered).position(|group| group.members.contains(&place)) {
            None => String::new(),
            Some(at) => match u8::try_from(at) {
                Ok(at) if at < 26 => char::from(b'a' + at).to_string(),
                _ => (at + 1).to_string(),
            },
        }
    }
}

impl Comparison {
    /// Compares runs. `corpus` is the hash of the corpus of their cases.
    #[must_use]
    pub fn new(runs: &[ComparedRun<'_>], corpus: &str) -> Comparison {
        let summaries: Vec<Summary> = runs.iter().map(|run| Summary::new(run.assessment, corpus, run.rerun)).collect();
        let records: Vec<_> = runs.iter().map(|run| (run.assessment.record, run.is_reference)).collect();
        let summarised: Vec<BTreeMap<&str, &CaseSummary>> =
            summaries.iter().map(|summary| summary.cases.iter().map(|case| (&case.id[..], case)).collect()).collect();
        let cases: Vec<CaseRow> = agreements(&records)
            .into_iter()
            .map(|agreement| {
                let case = agreement.case;
                let summarised: Vec<Option<&CaseSummary>> =
                    summarised.iter().map(|cases| cases.get(&case.id[..]).copied()).collect();
                // The first failure is the evidence; the others are in the same row.
                let summaries = || summarised.iter().flatten();
                let departing = summaries().find(|case| case.failure.is_some());
                let first = departing.or_else(|| summaries().next()).map(|case| &case.rule[..]);
                let left_out = left_out(&agreement.outcomes, &summarised);
                let answers = agreement.groups.into_iter().map(|members| {
                    let outcomes = || members.iter().filter_map(|at| agreement.outcomes[*at]);
                    let answer = outcomes().next().map(|outcome| outcome.answer.to_string()).unwrap_or_default();
                    AnswerGroup { answer, side_by_side: outcomes().find_map(results), members }
                });
                CaseRow {
                    id: case.id.clone(),
                    about: case.about.clone(),
                    rule: first.unwrap_or_default().to_owned(),
                    rules: case.rules.clone(),
                    level: case.level.name().to_owned(),
                    since: case.since.to_string(),
                    method: case.method.name().to_owned(),
                    params: case.params.clone(),
                    expected: expected(case),
                    outcomes: summarised.into_iter().map(|case| case.map(cell)).collect(),
                    answers: answers.collect(),
                    review: agreement.review.map(|question| format!("{}{left_out}", question.text())),
                }
            })
            .collect();
        let derived = derived(&summaries);
        let rules = rules(&cases, &summaries);
        let formats: BTreeSet<Format> = cases.iter().filter_map(|case| FORMATS.format_of(&case.method)).collect();
        let implementations = runs.iter().zip(summaries).map(|(run, summary)| column(run, summary, &formats)).collect();
        Comparison { suite: SUITE.to_owned(), corpus: corpus.to_owned(), implementations, rules, cases, derived }
    }

    /// Returns whether the runs of all implementations pass.
    #[must_use]
    pub fn all_conform(&self) -> bool {
        self.implementations.iter().all(|column| column.failing == 0)
    }
}

/// Returns the JSON Schema of a comparison.
#[must_use]
pub fn comparison_schema() -> serde_json::Value {
    schemars::schema_for!(Comparison).to_value()
}

fn column(run: &ComparedRun<'_>, summary: Summary, formats: &BTreeSet<Format>) -> Column {
    Column {
        name: run.name.to_owned(),
        is_reference: run.is_reference,
        failing: summary.failing(),
        tally: run.assessment.tally.clone(),
        rerun: run.rerun.clone(),
        implementation: summary.implementation,
        profile: summary.profile,
        choices: summary
            .choices
            .into_iter()
            .filter(|(rule, _)| FORMATS.format_of(rule).is_some_and(|format| formats.contains(&format)))
            .collect(),
        unusable: run.unusable.map(str::to_owned),
        complete: summary.complete && run.unusable.is_none(),
        verdict: if run.unusable.is_none() { summary.verdict } else { Claim::None },
        conformance: if run.unusable.is_none() { summary.conformance } else { "cannot be used".to_owned() },
        conformant: summary.conformant && run.unusable.is_none(),
        refused: summary.refused,
        counts: summary.counts,
        derived_counts: summary.derived_counts,
        unsupported: summary.unsupported,
        notes: summary.notes,
    }
}

/// Returns the expected and the actual result of an outcome with a wrong result.
fn results(outcome: &CaseResult<'_>) -> Option<(Json, Json)> {
    match (&outcome.failure, &outcome.answer) {
        (Some(Failure::Result { expected, .. }), Answer::Result(found)) => {
            Some(side_by_side(outcome.case, expected, found))
        }
        _ => None,
    }
}

/// Returns the number of implementations without a valid answer, by verdict: the comparison of answers ignores them. Empty if
/// all answered.
fn left_out(outcomes: &[Option<&CaseResult<'_>>], summarised: &[Option<&CaseSummary>]) -> String {
    let is_answered = |outcome: &CaseResult<'_>| matches!(outcome.answer, Answer::Result(_) | Answer::Refusal { .. });
    let left_out = outcomes.iter().zip(summarised).filter_map(|(outcome, case)| Some(((*outcome)?, (*case)?)));
    let left_out = left_out.filter(|(outcome, _)| !is_answered(outcome));
    let counts: Counts = left_out.map(|(_, case)| case.verdict).collect();
    if counts.is_empty() { String::new() } else { format!(" (no valid answer: {counts})") }
}

fn cell(case: &CaseSummary) -> Cell {
    Cell { verdict: case.verdict, fails: case.fails, failure: case.failure.clone() }
}

fn expected(case: &Case) -> Vec<ExpectedAnswer> {
    let options = case.options().iter().map(|option| ExpectedAnswer {
        answer: match &option.outcome {
            Outcome::Result(result) => result.to_ascii(),
            Outcome::Refusal(kind) => format!("the refusal {kind}"),
        },
        choices: option.choices.clone(),
        warning: option.warning.clone(),
    });
    options.collect()
}

fn derived(summaries: &[Summary]) -> Vec<DerivedRow> {
    let is_plain = |check: &DerivedSummary| check.verdict.is_plain() || check.verdict == Verdict::NOT_RUN;
    let departing: BTreeSet<(&str, &str)> = summaries
        .iter()
        .flat_map(|summary| &summary.derived)
        .filter(|check| !is_plain(check))
        .map(|check| (&check.id[..], &check.rule[..]))
        .collect();
    let made: Vec<BTreeMap<&str, &DerivedSummary>> =
        summaries.iter().map(|summary| summary.derived.iter().map(|check| (&check.id[..], check)).collect()).collect();
    let row = |(id, rule): (&str, &str)| DerivedRow {
        id: id.to_owned(),
        rule: rule.to_owned(),
        outcomes: made
            .iter()
            // Another implementation may violate another rule of the same check.
            .map(|checks| checks.get(id).filter(|check| is_plain(check) || check.rule == rule))
            .map(|check| {
                check.map(|check| DerivedCell {
                    verdict: check.verdict,
                    fails: check.fails,
                    shrunk: check.shrunk.clone(),
                    failure: check.failure.clone(),
                })
            })
            .collect(),
    };
    departing.into_iter().map(row).collect()
}

fn rules(cases: &[CaseRow], summaries: &[Summary]) -> Vec<RuleRow> {
    let mut counts: BTreeMap<&str, Vec<Counts>> = BTreeMap::new();
    let mut count = |rule, at: usize, verdict: Verdict| {
        counts.entry(rule).or_insert_with(|| vec![Counts::default(); summaries.len()])[at].add(verdict);
    };
    for case in cases {
        for (at, cell) in case.outcomes.iter().enumerate() {
            if let Some(cell) = cell {
                count(&case.rule[..], at, cell.verdict);
            }
        }
    }
    for (at, summary) in summaries.iter().enumerate() {
        for check in &summary.derived {
            count(&check.rule[..], at, check.verdict);
        }
    }
    let known = rules::all().iter().filter_map(|rule| {
        Some(RuleRow {
            id: rule.id.clone(),
            format: FORMATS.format_of(&rule.id).map_or("", Format::name).to_owned(),
            level: rule.level_name().to_owned(),
            source: rule.source.clone(),
            text: rule.text.clone(),
            outcomes: counts.remove(&rule.id[..])?,
        })
    });
    let mut rows: Vec<RuleRow> = known.collect();
    // Unfinished cases may name unknown rules, or none.
    rows.extend(counts.into_iter().map(|(id, outcomes)| RuleRow {
        id: id.to_owned(),
        format: FORMATS.format_of(id).map_or("", Format::name).to_owned(),
        level: String::new(),
        source: String::new(),
        text: String::new(),
        outcomes,
    }));
    rows
}
