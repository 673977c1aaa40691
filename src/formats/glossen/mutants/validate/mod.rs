//! Mutants that accept too much or too little.

mod data;
mod message;
mod part;
mod result;

use super::{Mutant, items, member, parts};
use crate::glossen::{Choices, validate};
use crate::json::Json;

/// The lists, in the order of the rules.
pub(super) const MUTANTS: &[&[Mutant]] = &[message::MUTANTS, data::MUTANTS, part::MUTANTS, result::MUTANTS];

fn right(messages: &Json, choices: &Choices) -> Option<Json> {
    validate(messages, choices).ok()
}

fn a_text() -> Json {
    Json::object([("type", "text".into()), ("text", "".into())])
}

/// Refuses messages with such a part, in addition to those that are refused anyway.
fn refusing(messages: &Json, choices: &Choices, refuses: &dyn Fn(&Json) -> bool) -> Option<Json> {
    let has_one = |message: &Json| parts(message).iter().any(refuses);
    if items(Some(messages)).iter().any(has_one) { None } else { right(messages, choices) }
}

fn is_text(value: &Json) -> bool {
    value.as_str().is_some()
}

fn as_text(value: &Json) -> Json {
    match value {
        Json::Number(number) => number.as_str().into(),
        other => other.clone(),
    }
}

/// Returns true, a list or an object as its JSON; any other value is unchanged.
fn in_json(value: &Json) -> Json {
    match value {
        Json::Bool(_) | Json::Array(_) | Json::Object(_) => value.to_compact().into(),
        other => other.clone(),
    }
}

/// Returns the object in which null represents the empty text.
fn filled(object: &Json, name: &str) -> Json {
    member(object, name, &|value| if *value == Json::Null { "".into() } else { value.clone() })
}
