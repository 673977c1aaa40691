//! What a failure is evidence of: the places at which the answer differs, the rule that speaks of them, and the shape by
//! which failures are alike. Every report takes its headings from here.

use std::collections::BTreeSet;

use super::compare::{Difference, side_by_side};
use super::derived::{DerivedOutcome, Evidence};
use super::record::{CaseOutcome, Departure};
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::{Case, Outcome};
use crate::json::{self, Json, JsonString, means_same};
use crate::openui::{PREFIX, Profile};
use crate::protocol::Method;
use crate::rules;

/// Which rules speak of which places of an answer: rules by their ids, or all whose ids begin so. The longest counts, and
/// a rule that is not here speaks of every place of its format.
///
/// A place is a member of a read message, where `content` has a word for how the texts differ (`space`: in white space
/// alone; `marker`: one has more marker prefixes than the other; `text`); a part of a written message; or a JSON pointer
/// with `*` for each index. `refusal` is a result where a refusal was expected, or the other way round. `*:space` is any
/// text that differs in white space alone.
const SPEAKS_OF: &[(&str, &[&str])] = &[
    ("openui.marker.*", &["content"]),
    ("openui.section.*", &["content", "context"]),
    ("openui.section.empty", &["content", "context", "end"]),
    ("openui.section.crlf", &["content:space", "content:marker", "context"]),
    ("openui.section.line-ending-before-marker", &["content:space", "context"]),
    ("openui.read.last-content-wins", &["content:marker", "content:text"]),
    ("openui.read.context-before-content", &["context"]),
    ("openui.read.leading-text", &["content"]),
    ("openui.read.unknown-kind", &["content:marker", "content:text", "context"]),
    ("openui.read.plain-text", &["content"]),
    ("openui.read.end", &["end"]),
    ("openui.read.final-line-ending", &["content:space"]),
    ("openui.read.text-after-end", &["content"]),
    ("openui.read.several-contexts", &["context"]),
    ("openui.read.stale-end", &["end"]),
    ("openui.read.display", &["content:marker", "content:text"]),
    ("openui.context.*", &["context"]),
    ("openui.attributes.*", &["attributes"]),
    ("openui.stream.*", &["content"]),
    ("openui.stream.release", &["content", "context", "attributes", "end"]),
    ("openui.build.layout", &["message:layout"]),
    ("openui.build.context", &["message:context"]),
    ("openui.build.json-context", &["message:context"]),
    ("openui.build.attributes", &["message:marker-line"]),
    ("openui.build.forged-marker", &["message:content", "message:context", "refusal"]),
    ("openui.build.not-writable", &["message:content", "refusal"]),
    ("openui.event.turn", &["message:content", "message:no-list"]),
    ("openui.event.clicked", &["message:clicked"]),
    ("openui.event.form-state", &["message:form-state", "message:items"]),
    ("openui.event.context", &["message:action-context", "message:items"]),
    ("openui.event.empty-message", &["message:content"]),
    ("toonui.event.id", &["/payload/eventId"]),
    ("toonui.event.form-title", &["/payload/formTitle"]),
    ("toonui.content.layout", &["*:space"]),
    ("glossen.validate.order", &["refusal"]),
    ("glossen.edit.replace", &["/messages#", "/messages/*/parts"]),
    ("glossen.edit.own-id", &["/messages/*/id"]),
    ("glossen.edit.as-given", &["/messages/*/metadata", "/messages/*/parts"]),
    ("glossen.model.convert", &["/messages#", "/messages/*/content#"]),
    ("glossen.model.shape", &["/messages#", "/messages/*/content#"]),
    ("glossen.model.text", &["/messages/*/content/*/text"]),
    ("glossen.model.frame", &["/messages/*/content/*/text"]),
];

/// Places that are kept of one failure; more say no more.
const PLACES: usize = 64;

/// How well a rule and the places of a failure go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The rule speaks of none of them.
    None,
    /// It speaks of some of them.
    Some,
    /// It speaks of all places.
    Any,
    /// It speaks of these places, and not of all others.
    Exact,
}

impl Fit {
    /// How much a failure counts against a rule.
    fn weight(self) -> f64 {
        match self {
            Fit::None => 0.0,
            Fit::Some => 0.4,
            Fit::Any => 0.8,
            Fit::Exact => 1.0,
        }
    }
}

/// Where an answer differs.
#[derive(Debug, Default)]
struct Places {
    words: BTreeSet<String>,
    /// Whether something differs that was read while more was to come.
    streaming: bool,
    /// Whether something differs that was read whole.
    whole: bool,
}

