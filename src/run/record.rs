//! The record of a run: everything that a report may contain.

use std::collections::BTreeMap;
use std::time::Duration;

use super::choices::ResolvedChoice;
use super::compare::Difference;
use super::derived::CheckResult;
use super::growth::Growth;
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::Case;
use crate::json::{Json, Pointer};
use crate::protocol::Handshake;
use crate::settings::ProfileName;

/// A case, the answer to it, and its verdict.
#[derive(Clone, Debug)]
pub struct CaseResult<'c> {
    /// The case.
    pub case: &'c Case,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is no pass.
    pub failure: Option<Failure>,
    /// The answer of the implementation.
    pub answer: Answer,
    /// How long the answer took, as [`Implementation::durations`](crate::adapter::Implementation::durations) measures;
    /// of a case with two requests, both together. `None` if there is no answer or no measurement.
    pub duration: Option<Duration>,
}

impl CaseResult<'_> {
    /// Whether the answer was wrong at level should.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.verdict == Verdict::Warn && !matches!(self.failure, Some(Failure::Warning(_)))
    }

    /// Whether the request was refused, although the implementation lists the method and does not declare to omit a
    /// feature that the request needs.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.failure, Some(Failure::Refused | Failure::NotSame(Answer::Unsupported(_))))
    }

    /// Whether it fails the run under every policy.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.fails() || self.is_refusal()
    }

    /// Returns the answer that the verdict is about: of a case with two requests, perhaps the second.
    #[must_use]
    pub fn deciding_answer(&self) -> &Answer {
        match &self.failure {
            Some(Failure::NotSame(second)) => second,
            _ => &self.answer,
        }
    }
}

/// Why an outcome is no plain pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The result differs.
    Result {
        /// The one expected, or the nearest of several.
        expected: Json,
        /// The first place where they differ.
        difference: Difference,
    },
    /// The answer is a refusal instead of a result, a result instead of a refusal, or a refusal of another kind.
    Outcome,
    /// The answer is right for another choice than the resolved one.
    Choice {
        /// The rule that is open.
        rule: String,
        /// The choice that the answer shows.
        chosen: String,
        /// The resolved choice.
        bound: ResolvedChoice,
    },
    /// The other params of the case got a different answer than the first.
    NotSame(Answer),
    /// The same params got a different answer when they were sent again.
    Flaky(Again),
    /// The answer is right, with this warning.
    Warning(String),
    /// The time of the answer grows faster than the length of the request.
    Growth(Growth),
    /// A listed method answered "method not found".
    ListedButMissing,
    /// A request to a listed method was refused with code 2, and the implementation declares nothing that would explain
    /// it.
    Refused,
    /// There is no valid answer; the answer has the reason.
    NoAnswer,
}

/// A different answer to a request that had been sent before.
#[derive(Clone, Debug, PartialEq)]
pub struct Again {
    /// The later answer.
    pub answer: Answer,
    /// When it was sent again, as text.
    pub when: String,
    /// The first place where the answers differ.
    pub at: Pointer,
}

/// Everything that a run found.
#[derive(Clone, Debug)]
pub struct RunResult<'c> {
    /// The profile in which the cases ran.
    pub profile: ProfileName,
    /// The choices that the run requested, by rule id.
    pub requested: BTreeMap<String, String>,
    /// What the implementation declared in the handshake.
    pub handshake: Handshake,
    /// The choices by which it was judged, by rule id.
    pub bound: BTreeMap<String, ResolvedChoice>,
    /// Every selected case, in the order of their ids.
    pub outcomes: Vec<CaseResult<'c>>,
    /// The derived checks on the messages of these cases; none if they were not requested.
    pub derived: Vec<CheckResult<'c>>,
    /// Cases about cost that were skipped.
    pub left_out: usize,
    /// Further notes for the user: that an adapter had to be killed, for example.
    pub notes: Vec<String>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Whether the run ended early, at its limit of failures.
    pub ended_early: bool,
    /// Whether only a part of the corpus was requested, or the run ended early.
    pub partial: bool,
    /// Whether the derived checks ran.
    pub checked: bool,
    /// Whether the user skipped the sampled requests.
    pub unsampled: bool,
}

impl<'c> RunResult<'c> {
    /// Puts these results in the place of those with the same ids.
    pub fn replace(&mut self, results: Vec<CaseResult<'c>>) {
        for result in results {
            if let Some(place) = self.outcomes.iter_mut().find(|outcome| outcome.case.id == result.case.id) {
                *place = result;
            }
        }
    }

    /// Whether any case was answered at all.
    #[must_use]
    pub fn ran(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.verdict.is_asked())
    }
}
