//! What the rules leave free, and no campaign is to report: the edges of JSON (`openui.context.limits`), white space beyond
//! ASCII around the older envelope (`openui.legacy.extent`), and of ToonUI's payloads what its document says is not
//! settled.

use super::disagreement::message;
use crate::generate::Input;
use crate::json::{self, Json, JsonString};
use crate::openui::{PREFIX, Profile};
use crate::protocol::Format;
use crate::run::compare::Difference;

/// Nesting beyond this is an edge.
const DEPTH: usize = 100;

pub(super) fn is_free(input: &Input, profile: Profile, difference: &Difference) -> bool {
    match input.method.format() {
        Format::Openui => is_free_message(input, profile, difference),
        Format::Toonui => is_free_payload(input, difference),
    }
}

fn is_free_message(input: &Input, profile: Profile, difference: &Difference) -> bool {
    let place = difference.at.to_string();
    let in_context = place.contains("/context") || place.contains("/message") || place.contains("/text");
    if in_context && holds_an_edge(&input.params) {
        return true;
    }
    profile == Profile::Chat
        && message(input).is_some_and(|(raw, _)| {
            let beyond =
                |character: char| character.is_whitespace() && !character.is_ascii() || character == '\u{feff}';
            !raw.contains(PREFIX) && raw.contains("<cont") && raw.contains(beyond)
        })
}

/// Numbers of a payload that is given back may be doubles; an empty label, a member that breaks `String()` in JavaScript,
/// null values in a new submit and halves of surrogate pairs are not settled.
fn is_free_payload(input: &Input, difference: &Difference) -> bool {
    let double = |value: &Option<Json>| match value {
        Some(Json::Number(number)) => Some(number.to_double()),
        _ => None,
    };
    let is_same_double =
        double(&difference.expected).is_some() && double(&difference.expected) == double(&difference.found);
    is_same_double
        || input.params.get("values") == Some(&Json::Null)
        || holds(&input.params, &|name, value| {
            let is_empty_label = name.as_str() == Some("label") && value.as_str() == Some("");
            let is_half = |text: &JsonString| matches!(text, JsonString::Surrogates(_));
            // Its entries are code units, of which some are halves.
            let comes_apart = ["values", "context"].iter().any(|entries| name.as_str() == Some(entries))
                && value.as_str().is_some_and(|text| text.chars().any(|letter| letter > '\u{ffff}'));
            is_empty_label
                || comes_apart
                || name.as_str() == Some("toString")
                || is_half(name)
                || matches!(value, Json::String(text) if is_half(text))
        })
}

/// Whether some member of the value, or of what is in it, is such.
fn holds(value: &Json, is_such: &dyn Fn(&JsonString, &Json) -> bool) -> bool {
    match value {
        Json::Array(items) => items.iter().any(|item| holds(item, is_such)),
        Json::Object(members) => members.iter().any(|(name, value)| is_such(name, value) || holds(value, is_such)),
        _ => false,
    }
}

/// Whether JSON somewhere in the params, or in one of their strings, is at an edge.
fn holds_an_edge(params: &Json) -> bool {
    match params {
        Json::String(string) => string.as_str().is_none_or(text_holds_an_edge),
        Json::Array(items) => items.iter().any(holds_an_edge) || is_edge(params, 0),
        Json::Object(members) => members.iter().any(|(_, value)| holds_an_edge(value)) || is_edge(params, 0),
        other => is_edge(other, 0),
    }
}

/// Whether a piece of the text that could be a context is JSON at an edge: from any line's start to any line's end.
fn text_holds_an_edge(text: &str) -> bool {
    if text.contains("\\ud") || text.contains("\\uD") {
        return true;
    }
    let starts = std::iter::once(0).chain(text.match_indices(['\n', '>']).map(|(at, _)| at + 1));
    starts.take(40).any(|start| {
        let rest = &text[start..];
        let ends = rest.match_indices(['\n', '<']).map(|(at, _)| at).chain(std::iter::once(rest.len()));
        ends.take(40).any(|end| json::parse(rest[..end].trim_end_matches('\r')).is_ok_and(|value| is_edge(&value, 0)))
    })
}

fn is_edge(value: &Json, depth: usize) -> bool {
    match value {
        Json::Number(number) => number.as_str().parse::<f64>().is_ok_and(|double| {
            let digits = number.as_str().bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            double.is_infinite() || (double == 0.0 && digits)
        }),
        Json::String(string) => matches!(string, JsonString::Surrogates(_)),
        Json::Array(items) => depth > DEPTH || items.iter().any(|item| is_edge(item, depth + 1)),
        Json::Object(members) => {
            let mut names = std::collections::HashSet::new();
            depth > DEPTH
                || members.iter().any(|(name, value)| {
                    matches!(name, JsonString::Surrogates(_)) || !names.insert(name) || is_edge(value, depth + 1)
                })
        }
        Json::Null | Json::Bool(_) => false,
    }
}
