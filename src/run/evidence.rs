//! Evidence of failures: the places at which an answer differs, the rule that is about them, and the shape that similar
//! failures share. Every report takes its headings from here.

use super::compare::{Difference, side_by_side};
use super::derived::{CheckResult, Evidence};
use super::record::{CaseResult, Failure};
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::{Case, Outcome};
use crate::format::places::{Places, Reading, without_space};
use crate::formats::FORMATS;
use crate::json::Json;
use crate::rules::{self, Level};
use crate::settings::ProfileName;

/// How well a rule matches the places of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The rule is about none of them.
    None,
    /// The rule is about some of them.
    Some,
    /// The rule is about every place.
    Any,
    /// The rule is about these places in particular.
    Exact,
}

impl Match {
    /// How much a failure counts against a rule.
    fn weight(self) -> f64 {
        match self {
            Match::None => 0.0,
            Match::Some => 0.4,
            Match::Any => 0.8,
            Match::Exact => 1.0,
        }
    }
}

/// The rule under which reports list a case: of those that apply in the profile, the one that is about the places at
/// which the answer differs, and the first in the list among equals.
fn rule<'o>(outcome: &'o CaseResult<'_>, profile: ProfileName) -> Option<&'o str> {
    let listed = &outcome.case.rules;
    let holds = |id: &&String| rules::named(id).is_some_and(|rule| rule.applies_in(profile));
    let first = listed.iter().find(holds).or(listed.first())?;
    let Some(places) = places_of(outcome) else { return Some(first) };
    let best = listed.iter().filter(holds).map(|id| fit(id, &places)).max();
    Some(listed.iter().filter(holds).find(|id| Some(fit(id, &places)) == best).unwrap_or(first))
}

/// How much the outcome of a case counts against one of its rules, from 0 to 1.
pub(super) fn weight(outcome: &CaseResult<'_>, id: &str) -> f64 {
    /// A rule that is not the first in the list of a case counts for less.
    const BEHIND: f64 = 0.8;
    let place = if outcome.case.rules.first().is_some_and(|first| first == id) { 1.0 } else { BEHIND };
    place * places_of(outcome).map_or(Match::Any, |places| fit(id, &places)).weight()
}

fn fit(id: &str, places: &Places) -> Match {
    let named = |kind: &str| places.words().iter().filter_map(|word| word.strip_prefix(kind)).collect::<Vec<_>>();
    // The answer itself names the violated rules.
    let broken = named("rule:");
    if !broken.is_empty() {
        return if broken.contains(&id) { Match::Exact } else { Match::None };
    }
    let chosen = named("choice:");
    if !chosen.is_empty() {
        return if chosen.contains(&id) { Match::Exact } else { Match::Some };
    }
    let rows = FORMATS.all().flat_map(|def| def.rule_places()).filter(|row| row.names(id));
    let Some(row) = rows.max_by_key(|row| row.rules.len()) else { return Match::Any };
    match (row.reading, places.streaming, places.whole) {
        (Reading::Whole, true, _) | (Reading::Streaming, false, _) => return Match::None,
        (Reading::Streaming, true, true) => return Match::Some,
        (Reading::Any, ..) | (Reading::Whole, false, _) | (Reading::Streaming, true, false) => {}
    }
    let is_of = |word: &&String| row.places.iter().any(|place| is_within(word, place));
    match places.words().iter().filter(is_of).count() {
        0 => Match::None,
        some if some < places.words().len() => Match::Some,
        _ => Match::Exact,
    }
}

/// Whether a place is one of the table, or within it.
fn is_within(word: &str, place: &str) -> bool {
    match (place.strip_prefix('*'), word.strip_prefix(place)) {
        (Some(ending), _) => word.ends_with(ending),
        (None, Some(rest)) => rest.is_empty() || rest.starts_with([':', '/', '#']),
        (None, None) => false,
    }
}

