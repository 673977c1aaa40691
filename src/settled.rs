//! Which requests the documents settle, and a caller may send: the one predicate that generators, shrinkers, derived
//! checks and campaigns share. What does not satisfy it is never made up, however wrong an answer to it may look: a
//! person would have to find out that no rule speaks of it.
//!
//! Cases may ask for more (the level `may` is for that), and are asked as they are.

use std::collections::HashSet;

use crate::formats::FORMATS;
use crate::glossen;
use crate::json::{self, Json, JsonString, MAX_DEPTH};
use crate::openui::PREFIX;
use crate::protocol::Method;

/// Nesting beyond this is an edge of a context (`openui.context.limits`).
const CONTEXT_DEPTH: usize = 100;

/// Params nest no deeper than this. An answer that repeats them has to fit a line of the protocol.
const DEPTH: usize = MAX_DEPTH / 2;

/// Lines of a text that are looked at for contexts, and ends that each of them may have.
const LINES: usize = 40;

/// Whether params fit their method, and the documents settle what it gives: what a generator may make, and a shrinker
/// may come to.
#[must_use]
pub fn is_askable(method: Method, params: &Json) -> bool {
    (FORMATS.method(method).params.check)(&params.to_ascii()).is_ok() && is_settled(method, params)
}

/// Whether the documents settle what the method gives for these params, which fit it. Where they do not, any answer, a
/// refusal too, is as good as another.
#[must_use]
pub fn is_settled(method: Method, params: &Json) -> bool {
    if !is_plain(params, 0) {
        return false;
    }
    match method {
        Method::OpenuiParse | Method::OpenuiModelText => {
            params.get("raw").and_then(Json::as_str).is_some_and(is_settled_message)
        }
        Method::OpenuiStream => {
            let chunks = items(params.get("chunks")).iter().filter_map(Json::as_str);
            is_settled_message(&chunks.collect::<String>())
        }
        Method::OpenuiBuild => !is_edge_context(params.get("context")),
        Method::OpenuiFromEvent => {
            !is_edge_context(params.get("form_state")) && !is_edge_context(params.get("context"))
        }
        Method::ToonuiReply => is_object_or_none(params.get("context")),
        Method::ToonuiSubmit => is_object_or_none(params.get("values")),
        Method::ToonuiToContent
        | Method::ToonuiToDisplayContent
        | Method::ToonuiToModelMessage
        | Method::ToonuiToUiMessage => params.get("payload").is_some_and(is_settled_payload),
        Method::GlossenValidate => items(params.get("messages")).iter().all(|message| !has_free_part(message)),
        Method::GlossenToModelMessages => {
            let messages = items(params.get("messages"));
            let is_system = |message: &&Json| text(message, "role") == "system";
            let has_data = |message: &Json| kinds(message).any(|kind| kind.starts_with("data-"));
            are_messages(messages)
                && params.get("messages").is_some_and(glossen::files_are_specified)
                && !messages.iter().filter(is_system).any(has_data)
        }
        Method::GlossenCheck => {
            let Some(message) = params.get("message") else { return false };
            are_messages(std::slice::from_ref(message))
                && are_pages(params.get("pages"))
                // An answer without any text is not settled.
                && (text(message, "role") != "assistant" || kinds(message).any(|kind| kind == "text"))
        }
        Method::GlossenEdit => {
            let edited = params.get("edited").map(std::slice::from_ref).unwrap_or_default();
            are_messages(edited) && are_messages(items(params.get("messages")))
        }
        Method::GlossenSources => {
            let is_plain_page = |page: &Json| is_plain_path(text(page, "url"));
            is_plain_origin(text(params, "origin"))
                && are_pages(params.get("pages"))
                && items(params.get("pages")).iter().all(is_plain_page)
                && text(params, "answer").split("](").skip(1).all(is_plain_authority)
        }
    }
}

fn items(value: Option<&Json>) -> &[Json] {
    match value {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

/// The text of a member; empty where it has none.
fn text<'v>(value: &'v Json, name: &str) -> &'v str {
    value.get(name).and_then(Json::as_str).unwrap_or_default()
}

