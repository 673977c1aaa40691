//! Mutants that accept too much or too little.

mod message;
mod part;
mod result;

use super::{Mutant, items, parts};
use crate::glossen::{Choices, validate};
use crate::json::Json;

/// The lists, in the order of the rules.
pub(super) const MUTANTS: &[&[Mutant]] = &[message::MUTANTS, part::MUTANTS, result::MUTANTS];

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