/// The level of a wrong answer to a case: that of the weakest of the rules that can be about the places at which it
/// differs. A rule about another place leaves no room at these. An answer that breaks a rule of the format by itself has
/// the level of that rule.
pub(super) fn level(case: &Case, profile: ProfileName, answer: &Answer, failure: &Failure) -> Level {
    // The documents specify less for a written case of level `may` than its rules say.
    if case.level == Level::Must || case.level == Level::May && !case.is_sampled() {
        return case.level;
    }
    let Some(places) = places(case, answer, failure) else { return case.level };
    let listed = case.rules.iter().filter_map(|id| rules::named(id)).filter(|rule| rule.applies_in(profile));
    let concerned = listed.filter(|rule| fit(&rule.id, &places) != Match::None).map(|rule| rule.level).min();
    let broken = match answer {
        Answer::Result(found) => (case.method.breaks)(&case.params, found).and_then(rules::named),
        _ => None,
    };
    case.level.max(concerned.unwrap_or(case.level)).max(broken.map_or(case.level, |rule| rule.level))
}

fn places_of(outcome: &CaseResult<'_>) -> Option<Places> {
    places(outcome.case, &outcome.answer, outcome.failure.as_ref()?)
}

/// Returns where the answer to a case differs; `None` if it is not wrong at a place.
fn places(case: &Case, answer: &Answer, failure: &Failure) -> Option<Places> {
    match failure {
        Failure::Result { expected, difference } => {
            let Answer::Result(found) = answer else { return None };
            Some(match &difference.pattern {
                Some(_) => Places::one(&general(&difference.at.to_string())),
                None => differing(case, expected, found),
            })
        }
        Failure::NotSame(Answer::Result(second)) => match answer {
            Answer::Result(first) => Some(differing(case, first, second)),
            _ => Some(Places::one("refusal")),
        },
        Failure::NotSame(_) | Failure::Outcome => Some(Places::one("refusal")),
        Failure::Choice { rule, .. } => Some(Places::one(&format!("choice:{rule}"))),
        Failure::Flaky(again) => Some(Places::one(&general(&again.at.to_string()))),
        Failure::Warning(_) | Failure::Growth(_) | Failure::ListedButMissing | Failure::Refused | Failure::NoAnswer => {
            None
        }
    }
}

/// Returns where two results of a case differ.
fn differing(case: &Case, expected: &Json, found: &Json) -> Places {
    let (mut expected, mut found) = side_by_side(case, expected, found);
    // A place with a pattern is not compared.
    for matcher in &case.matchers {
        for result in [&mut expected, &mut found] {
            if let Some(place) = matcher.pointer.find_mut(result) {
                *place = Json::Null;
            }
        }
    }
    let mut places = (case.method.places)(&case.params, &expected, &found);
    if places.words().is_empty() {
        // Only a text that holds JSON, or what is no member of the method.
        places.add_leaves(&expected, &found);
    }
    places
}

/// A JSON pointer with `*` for each index.
fn general(pointer: &str) -> String {
    let step = |step: &str| match step {
        "" => String::new(),
        _ if step.bytes().all(|byte| byte.is_ascii_digit()) => "*".to_owned(),
        _ => step.to_owned(),
    };
    pointer.split('/').map(step).collect::<Vec<_>>().join("/")
}