/// Whether all strings are Unicode text, and nothing nests too deep.
fn is_plain(value: &Json, depth: usize) -> bool {
    let is_text = |text: &JsonString| matches!(text, JsonString::Unicode(_));
    depth <= DEPTH
        && match value {
            Json::String(string) => is_text(string),
            Json::Array(items) => items.iter().all(|item| is_plain(item, depth + 1)),
            Json::Object(members) => members.iter().all(|(name, value)| is_text(name) && is_plain(value, depth + 1)),
            Json::Null | Json::Bool(_) | Json::Number(_) => true,
        }
}

// OpenUI.

/// Whether no context of the message is at an edge of JSON (`openui.context.limits`), and no white space beyond ASCII
/// stands in what may be an older envelope (`openui.legacy.extent`).
fn is_settled_message(raw: &str) -> bool {
    let is_beyond = |character: char| character.is_whitespace() && !character.is_ascii() || character == '\u{feff}';
    let is_odd_envelope = !raw.contains(PREFIX) && raw.contains("<cont") && raw.contains(is_beyond);
    !is_odd_envelope && !text_holds_an_edge(raw)
}

/// Whether a piece of the text that could be a context is JSON at an edge: from any line's start to any line's end.
fn text_holds_an_edge(text: &str) -> bool {
    if text.contains("\\ud") || text.contains("\\uD") {
        return true;
    }
    let starts = std::iter::once(0).chain(text.match_indices(['\n', '>']).map(|(at, _)| at + 1));
    let begins_json = |start: &usize| {
        let first = text[*start..].trim_start_matches([' ', '\t', '\n', '\r']).chars().next();
        first.is_some_and(|first| "{[\"-".contains(first) || first.is_ascii_digit())
    };
    starts.filter(begins_json).take(LINES).any(|start| {
        let rest = &text[start..];
        let ends = rest.match_indices(['\n', '<']).map(|(at, _)| at).chain(std::iter::once(rest.len()));
        ends.take(LINES).any(|end| match json::parse(rest[..end].trim_end_matches('\r')) {
            Ok(value) => is_edge(&value, 0),
            Err(error) => error.is_too_deep(),
        })
    })
}

/// Whether a context to be written is at an edge; one that is text, where its text is.
fn is_edge_context(context: Option<&Json>) -> bool {
    match context {
        Some(Json::String(text)) => text.as_str().is_none_or(text_holds_an_edge),
        Some(value) => is_edge(value, 0),
        None => false,
    }
}

fn is_edge(value: &Json, depth: usize) -> bool {
    match value {
        Json::Number(number) => {
            let text = number.as_str();
            let is_signless_64_bit = text.parse::<u64>().is_ok_and(|integer| i64::try_from(integer).is_err());
            let digits = text.split(['e', 'E']).next().unwrap_or_default();
            let has_digits = digits.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            let is_beyond = |double: f64| double.is_infinite() || (double == 0.0 && has_digits);
            is_signless_64_bit || text.parse::<f64>().is_ok_and(is_beyond)
        }
        Json::String(string) => matches!(string, JsonString::Surrogates(_)),
        Json::Array(items) => depth >= CONTEXT_DEPTH || items.iter().any(|item| is_edge(item, depth + 1)),
        Json::Object(members) => {
            let mut names = HashSet::new();
            depth >= CONTEXT_DEPTH
                || members.iter().any(|(name, value)| {
                    matches!(name, JsonString::Surrogates(_)) || !names.insert(name) || is_edge(value, depth + 1)
                })
        }
        Json::Null | Json::Bool(_) => false,
    }
}

// ToonUI.

fn is_object_or_none(value: Option<&Json>) -> bool {
    matches!(value, None | Some(Json::Null | Json::Object(_)))
}

