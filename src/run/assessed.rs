//! Outcomes as a policy sees them.

use super::derived::DerivedOutcome;
use super::record::CaseOutcome;
use super::verdict::Verdict;

/// The outcome of a case, and what a policy makes of it.
#[derive(Clone, Copy, Debug)]
pub struct AssessedCase<'r, 'c> {
    /// What happened.
    pub outcome: &'r CaseOutcome<'c>,
    /// The rule under which reports put it; empty where it lists none.
    pub rule: &'r str,
    /// The verdict, known or fixed where the baseline says so.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
}

impl AssessedCase<'_, '_> {
    /// Whether it is a refusal that the baseline does not know.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.verdict == Verdict::Unsupported && self.outcome.is_refusal()
    }

    /// Whether it would fail any run: no level, and no age of the case, makes a difference.
    #[must_use]
    pub fn always_fails(&self) -> bool {
        self.verdict.fails() || self.is_refused()
    }
}

/// The outcome of a derived check, and what a policy makes of it.
#[derive(Clone, Copy, Debug)]
pub struct AssessedCheck<'r, 'c> {
    /// What happened.
    pub outcome: &'r DerivedOutcome<'c>,
    /// The verdict, known or fixed where the baseline says so.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
}

impl AssessedCheck<'_, '_> {
    /// Whether it is a refusal that the baseline does not know.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.verdict == Verdict::Unsupported && self.outcome.is_refusal()
    }

    /// Whether it would fail any run: no level, and no age of the case, makes a difference.
    #[must_use]
    pub fn always_fails(&self) -> bool {
        self.verdict.fails() || self.is_refused()
    }
}
