//! The text of a payload for people.

use std::borrow::Cow;
use std::collections::HashMap;

use super::javascript::string_of;
use super::payload::{Kind, Payload, PayloadError};
use genui_json::Json;

/// The text of a payload for the chat's history.
///
/// # Errors
///
/// Where the payload is no object, or a submit without values: `toonui.input.missing`.
pub fn to_display_content(payload: &Json) -> Result<String, PayloadError> {
    Ok(display(&Payload::new(payload)?))
}

pub(crate) fn display(payload: &Payload<'_>) -> String {
    match payload.kind {
        Kind::Reply => payload.raw("value").into_owned(),
        Kind::Submit => {
            let labels = labels(payload.json);
            let mut out = title(payload.json).into_owned();
            for (name, value) in payload.entries() {
                let shown = labels.get(&*name).unwrap_or(&name);
                for piece in ["\n", shown, ": ", &string_of(&value)] {
                    out.push_str(piece);
                }
            }
            out
        }
    }
}

/// A title that is not there is an empty line, and no `undefined` as in the content.
fn title(payload: &Json) -> Cow<'_, str> {
    match payload.get("formTitle") {
        None | Some(Json::Null) => "".into(),
        Some(title) => string_of(title),
    }
}

/// The labels of the form's fields, by name.
fn labels(payload: &Json) -> HashMap<&str, Cow<'_, str>> {
    let Some(Json::Array(children)) = payload.get("node").and_then(|node| node.get("children")) else {
        return HashMap::new();
    };
    let fields = children.iter().filter(|child| child.get("type").and_then(Json::as_str) == Some("field"));
    let labelled = fields.filter_map(|field| Some((field.get("name")?.as_str()?, field.get("label")?.as_str()?)));
    let is_whole = |(name, label): &(&str, &str)| !name.is_empty() && !label.is_empty();
    // Of two for a name, the later one stays.
    labelled.filter(is_whole).map(|(name, label)| (name, label.into())).collect()
}
