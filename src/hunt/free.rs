//! What the rules leave free, and no campaign is to report: the edges of JSON (`openui.context.limits`), white space beyond
//! ASCII around the older envelope (`openui.legacy.extent`), and of ToonUI's payloads and Glossen's messages what
//! their documents say is not settled.

use std::collections::HashSet;

use super::disagreement::message;
use crate::generate::Input;
use crate::glossen;
use crate::json::{self, Json, JsonString};
use crate::openui::{PREFIX, Profile};
use crate::protocol::{Format, Method};
use crate::run::compare::Difference;

/// Nesting beyond this is an edge.
const DEPTH: usize = 100;

pub(super) fn is_free(input: &Input, profile: Profile, difference: &Difference) -> bool {
    match input.method.format() {
        Format::Openui => is_free_message(input, profile, difference),
        Format::Toonui => is_free_payload(input, difference),
        // What is free of it is free as a whole.
        Format::Glossen => false,
    }
}

/// Whether the document says that any answer to a request, a refusal too, is as good as another.
pub(super) fn is_unsettled(input: &Input) -> bool {
    let params = &input.params;
    let has_twice = |pages: &Json| {
        let mut urls = HashSet::new();
        !items(Some(pages)).iter().all(|page| urls.insert(page.get("url").and_then(Json::as_str)))
    };
    match input.method {
        Method::GlossenValidate => items(params.get("messages")).iter().any(has_free_part),
        Method::GlossenToModelMessages => {
            let messages = items(params.get("messages"));
            let is_system = |message: &&Json| message.get("role").and_then(Json::as_str) == Some("system");
            let has_data = |message: &Json| kinds(message).any(|kind| kind.starts_with("data-"));
            !are_messages(messages)
                || !params.get("messages").is_some_and(glossen::files_are_settled)
                || messages.iter().filter(is_system).any(has_data)
        }
        Method::GlossenCheck => {
            let Some(message) = params.get("message") else { return true };
            let is_assistant = message.get("role").and_then(Json::as_str) == Some("assistant");
            !are_messages(std::slice::from_ref(message))
                || params.get("pages").is_some_and(has_twice)
                || is_assistant && !kinds(message).any(|kind| kind == "text")
        }
        Method::GlossenEdit => {
            let edited = params.get("edited").map(std::slice::from_ref).unwrap_or_default();
            !are_messages(edited) || !are_messages(items(params.get("messages")))
        }
        Method::GlossenSources => {
            let is_odd = |page: &Json| {
                let url = page.get("url").and_then(Json::as_str).unwrap_or_default();
                !is_plain_path(url)
            };
            let text = |name: &str| params.get(name).and_then(Json::as_str).unwrap_or_default();
            !is_plain_origin(text("origin"))
                || params.get("pages").is_some_and(has_twice)
                || items(params.get("pages")).iter().any(is_odd)
                || text("answer").split("](").skip(1).any(|target| !is_plain_authority(target))
        }
        _ => false,
    }
}

fn items(value: Option<&Json>) -> &[Json] {
    match value {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

fn kinds(message: &Json) -> impl Iterator<Item = &str> {
    items(message.get("parts")).iter().filter_map(|part| part.get("type").and_then(Json::as_str))
}

/// Tool parts are of level may; types and members that not all majors of the SDK know, and providers' metadata, no case
/// has (`glossen.type.parts`).
fn has_free_part(message: &Json) -> bool {
    const TYPES: [&str; 4] = ["dynamic-tool", "custom", "reasoning-file", "steering-message"];
    const MEMBERS: [(&str, &str); 3] = [("text", "citations"), ("file", "providerReference"), ("reasoning", "id")];
    kinds(message).any(|kind| kind.starts_with("tool-") || TYPES.contains(&kind))
        || items(message.get("parts")).iter().any(|part| {
            let kind = part.get("type").and_then(Json::as_str);
            part.get("providerMetadata").is_some()
                || MEMBERS.iter().any(|(of, name)| kind == Some(of) && part.get(name).is_some())
        })
}

/// Whether validation accepts these, but for data parts of unknown names, and nothing in them is free.
fn are_messages(messages: &[Json]) -> bool {
    const NAMES: [&str; 3] = ["data-page", "data-passage", "data-sources"];
    let is_known = |part: &&Json| {
        let kind = part.get("type").and_then(Json::as_str).unwrap_or_default();
        !kind.starts_with("data-") || NAMES.contains(&kind)
    };
    let known = messages.iter().map(|message| match message {
        Json::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, value)| match value {
                    Json::Array(parts) => (name.clone(), Json::Array(parts.iter().filter(is_known).cloned().collect())),
                    other => (name.clone(), other.clone()),
                })
                .collect(),
        ),
        other => other.clone(),
    });
    !messages.iter().any(has_free_part)
        && glossen::validate(&Json::Array(known.collect()), &glossen::Choices::default()).is_ok()
}

/// A path that the URL Standard's parser leaves as it is.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_~".contains(letter);
    path == "/"
        || path
            .strip_prefix('/')
            .is_some_and(|path| path.split('/').all(|step| !step.is_empty() && step.chars().all(is_plain)))
}

/// An origin that needs nothing of the parser.
fn is_plain_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '\\', '#', '?'])) && is_plain_authority(origin)
}

/// Whether a target has no host, or one that needs nothing of the parser but small letters.
fn is_plain_authority(target: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:".contains(letter);
    let ends = |letter: char| "/\\?#)>".contains(letter) || letter.is_whitespace();
    let behind = target.find(['/', '\\']).map(|at| &target[at..]);
    match behind {
        Some(behind) if behind.len() > 1 && behind[1..].starts_with(['/', '\\']) => {
            let host = behind.trim_start_matches(['/', '\\']);
            let host = &host[..host.find(ends).unwrap_or(host.len())];
            // A host that ends in a number is an address, with forms of its own.
            host.chars().all(is_plain)
                && host
                    .split(':')
                    .next()
                    .is_some_and(|host| !host.trim_end_matches('.').ends_with(|letter: char| letter.is_ascii_digit()))
        }
        _ => true,
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
            let mut names = HashSet::new();
            depth > DEPTH
                || members.iter().any(|(name, value)| {
                    matches!(name, JsonString::Surrogates(_)) || !names.insert(name) || is_edge(value, depth + 1)
                })
        }
        Json::Null | Json::Bool(_) => false,
    }
}
