//! When two answers are the same. `spec/case-format.md` says it in words, and `corpus/compare.json` holds
//! vectors for whoever loads the corpus without this program.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::adapter::{Answer, FaultKind};
use crate::case::{Case, Matcher};
use crate::formats::FORMATS;
use crate::json::{Json, JsonString, Pointer, first_difference, json_equal};
use crate::openui::{CONTEXT_LABEL, LineKind, Mode, Options, PREFIX, Profile, trace};
use crate::protocol::Method;

/// The first place where an answer differs from what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where in the result.
    pub at: Pointer,
    /// What was expected there; `None` for nothing.
    pub expected: Option<Json>,
    /// What was found there; `None` for nothing.
    pub found: Option<Json>,
    /// The pattern that what was found does not match.
    pub pattern: Option<String>,
}

/// Compares a result with the expected one: whole, but for what the method lets be absent, with numbers by
/// their value, members in any order, and JSON inside written messages and model texts as JSON. `None` where
/// they are the same.
#[must_use]
pub fn difference(
    method: Method,
    profile: Profile,
    matchers: &[Matcher],
    expected: &Json,
    found: &Json,
) -> Option<Difference> {
    let (mut expected, mut found) = (with_defaults(method, expected), with_defaults(method, found));
    for matcher in matchers {
        let text = matcher.pointer.find(&found);
        if !text.and_then(Json::as_str).is_some_and(|text| matcher.pattern.is_match(text)) {
            return Some(Difference {
                at: matcher.pointer.clone(),
                expected: None,
                found: text.cloned(),
                pattern: Some(matcher.pattern.to_string()),
            });
        }
        for result in [&mut expected, &mut found] {
            if let Some(place) = matcher.pointer.find_mut(result) {
                *place = Json::Null;
            }
        }
    }
    let embedded = match method {
        Method::OpenuiBuild | Method::OpenuiFromEvent => Some(("message", Embedded::Message(profile))),
        Method::OpenuiModelText => Some(("text", Embedded::ModelText)),
        _ => None,
    };
    if let Some((member, embedded)) = embedded
        && let (Some(left), Some(right)) =
            (expected.get(member).and_then(Json::as_str), found.get(member).and_then(Json::as_str))
        && embedded.same(left, right)
    {
        // The texts count as equal; whatever else is there is compared as it is.
        for result in [&mut expected, &mut found] {
            if let Some(place) = Pointer::default().child(member).find_mut(result) {
                *place = Json::Null;
            }
        }
    }
    first_difference(&expected, &found).map(|(at, expected, found)| Difference {
        at,
        expected: expected.cloned(),
        found: found.cloned(),
        pattern: None,
    })
}

/// Compares what counts in a case as [`difference`] does: its matched places by their patterns, and of the members that
/// the method has only those that the case lists. What is no member of the method counts in any case. `None` where they
/// are the same.
#[must_use]
pub fn case_difference(case: &Case, profile: Profile, expected: &Json, found: &Json) -> Option<Difference> {
    difference(case.method, profile, &case.matchers, &counted(case, expected), &counted(case, found))
}

