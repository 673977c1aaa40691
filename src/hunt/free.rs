//! What the rules leave free, and no campaign is to report: the edges of JSON (`openui.context.limits`), and white space
//! beyond ASCII around the older envelope (`openui.legacy.extent`).

use super::disagreement::message;
use crate::generate::Input;
use crate::json::{self, Json, JsonString};
use crate::openui::{PREFIX, Profile};
use crate::run::compare::Difference;

/// Nesting beyond this is an edge.
const DEPTH: usize = 100;

pub(super) fn is_free(input: &Input, profile: Profile, difference: &Difference) -> bool {
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