impl Places {
    fn one(word: &str) -> Places {
        Places { words: BTreeSet::from([word.to_owned()]), streaming: false, whole: true }
    }

    fn add(&mut self, word: String) {
        if self.words.len() < PLACES {
            self.words.insert(word);
        }
    }
}

/// The rule under which reports put a case.
fn rule<'o>(outcome: &'o CaseOutcome<'_>, profile: Profile) -> Option<&'o str> {
    let listed = &outcome.case.rules;
    let holds = |id: &&String| rules::named(id).is_some_and(|rule| rule.holds_in(profile));
    let first = listed.iter().find(holds).or(listed.first())?;
    let Some(places) = places(outcome) else { return Some(first) };
    let best = listed.iter().filter(holds).map(|id| fit(id, &places)).max();
    Some(listed.iter().filter(holds).find(|id| Some(fit(id, &places)) == best).unwrap_or(first))
}

/// How much the outcome of a case counts against one of its rules, from 0 to 1.
pub(super) fn weight(outcome: &CaseOutcome<'_>, id: &str) -> f64 {
    /// A rule that is not the first in the list of a case counts for less.
    const BEHIND: f64 = 0.8;
    let place = if outcome.case.rules.first().is_some_and(|first| first == id) { 1.0 } else { BEHIND };
    place * places(outcome).map_or(Fit::Any, |places| fit(id, &places)).weight()
}

fn fit(id: &str, places: &Places) -> Fit {
    let named = |kind: &str| places.words.iter().filter_map(|word| word.strip_prefix(kind)).collect::<Vec<_>>();
    // The answer itself names what it breaks.
    let broken = named("rule:");
    if !broken.is_empty() {
        return if broken.contains(&id) { Fit::Exact } else { Fit::None };
    }
    let chosen = named("choice:");
    if !chosen.is_empty() {
        return if chosen.contains(&id) { Fit::Exact } else { Fit::Some };
    }
    if id == "openui.stream.only-when-streaming" {
        if places.streaming {
            return Fit::None;
        }
    } else if is_named(id, "openui.stream.*") {
        match (places.streaming, places.whole) {
            (false, _) => return Fit::None,
            (true, true) => return Fit::Some,
            (true, false) => {}
        }
    }
    let Some((_, of)) = SPEAKS_OF.iter().filter(|(known, _)| is_named(id, known)).max_by_key(|(known, _)| known.len())
    else {
        return Fit::Any;
    };
    let is_of = |word: &&String| of.iter().any(|place| is_within(word, place));
    match places.words.iter().filter(is_of).count() {
        0 => Fit::None,
        some if some < places.words.len() => Fit::Some,
        _ => Fit::Exact,
    }
}

/// Whether the table names a rule by its id, or by what it begins with.
fn is_named(id: &str, known: &str) -> bool {
    known.strip_suffix('*').map_or(id == known, |start| id.starts_with(start))
}

/// Whether a place is one of the table, or within it.
fn is_within(word: &str, place: &str) -> bool {
    match (place.strip_prefix('*'), word.strip_prefix(place)) {
        (Some(ending), _) => word.ends_with(ending),
        (None, Some(rest)) => rest.is_empty() || rest.starts_with([':', '/', '#']),
        (None, None) => false,
    }
}

/// Where the answer to a case differs; `None` where it is not wrong at a place.
fn places(outcome: &CaseOutcome<'_>) -> Option<Places> {
    let case = outcome.case;
    match outcome.departure.as_ref()? {
        Departure::Result { expected, difference } => {
            let Answer::Result(found) = &outcome.answer else { return None };
            Some(match &difference.pattern {
                Some(_) => Places::one(&general(&difference.at.to_string())),
                None => differing(case, expected, found),
            })
        }
        Departure::NotSame(Answer::Result(second)) => match &outcome.answer {
            Answer::Result(first) => Some(differing(case, first, second)),
            _ => Some(Places::one("refusal")),
        },
        Departure::NotSame(_) | Departure::Outcome => Some(Places::one("refusal")),
        Departure::Choice { rule, .. } => Some(Places::one(&format!("choice:{rule}"))),
        Departure::Unstable(again) => Some(Places::one(&general(&again.at.to_string()))),
        Departure::Warning(_)
        | Departure::Growth(_)
        | Departure::ListedButMissing
        | Departure::Refused
        | Departure::NoAnswer => None,
    }
}

