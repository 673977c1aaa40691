//! The oracle for Glossen: the five methods, written from `spec/glossen.md` alone. It works on JSON values as they
//! arrive, looks at everything once per rule, and shares no code with [`genui_glossen`], so that the two can disagree.
//!
//! Each function names the rule that it follows.

mod check;
mod convert;
mod edit;
mod pages;
mod parts;
mod sources;
mod urls;
mod validate;

use std::collections::BTreeMap;

use genui_json::{Json, JsonString};

/// A result, or the kind of a refusal.
type Answer = Result<Json, &'static str>;

/// The kind of a refusal of params that do not fit the method. The rules leave it open how an implementation answers
/// messages that violate the rules under Types; the oracle refuses them with this kind.
const BAD_PARAMS: &str = "bad-params";

/// Answers a request of a Glossen method: the result, or the kind of the refusal. Returns `None` for every other method.
///
/// `choices` has the names of choices by the rule's id. Without an entry, the first choice of a rule counts.
#[must_use]
pub fn answer(method: &str, params: &Json, choices: &BTreeMap<String, String>) -> Option<Result<Json, String>> {
    let choices = Choices(choices);
    let answer = match method {
        "glossen.validate" => validate::answer(params, choices),
        "glossen.check" => check::answer(params),
        "glossen.to_model_messages" => convert::answer(params, choices),
        "glossen.sources" => sources::answer(params),
        "glossen.edit" => edit::answer(params, choices),
        _ => return None,
    };
    Some(answer.map_err(str::to_owned))
}

/// The choices on the open points, by name.
#[derive(Clone, Copy)]
struct Choices<'c>(&'c BTreeMap<String, String>);

impl Choices<'_> {
    /// Returns whether this choice of the rule is made. It is none of the first choices, so it must be named.
    fn made(self, rule: &str, choice: &str) -> bool {
        self.0.get(rule).is_some_and(|made| made == choice)
    }
}

/// Returns the items of a list, or `None` if the value is no list.
fn items(value: &Json) -> Option<&[Json]> {
    match value {
        Json::Array(items) => Some(items),
        _ => None,
    }
}

/// Returns whether a value is a string, whatever its characters.
fn is_string(value: &Json) -> bool {
    matches!(value, Json::String(_))
}

fn is_object(value: &Json) -> bool {
    matches!(value, Json::Object(_))
}

/// Returns an optional param. Null is the same as absent (`adapter-protocol.md`, Methods).
fn optional<'p>(params: &'p Json, name: &str) -> Option<&'p Json> {
    params.get(name).filter(|value| **value != Json::Null)
}

/// Returns the role of a message that follows the rules under Types.
fn role(message: &Json) -> &str {
    message.get("role").and_then(Json::as_str).unwrap_or_default()
}

/// Returns the parts of a message that follows the rules under Types.
fn parts_of(message: &Json) -> &[Json] {
    message.get("parts").and_then(items).unwrap_or_default()
}

/// Returns the type of a part that follows the rules under Types.
fn type_of(part: &Json) -> &str {
    part.get("type").and_then(Json::as_str).unwrap_or_default()
}

/// Returns the text of a string at a name in an object. Messages in params contain Unicode text only, so nothing is lost.
fn text_at(value: &Json, name: &str) -> String {
    match value.get(name) {
        Some(Json::String(text)) => text.to_text().into_owned(),
        _ => String::new(),
    }
}

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (JsonString::from(name), value)).collect())
}
