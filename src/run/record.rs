//! What a run leaves behind: everything that a report may say.

use std::collections::BTreeMap;
use std::time::Duration;

use super::baseline::BaselineUse;
use super::choices::Bound;
use super::compare::Difference;
use super::conformance::{Claim, Conformance};
use super::cost::Growth;
use super::derived::{DerivedOutcome, Evidence};
use super::evidence;
use super::verdict::{Counts, Verdict};
use crate::adapter::Answer;
use crate::case::Case;
use crate::json::{Json, Pointer};
use crate::openui::Profile;
use crate::protocol::{Handshake, Method};
use crate::rules::Level;

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
    pub fn is_refused(&self) -> bool {
        self.verdict == Verdict::Unsupported && self.departure.is_some()
    }

    /// Whether it fails the run, whatever the run is strict about.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.fails() || self.is_refused()
    }

    /// The rule under which a report puts the case: of its rules that hold in this profile the one that the evidence
    /// points to, which speaks of the places at which the answer differs; the first among equals.
    #[must_use]
    pub fn rule(&self, profile: Profile) -> Option<&str> {
        evidence::rule(self, profile)
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

/// Why cases are unsupported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Whether these are requests to a listed method that were refused, which fails the run.
    pub refused: bool,
    /// The method that was asked.
    pub method: Method,
    /// The reason; `None` where the method is not listed.
    pub reason: Option<String>,
    /// How many cases there are; of refusals, how many cases and derived checks.
    pub count: usize,
    /// The first of them.
    pub first: String,
}

/// Everything that a run found out.
#[derive(Clone, Debug)]
pub struct Record<'c> {
    /// The profile in which the cases ran.
    pub profile: Profile,
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
    /// Whether wrong answers at level should fail the run too.
    pub strict: bool,
    /// Whether the run was asked for a part of the corpus alone, or ended early.
    pub partial: bool,
    /// Whether the derived checks were made.
    pub checked: bool,
    /// Whether cases that are newer than the baseline may fail.
    pub spares_new: bool,
    /// What the baseline has to do with it, where there is one.
    pub baseline: Option<BaselineUse>,
}

impl Record<'_> {
    /// How many outcomes of cases there are of each verdict.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.outcomes.iter().map(|outcome| outcome.verdict).collect()
    }

    /// How many outcomes of derived checks there are of each verdict.
    #[must_use]
    pub fn derived_counts(&self) -> Counts {
        self.derived.iter().map(|outcome| outcome.verdict).collect()
    }

    /// Whether the outcome of a case fails the run.
    #[must_use]
    pub fn case_fails(&self, outcome: &CaseOutcome<'_>) -> bool {
        let fails = (outcome.fails() && self.counts_verdict(outcome.verdict)) || (self.strict && outcome.warns());
        fails && !(self.spares_new && self.is_new(outcome.case))
    }

    /// Whether the outcome of a derived check fails the run.
    #[must_use]
    pub fn check_fails(&self, outcome: &DerivedOutcome<'_>) -> bool {
        let fails = (outcome.fails() && self.counts_verdict(outcome.verdict))
            || (self.strict && outcome.verdict == Verdict::Warn);
        fails && !(self.spares_new && self.is_new(outcome.case))
    }

    /// Whether a verdict counts here. In a run that ended early nobody is to blame for what was not asked any more.
    fn counts_verdict(&self, verdict: Verdict) -> bool {
        !(self.ended_early && verdict == Verdict::NOT_RUN)
    }

    /// Whether the case is newer than the suite for which the baseline was written.
    fn is_new(&self, case: &Case) -> bool {
        self.baseline.as_ref().and_then(|baseline| baseline.suite.as_ref()).is_some_and(|suite| case.since > *suite)
    }

    /// Whether nothing fails the run.
    #[must_use]
    pub fn conforms(&self) -> bool {
        !self.outcomes.iter().any(|outcome| self.case_fails(outcome))
            && !self.derived.iter().any(|outcome| self.check_fails(outcome))
    }

    /// Whether nothing fails but cases that are newer than the suite for which the baseline was written.
    #[must_use]
    pub fn only_new_fail(&self) -> bool {
        !self.outcomes.iter().any(|outcome| self.case_fails(outcome) && !self.is_new(outcome.case))
            && !self.derived.iter().any(|outcome| self.check_fails(outcome) && !self.is_new(outcome.case))
    }

    /// Whether an answer was wrong at level should. A right answer that people should know about is none.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.outcomes.iter().any(CaseOutcome::warns)
            || self.derived.iter().any(|outcome| outcome.verdict == Verdict::Warn)
    }

    /// How many requests of cases and derived checks were refused, and fail the run for it.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.is_refused()).count()
            + self.derived.iter().filter(|outcome| outcome.is_refused()).count()
    }

    /// What the run says of conformance.
    #[must_use]
    pub fn conformance(&self) -> Conformance {
        Conformance::of(self)
    }

    /// Whether cases of level must were selected, and no case or derived check of that level was judged.
    #[must_use]
    pub fn judged_no_must(&self) -> bool {
        self.conformance().claim == Claim::None && self.outcomes.iter().any(|outcome| outcome.case.level == Level::Must)
    }

    /// Why cases are unsupported, each method and reason once: first what is not offered or omitted, then what was refused.
    #[must_use]
    pub fn unsupported(&self) -> Vec<Unsupported> {
        let mut reasons: BTreeMap<(bool, Method, Option<String>), (usize, String)> = BTreeMap::new();
        let mut enter = |refused, method, answer: &Answer, id: String| {
            let reason = match answer {
                Answer::Unsupported(reason) => Some(reason.clone()),
                Answer::Omitted(feature) => Some(format!("the adapter omits {feature}")),
                _ => None,
            };
            reasons.entry((refused, method, reason)).or_insert((0, id)).0 += 1;
        };
        for outcome in self.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Unsupported) {
            let answer = outcome.deciding_answer();
            enter(outcome.is_refused(), outcome.case.method, answer, outcome.case.id.clone());
        }
        for outcome in self.derived.iter().filter(|outcome| outcome.is_refused()) {
            if let Some(Evidence::NoAnswer(question, answer)) = &outcome.evidence {
                enter(true, question.method, answer, outcome.id());
            }
        }
        let reason =
            |((refused, method, reason), (count, first))| Unsupported { refused, method, reason, count, first };
        reasons.into_iter().map(reason).collect()
    }

    /// Whether any case was answered at all.
    #[must_use]
    pub fn ran(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.verdict.is_asked())
    }
}
