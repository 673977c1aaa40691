//! `glossen.edit`: replaces a message by its edited form.

use genui_json::Json;

use super::validate::{follows_types, given_messages};
use super::{Answer, BAD_PARAMS, Choices, object, role};

/// `glossen.edit.replace`: the edited message replaces the one whose id it has, and every message after that one is
/// removed. `glossen.edit.prefix` and `glossen.id.stable`: the messages before it are unchanged.
pub(super) fn answer(params: &Json, choices: Choices<'_>) -> Answer {
    let messages = given_messages(params)?;
    let edited = params.get("edited").filter(|edited| follows_types(edited)).ok_or(BAD_PARAMS)?;
    // `glossen.edit.unknown-id`: if several messages have the id, the first counts.
    let Some(at) = messages.iter().position(|message| message.get("id") == edited.get("id")) else {
        return Err("unknown-id");
    };
    if role(&messages[at]) != "user" {
        return Err("not-a-user-message");
    }
    let mut after = messages[..at].to_vec();
    after.push(as_given(edited, choices));
    Ok(object(vec![("messages", Json::Array(after))]))
}

/// `glossen.edit.as-given` and `glossen.edit.own-id`: the edited message is unchanged, with its id. With a choice of
/// `glossen.edit.stray-key`, it also has a `messageId` with that id.
fn as_given(edited: &Json, choices: Choices<'_>) -> Json {
    let (Json::Object(members), Some(id)) = (edited, edited.get("id")) else { return edited.clone() };
    let mut members = members.clone();
    if choices.made("glossen.edit.stray-key", "kept") {
        members.retain(|(name, _)| name.as_str() != Some("messageId"));
        members.push(("messageId".into(), id.clone()));
    }
    Json::Object(members)
}
