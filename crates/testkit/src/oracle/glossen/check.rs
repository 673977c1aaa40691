//! `glossen.check`: the rules of the contract that a produced message violates.

use genui_json::Json;

use super::pages::{Page, has_anchor, page_of, read_pages, split_anchor};
use super::validate::follows_types;
use super::{Answer, BAD_PARAMS, items, object, optional, parts_of, role, text_at, type_of};

/// A violated rule and its place. The places are for human readers.
type Violation = (&'static str, String);

/// Returns the violations.
pub(super) fn answer(params: &Json) -> Answer {
    let message = params.get("message").filter(|message| follows_types(message)).ok_or(BAD_PARAMS)?;
    let pages = optional(params, "pages").map(read_pages).transpose()?;
    let finished = match optional(params, "finished") {
        None => false,
        Some(Json::Bool(finished)) => *finished,
        Some(_) => return Err(BAD_PARAMS),
    };
    let mut violations = order(message);
    violations.extend(finish(message, finished));
    if let Some(pages) = pages {
        violations.extend(passages(message, &pages));
        violations.extend(sources(message, &pages));
    }
    let violation = |(rule, at): Violation| object(vec![("rule", rule.into()), ("at", at.into())]);
    Ok(object(vec![("violations", Json::Array(violations.into_iter().map(violation).collect()))]))
}

fn order(message: &Json) -> Vec<Violation> {
    let rule = match role(message) {
        "user" => "glossen.user.order",
        _ => "glossen.assistant.order",
    };
    misplaced_part(message).map(|at| (rule, at)).into_iter().collect()
}

/// Returns the place of the first part that violates the order of the message's role, if any does. The contract does
/// not mention messages of the system.
pub(super) fn misplaced_part(message: &Json) -> Option<String> {
    let types: Vec<&str> = parts_of(message).iter().map(type_of).collect();
    let misplaced = match role(message) {
        "user" => misplaced_in_user(&types)?,
        "assistant" => misplaced_in_assistant(&types)?,
        _ => return None,
    };
    Some(if misplaced < types.len() { format!("/parts/{misplaced}") } else { "/parts".to_owned() })
}

/// `glossen.user.order`: at most one page, then any number of passages, then one text, and nothing else. Returns the
/// number of the first part that violates this: that of the parts, if the text is missing after them.
fn misplaced_in_user(types: &[&str]) -> Option<usize> {
    let mut at = 0;
    if types.get(at) == Some(&"data-page") {
        at += 1;
    }
    while types.get(at) == Some(&"data-passage") {
        at += 1;
    }
    if types.get(at) != Some(&"text") {
        return Some(at);
    }
    at += 1;
    (at < types.len()).then_some(at)
}

/// `glossen.assistant.order`: texts, then at most one part of sources, and nothing else. A `step-start` may be anywhere.
/// Messages without text are unspecified.
fn misplaced_in_assistant(types: &[&str]) -> Option<usize> {
    let mut has_sources = false;
    for (at, part) in types.iter().enumerate() {
        match *part {
            "step-start" => {}
            "text" if !has_sources => {}
            "data-sources" if !has_sources => has_sources = true,
            _ => return Some(at),
        }
    }
    None
}

/// `glossen.assistant.finish`: if the answer is complete, the metadata of an assistant's message has a `finishReason`.
fn finish(message: &Json, finished: bool) -> Option<Violation> {
    let has_reason = message.get("metadata").is_some_and(|metadata| metadata.get("finishReason").is_some());
    (role(message) == "assistant" && finished && !has_reason).then(|| ("glossen.assistant.finish", String::new()))
}

/// `glossen.user.anchor`: the anchor of a passage in a user's message is one of its page. If the list has no such page,
/// there is no such anchor either.
fn passages(message: &Json, pages: &[Page]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (at, part) in parts_of(message).iter().enumerate() {
        if role(message) != "user" || type_of(part) != "data-passage" {
            continue;
        }
        let url = part.get("data").map(|data| text_at(data, "url")).unwrap_or_default();
        let Some(anchor) = split_anchor(&url).1 else { continue };
        if !page_of(&url, pages).is_some_and(|page| has_anchor(page, anchor)) {
            violations.push(("glossen.user.anchor", format!("/parts/{at}/data/url")));
        }
    }
    violations
}

/// `glossen.sources.listed` and `glossen.sources.anchor`, for the entries of sources in a message of any role.
fn sources(message: &Json, pages: &[Page]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (at, part) in parts_of(message).iter().enumerate() {
        if type_of(part) != "data-sources" {
            continue;
        }
        for (index, entry) in part.get("data").and_then(items).unwrap_or_default().iter().enumerate() {
            let url = text_at(entry, "url");
            let place = format!("/parts/{at}/data/{index}/url");
            match (page_of(&url, pages), split_anchor(&url).1) {
                (None, _) => violations.push(("glossen.sources.listed", place)),
                (Some(page), Some(anchor)) if !has_anchor(page, anchor) => {
                    violations.push(("glossen.sources.anchor", place));
                }
                _ => {}
            }
        }
    }
    violations
}