impl CaseResult<'_> {
    /// Returns the rule under which a report lists the case: of its rules that apply in this profile, the one to which
    /// the evidence points, which is about the places at which the answer differs; the first among equals.
    #[must_use]
    pub fn rule(&self, profile: ProfileName) -> Option<&str> {
        rule(self, profile)
    }

    /// Returns the shape of a failure with this verdict: the place and the kind of the change, as text. Similar
    /// failures have the same shape.
    #[must_use]
    pub fn shape(&self, verdict: Verdict) -> Option<String> {
        let shape = match self.failure.as_ref()? {
            Failure::Result { difference, .. } => difference_shape(difference),
            Failure::Outcome => {
                let kind = |refused: bool| if refused { "a refusal" } else { "a result" };
                let found = matches!(self.answer, Answer::Refusal { .. });
                let expected = self.case.options().first();
                let expected = expected.is_some_and(|option| matches!(option.outcome, Outcome::Refusal(_)));
                if found && expected {
                    "a refusal of another kind".to_owned()
                } else {
                    format!("{} for {}", kind(found), kind(expected))
                }
            }
            Failure::Choice { rule, chosen, .. } => format!("another choice, {rule}={chosen}"),
            Failure::NotSame(_) => "another answer to the same question".to_owned(),
            Failure::Warning(_) => "a right answer with a warning".to_owned(),
            Failure::Growth(_) => "a time that grows too fast".to_owned(),
            Failure::ListedButMissing => "no such method".to_owned(),
            Failure::Flaky(_) => "another answer the next time".to_owned(),
            Failure::Refused => "a refusal (code 2)".to_owned(),
            Failure::NoAnswer => "no answer".to_owned(),
        };
        Some(match verdict {
            Verdict::Fail => shape,
            verdict => format!("{verdict}: {shape}"),
        })
    }
}

impl CheckResult<'_> {
    /// Returns the shape of a failure with this verdict, as text: which check fails, and whether an answer is missing.
    #[must_use]
    pub fn shape(&self, verdict: Verdict) -> Option<String> {
        let shape = match self.evidence.as_ref()? {
            Evidence::Failed { .. } => format!("#{} does not hold", self.check.name),
            Evidence::NoAnswer(question, _) => {
                format!("#{} without an answer to {}", self.check.name, question.method)
            }
        };
        Some(match verdict {
            Verdict::Fail => shape,
            verdict => format!("{verdict}: {shape}"),
        })
    }
}

fn difference_shape(difference: &Difference) -> String {
    let place = general(&difference.at.to_string());
    let at = if place.is_empty() { "the whole result".to_owned() } else { place };
    if difference.pattern.is_some() {
        return format!("{at} does not match");
    }
    match (&difference.expected, &difference.actual) {
        (None, _) => format!("{at} is too much"),
        (_, None) => format!("{at} is missing"),
        (Some(Json::String(expected)), Some(Json::String(found))) => {
            let (expected, found) = (expected.to_text(), found.to_text());
            let change = if without_space(&expected) == without_space(&found) {
                "with other white space"
            } else if found.contains(&*expected) {
                "with more text"
            } else if expected.contains(&*found) {
                "with less text"
            } else {
                "with another text"
            };
            format!("{at} {change}")
        }
        (Some(expected), Some(found)) if expected.kind() == found.kind() => format!("{at} with another value"),
        (Some(expected), Some(found)) => format!("{at} with {} for {}", found.kind(), expected.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_of_the_table_is_that_of_a_rule() {
        for row in FORMATS.all().flat_map(|def| def.rule_places()) {
            assert!(rules::all().iter().any(|rule| row.names(&rule.id)), "{} is no rule", row.rules);
            assert!(!row.places.is_empty(), "{}", row.rules);
        }
    }

    #[test]
    fn a_place_holds_what_is_within_it() {
        for (word, place, holds) in [
            ("content:space", "content", true),
            ("content:space", "content:space", true),
            ("context", "content", false),
            ("content", "cont", false),
            ("/messages/*/parts/*/text:text", "/messages/*/parts", true),
            ("/messages#", "/messages#", true),
            ("/text:space", "*:space", true),
            ("/text:text", "*:space", false),
        ] {
            assert_eq!(is_within(word, place), holds, "{word} in {place}");
        }
    }

    #[test]
    fn indices_are_general() {
        assert_eq!(general("/snapshots/12/content"), "/snapshots/*/content");
        assert_eq!(general(""), "");
    }
}