/// Where two results of a case differ.
fn differing(case: &Case, expected: &Json, found: &Json) -> Places {
    let (mut expected, mut found) = side_by_side(case, expected, found);
    // What is matched by a pattern is not compared.
    for matcher in &case.matchers {
        for result in [&mut expected, &mut found] {
            if let Some(place) = matcher.pointer.find_mut(result) {
                *place = Json::Null;
            }
        }
    }
    let mut places = Places::default();
    match case.method {
        Method::OpenuiParse => {
            let streams = json::parse(&case.params)
                .is_ok_and(|params| params.get("streaming").is_some_and(|value| *value == Json::Bool(true)));
            message(&expected, &found, streams, &mut places);
        }
        Method::OpenuiStream => {
            let snapshots = [&expected, &found].map(|result| match result.get("snapshots") {
                Some(Json::Array(snapshots)) => &snapshots[..],
                _ => &[],
            });
            if snapshots[0].len() != snapshots[1].len() {
                places.streaming = true;
                places.add("snapshots".to_owned());
            }
            for (expected, found) in snapshots[0].iter().zip(snapshots[1]) {
                message(expected, found, true, &mut places);
            }
            if let (Some(expected), Some(found)) = (expected.get("final"), found.get("final")) {
                message(expected, found, false, &mut places);
            }
        }
        Method::OpenuiBuild | Method::OpenuiFromEvent => {
            let text = |result: &Json| result.get("message").and_then(Json::as_str).unwrap_or_default().to_owned();
            let (expected, found) = (text(&expected), text(&found));
            places.whole = true;
            if case.method == Method::OpenuiBuild {
                written(&expected, &found, &mut places);
            } else {
                let has_form_state = json::parse(&case.params).is_ok_and(|params| params.get("form_state").is_some());
                turn(&expected, &found, has_form_state, &mut places);
            }
        }
        Method::GlossenCheck => {
            places.whole = true;
            let broken = |result: &Json| match result.get("violations") {
                Some(Json::Array(violations)) => violations
                    .iter()
                    .filter_map(|violation| violation.get("rule")?.as_str().map(str::to_owned))
                    .collect::<BTreeSet<_>>(),
                _ => BTreeSet::new(),
            };
            for rule in broken(&expected).symmetric_difference(&broken(&found)) {
                places.add(format!("rule:{rule}"));
            }
        }
        _ => {
            places.whole = true;
            leaves("", &expected, &found, &mut places);
        }
    }
    if places.words.is_empty() {
        // Only a text that holds JSON, or what is no member of the method.
        leaves("", &expected, &found, &mut places);
    }
    places
}

/// The members in which two read messages differ. Where the contents do, what else differs follows from that: a marker
/// that is not seen shows in every member.
fn message(expected: &Json, found: &Json, streams: bool, places: &mut Places) {
    for name in ["content", "context", "attributes", "end"] {
        let (expected, found) = (expected.get(name), found.get(name));
        if same(expected, found) {
            continue;
        }
        if streams {
            places.streaming = true
        } else {
            places.whole = true
        }
        places.add(match (name, expected.and_then(Json::as_str), found.and_then(Json::as_str)) {
            ("content", Some(expected), Some(found)) => format!("content:{}", text_change(expected, found)),
            ("content", ..) => "content:text".to_owned(),
            _ => name.to_owned(),
        });
        if name == "content" {
            return;
        }
    }
}

