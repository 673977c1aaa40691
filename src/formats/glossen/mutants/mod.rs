//! Backends, checkers, converters, finders of sources and editors of Glossen's messages.

mod check;
mod edit;
mod model;
mod sources;
mod validate;

use super::{Mutant, mutant};
use crate::glossen::{Choices, Page, Source};
use crate::json::{Json, JsonString, Pointer};
use crate::protocol::{BrokenRule, Refusal, Request, Response, SourcesParams, request_value};

/// The mutants of the contract, in the order of its rules.
pub(super) fn mutants() -> impl Iterator<Item = &'static Mutant> {
    [validate::MUTANTS, check::MUTANTS, model::MUTANTS, sources::MUTANTS, edit::MUTANTS].into_iter().flatten()
}

/// What a mutant does otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// Validates: what the backend goes on with, or nothing where it refuses.
    Validate(fn(&Json, &Choices) -> Option<Json>),
    /// Checks a message, with the page list if there is one, as complete or not: the rules that it breaks.
    Check(fn(&Json, Option<&[Page]>, bool) -> check::Broken),
    /// Converts messages for the model.
    Convert(fn(&Json, &Choices) -> Result<Json, Refusal>),
    /// Finds the sources of an answer.
    Sources(fn(&SourcesParams) -> Result<Vec<Source>, Refusal>),
    /// Puts an edited message in its place.
    Edit(fn(&Json, &Json, &Choices) -> Result<Json, Refusal>),
}

/// The answer with this fault; `None` where it does not touch the request.
pub(super) fn answer(fault: Fault, request: &Request, choices: &Choices) -> Option<Result<Response, Refusal>> {
    Some(match (fault, request) {
        (Fault::Validate(validate), Request::GlossenValidate(params)) => {
            request_value(Some(&params.messages)).map_err(Refusal::from).map(|messages| {
                let messages = validate(&messages, choices);
                Response::Validated { accepted: messages.is_some(), messages }
            })
        }
        (Fault::Check(check), Request::GlossenCheck(params)) => request_value(Some(&params.message))
            .map_err(Refusal::from)
            .and_then(|message| check(&message, params.pages.as_deref(), params.finished == Some(true)))
            .map(|rules| {
                let broken = rules.into_iter().map(|rule| BrokenRule { rule: rule.to_owned(), at: Pointer::default() });
                Response::Checked { violations: broken.collect() }
            }),
        (Fault::Convert(convert), Request::GlossenToModelMessages(params)) => request_value(Some(&params.messages))
            .map_err(Refusal::from)
            .and_then(|messages| convert(&messages, choices))
            .map(|messages| Response::Messages { messages }),
        (Fault::Sources(sources), Request::GlossenSources(params)) => {
            sources(params).map(|sources| Response::Sources { sources })
        }
        (Fault::Edit(edit), Request::GlossenEdit(params)) => {
            let given = request_value(Some(&params.messages))
                .and_then(|messages| Ok((messages, request_value(Some(&params.edited))?)));
            given
                .map_err(Refusal::from)
                .and_then(|(messages, edited)| edit(&messages, &edited, choices))
                .map(|messages| Response::Messages { messages })
        }
        _ => return None,
    })
}

/// One line of the catalogue.
const fn wrong(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    mutant(rule, name, about, super::Fault::Glossen(fault))
}

/// The type of a part, or nothing.
fn kind(part: &Json) -> &str {
    text(part, "type")
}

fn role(message: &Json) -> &str {
    text(message, "role")
}

/// The text of a member, or nothing.
fn text<'a>(object: &'a Json, name: &str) -> &'a str {
    object.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn items(value: Option<&Json>) -> &[Json] {
    match value {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

fn parts(message: &Json) -> &[Json] {
    items(message.get("parts"))
}

/// The list with each item changed; what is no list stays.
fn each(value: &Json, change: &dyn Fn(&Json) -> Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(change).collect()),
        other => other.clone(),
    }
}

/// The list without some items; what is no list stays.
fn only(value: &Json, stays: &dyn Fn(&Json) -> bool) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().filter(|item| stays(item)).cloned().collect()),
        other => other.clone(),
    }
}

/// The object with one member changed, if it has it; what is no object stays.
fn member(value: &Json, name: &str, change: &dyn Fn(&Json) -> Json) -> Json {
    let Json::Object(members) = value else { return value.clone() };
    let name = JsonString::from(name);
    let changed = members
        .iter()
        .map(|(known, value)| (known.clone(), if *known == name { change(value) } else { value.clone() }));
    Json::Object(changed.collect())
}

/// The messages with each part changed.
fn each_part(messages: &Json, change: &dyn Fn(&Json) -> Json) -> Json {
    each(messages, &|message| member(message, "parts", &|parts| each(parts, change)))
}

/// The messages with the data of each part of this type changed.
fn each_data(messages: &Json, of: &str, change: &dyn Fn(&Json) -> Json) -> Json {
    each_part(messages, &|part| if kind(part) == of { member(part, "data", change) } else { part.clone() })
}

/// The messages without some parts.
fn only_parts(messages: &Json, stays: &dyn Fn(&Json) -> bool) -> Json {
    each(messages, &|message| member(message, "parts", &|parts| only(parts, stays)))
}
