//! The payloads of a button and of a form.

use super::payload::{Kind, REPLY, SUBMIT};
use genui_json::Json;

/// The number of random characters in an event's id, after the word and the underscore.
const ID_LENGTH: usize = 8;

/// Returns the payload of a button, with a new `eventId`.
///
/// Without a context the payload has `{}`; a context of null stays null (`toonui.event.reply`,
/// `toonui.event.defaults`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::reply;
///
/// let payload = reply("Show the order", Some(Json::object([("order", 7.into())])));
/// assert_eq!(payload.get("kind").and_then(Json::as_str), Some("ui_reply"));
/// assert_eq!(payload.get("context").map(Json::to_compact).as_deref(), Some("{\"order\":7}"));
/// ```
#[must_use]
pub fn reply(value: &str, context: Option<Json>) -> Json {
    Json::object([
        ("kind", REPLY.into()),
        ("eventId", event_id(Kind::Reply).into()),
        ("source", "button".into()),
        ("component", "button".into()),
        ("value", value.into()),
        ("context", context.unwrap_or(Json::Object(Vec::new()))),
    ])
}

/// Returns the payload of a form, with a new `eventId`.
///
/// Without values, or with values of null, the payload has `{}` (`toonui.event.submit`, `toonui.event.defaults`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::submit;
///
/// let payload = submit("Book", None);
/// assert_eq!(payload.get("kind").and_then(Json::as_str), Some("ui_submit"));
/// assert_eq!(payload.get("values"), Some(&Json::Object(Vec::new())));
/// ```
#[must_use]
pub fn submit(intent: &str, values: Option<Json>) -> Json {
    Json::object([
        ("kind", SUBMIT.into()),
        ("eventId", event_id(Kind::Submit).into()),
        ("source", "form".into()),
        ("intent", intent.into()),
        ("formTitle", intent.into()),
        ("values", values.filter(|values| *values != Json::Null).unwrap_or(Json::Object(Vec::new()))),
    ])
}

/// Returns a new id.
fn event_id(kind: Kind) -> String {
    let word = match kind {
        Kind::Reply => "reply",
        Kind::Submit => "submit",
    };
    let digits = (0..ID_LENGTH).map(|_| fastrand::digit(36));
    format!("{word}_{}", digits.collect::<String>())
}
