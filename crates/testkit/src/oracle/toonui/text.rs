//! The two texts of a payload (`toonui.content.*`, `toonui.display.*`).

use genui_json::{Json, JsonString};

use super::is_reply;
use super::javascript::{entries, json_text, string_text};

/// The compact text of a payload that is not refused.
#[must_use]
pub fn content(payload: &Json) -> String {
    let raw = |name: &str| format!("  {name}: {}", raw_member(payload, name));
    let (mut lines, holder) = if is_reply(payload) {
        // `toonui.content.reply`
        (vec!["ui_reply:".to_owned(), raw("eventId"), raw("value"), raw("source"), raw("component")], "context")
    } else {
        // `toonui.content.submit`
        (vec!["ui_submit:".to_owned(), raw("eventId"), raw("intent"), raw("formTitle")], "values")
    };
    // `toonui.content.submit`, `toonui.content.context`: two spaces, the name, a colon, a space, the value.
    // `toonui.content.left-out`: the text has nothing else.
    for (name, value) in entries(payload.get(holder)) {
        lines.push(format!("  {}: {}", name.to_text(), json_text(&value)));
    }
    // `toonui.content.layout`
    lines.join("\n")
}

/// The human-readable text of a payload that is not refused.
#[must_use]
pub fn display_content(payload: &Json) -> String {
    if is_reply(payload) {
        // `toonui.display.reply`; for a value that is no string, `toonui.input.odd`: the text that the content has.
        return raw_member(payload, "value");
    }
    // `toonui.display.submit`; `toonui.input.odd`: a title that is absent or null is an empty line.
    let title = match payload.get("formTitle") {
        None | Some(Json::Null) => String::new(),
        Some(title) => string_text(title),
    };
    let mut lines = vec![title];
    // `toonui.display.layout`: the name or label, a colon, a space, the value as `String()` returns it.
    for (name, value) in entries(payload.get("values")) {
        let label = label(payload, &name).unwrap_or(name);
        lines.push(format!("{}: {}", label.to_text(), string_text(&value)));
    }
    lines.join("\n")
}

/// `toonui.content.raw`: a raw field is unchanged. `toonui.input.odd`: one that is absent shows as `undefined`, and one
/// that is no string as `String()` returns it.
fn raw_member(payload: &Json, name: &str) -> String {
    payload.get(name).map_or_else(|| "undefined".to_owned(), string_text)
}

/// `toonui.display.labels`: the last label of this name among the direct members of `children`.
fn label(payload: &Json, name: &JsonString) -> Option<JsonString> {
    let Some(Json::Array(children)) = payload.get("node").and_then(|node| node.get("children")) else {
        return None;
    };
    let mut found = None;
    for child in children {
        let is_field = child.get("type").and_then(Json::as_str) == Some("field");
        if let (Some(Json::String(named)), Some(Json::String(label))) = (child.get("name"), child.get("label"))
            && is_field
            && !is_empty(named)
            && !is_empty(label)
            && named == name
        {
            found = Some(label.clone());
        }
    }
    found
}

fn is_empty(text: &JsonString) -> bool {
    text.as_str() == Some("")
}
