//! Edits of messages.

use std::fmt;

use super::choices::{Choices, StrayKey};
use super::message::{LimitError, MessageError, list, object, string, within_limits};
use genui_json::{Json, JsonString, Pointer};

/// The error of [`edit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// No message has the id.
    UnknownId,
    /// The first message with the id is not a user message.
    NotAUserMessage,
    /// The messages are malformed or exceed a limit.
    InvalidMessages(MessageError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::UnknownId => f.write_str("expected the id of a message, but none has this one"),
            EditError::NotAUserMessage => {
                f.write_str("expected the id of a user's message, but this one is of another role")
            }
            EditError::InvalidMessages(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EditError {}

impl From<MessageError> for EditError {
    fn from(error: MessageError) -> EditError {
        EditError::InvalidMessages(error)
    }
}

impl From<LimitError> for EditError {
    fn from(error: LimitError) -> EditError {
        EditError::InvalidMessages(error.into())
    }
}

/// Returns the messages after an edit: those before the first one with the id of `edited`, then `edited` itself.
///
/// The rules are `glossen.edit.*`. The choice for `glossen.edit.stray-key` decides about a member `messageId`.
///
/// # Errors
///
/// Returns an error if no message has the id, if the first one with it is not a user message, or if the messages are
/// malformed or exceed a limit.
///
/// # Examples
///
/// ```
/// use genui_glossen::{Choices, edit};
/// use genui_json::parse;
///
/// let messages = parse(r#"[{"id":"q1","role":"user"},{"id":"a1","role":"assistant"}]"#)?;
/// let edited = parse(r#"{"id":"q1","role":"user","parts":[]}"#)?;
/// let after = edit(&messages, &edited, &Choices::default())?;
/// assert_eq!(after.to_compact(), r#"[{"id":"q1","role":"user","parts":[]}]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edit(messages: &Json, edited: &Json, choices: &Choices) -> Result<Json, EditError> {
    within_limits(messages)?;
    within_limits(edited)?;
    let root = Pointer::default();
    object(edited, &root)?;
    let id = string(edited.get("id"), &root.child("id"))?;
    let messages = list(Some(messages), &root)?;
    let mut replaced = None;
    for (index, message) in messages.iter().enumerate() {
        let at = root.child(index.to_string());
        object(message, &at)?;
        if string(message.get("id"), &at.child("id"))? == id && replaced.is_none() {
            replaced = Some((index, message));
        }
    }
    let (index, message) = replaced.ok_or(EditError::UnknownId)?;
    if message.get("role").and_then(Json::as_str) != Some("user") {
        return Err(EditError::NotAUserMessage);
    }
    let mut kept = messages[..index].to_vec();
    kept.push(match choices.stray_key {
        StrayKey::Dropped => edited.clone(),
        StrayKey::Kept => with_member(edited, "messageId", Json::String(id.clone())),
    });
    Ok(Json::Array(kept))
}

fn with_member(object: &Json, name: &str, value: Json) -> Json {
    let Json::Object(members) = object else { return object.clone() };
    let name = JsonString::from(name);
    let others = members.iter().filter(|(known, _)| *known != name).cloned();
    Json::Object(others.chain([(name.clone(), value)]).collect())
}
