//! The conformance statement of a run, for every report.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use strum::{Display, IntoStaticStr};

use super::assessed::{AssessedCase, AssessedCheck};
use super::record::RunResult;
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::format::{Feature, Format, Method};
use crate::formats::FORMATS;
use crate::rules::{self, Level};

/// The verdict of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Claim {
    /// Nothing failed, every method of the selected formats is supported, and nothing is omitted, refused or known to
    /// fail.
    Conformant,
    /// Nothing failed, and a part of the formats was judged: some methods are unsupported, features are omitted,
    /// requests at must were refused for a right reason, or a baseline covers failures.
    InPart,
    /// Something failed.
    NotConformant,
    /// No statement is possible: the run was interrupted, or nothing of level must was judged.
    None,
}

impl Claim {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether nothing failed, and everything that was judged conforms.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Claim::Conformant | Claim::InPart)
    }
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for Claim {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Claim".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// The verdict of a run, and what it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conformance {
    /// The verdict.
    pub claim: Claim,
    /// The methods of the selected formats that were judged, in order.
    pub judged: Vec<Method>,
    /// The features of supported methods that the implementation omits.
    pub omitted: Vec<Feature>,
    /// The methods of the selected formats that it does not support.
    pub not_offered: Vec<Method>,
    /// Cases of level must that were refused for a reason that is right where it applies.
    pub excused: usize,
    /// The number of cases and derived checks that fail the run.
    pub failing: usize,
    /// The number of refused requests that fail the run; they are among those that fail.
    pub refused: usize,
    /// The number of cases and derived checks that fail as the baseline says, without the refusals.
    pub known: usize,
    /// The number of requests that are refused as the baseline says.
    pub known_refusals: usize,
    /// The number of cases and derived checks that would fail, if they were not newer than the baseline.
    pub spared: usize,
    /// Why there is no statement, if there is none.
    why_none: Option<&'static str>,
}

impl Conformance {
    pub(super) fn of(
        record: &RunResult<'_>,
        cases: &[AssessedCase<'_, '_>],
        checks: &[AssessedCheck<'_, '_>],
    ) -> Conformance {
        let formats: BTreeSet<Format> = record.outcomes.iter().map(|outcome| outcome.case.method.format()).collect();
        let methods = || FORMATS.methods().filter(|method| formats.contains(&method.format()));
        let (offered, not_offered): (Vec<Method>, Vec<Method>) =
            methods().partition(|method| record.handshake.offers(method.name()));
        let has = |feature: &Feature| offered.iter().any(|method| feature.is_of(*method));
        let omitted: Vec<Feature> = FORMATS.omitted(&record.handshake).into_iter().filter(has).collect();
        let was_judged = |method: &Method| {
            cases
                .iter()
                .any(|case| case.outcome.case.method == *method && is_judged(case.verdict, case.outcome.is_refusal()))
        };
        let judged: Vec<Method> = offered.iter().copied().filter(was_judged).collect();

        let known = || {
            let cases = cases.iter().map(|case| (case.verdict, case.outcome.is_refusal()));
            let checks = checks.iter().map(|check| (check.verdict, check.outcome.is_refusal()));
            cases.chain(checks).filter(|(verdict, _)| *verdict == Verdict::KnownFailure)
        };
        let failing =
            cases.iter().filter(|case| case.fails).count() + checks.iter().filter(|check| check.fails).count();
        let would_fail = cases.iter().filter(|case| case.always_fails()).count()
            + checks.iter().filter(|check| check.always_fails()).count();
        let refused = cases.iter().filter(|case| case.is_refused()).count()
            + checks.iter().filter(|check| check.is_refused()).count();
        let mut conformance = Conformance {
            claim: Claim::NotConformant,
            judged,
            omitted,
            not_offered,
            excused: cases.iter().filter(|case| is_excused(case)).count(),
            failing,
            refused,
            known: known().filter(|(_, refusal)| !refusal).count(),
            known_refusals: known().filter(|(_, refusal)| *refusal).count(),
            spared: if failing == 0 { would_fail } else { 0 },
            why_none: None,
        };
        let none = if record.interrupted {
            Some("the run was interrupted")
        } else if failing > 0 {
            return conformance;
        } else if !cases.iter().any(|case| case.verdict.is_asked()) {
            Some("nothing ran")
        } else if !judged_at_must(cases, checks) {
            Some("nothing of level must was judged")
        } else {
            None
        };
        conformance.why_none = none;
        conformance.claim = if none.is_some() {
            Claim::None
        } else if conformance.is_whole() {
            Claim::Conformant
        } else {
            Claim::InPart
        };
        conformance
    }

