//! What a button and a form make.

use super::payload::{Kind, REPLY, SUBMIT};
use genui_json::Json;

/// The characters of an event's id at most, behind the word and the underscore.
const ID_LENGTH: usize = 8;

/// The payload of a button: `context` is null where null was given, and `None` where none was.
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

/// The payload of a form. Values of null are none (`toonui.event.defaults`).
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

/// A new id for each event.
fn event_id(kind: Kind) -> String {
    let word = match kind {
        Kind::Reply => "reply",
        Kind::Submit => "submit",
    };
    let digits = (0..ID_LENGTH).map(|_| fastrand::digit(36));
    format!("{word}_{}", digits.collect::<String>())
}
