//! What counts of read messages, and when two written texts are the same.

use genui_openui::{CONTEXT_LABEL, LineKind, Mode, PREFIX, trace};

use super::reader_options;
use crate::format::EmbeddedJson;
use crate::json::{self, Json, JsonString, json_equal};
use crate::settings::Settings;

/// The written message, whose contexts are JSON.
pub(super) const MESSAGE: EmbeddedJson = EmbeddedJson { member: "message", same: same_message };
/// A turn for the model, whose context is JSON.
pub(super) const MODEL_TEXT: EmbeddedJson = EmbeddedJson { member: "text", same: same_model_text };

/// A read message with what may be absent: `context` is null, `attributes` empty and `end` false.
pub(super) fn message(result: &Json) -> Json {
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
}

/// A streamed message, each of whose readings has what may be absent.
pub(super) fn stream(result: &Json) -> Json {
    of_readings(result.clone(), |reading| message(&reading))
}

/// A streamed message, each of whose readings is changed.
pub(super) fn of_readings(result: Json, change: impl Fn(Json) -> Json) -> Json {
    let Json::Object(members) = result else { return result };
    let members = members.into_iter().map(|(name, value)| {
        let value = match (name.as_str(), value) {
            (Some("snapshots"), Json::Array(items)) => Json::Array(items.into_iter().map(&change).collect()),
            (Some("final"), value) => change(value),
            (_, value) => value,
        };
        (name, value)
    });
    Json::Object(members.collect())
}

/// Whether two written messages are the same: their contexts as JSON, all else as characters.
fn same_message(options: &Settings, expected: &str, found: &str) -> bool {
    let (left, right) = (cut(expected, options), cut(found, options));
    left.len() == right.len()
        && left.iter().zip(&right).all(|(left, right)| match (left, right) {
            (Part::Context(left), Part::Context(right)) => same_text(left, right),
            (Part::Characters(left), Part::Characters(right)) => left == right,
            _ => false,
        })
}

/// Whether two texts for the model are the same: the context after its label as JSON, all else as characters.
fn same_model_text(_: &Settings, expected: &str, found: &str) -> bool {
    let labels = || expected.match_indices(CONTEXT_LABEL).map(|(at, label)| at + label.len());
    match labels().find(|at| json::parse(&expected[*at..]).is_ok()) {
        Some(at) => {
            found.get(at..).is_some_and(|context| found[..at] == expected[..at] && same_text(&expected[at..], context))
        }
        None => expected == found,
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
    match (json::parse(expected), json::parse(found)) {
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
fn cut<'a>(message: &'a str, options: &Settings) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut body_start = 0;
    let mut in_context = false;
    let body = |span: std::ops::Range<usize>, in_context: bool| {
        let text = &message[span];
        if in_context { Part::Context(text) } else { Part::Characters(text) }
    };
    for line in trace(message, Mode::Whole, &reader_options(options)) {
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