/// The first place where two answers to the same params of a case differ, by what counts in the case. Places that a
/// pattern matches do not count, nor do ids that are new each time; refusals are told apart by their kinds. `None` where
/// the answers are the same, and where one of them was not asked for.
#[must_use]
pub fn answers_differ(case: &Case, profile: Profile, first: &Answer, again: &Answer) -> Option<Pointer> {
    let whole = Some(Pointer::default());
    match (first, again) {
        (Answer::Result(first), Answer::Result(again)) => {
            let (mut first, mut again) = (counted(case, first).into_owned(), counted(case, again).into_owned());
            let patterns = case.matchers.iter().map(|matcher| matcher.pointer.clone());
            for place in patterns.chain(new_each_time(case.method)) {
                let texts =
                    [&first, &again].map(|result| place.find(result).is_some_and(|text| text.as_str().is_some()));
                for result in [&mut first, &mut again].into_iter().filter(|_| texts == [true; 2]) {
                    if let Some(text) = place.find_mut(result) {
                        *text = Json::Null;
                    }
                }
            }
            difference(case.method, profile, &[], &first, &again).map(|difference| difference.at)
        }
        (Answer::Refusal { kind: first, .. }, Answer::Refusal { kind: again, .. }) => whole.filter(|_| first != again),
        (Answer::Unsupported(_), Answer::Unsupported(_)) | (Answer::NoSuchMethod, Answer::NoSuchMethod) => None,
        (Answer::Omitted(_), Answer::Omitted(_)) => None,
        (Answer::Fault(first), Answer::Fault(again)) if first.kind == again.kind => None,
        (Answer::Fault(fault), _) | (_, Answer::Fault(fault)) if fault.kind == FaultKind::NotRun => None,
        _ => whole,
    }
}

/// Where the results of a method have an id that may be new each time.
fn new_each_time(method: Method) -> Option<Pointer> {
    let place = match method {
        Method::ToonuiReply | Method::ToonuiSubmit => "/payload/eventId",
        Method::ToonuiToUiMessage => "/message/id",
        _ => return None,
    };
    place.parse().ok()
}

/// A result without the members that do not count in a case.
fn counted<'r>(case: &Case, result: &'r Json) -> Cow<'r, Json> {
    let (Some(members), Json::Object(all)) = (&case.members, result) else { return Cow::Borrowed(result) };
    let passed_over = |name: &JsonString| {
        name.as_str()
            .is_some_and(|name| FORMATS.method(case.method).result.members.contains(&name) && !members.contains(&name))
    };
    Cow::Owned(Json::Object(all.iter().filter(|(name, _)| !passed_over(name)).cloned().collect()))
}

/// Both results of a case as people compare them: with what the method lets be absent filled in, without what does not
/// count, and the members of the found one in the order of the expected one.
#[must_use]
pub fn side_by_side(case: &Case, expected: &Json, found: &Json) -> (Json, Json) {
    let shown = |result| counted(case, &with_defaults(case.method, result)).into_owned();
    let (expected, found) = (shown(expected), shown(found));
    let found = in_order_of(&expected, found);
    (expected, found)
}

fn in_order_of(model: &Json, value: Json) -> Json {
    match (model, value) {
        (Json::Object(model), Json::Object(members)) => {
            let place = |name: &JsonString| model.iter().position(|(known, _)| known == name);
            let mut members: Vec<(JsonString, Json)> = members
                .into_iter()
                .map(|(name, value)| match place(&name) {
                    Some(at) => (name, in_order_of(&model[at].1, value)),
                    None => (name, value),
                })
                .collect();
            members.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
            Json::Object(members)
        }
        (Json::Array(model), Json::Array(items)) => {
            let aligned = items.into_iter().enumerate().map(|(at, item)| match model.get(at) {
                Some(model) => in_order_of(model, item),
                None => item,
            });
            Json::Array(aligned.collect())
        }
        (_, value) => value,
    }
}

/// Fills in what the method lets be absent: `context` is null, `attributes` empty and `end` false. Of violations it
/// leaves the rules.
fn with_defaults(method: Method, result: &Json) -> Json {
    let message = |result: &Json| {
        let mut result = result.clone();
        if let Json::Object(members) = &mut result {
            let defaults = [("context", Json::Null), ("attributes", Json::Object(Vec::new())), ("end", false.into())];
            for (name, default) in defaults {
                if !members.iter().any(|(known, _)| known.as_str() == Some(name)) {
                    members.push((JsonString::from(name), default));
                }
            }
        }
        result
    };
    match (method, result) {
        (Method::OpenuiParse, _) => message(result),
        (Method::OpenuiStream, Json::Object(members)) => Json::Object(
            members
                .iter()
                .map(|(name, value)| {
                    let value = match (name.as_str(), value) {
                        (Some("snapshots"), Json::Array(items)) => Json::Array(items.iter().map(message).collect()),
                        (Some("final"), value) => message(value),
                        (_, value) => value.clone(),
                    };
                    (name.clone(), value)
                })
                .collect(),
        ),
        (Method::GlossenCheck, Json::Object(members)) => Json::Object(
            members
                .iter()
                .map(|(name, value)| {
                    let is_violations = *name == JsonString::from("violations");
                    let rules = if is_violations { broken_rules(value) } else { None };
                    (name.clone(), rules.unwrap_or_else(|| value.clone()))
                })
                .collect(),
        ),
        _ => result.clone(),
    }
}

