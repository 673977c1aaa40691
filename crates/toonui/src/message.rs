//! The message objects that carry both texts of a payload.

use super::content::content;
use super::display::display;
use super::payload::{Payload, PayloadError};
use genui_json::{Json, JsonString};

/// The message for the model, with the payload itself.
///
/// # Errors
///
/// Where the payload is no object, or a submit without values: `toonui.input.missing`.
pub fn to_model_message(payload: &Json) -> Result<Json, PayloadError> {
    let payload = Payload::new(payload)?;
    Ok(members([
        ("role", Some("user".into())),
        ("kind", payload.json.get("kind").cloned()),
        ("content", Some(content(&payload).into())),
        ("displayContent", Some(display(&payload).into())),
        ("payload", Some(payload.json.clone())),
    ]))
}

/// The message for a chat's state, in the form of the AI SDK's UI messages.
///
/// # Errors
///
/// Where the payload is no object, or a submit without values: `toonui.input.missing`.
pub fn to_ui_message(payload: &Json) -> Result<Json, PayloadError> {
    let payload = Payload::new(payload)?;
    let part = Json::object([("type", "text".into()), ("text", content(&payload).into())]);
    let metadata =
        members([("displayContent", Some(display(&payload).into())), ("kind", payload.json.get("kind").cloned())]);
    Ok(members([
        ("id", payload.json.get("eventId").cloned()),
        ("role", Some("user".into())),
        ("parts", Some(Json::Array(vec![part]))),
        ("metadata", Some(metadata)),
    ]))
}

/// An object of the members that are there.
fn members<const N: usize>(members: [(&str, Option<Json>); N]) -> Json {
    let there = members.into_iter().filter_map(|(name, value)| Some((JsonString::from(name), value?)));
    Json::Object(there.collect())
}
