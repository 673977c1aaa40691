//! The messages that contain both texts of a payload.

use super::content::content;
use super::display::display;
use super::payload::{Payload, PayloadError};
use genui_json::{Json, JsonString};

/// Returns the message for the model: role, kind, both texts and the payload (rules `toonui.message.*`).
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::{reply, to_model_message};
///
/// let message = to_model_message(&reply("Show the order", None))?;
/// assert_eq!(message.get("displayContent").and_then(Json::as_str), Some("Show the order"));
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
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

/// Returns the message for the state of a chat, in the form of a UI message of the AI SDK (`toonui.message.ui`).
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::{reply, to_ui_message};
///
/// let payload = reply("Show the order", None);
/// assert_eq!(to_ui_message(&payload)?.get("id"), payload.get("eventId"));
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
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

/// Returns an object of the members that are present.
fn members<const N: usize>(members: [(&str, Option<Json>); N]) -> Json {
    let there = members.into_iter().filter_map(|(name, value)| Some((JsonString::from(name), value?)));
    Json::Object(there.collect())
}
