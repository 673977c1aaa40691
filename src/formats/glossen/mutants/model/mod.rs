//! Mutants that convert messages for the model wrongly.

mod shape;
mod text;

use super::super::reference::bad_params;
use super::{Mutant, each, each_data, each_part, items, kind, member, role, text};
use crate::formats::values::with;
use crate::glossen::{Choices, to_model_messages};
use crate::json::Json;
use crate::protocol::Refusal;

type Converted = Result<Json, Refusal>;

/// The lists, in the order of the rules.
pub(super) const MUTANTS: &[&[Mutant]] = &[text::MUTANTS, shape::MUTANTS];

fn right(messages: &Json, choices: &Choices) -> Converted {
    to_model_messages(messages, choices).map_err(bad_params)
}

fn a_text(text: &str) -> Json {
    Json::object([("type", "text".into()), ("text", text.into())])
}

fn is_page_or_passage(part: &Json) -> bool {
    matches!(kind(part), "data-page" | "data-passage")
}

fn with_data_texts(messages: &Json, of: &str, name: &str, change: &dyn Fn(&str) -> String) -> Json {
    each_data(messages, of, &|data| super::with_text(data, name, change))
}

/// Returns the model messages with each of their texts changed.
fn with_texts(model: &Json, change: &dyn Fn(&str) -> String) -> Json {
    each(model, &|message| {
        member(message, "content", &|content| {
            each(content, &|part| {
                member(part, "text", &|text| match text.as_str() {
                    Some(text) => change(text).into(),
                    None => text.clone(),
                })
            })
        })
    })
}

/// Returns the model messages with the texts of pages and passages, and only these, changed.
fn with_converted(messages: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Converted {
    right(
        &each_part(messages, &|part| match is_page_or_passage(part) {
            true => {
                let alone = Json::object([("role", "user".into()), ("parts", Json::Array(vec![part.clone()]))]);
                let converted = to_model_messages(&Json::Array(vec![alone]), choices).unwrap_or_default();
                let contents =
                    items(Some(&converted)).first().map(|message| items(message.get("content"))).unwrap_or_default();
                contents.first().map_or_else(|| part.clone(), |converted| a_text(&change(text(converted, "text"))))
            }
            false => part.clone(),
        }),
        choices,
    )
}

/// Returns the model messages with titles, urls and headings quoted another way.
fn with_quotes(messages: &Json, choices: &Choices, quote: &dyn Fn(&str) -> String) -> Converted {
    const MARKS: [&str; 3] = ["title", "url", "heading"];
    right(
        &each_part(messages, &|part| {
            let (true, Some(data)) = (is_page_or_passage(part), part.get("data")) else { return part.clone() };
            // Marks take their places while the text is made.
            let mut marked = data.clone();
            for mark in MARKS {
                marked = member(&marked, mark, &|text| match text.as_str() {
                    None | Some("") => text.clone(),
                    Some(_) => format!("({mark})").into(),
                });
            }
            let alone = Json::object([
                ("role", "user".into()),
                ("parts", Json::Array(vec![with(part, "data", with(&marked, "text", "(text)".into()))])),
            ]);
            let converted = to_model_messages(&Json::Array(vec![alone]), choices).unwrap_or_default();
            let contents =
                items(Some(&converted)).first().map(|message| items(message.get("content"))).unwrap_or_default();
            let mut converted =
                contents.first().map(|converted| text(converted, "text").to_owned()).unwrap_or_default();
            for mark in MARKS {
                converted = converted.replacen(&format!("\"({mark})\""), &quote(text(data, mark)), 1);
            }
            a_text(&converted.replacen("\n(text)\n", &format!("\n{}\n", text(data, "text")), 1))
        }),
        choices,
    )
}

/// Returns the model messages with the text of one member of each page and each passage changed.
fn with_names(messages: &Json, choices: &Choices, name: &str, change: &dyn Fn(&str) -> String) -> Converted {
    let pages = with_data_texts(messages, "data-page", name, change);
    right(&with_data_texts(&pages, "data-passage", name, change), choices)
}

/// Returns the messages of this role with their list of parts changed; others are unchanged.
fn with_parts(messages: &Json, of: &str, change: &dyn Fn(&[Json]) -> Vec<Json>) -> Json {
    each(messages, &|message| match role(message) == of {
        true => member(message, "parts", &|parts| Json::Array(change(items(Some(parts))))),
        false => message.clone(),
    })
}