/// Whether a payload has members of the types that the document gives them, or is refused.
fn is_settled_payload(payload: &Json) -> bool {
    let are_texts = |names: &[&str]| names.iter().all(|name| matches!(payload.get(name), Some(Json::String(_))));
    match payload {
        // In JavaScript every list has something called `values`.
        Json::Array(_) => false,
        Json::Object(_) if has_to_string(payload) || !is_settled_node(payload.get("node")) => false,
        Json::Object(_) if text(payload, "kind") == "ui_reply" => {
            are_texts(&["eventId", "value", "source", "component"]) && is_object_or_none(payload.get("context"))
        }
        Json::Object(_) => match payload.get("values") {
            None | Some(Json::Null) => true,
            Some(Json::Object(_)) => are_texts(&["eventId", "intent", "formTitle"]),
            Some(_) => false,
        },
        _ => true,
    }
}

/// Whether some object in the value has a member that JavaScript's `String()` would call.
fn has_to_string(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.iter().any(has_to_string),
        Json::Object(members) => {
            members.iter().any(|(name, value)| name.as_str() == Some("toString") || has_to_string(value))
        }
        _ => false,
    }
}

/// Whether the form of a submit is an object with a list of objects as children, whose names and labels are strings.
fn is_settled_node(node: Option<&Json>) -> bool {
    let is_text_or_none = |value: Option<&Json>| matches!(value, None | Some(Json::String(_)));
    let is_settled_child = |child: &Json| {
        matches!(child, Json::Object(_)) && is_text_or_none(child.get("name")) && is_text_or_none(child.get("label"))
    };
    match node {
        None => true,
        Some(node @ Json::Object(_)) => match node.get("children") {
            None => true,
            Some(Json::Array(children)) => children.iter().all(is_settled_child),
            Some(_) => false,
        },
        Some(_) => false,
    }
}

// Glossen.

fn kinds(message: &Json) -> impl Iterator<Item = &str> {
    items(message.get("parts")).iter().filter_map(|part| part.get("type").and_then(Json::as_str))
}

/// Tool parts are of level may; types and members that not all majors of the SDK know, and providers' metadata, no case
/// has (`glossen.type.parts`). A type that is empty names nothing that anybody would send.
fn has_free_part(message: &Json) -> bool {
    const TYPES: [&str; 4] = ["dynamic-tool", "custom", "reasoning-file", "steering-message"];
    const MEMBERS: [(&str, &str); 3] = [("text", "citations"), ("file", "providerReference"), ("reasoning", "id")];
    kinds(message).any(|kind| kind.is_empty() || kind.starts_with("tool-") || TYPES.contains(&kind))
        || items(message.get("parts")).iter().any(|part| {
            part.get("providerMetadata").is_some()
                || MEMBERS.iter().any(|(of, name)| text(part, "type") == *of && part.get(name).is_some())
        })
}

/// Whether validation accepts these, but for data parts of unknown names, and nothing in them is free.
fn are_messages(messages: &[Json]) -> bool {
    const NAMES: [&str; 3] = ["data-page", "data-passage", "data-sources"];
    let known_part = |part: &Json| match text(part, "type") {
        kind if kind.starts_with("data-") && !NAMES.contains(&kind) => {
            Json::object([("type", "text".into()), ("text", "".into())])
        }
        _ => part.clone(),
    };
    let known_member = |(name, value): &(JsonString, Json)| match value {
        Json::Array(parts) => (name.clone(), Json::Array(parts.iter().map(known_part).collect())),
        other => (name.clone(), other.clone()),
    };
    let known = messages.iter().map(|message| match message {
        Json::Object(members) => Json::Object(members.iter().map(known_member).collect()),
        other => other.clone(),
    });
    !messages.iter().any(has_free_part)
        && glossen::validate(&Json::Array(known.collect()), &glossen::Choices::default()).is_ok()
}

/// Whether no page is listed twice, and no page has two anchors of the same id.
fn are_pages(pages: Option<&Json>) -> bool {
    let all_differ = |items: &[Json], name: &str| {
        let mut given = HashSet::new();
        items.iter().all(|item| given.insert(item.get(name).and_then(Json::as_str)))
    };
    let pages = items(pages);
    all_differ(pages, "url") && pages.iter().all(|page| all_differ(items(page.get("anchors")), "id"))
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
    host.is_some_and(is_plain_host)
}