fn same(left: Option<&Json>, right: Option<&Json>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => means_same(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// How two texts differ: in white space alone, in how many marker prefixes there are, or otherwise.
fn text_change(expected: &str, found: &str) -> &'static str {
    let marks = |text: &str| text.matches(&PREFIX[..3]).count();
    if squeezed(expected) == squeezed(found) {
        "space"
    } else if marks(expected) != marks(found) {
        "marker"
    } else {
        "text"
    }
}

/// A text without its white space.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The parts in which two written messages differ.
fn written(expected: &str, found: &str, places: &mut Places) {
    if squeezed(expected) == squeezed(found) {
        return places.add("message:layout".to_owned());
    }
    let mark = format!("\n{PREFIX}context");
    let cut = |text: &str| match text.split_once(&mark) {
        Some((content, context)) => (content.to_owned(), Some(context.to_owned())),
        None => (text.to_owned(), None),
    };
    let ((expected, expected_context), (found, found_context)) = (cut(expected), cut(found));
    if expected_context != found_context {
        places.add("message:context".to_owned());
    }
    if expected.lines().next() != found.lines().next() {
        places.add("message:marker-line".to_owned());
    } else if expected != found {
        places.add("message:content".to_owned());
    }
}

/// The parts in which two written turns differ.
fn turn(expected: &str, found: &str, has_form_state: bool, places: &mut Places) {
    let mark = format!("\n{PREFIX}context\n");
    let cut = |text: &str| match text.split_once(&mark) {
        Some((content, context)) => (content.to_owned(), json::parse(context).ok()),
        None => (text.to_owned(), None),
    };
    let ((expected, expected_context), (found, found_context)) = (cut(expected), cut(found));
    if expected != found {
        places.add("message:content".to_owned());
    }
    let (Some(Json::Array(expected)), Some(Json::Array(found))) = (expected_context, found_context) else {
        return places.add("message:no-list".to_owned());
    };
    if !same(expected.first(), found.first()) {
        places.add("message:clicked".to_owned());
    }
    if expected.len() != found.len() {
        places.add("message:items".to_owned());
        return;
    }
    // Behind what was clicked stands the form state, if there is one, and then the context of the action.
    for (at, (left, right)) in expected.iter().zip(&found).enumerate().skip(1) {
        if !means_same(left, right) {
            let item = if at == 1 && has_form_state { "message:form-state" } else { "message:action-context" };
            places.add(item.to_owned());
        }
    }
}

/// The innermost places at which two values differ.
fn leaves(at: &str, expected: &Json, found: &Json, places: &mut Places) {
    if places.words.len() >= PLACES || means_same(expected, found) {
        return;
    }
    match (expected, found) {
        (Json::Object(left), Json::Object(right)) => {
            let names: BTreeSet<&JsonString> = left.iter().chain(right).map(|(name, _)| name).collect();
            for name in names {
                let name = name.to_text();
                let place = format!("{at}/{name}");
                match (expected.get(&name), found.get(&name)) {
                    (Some(left), Some(right)) => leaves(&place, left, right, places),
                    _ => places.add(place),
                }
            }
        }
        (Json::Array(left), Json::Array(right)) => {
            if left.len() != right.len() {
                // One too many or too few moves all behind it.
                return places.add(format!("{at}#"));
            }
            let place = format!("{at}/*");
            left.iter().zip(right).for_each(|(left, right)| leaves(&place, left, right, places));
        }
        (Json::String(left), Json::String(right)) => {
            places.add(format!("{at}:{}", text_change(&left.to_text(), &right.to_text())));
        }
        _ if at == "/accepted" => places.add("refusal".to_owned()),
        _ => places.add(at.to_owned()),
    }
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

impl CaseOutcome<'_> {
    /// The rule under which a report puts the case: of its rules that hold in this profile the one that the evidence
    /// points to, which speaks of the places at which the answer differs; the first among equals.
    #[must_use]
    pub fn rule(&self, profile: Profile) -> Option<&str> {
        rule(self, profile)
    }

    /// The shape of a failure with this verdict: the place and the kind of the change, in words. Failures of one shape
    /// are alike.
    #[must_use]
    pub fn shape(&self, verdict: Verdict) -> Option<String> {
        let shape = match self.departure.as_ref()? {
            Departure::Result { difference, .. } => difference_shape(difference),
            Departure::Outcome => {
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
            Departure::Choice { rule, chosen, .. } => format!("another choice, {rule}={chosen}"),
            Departure::NotSame(_) => "another answer to the same question".to_owned(),
            Departure::Warning(_) => "a right answer with a warning".to_owned(),
            Departure::Growth(_) => "a time that grows too fast".to_owned(),
            Departure::ListedButMissing => "no such method".to_owned(),
            Departure::Unstable(_) => "another answer the next time".to_owned(),
            Departure::Refused => "a refusal (code 2)".to_owned(),
            Departure::NoAnswer => "no answer".to_owned(),
        };
        Some(match verdict {
            Verdict::Fail => shape,
            verdict => format!("{verdict}: {shape}"),
        })
    }
}

impl DerivedOutcome<'_> {
    /// The shape of a failure with this verdict, in words: which check does not hold, and whether for want of an answer.
    #[must_use]
    pub fn shape(&self, verdict: Verdict) -> Option<String> {
        let shape = match self.evidence.as_ref()? {
            Evidence::Departs { .. } => format!("#{} does not hold", self.check.name()),
            Evidence::NoAnswer(question, _) => {
                format!("#{} without an answer to {}", self.check.name(), question.method)
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
    match (&difference.expected, &difference.found) {
        (None, _) => format!("{at} is too much"),
        (_, None) => format!("{at} is missing"),
        (Some(Json::String(expected)), Some(Json::String(found))) => {
            let (expected, found) = (expected.to_text(), found.to_text());
            let change = if squeezed(&expected) == squeezed(&found) {
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
        for (known, places) in SPEAKS_OF {
            assert!(rules::all().iter().any(|rule| is_named(&rule.id, known)), "{known} is no rule");
            assert!(!places.is_empty(), "{known}");
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