    fn is_whole(&self) -> bool {
        self.not_offered.is_empty()
            && self.omitted.is_empty()
            && self.excused + self.known + self.known_refusals + self.spared == 0
    }

    /// Returns the verdict as a sentence, without a full stop: `conformant in part: FORMAT.METHOD, without streaming (15
    /// methods not offered)`.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.claim {
            Claim::Conformant => "conformant".to_owned(),
            Claim::NotConformant => "NOT conformant".to_owned(),
            Claim::None => format!("no verdict: {}", self.why_none.unwrap_or("nothing was judged")),
            Claim::InPart => format!("conformant in part: {}{}", self.part(), self.exceptions()),
        }
    }

    /// Returns what the sentence covers: methods, the features that they lack, and the number of other methods.
    fn part(&self) -> String {
        let mut part = listed(&self.judged.iter().map(|method| method.name()).collect::<Vec<_>>());
        if !self.omitted.is_empty() {
            let omitted: Vec<&str> = self.omitted.iter().map(|feature| feature.name()).collect();
            part.push_str(&format!(", without {}", listed(&omitted)));
        }
        match self.not_offered.len() {
            0 => {}
            1 => part.push_str(" (1 method not offered)"),
            count => part.push_str(&format!(" ({count} methods not offered)")),
        }
        part
    }

    fn exceptions(&self) -> String {
        let counts = [
            (self.excused, "case that needs ordered attributes", "cases that need ordered attributes"),
            (self.known, "known failure", "known failures"),
            (self.known_refusals, "known refusal", "known refusals"),
            (self.spared, "failure newer than the baseline", "failures newer than the baseline"),
        ];
        let but: Vec<String> = counts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect();
        let but: Vec<&str> = but.iter().map(String::as_str).collect();
        if but.is_empty() { String::new() } else { format!(", but for {}", listed(&but)) }
    }
}

/// Whether an answer was judged right or wrong, and is no refusal, known or not.
fn is_judged(verdict: Verdict, is_refusal: bool) -> bool {
    verdict.is_judged() && !is_refusal
}

/// Whether a case of level must was refused, and may be: only unordered attributes are a right reason.
fn is_excused(case: &AssessedCase<'_, '_>) -> bool {
    let outcome = case.outcome;
    outcome.case.level == Level::Must
        && case.verdict == Verdict::Unsupported
        && !outcome.is_refusal()
        && [&outcome.answer, outcome.deciding_answer()]
            .into_iter()
            .any(|answer| matches!(answer, Answer::Unsupported(_)))
}

/// Whether a case, or a derived check, of level must was judged.
fn judged_at_must(cases: &[AssessedCase<'_, '_>], checks: &[AssessedCheck<'_, '_>]) -> bool {
    let rule = |id: &str| rules::named(id).is_none_or(|rule| rule.level == Level::Must);
    cases
        .iter()
        .any(|case| case.outcome.case.level == Level::Must && is_judged(case.verdict, case.outcome.is_refusal()))
        || checks.iter().any(|check| rule(check.outcome.rule) && is_judged(check.verdict, check.outcome.is_refusal()))
}

/// Joins names as in a sentence: `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_part() -> Conformance {
        Conformance {
            claim: Claim::InPart,
            judged: FORMATS.methods().take(2).collect(),
            omitted: FORMATS.features().take(2).collect(),
            not_offered: FORMATS.methods().skip(2).collect(),
            excused: 0,
            failing: 0,
            refused: 0,
            known: 0,
            known_refusals: 0,
            spared: 0,
            why_none: None,
        }
    }

    /// Joins the first two names.
    fn names(names: impl Iterator<Item = &'static str>) -> String {
        names.take(2).collect::<Vec<_>>().join(" and ")
    }

    #[test]
    fn a_part_is_named_with_what_it_lacks() {
        let (methods, features) =
            (names(FORMATS.methods().map(Method::name)), names(FORMATS.features().map(Feature::name)));
        let others = FORMATS.methods().count() - 2;
        assert_eq!(
            in_part().sentence(),
            format!("conformant in part: {methods}, without {features} ({others} methods not offered)")
        );
    }

    #[test]
    fn what_a_baseline_covers_is_counted() {
        let whole = Conformance { omitted: Vec::new(), not_offered: Vec::new(), ..in_part() };
        let but =
            |known, known_refusals, spared| Conformance { known, known_refusals, spared, ..whole.clone() }.sentence();
        let part = format!("conformant in part: {}, but for ", names(FORMATS.methods().map(Method::name)));
        assert_eq!(but(1, 0, 0), format!("{part}1 known failure"));
        assert_eq!(
            but(12, 3, 2),
            format!("{part}12 known failures, 3 known refusals and 2 failures newer than the baseline")
        );
    }
}
