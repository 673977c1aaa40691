//! `glossen.validate`: messages, their metadata and their lists of parts.

use genui_json::Json;

use super::parts::{self, part};
use super::{Answer, BAD_PARAMS, Choices, check, is_object, is_string, items, object, parts_of, role, type_of};

/// Returns whether the messages are accepted, and those that the backend continues with.
pub(super) fn answer(params: &Json, choices: Choices<'_>) -> Answer {
    let given = params.get("messages").ok_or(BAD_PARAMS)?;
    let accepted =
        messages(given, choices).filter(|messages| !is_too_empty(messages) && keeps_order(messages, choices));
    Ok(match accepted {
        Some(messages) => object(vec![("accepted", true.into()), ("messages", Json::Array(messages))]),
        None => object(vec![("accepted", false.into())]),
    })
}

/// `glossen.type.message`: a list of objects. If one of them is refused, the whole list is.
fn messages(given: &Json, choices: Choices<'_>) -> Option<Vec<Json>> {
    let mut accepted = Vec::new();
    for given in items(given)? {
        accepted.push(message(given, choices)?);
    }
    Some(accepted)
}

/// `glossen.type.message`: an `id`, a `role` and `parts`. `glossen.type.outer-keys`: other members are omitted.
/// `glossen.id.stable`: the id is kept unchanged.
fn message(given: &Json, choices: Choices<'_>) -> Option<Json> {
    let id = given.get("id").filter(|id| is_string(id))?;
    let role = given.get("role").filter(|role| matches!(role.as_str(), Some("user" | "assistant" | "system")))?;
    let mut kept = vec![("id", id.clone()), ("role", role.clone())];
    if let Some(given) = given.get("metadata") {
        kept.push(("metadata", metadata(given, choices)?));
    }
    let mut accepted = Vec::new();
    for given in items(given.get("parts")?)? {
        accepted.push(part(given, choices)?);
    }
    kept.push(("parts", Json::Array(accepted)));
    Some(object(kept))
}

/// `glossen.type.metadata`: an object whose `finishReason` is absent or a string. `glossen.type.extra-keys`: its other
/// members are omitted or returned.
fn metadata(given: &Json, choices: Choices<'_>) -> Option<Json> {
    if !is_object(given) || given.get("finishReason").is_some_and(|reason| !is_string(reason)) {
        return None;
    }
    Some(parts::with_extra_keys(given, &["finishReason"], choices))
}

/// `glossen.type.not-empty`: there is at least one message, and each of a user or of the system has at least one part.
fn is_too_empty(messages: &[Json]) -> bool {
    messages.is_empty() || messages.iter().any(|message| role(message) != "assistant" && parts_of(message).is_empty())
}

/// `glossen.validate.order`: a message that violates the order of its role is accepted, or it is refused.
fn keeps_order(messages: &[Json], choices: Choices<'_>) -> bool {
    !choices.made("glossen.validate.order", "enforced")
        || messages.iter().all(|message| check::misplaced_part(message).is_none())
}

/// Returns whether a message follows the rules under Types, apart from data parts of unknown names, which methods other
/// than `glossen.validate` get as well. A message without parts is no reason to refuse: the rules of the other methods
/// say what becomes of it.
pub(super) fn follows_types(given: &Json) -> bool {
    let Some(list) = given.get("parts").and_then(items) else { return false };
    let is_unknown_data = |part: &Json| {
        type_of(part).starts_with("data-") && !["data-page", "data-passage", "data-sources"].contains(&type_of(part))
    };
    let known: Vec<Json> = list.iter().filter(|part| !is_unknown_data(part)).cloned().collect();
    let others = match given {
        Json::Object(members) => members.iter().filter(|(name, _)| name.as_str() != Some("parts")).cloned(),
        _ => return false,
    };
    let without_unknown = Json::Object(others.chain([("parts".into(), Json::Array(known))]).collect());
    message(&without_unknown, Choices(&Default::default())).is_some()
}

/// Returns the messages that a method gets, or the refusal of messages that do not follow the rules under Types.
pub(super) fn given_messages(params: &Json) -> Result<&[Json], &'static str> {
    let messages = params.get("messages").and_then(items).ok_or(BAD_PARAMS)?;
    if messages.iter().all(follows_types) { Ok(messages) } else { Err(BAD_PARAMS) }
}
