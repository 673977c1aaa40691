//! Comparison of answers. `spec/case-format.md` describes it, and `corpus/compare.json` has test vectors for programs
//! that load the corpus without this one.

use std::borrow::Cow;

use crate::adapter::{Answer, FaultKind};
use crate::case::{Case, Matcher};
use crate::format::Method;
use crate::json::{Json, JsonString, Pointer, first_difference};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// The first place where an answer differs from what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place in the result.
    pub at: Pointer,
    /// The value that was expected there; `None` for nothing.
    pub expected: Option<Json>,
    /// The value that was found there; `None` for nothing.
    pub actual: Option<Json>,
    /// The pattern that the found value does not match.
    pub pattern: Option<String>,
}

/// Compares a result with the expected one: whole, except for members that the method allows to be absent, with numbers
/// by their value, members in any order, and JSON inside written messages and model texts as JSON. Returns `None` if
/// they are the same.
#[must_use]
pub fn difference(
    method: Method,
    profile: ProfileName,
    matchers: &[Matcher],
    expected: &Json,
    actual: &Json,
) -> Option<Difference> {
    let (mut expected, mut actual) = ((method.normalise)(expected), (method.normalise)(actual));
    for matcher in matchers {
        let text = matcher.pointer.find(&actual);
        if !text.and_then(Json::as_str).is_some_and(|text| matcher.pattern.is_match(text)) {
            return Some(Difference {
                at: matcher.pointer.clone(),
                expected: None,
                actual: text.cloned(),
                pattern: Some(matcher.pattern.to_string()),
            });
        }
        for result in [&mut expected, &mut actual] {
            if let Some(place) = matcher.pointer.find_mut(result) {
                *place = Json::Null;
            }
        }
    }
    for embedded in method.texts {
        let text = |result: &Json| result.get(embedded.member).and_then(Json::as_str).map(str::to_owned);
        let (Some(left), Some(right)) = (text(&expected), text(&actual)) else { continue };
        if (embedded.same)(&Settings::of(profile), &left, &right) {
            // The texts count as equal; everything else in the member is compared unchanged.
            for result in [&mut expected, &mut actual] {
                if let Some(place) = Pointer::default().child(embedded.member).find_mut(result) {
                    *place = Json::Null;
                }
            }
        }
    }
    first_difference(&expected, &actual).map(|(at, expected, actual)| Difference {
        at,
        expected: expected.cloned(),
        actual: actual.cloned(),
        pattern: None,
    })
}

/// Compares what counts in a case, as [`difference`] does: its matched places by their patterns, and of the members of
/// the method only those that the case lists. Unknown members count in every case. Returns `None` if they are the same.
#[must_use]
pub fn case_difference(case: &Case, profile: ProfileName, expected: &Json, actual: &Json) -> Option<Difference> {
    difference(case.method, profile, &case.matchers, &counted(case, expected), &counted(case, actual))
}

/// Returns the first place where two answers to the same params of a case differ, by what counts in the case. Places
/// that a pattern matches do not count, nor do ids that are new each time; refusals are distinguished by their kinds.
/// Returns `None` if the answers are the same, or one of them was not requested.
#[must_use]
pub fn answers_differ(case: &Case, profile: ProfileName, first: &Answer, again: &Answer) -> Option<Pointer> {
    let whole = Some(Pointer::default());
    match (first, again) {
        (Answer::Result(first), Answer::Result(again)) => {
            let (mut first, mut again) = (counted(case, first).into_owned(), counted(case, again).into_owned());
            let patterns = case.matchers.iter().map(|matcher| matcher.pointer.clone());
            for place in patterns.chain(volatile(case.method)) {
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

/// Where the results of a method have a text that may differ each time.
fn volatile(method: Method) -> impl Iterator<Item = Pointer> {
    method.volatile.iter().filter_map(|volatile| volatile.at.parse().ok())
}

/// Returns a result without the members that do not count in a case.
fn counted<'r>(case: &Case, result: &'r Json) -> Cow<'r, Json> {
    let (Some(members), Json::Object(all)) = (&case.members, result) else { return Cow::Borrowed(result) };
    let passed_over = |name: &JsonString| {
        name.as_str().is_some_and(|name| case.method.result.members.contains(&name) && !members.contains(&name))
    };
    Cow::Owned(Json::Object(all.iter().filter(|(name, _)| !passed_over(name)).cloned().collect()))
}

/// Returns both results of a case in the form in which reports show them: with the defaults of absent members, without
/// what does not count, and the members of the found one in the order of the expected one.
#[must_use]
pub fn side_by_side(case: &Case, expected: &Json, actual: &Json) -> (Json, Json) {
    let shown = |result| counted(case, &(case.method.normalise)(result)).into_owned();
    let (expected, actual) = (shown(expected), shown(actual));
    let actual = in_order_of(&expected, actual);
    (expected, actual)
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
