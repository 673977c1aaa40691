//! What a run leaves behind: everything that a report may say.

use std::collections::BTreeMap;
use std::time::Duration;

use super::choices::Bound;
use super::compare::Difference;
use super::derived::DerivedOutcome;
use super::growth::Growth;
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::Case;
use crate::json::{Json, Pointer};
use crate::protocol::Handshake;
use crate::settings::ProfileName;

/// A case, what came back, and what it is worth.
#[derive(Clone, Debug)]
pub struct CaseOutcome<'c> {
    /// The case.
    pub case: &'c Case,
    /// What it is worth.
    pub verdict: Verdict,
    /// Why it is no pass.
    pub departure: Option<Departure>,
    /// What the implementation answered.
    pub answer: Answer,
    /// How long the answer took, as [`Implementation::durations`](crate::adapter::Implementation::durations) says; of a
    /// case with two requests, both together. `None` where there is no answer, or nobody measured.
    pub duration: Option<Duration>,
}

impl CaseOutcome<'_> {
    /// Whether the answer was wrong at level should.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.verdict == Verdict::Warn && !matches!(self.departure, Some(Departure::Warning(_)))
    }

    /// Whether the request was refused, though the implementation lists the method and declares to omit nothing that the
    /// request needs.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.departure, Some(Departure::Refused | Departure::NotSame(Answer::Unsupported(_))))
    }

    /// Whether it fails the run, whatever the run is strict about.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.fails() || self.is_refusal()
    }

    /// The answer that the verdict is about: of a case with two requests, perhaps the second.
    #[must_use]
    pub fn deciding_answer(&self) -> &Answer {
        match &self.departure {
            Some(Departure::NotSame(second)) => second,
            _ => &self.answer,
        }
    }
}

/// Why an outcome is no plain pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Departure {
    /// The result differs.
    Result {
        /// The one expected, or the nearest of several.
        expected: Json,
        /// The first place where they differ.
        difference: Difference,
    },
    /// A refusal came where a result was expected, a result where a refusal was, or a refusal of another kind.
    Outcome,
    /// A right answer for another choice than the one that binds.
    Choice {
        /// The rule that is open.
        rule: String,
        /// What the answer chooses.
        chosen: String,
        /// What binds.
        bound: Bound,
    },
    /// The other params of the case got another answer than the first.
    NotSame(Answer),
    /// The same params got another answer when they were asked again.
    Unstable(Again),
    /// The answer is right, and people should know this about it.
    Warning(String),
    /// The time of the answer grows faster than the request.
    Growth(Growth),
    /// A listed method answered that it is not offered.
    ListedButMissing,
    /// A request to a listed method was refused with code 2, and nothing that the implementation declares says so.
    Refused,
    /// The answer is none, and says itself why.
    NoAnswer,
}

/// A different answer to what had been asked before.
#[derive(Clone, Debug, PartialEq)]
pub struct Again {
    /// The answer that came then.
    pub answer: Answer,
    /// When it was asked again, in words.
    pub when: String,
    /// The first place where the answers differ.
    pub at: Pointer,
}

/// Everything that a run found out.
#[derive(Clone, Debug)]
pub struct Record<'c> {
    /// The profile in which the cases ran.
    pub profile: ProfileName,
    /// The choices that the run asked for, by rule id.
    pub asked: BTreeMap<String, String>,
    /// What the implementation said of itself.
    pub handshake: Handshake,
    /// The choices that it was held to, by rule id.
    pub bound: BTreeMap<String, Bound>,
    /// Every selected case, in the order of their ids.
    pub outcomes: Vec<CaseOutcome<'c>>,
    /// The derived checks on the messages of these cases; none where they were not asked for.
    pub derived: Vec<DerivedOutcome<'c>>,
    /// Cases about cost, which were left out.
    pub left_out: usize,
    /// What else people should know: an adapter that had to be killed, say.
    pub notes: Vec<String>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Whether the run ended early, after as many failures as it was to end at.
    pub ended_early: bool,
    /// Whether the run was asked for a part of the corpus alone, or ended early.
    pub partial: bool,
    /// Whether the derived checks were made.
    pub checked: bool,
}

impl Record<'_> {
    /// Whether any case was answered at all.
    #[must_use]
    pub fn ran(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.verdict.is_asked())
    }
}
