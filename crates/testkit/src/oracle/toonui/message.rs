//! The messages that carry a payload (`toonui.message.*`).

use genui_json::{Json, JsonString};

use super::{content, display_content};

/// `toonui.message.model`
pub(super) fn for_model(payload: &Json) -> Json {
    present([
        ("role", Some("user".into())),
        ("kind", kind(payload)),
        ("content", Some(content(payload).into())),
        ("displayContent", Some(display_content(payload).into())),
        ("payload", Some(payload.clone())),
    ])
}

/// `toonui.message.ui`
pub(super) fn for_ui(payload: &Json) -> Json {
    let part = Json::object([("type", "text".into()), ("text", content(payload).into())]);
    let metadata = present([("displayContent", Some(display_content(payload).into())), ("kind", kind(payload))]);
    present([
        // `toonui.message.id`: an id that is absent or no string is passed on unchanged.
        ("id", payload.get("eventId").cloned()),
        ("role", Some("user".into())),
        ("parts", Some(Json::Array(vec![part]))),
        ("metadata", Some(metadata)),
    ])
}

/// `toonui.content.kind`: a message repeats the kind unchanged, and an absent one stays absent.
fn kind(payload: &Json) -> Option<Json> {
    payload.get("kind").cloned()
}

/// An object of those members that have a value.
fn present<const N: usize>(members: [(&str, Option<Json>); N]) -> Json {
    let named = |(name, value): (&str, Option<Json>)| value.map(|value| (JsonString::from(name), value));
    Json::Object(members.into_iter().filter_map(named).collect())
}
