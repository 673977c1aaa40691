//! Verdicts, and how many outcomes have each.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{Display, IntoStaticStr};
use thiserror::Error;

use crate::adapter::FaultKind;
use crate::nearest::did_you_mean;
use crate::rules::Level;

/// The verdict on an answer to a case, or to the requests of a derived check. The order is that of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// A right answer.
    Pass,
    /// A wrong answer to a case of level must.
    Fail,
    /// A wrong answer to a case of level should, or a right one with a warning.
    Warn,
    /// A wrong answer to a case of level may.
    Info,
    /// Unsupported.
    Unsupported,
    /// No valid answer. Two different answers to the same request count as [`FaultKind::Flaky`].
    #[strum(transparent)]
    NoAnswer(FaultKind),
    /// A known failure: it fails, as the baseline says.
    KnownFailure,
    /// An unexpected pass: nothing under its entry of the baseline fails any more.
    UnexpectedPass,
}

impl Verdict {
    /// The run ended before the request was sent.
    pub const NOT_RUN: Verdict = Verdict::NoAnswer(FaultKind::NotRun);

    /// Every verdict, in the order of reports.
    pub const ALL: [Verdict; 15] = [
        Verdict::Pass,
        Verdict::Fail,
        Verdict::Warn,
        Verdict::Info,
        Verdict::Unsupported,
        Verdict::NoAnswer(FaultKind::Error),
        Verdict::NoAnswer(FaultKind::Crash),
        Verdict::NoAnswer(FaultKind::Timeout),
        Verdict::NoAnswer(FaultKind::Malformed),
        Verdict::NoAnswer(FaultKind::Oversized),
        Verdict::NoAnswer(FaultKind::UnexpectedId),
        Verdict::NoAnswer(FaultKind::Flaky),
        Verdict::NOT_RUN,
        Verdict::KnownFailure,
        Verdict::UnexpectedPass,
    ];

    /// Returns the verdict on a wrong answer at this level.
    #[must_use]
    pub fn of_wrong_answer(level: Level) -> Verdict {
        match level {
            Level::Must => Verdict::Fail,
            Level::Should => Verdict::Warn,
            Level::May => Verdict::Info,
        }
    }

    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it fails the run: a wrong answer at level must, and no valid answer at every level. A case that was not
    /// run fails it too, unless the run was interrupted: the adapter was abandoned.
    #[must_use]
    pub fn fails(self) -> bool {
        matches!(self, Verdict::Fail | Verdict::NoAnswer(_) | Verdict::UnexpectedPass)
    }

    /// Whether reports show an outcome with this verdict as a failure, a warning or an info.
    #[must_use]
    pub fn is_failure(self) -> bool {
        !self.is_plain() && !matches!(self, Verdict::NOT_RUN | Verdict::KnownFailure | Verdict::UnexpectedPass)
    }

    /// Whether nothing is notable about it: a right answer, or none because the method is unsupported.
    #[must_use]
    pub fn is_plain(self) -> bool {
        matches!(self, Verdict::Pass | Verdict::Unsupported)
    }

    /// Whether there was an answer to judge, or one is missing.
    #[must_use]
    pub fn is_asked(self) -> bool {
        !matches!(self, Verdict::Unsupported | Verdict::NOT_RUN)
    }

    /// Whether an answer was judged right or wrong.
    #[must_use]
    pub fn is_judged(self) -> bool {
        !matches!(self, Verdict::Unsupported | Verdict::NoAnswer(_))
    }
}

/// A word that is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a verdict, but found `{word}`{}", did_you_mean(word, Verdict::ALL.into_iter().map(Verdict::name)))]
pub struct UnknownVerdict {
    word: String,
}

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(word: &str) -> Result<Verdict, UnknownVerdict> {
        let named = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word);
        named.ok_or_else(|| UnknownVerdict { word: word.to_owned() })
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Verdict, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Verdict {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// How many outcomes there are of each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Verdict, usize>);

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, verdict: Verdict) {
        *self.0.entry(verdict).or_default() += 1;
    }

    /// How many there are of all verdicts together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// How many there are of a verdict.
    #[must_use]
    pub fn of(&self, verdict: Verdict) -> usize {
        self.0.get(&verdict).copied().unwrap_or(0)
    }
}

impl Deref for Counts {
    type Target = BTreeMap<Verdict, usize>;

    fn deref(&self) -> &BTreeMap<Verdict, usize> {
        &self.0
    }
}

impl FromIterator<Verdict> for Counts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Counts {
        let mut counts = Counts::default();
        verdicts.into_iter().for_each(|verdict| counts.add(verdict));
        counts
    }
}

/// In the order of reports: `12 pass, 1 fail`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (verdict, count)) in self.0.iter().enumerate() {
            write!(f, "{}{count} {verdict}", if at > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// An object, its members in the order of their names.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_name: BTreeMap<&str, usize> = self.0.iter().map(|(verdict, count)| (verdict.name(), *count)).collect();
        by_name.serialize(serializer)
    }
}

impl JsonSchema for Counts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, usize>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_read_from_its_word() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.to_string().parse(), Ok(verdict));
            let json = serde_json::to_string(&verdict).expect("is JSON");
            assert_eq!(serde_json::from_str::<Verdict>(&json).expect("is a verdict"), verdict);
        }
        assert!(Verdict::ALL.is_sorted(), "the order is that of reports");
        let unknown = "crush".parse::<Verdict>().expect_err("is none").to_string();
        assert!(unknown.contains("`crush`") && unknown.contains("crash"), "{unknown}");
    }

    #[test]
    fn counts_are_words_in_the_order_of_reports_and_members_in_that_of_names() {
        let counts: Counts = [Verdict::Warn, Verdict::Pass, Verdict::Fail, Verdict::Pass].into_iter().collect();
        assert_eq!(counts.to_string(), "2 pass, 1 fail, 1 warn");
        assert_eq!(serde_json::to_string(&counts).expect("is JSON"), r#"{"fail":1,"pass":2,"warn":1}"#);
        assert_eq!((counts.of(Verdict::Pass), counts.of(Verdict::KnownFailure)), (2, 0));
    }
}
