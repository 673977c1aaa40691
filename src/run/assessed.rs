//! Outcomes with the verdicts of a policy.

use super::derived::CheckResult;
use super::record::CaseResult;
use super::verdict::Verdict;

/// The outcome of a case, with the verdict of a policy.
#[derive(Clone, Copy, Debug)]
pub struct AssessedCase<'r, 'c> {
    /// What happened.
    pub outcome: &'r CaseResult<'c>,
    /// The rule under which reports list it; empty if it lists none.
    pub rule: &'r str,
    /// The verdict, which is a known failure or an unexpected pass if the baseline says so.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
}

impl AssessedCase<'_, '_> {
    /// Whether it is a sampled request.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.outcome.case.is_sampled()
    }

    /// Whether reports list it: a written case always, a sampled request if something is notable about it.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        !self.is_sampled() || !self.verdict.is_plain()
    }

    /// Whether it is a refusal that is not in the baseline.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.verdict == Verdict::Unsupported && self.outcome.is_refusal()
    }

    /// Whether it would fail any run, whatever the level and the age of the case.
    #[must_use]
    pub fn always_fails(&self) -> bool {
        self.verdict.fails() || self.is_refused()
    }
}

/// The outcome of a derived check, with the verdict of a policy.
#[derive(Clone, Copy, Debug)]
pub struct AssessedCheck<'r, 'c> {
    /// What happened.
    pub outcome: &'r CheckResult<'c>,
    /// The verdict, which is a known failure or an unexpected pass if the baseline says so.
    pub verdict: Verdict,
    /// Whether it fails the run.
    pub fails: bool,
}

impl AssessedCheck<'_, '_> {
    /// Whether it is a refusal that is not in the baseline.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.verdict == Verdict::Unsupported && self.outcome.is_refusal()
    }

    /// Whether it would fail any run, whatever the level and the age of the case.
    #[must_use]
    pub fn always_fails(&self) -> bool {
        self.verdict.fails() || self.is_refused()
    }
}
