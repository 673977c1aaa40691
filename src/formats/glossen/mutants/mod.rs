//! Mutants of Glossen: backends, checkers, converters, finders of sources and editors.

mod check;
mod edit;
mod mangling;
mod model;
mod sources;
mod validate;

use super::reference;
use super::wire::{Request, SourcesParams};
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{self, Reply};
use crate::glossen::{Choices, Page, Source};
use crate::json::{Json, JsonString};
use crate::protocol::Refusal;
use crate::settings::Settings;

/// Every mutant, in the order of the rules.
pub(super) fn all() -> Vec<format::Mutant> {
    let lists: [&[&'static [Mutant]]; 5] =
        [validate::MUTANTS, check::MUTANTS, model::MUTANTS, sources::MUTANTS, &[edit::MUTANTS]];
    lists.into_iter().flatten().copied().flatten().map(Mutant::listed).collect()
}

/// A row of the lists: a wrong implementation.
#[derive(Clone, Copy, Debug)]
struct Mutant {
    name: &'static str,
    about: &'static str,
    rule: &'static str,
    fault: Fault,
}

impl Mutant {
    fn listed(&'static self) -> format::Mutant {
        let Mutant { name, about, rule, ref fault } = *self;
        format::Mutant { name, about, rule, profiles: None, fault }
    }
}

/// What a mutant does differently.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Validates messages: returns those with which the backend continues, or nothing if it refuses them.
    Validate(fn(&Json, &Choices) -> Option<Json>),
    /// Checks a message, complete or not if that is said, with the page list if there is one: returns the violated rules.
    Check(fn(&Json, Option<&[Page]>, Option<bool>) -> check::Broken),
    /// Converts messages for the model.
    Convert(fn(&Json, &Choices) -> Result<Json, Refusal>),
    /// Finds the sources of an answer.
    Sources(fn(&SourcesParams) -> Result<Vec<Source>, Refusal>),
    /// Replaces a message with its edited form.
    Edit(fn(&Json, &Json, &Choices) -> Result<Json, Refusal>),
}

impl format::Fault for Fault {
    fn answer(&self, method: Method, params: &str, options: &Settings) -> Option<Reply> {
        let choices = &crate::formats::glossen::choices(options);
        Request::read(method, params)
            .map_or_else(|error| Some(Err(error.into())), |request| self.reply(&request, choices))
    }
}

impl Fault {
    fn reply(&self, request: &Request, choices: &Choices) -> Option<Reply> {
        let value = |raw| optional_value(Some(raw)).map_err(Refusal::from);
        Some(match (self, request) {
            (Fault::Validate(validate), Request::Validate(params)) => {
                value(&params.messages).map(|messages| reference::validated(validate(&messages, choices)))
            }
            (Fault::Check(check), Request::Check(params)) => value(&params.message)
                .and_then(|message| check(&message, params.pages.as_deref(), params.finished))
                .map(|rules| reference::violated(rules.into_iter().map(|rule| (rule, String::new())))),
            (Fault::Convert(convert), Request::ToModelMessages(params)) => {
                value(&params.messages).and_then(|messages| convert(&messages, choices)).map(reference::messages_result)
            }
            (Fault::Sources(sources), Request::Sources(params)) => {
                sources(params).map(|sources| reference::sources_result(&sources))
            }
            (Fault::Edit(edit), Request::Edit(params)) => value(&params.messages)
                .and_then(|messages| Ok((messages, value(&params.edited)?)))
                .and_then(|(messages, edited)| edit(&messages, &edited, choices))
                .map(reference::messages_result),
            _ => return None,
        })
    }
}

/// A row: the rule that it violates and how, in the order in which people read it.
const fn wrong(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    Mutant { name, about, rule, fault }
}

/// The type of a part, empty if it has none.
fn kind(part: &Json) -> &str {
    text(part, "type")
}

fn role(message: &Json) -> &str {
    text(message, "role")
}

/// The text of a member, empty if there is none.
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

/// Returns the list with each item changed; any other value is unchanged.
fn each(value: &Json, change: &dyn Fn(&Json) -> Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().map(change).collect()),
        other => other.clone(),
    }
}

/// Returns the list without some items; any other value is unchanged.
fn only(value: &Json, stays: &dyn Fn(&Json) -> bool) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.iter().filter(|item| stays(item)).cloned().collect()),
        other => other.clone(),
    }
}

/// Returns the object with one member changed, if it has it; any other value is unchanged.
fn member(value: &Json, name: &str, change: &dyn Fn(&Json) -> Json) -> Json {
    let Json::Object(members) = value else { return value.clone() };
    let name = JsonString::from(name);
    let changed = members
        .iter()
        .map(|(known, value)| (known.clone(), if *known == name { change(value) } else { value.clone() }));
    Json::Object(changed.collect())
}

/// Returns the object with the text of one member changed, if it has one; any other value is unchanged.
fn with_text(value: &Json, name: &str, change: &dyn Fn(&str) -> String) -> Json {
    member(value, name, &|value| value.as_str().map_or_else(|| value.clone(), |text| change(text).into()))
}

/// Returns the messages with each part changed.
fn each_part(messages: &Json, change: &dyn Fn(&Json) -> Json) -> Json {
    each(messages, &|message| member(message, "parts", &|parts| each(parts, change)))
}

/// Returns the messages with the data of each part of this type changed.
fn each_data(messages: &Json, of: &str, change: &dyn Fn(&Json) -> Json) -> Json {
    each_part(messages, &|part| if kind(part) == of { member(part, "data", change) } else { part.clone() })
}

/// Returns the messages without some parts.
fn only_parts(messages: &Json, stays: &dyn Fn(&Json) -> bool) -> Json {
    each(messages, &|message| member(message, "parts", &|parts| only(parts, stays)))
}
