//! The machine-readable report of a run as plain data, made from an assessment. `spec/schemas/report.json` is its schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::rerun::Rerun;
use crate::SUITE;
use crate::case::Outcome;
use crate::format::Method;
use crate::protocol::ImplementationInfo;
use crate::run::derived::Evidence;
use crate::run::{AssessedCase, AssessedCheck, Assessment, ChoiceSource, Claim, Counts, Failure, Verdict};

/// A run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "The report of a run")]
pub struct Summary {
    /// The version of the suite.
    pub suite: String,
    /// The SHA-256 of the corpus of the cases.
    pub corpus: String,
    /// The profile in which the cases ran.
    pub profile: String,
    /// The requested choices, by rule id.
    pub requested_choices: BTreeMap<String, String>,
    /// The implementation under test.
    pub implementation: ImplementationInfo,
    /// The choices by which it was judged, by rule id.
    pub choices: BTreeMap<String, BoundChoice>,
    /// Whether the run completed.
    pub complete: bool,
    /// Whether it stopped early, after the number of failures given by `--fail-fast`.
    pub ended_early: bool,
    /// The verdict on conformance: `conformant`, `in-part`, `not-conformant`, or `none` if the run allows no verdict.
    pub verdict: Claim,
    /// The verdict as a sentence, which names what was judged.
    pub conformance: String,
    /// Whether nothing failed and a case of level must was judged: the verdict is `conformant` or `in-part`.
    pub conformant: bool,
    /// The methods of the selected formats that were judged.
    pub judged: Vec<String>,
    /// The features of supported methods that the implementation omits.
    pub omitted: Vec<String>,
    /// The methods of the selected formats that it does not support.
    pub not_offered: Vec<String>,
    /// The number of refused requests to listed methods. They fail the run, and are also counted as `unsupported`.
    pub refused: usize,
    /// The number of cases with each verdict.
    pub counts: Counts,
    /// The number of derived checks with each verdict.
    pub derived_counts: Counts,
    /// The number of sampled requests with each verdict. `cases` lists those that did not pass.
    pub sampled_counts: Counts,
    /// Every selected case.
    pub cases: Vec<CaseSummary>,
    /// Every derived check.
    pub derived: Vec<DerivedSummary>,
    /// The reasons for unsupported cases.
    pub unsupported: Vec<UnsupportedSummary>,
    /// Further notes.
    pub notes: Vec<String>,
}

/// A reason for unsupported cases.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnsupportedSummary {
    /// The method of the requests.
    pub method: String,
    /// The reason given by the adapter; absent if the adapter does not list the method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether these are refused requests to a listed method, which fail the run.
    pub refused: bool,
    /// The number of cases; for refusals, of cases and derived checks.
    pub cases: usize,
}

/// A declared or inferred choice of an implementation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoundChoice {
    /// Its name.
    pub name: String,
    /// The other possible choices, if no answer distinguishes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub others: Vec<String>,
    /// The case from whose answer it was inferred; absent if it was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl BoundChoice {
    /// Returns the possible choices as human-readable text.
    #[must_use]
    pub fn shown(&self) -> String {
        let names: Vec<&str> = std::iter::once(&self.name).chain(&self.others).map(String::as_str).collect();
        names.join(" or ")
    }
}

/// A case.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CaseSummary {
    /// Its id.
    pub id: String,
    /// Its rule in reports: the one of its rules that the evidence indicates; empty if it has none.
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
    /// Its verdict.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
    /// The response time in milliseconds: from the request, or from the previous answer of the same process if that was
    /// later. For a case with two requests, the sum of both. Absent if there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The reason why it does not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureText>,
}

/// The reason why a case or a derived check does not pass.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FailureText {
    /// The reason as a sentence.
    pub message: String,
    /// The expected answer: JSON text, or plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The actual answer: JSON text, or plain text.
    pub actual: String,
    /// The JSON pointer of the first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The position and the kind of the difference, as text. Similar failures have the same shape.
    pub shape: String,
    /// The command line that reruns it.
    pub rerun: String,
}

/// A derived check.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DerivedSummary {
    /// Its id: the case's, `#`, and the check's name.
    pub id: String,
    /// The rule that was judged.
    pub rule: String,
    /// Its verdict.
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

impl Summary {
    /// Summarizes a run. `corpus` is the hash of the corpus of its cases.
    #[must_use]
    pub fn new(run: &Assessment<'_, '_>, corpus: &str, rerun: &Rerun) -> Summary {
        let (record, conformance) = (run.record, &run.conformance);
        let choices = record.bound.iter().map(|(rule, bound)| {
            let by = match &bound.by {
                ChoiceSource::Declaration => None,
                ChoiceSource::Case(id) | ChoiceSource::Narrowed { case: id, .. } => Some(id.clone()),
            };
            let others = bound.names().skip(1).map(str::to_owned).collect();
            (rule.clone(), BoundChoice { name: bound.name.clone(), others, by })
        });
        let names = |methods: &[Method]| methods.iter().map(|method| method.name().to_owned()).collect();
        Summary {
            suite: SUITE.to_owned(),
            corpus: corpus.to_owned(),
            profile: record.profile.name().to_owned(),
            requested_choices: record.requested.clone(),
            implementation: record.handshake.implementation.clone(),
            choices: choices.collect(),
            complete: !record.interrupted,
            ended_early: record.ended_early,
            verdict: conformance.claim,
            conformance: conformance.sentence(),
            conformant: conformance.claim.holds(),
            judged: names(&conformance.judged),
            omitted: conformance.omitted.iter().map(ToString::to_string).collect(),
            not_offered: names(&conformance.not_offered),
            refused: conformance.refused,
            counts: run.counts.clone(),
            derived_counts: run.check_counts.clone(),
            sampled_counts: run.sampled_counts.clone(),
            cases: run.cases.iter().filter(|case| case.is_listed()).map(|assessed| case(assessed, rerun)).collect(),
            derived: run.checks.iter().map(|assessed| derived(assessed, rerun)).collect(),
            unsupported: run
                .unsupported
                .iter()
                .map(|why| UnsupportedSummary {
                    method: why.method.name().to_owned(),
                    reason: why.reason.clone(),
                    refused: why.refused,
                    cases: why.count,
                })
                .collect(),
            notes: record.notes.clone(),
        }
    }
}