/// A host of letters, digits and hyphens between dots, that is no address and needs no decoding, and perhaps a port.
fn is_plain_host(host: &str) -> bool {
    let (name, port) = host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let is_plain = |label: &str| {
        label.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && label.ends_with(|letter: char| letter.is_ascii_alphanumeric())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
            && !label.to_ascii_lowercase().starts_with("xn--")
    };
    name.split('.').all(is_plain)
        && port.is_none_or(|port| !port.starts_with(['0', '+']) && port.parse::<u16>().is_ok())
}

/// Whether a target has no host, or one that needs nothing of the parser but small letters.
fn is_plain_authority(target: &str) -> bool {
    let ends = |letter: char| "/\\?#)>".contains(letter) || letter.is_whitespace() || letter == '\u{feff}';
    match target.find(['/', '\\']).map(|at| &target[at..]) {
        Some(behind) if behind[1..].starts_with(['/', '\\']) => {
            let host = behind.trim_start_matches(['/', '\\']);
            is_plain_host(&host[..host.find(ends).unwrap_or(host.len())])
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(method: Method, params: &str) -> bool {
        is_settled(method, &json::parse(params).expect("is JSON"))
    }

    #[test]
    fn contexts_at_the_edges_of_json_are_not_settled() {
        for (context, is_right) in [
            (r#"{"a":1e300}"#, true),
            (r#"{"a":1e400}"#, false),
            (r#"{"a":1e-400}"#, false),
            (r#"{"a":0e-400}"#, true),
            (r#"{"a":1,"a":2}"#, false),
            (r#"{"a":[{"b":1,"b":2}]}"#, false),
            (r#""\ud800""#, false),
            (r#""{\"a\":1,\"a\":2}""#, false),
            (r#""a\":1,\"a\":2}""#, true),
            (&format!("{}{}", "[".repeat(100), "]".repeat(100)), true),
            (&format!("{}{}", "[".repeat(101), "]".repeat(101)), false),
            (&format!("{}{}", "[".repeat(600), "]".repeat(600)), false),
        ] {
            let build = format!(r#"{{"content":"A","context":{context}}}"#);
            assert_eq!(settled(Method::OpenuiBuild, &build), is_right, "{build}");
            let raw = format!("]]>openui:context\n{context}\n]]>openui:end");
            let parse = Json::object([("raw", raw.into())]);
            if !context.starts_with('"') {
                assert_eq!(is_settled(Method::OpenuiParse, &parse), is_right, "{parse:?}");
            }
        }
        let many = format!(r#"{{"raw":"]]>openui:context\n{}"}}"#, "[".repeat(2_000));
        assert!(!settled(Method::OpenuiParse, &many), "deeper than a line");
    }

    #[test]
    fn attributes_of_any_name_are_settled() {
        assert!(settled(Method::OpenuiBuild, r#"{"content":"A","attributes":[["","1"],["a","2"],["a","\n"]]}"#));
        assert!(!is_askable(
            Method::OpenuiBuild,
            &json::parse(r#"{"content":"A","attributes":[["b"]]}"#).expect("is JSON")
        ));
    }

    #[test]
    fn members_of_a_payload_have_the_types_of_the_document() {
        let reply = r#""kind":"ui_reply","eventId":"r","source":"button","component":"button","value":"Go""#;
        let submit = r#""kind":"ui_submit","eventId":"s","intent":"i","formTitle":"t""#;
        for (payload, is_right) in [
            ("null", true),
            ("[]", false),
            ("{}", true),
            (&format!("{{{reply}}}"), true),
            (&format!("{{{reply},\"context\":null}}"), true),
            (&format!("{{{reply},\"context\":[1]}}"), false),
            (&format!("{{{reply},\"value\":5}}"), false),
            (r#"{"kind":"ui_reply","value":"Go"}"#, false),
            (&format!("{{{submit}}}"), true),
            (&format!("{{{submit},\"values\":{{\"a\":[1]}}}}"), true),
            (&format!("{{{submit},\"values\":\"ab\"}}"), false),
            (&format!("{{{submit},\"values\":{{\"a\":{{\"toString\":1}}}}}}"), false),
            (r#"{"kind":"ui_submit","eventId":"s","intent":"i","values":{}}"#, false),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[{{\"label\":\"A\"}}]}}}}"), true),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[{{\"label\":\"\"}}]}}}}"), true),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[5]}}}}"), false),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":{{}}}}}}"), false),
            (&format!("{{{submit},\"values\":{{}},\"node\":[]}}"), false),
        ] {
            assert_eq!(settled(Method::ToonuiToContent, &format!("{{\"payload\":{payload}}}")), is_right, "{payload}");
        }
        assert!(settled(Method::ToonuiSubmit, r#"{"intent":"i","values":null}"#));
        assert!(!settled(Method::ToonuiReply, r#"{"value":"v","context":7}"#));
        assert!(settled(Method::ToonuiReply, r#"{"value":"v","context":null}"#));
    }

    #[test]
    fn origins_pages_and_links_need_nothing_of_a_parser() {
        let page = r#"{"url":"/a","title":"A","anchors":[]}"#;
        let twice = r#"{"url":"/a","title":"A","anchors":[{"id":"x","heading":""},{"id":"x","heading":"X"}]}"#;
        for (origin, answer, pages, is_right) in [
            ("https://docs.example", "[a](/a)", page, true),
            ("http://docs.example:8080", "[a](//Docs.example/a)", page, true),
            ("https://docs.example\\u0001", "", page, false),
            ("https://", "", page, false),
            ("https://.", "", page, false),
            ("https://a..b", "", page, false),
            ("https://docs.example:", "", page, false),
            ("https://docs.example:99999", "", page, false),
            ("https://127.0.0.1", "", page, false),
            ("https://xn--a", "", page, false),
            ("https://docs.example/", "", page, false),
            ("ftp://docs.example", "", page, false),
            ("", "", page, false),
            ("https://docs.example", "[a](https://d\\u00f6cs.example/a)", page, false),
            ("https://docs.example", "[a](//a b.example/a)", page, true),
            ("https://docs.example", "[a](//)", page, false),
            ("https://docs.example", "", &page.replace("/a", "/a/"), false),
            ("https://docs.example", "", &page.replace("/a", ""), false),
            ("https://docs.example", "", &format!("{page},{page}"), false),
            ("https://docs.example", "", twice, false),
        ] {
            let params = format!(r#"{{"answer":"{answer}","origin":"{origin}","pages":[{pages}]}}"#);
            assert_eq!(settled(Method::GlossenSources, &params), is_right, "{params}");
        }
    }

    #[test]
    fn messages_are_those_of_the_contract() {
        let message = |parts: &str| format!(r#"{{"id":"q","role":"user","parts":[{parts}]}}"#);
        let text = r#"{"type":"text","text":"Why?"}"#;
        let part = |kind: &str| format!(r#"{{"type":"{kind}","data":{{}}}}"#);
        for (message, validated, converted) in [
            (message(text), true, true),
            (message(&format!("{text},{}", part("data-weather"))), true, true),
            (message(&part("data-weather")), true, true),
            (message(&part("data-page")), true, false),
            (message(""), true, false),
            (message(&part("")), false, false),
            (message(&part("tool-x")), false, false),
            (message(r#"{"type":"text","text":"a","providerMetadata":{}}"#), false, false),
            (message(&format!("{text},{}", part("data-x"))).replace("user", "system"), true, false),
            (message(text).replace("user", "tool"), true, false),
        ] {
            let params = format!(r#"{{"messages":[{message}]}}"#);
            assert_eq!(settled(Method::GlossenValidate, &params), validated, "{params}");
            assert_eq!(settled(Method::GlossenToModelMessages, &params), converted, "{params}");
        }
        let check = |message: String| settled(Method::GlossenCheck, &format!(r#"{{"message":{message}}}"#));
        assert!(check(message(text)) && check(message(text).replace("user", "assistant")));
        assert!(!check(message("").replace("user", "assistant")), "an answer without a text");
        let edit = |edited: &str| format!(r#"{{"messages":[{}],"edited":{edited}}}"#, message(text));
        assert!(settled(Method::GlossenEdit, &edit(&message(text))));
        assert!(!settled(Method::GlossenEdit, &edit(&message(""))) && !settled(Method::GlossenEdit, &edit("{}")));
    }
}