/// The rules of violations, each once and in order, which is what counts of them; `None` where that is no list of
/// violations.
fn broken_rules(violations: &Json) -> Option<Json> {
    let Json::Array(violations) = violations else { return None };
    let rules: Option<BTreeSet<&JsonString>> = violations
        .iter()
        .map(|violation| match violation.get("rule") {
            Some(Json::String(rule)) => Some(rule),
            _ => None,
        })
        .collect();
    let rules = rules?.into_iter().map(|rule| Json::object([("rule", Json::String(rule.clone()))]));
    Some(Json::Array(rules.collect()))
}

/// Texts that hold JSON.
enum Embedded {
    /// A written message: the context behind its marker lines.
    Message(Profile),
    /// A user's text for the model: the context behind its label.
    ModelText,
}

impl Embedded {
    fn same(&self, expected: &str, found: &str) -> bool {
        match self {
            Embedded::Message(profile) => {
                let (left, right) = (cut(expected, *profile), cut(found, *profile));
                left.len() == right.len()
                    && left.iter().zip(&right).all(|(left, right)| match (left, right) {
                        (Part::Context(left), Part::Context(right)) => same_text(left, right),
                        (Part::Characters(left), Part::Characters(right)) => left == right,
                        _ => false,
                    })
            }
            Embedded::ModelText => {
                let labels = || expected.match_indices(CONTEXT_LABEL).map(|(at, label)| at + label.len());
                let json = labels().find(|at| crate::json::parse(&expected[*at..]).is_ok());
                match json {
                    Some(at) => found
                        .get(at..)
                        .is_some_and(|context| found[..at] == expected[..at] && same_text(&expected[at..], context)),
                    None => expected == found,
                }
            }
        }
    }
}

/// Compares as JSON what is JSON, and the characters around it as characters.
fn same_text(expected: &str, found: &str) -> bool {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let around = |text: &str| {
        let start = text.len() - text.trim_start_matches(SPACE).len();
        let end = text.trim_end_matches(SPACE).len().max(start);
        (text[..start].to_owned(), text[end..].to_owned())
    };
    match (crate::json::parse(expected), crate::json::parse(found)) {
        (Ok(left), Ok(right)) => around(expected) == around(found) && json_equal(&left, &right),
        _ => expected == found,
    }
}

enum Part<'a> {
    /// A marker line, or a body that is no context.
    Characters(&'a str),
    /// The body of a context section.
    Context(&'a str),
}

/// Cuts a written message at its marker lines, as the profile reads it.
fn cut(message: &str, profile: Profile) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut body_start = 0;
    let mut in_context = false;
    let body = |span: std::ops::Range<usize>, in_context: bool| {
        let text = &message[span];
        if in_context { Part::Context(text) } else { Part::Characters(text) }
    };
    for line in trace(message, Mode::Whole, &Options::from(profile)) {
        if line.kind == LineKind::Marker {
            parts.push(body(body_start..line.span.start, in_context));
            let marker = &message[line.span.clone()];
            parts.push(Part::Characters(marker));
            in_context = marker[PREFIX.len()..].split(['?', '\n', '\r']).next() == Some("context");
            body_start = line.span.end;
        }
    }
    parts.push(body(body_start..message.len(), in_context));
    parts
}