impl Summary {
    /// Returns the number of cases and derived checks that fail the run.
    #[must_use]
    pub fn failing(&self) -> usize {
        let fails = self.cases.iter().map(|case| case.fails).chain(self.derived.iter().map(|check| check.fails));
        fails.filter(|fails| *fails).count()
    }
}

/// Returns the JSON Schema of a summary.
#[must_use]
pub fn report_schema() -> serde_json::Value {
    schemars::schema_for!(Summary).to_value()
}

fn case(assessed: &AssessedCase<'_, '_>, rerun: &Rerun) -> CaseSummary {
    let outcome = assessed.outcome;
    let case = outcome.case;
    CaseSummary {
        id: case.id.clone(),
        rule: assessed.rule.to_owned(),
        rules: case.rules.clone(),
        level: case.level.name().to_owned(),
        since: case.since.to_string(),
        method: case.method.name().to_owned(),
        params: case.params.clone(),
        verdict: assessed.verdict,
        fails: assessed.fails,
        duration_ms: outcome.duration.map(|time| (time.as_secs_f64() * 1e6).round() / 1e3),
        failure: outcome.failure.as_ref().map(|failure| failure_text(assessed, failure, rerun)),
    }
}

fn failure_text(assessed: &AssessedCase<'_, '_>, failure: &Failure, rerun: &Rerun) -> FailureText {
    let outcome = assessed.outcome;
    let options = outcome.case.options().iter().map(|option| match &option.outcome {
        Outcome::Result(result) => result.to_ascii(),
        Outcome::Refusal(kind) => format!("the refusal {kind}"),
    });
    let expected = Some(options.collect::<Vec<_>>().join(", or "));
    let actual = outcome.answer.to_string();
    let (message, expected, actual, at) = match failure {
        Failure::Result { expected, difference } => {
            ("a different result".to_owned(), Some(expected.to_ascii()), actual, Some(difference.at.to_string()))
        }
        Failure::Outcome => ("a different kind of answer".to_owned(), expected, actual, None),
        Failure::Choice { rule, chosen, bound } => (
            format!("the answer chooses {rule}={chosen}, but the choice of the implementation is {}", bound.shown()),
            expected,
            actual,
            None,
        ),
        Failure::NotSame(second) => {
            (format!("equivalent params got a different answer: {second}"), expected, actual, None)
        }
        Failure::Flaky(again) => {
            let at = Some(again.at.to_string());
            (format!("a different answer {}", again.when), Some(actual), again.answer.to_string(), at)
        }
        Failure::Growth(growth) => (
            "the time grows faster than the request".to_owned(),
            Some("a time proportional to the length".to_owned()),
            growth.to_string(),
            None,
        ),
        Failure::Warning(warning) => (warning.clone(), None, actual, None),
        Failure::ListedButMissing => {
            ("the adapter lists the method but answered \"method not found\"".to_owned(), expected, actual, None)
        }
        Failure::Refused => {
            let message = "a request to a listed method was refused, and `omits` names no feature that it needs";
            (message.to_owned(), expected, actual, None)
        }
        Failure::NoAnswer => ("no valid answer".to_owned(), expected, actual, None),
    };
    let shape = outcome.shape(assessed.verdict).unwrap_or_default();
    FailureText { message, expected, actual, at, shape, rerun: rerun.line(&outcome.case.id) }
}

fn derived(assessed: &AssessedCheck<'_, '_>, rerun: &Rerun) -> DerivedSummary {
    let outcome = assessed.outcome;
    let line = || rerun.line(&outcome.case.id);
    let (shrunk, failure) = match &outcome.evidence {
        None => (None, None),
        Some(Evidence::Failed { whole, shrunk }) => {
            let failure_text = shrunk.as_ref().map_or(whole, |(_, failure_text)| failure_text);
            let failure = FailureText {
                message: format!("request {} {}", failure_text.request.method, failure_text.request.params),
                expected: Some(failure_text.expected.clone()),
                actual: failure_text.actual.clone(),
                at: None,
                shape: outcome.shape(assessed.verdict).unwrap_or_default(),
                rerun: line(),
            };
            (shrunk.as_ref().map(|(message, _)| message.clone()), Some(failure))
        }
        Some(Evidence::NoAnswer(question, answer)) => {
            let failure = FailureText {
                message: format!("request {} {}", question.method, question.params),
                expected: None,
                actual: answer.to_string(),
                at: None,
                shape: outcome.shape(assessed.verdict).unwrap_or_default(),
                rerun: line(),
            };
            (None, Some(failure))
        }
    };
    DerivedSummary {
        id: outcome.id(),
        rule: outcome.rule.to_owned(),
        verdict: assessed.verdict,
        fails: assessed.fails,
        shrunk,
        failure,
    }
}
