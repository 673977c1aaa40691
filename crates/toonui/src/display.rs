//! The text of a payload for the user.

use std::borrow::Cow;
use std::collections::HashMap;

use super::javascript::string_of;
use super::payload::{Kind, Payload, PayloadError};
use genui_json::Json;

/// Returns the text of a payload for the user, as the history of the chat shows it.
///
/// Of a reply it is the value. Of a submit it is the title and a line for each entry, with the labels of the form's
/// fields (rules `toonui.display.*`).
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::{reply, to_display_content};
///
/// assert_eq!(to_display_content(&reply("Show the order", None))?, "Show the order");
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
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

/// Returns the title. A missing title is an empty line here, and `undefined` in the content.
fn title(payload: &Json) -> Cow<'_, str> {
    match payload.get("formTitle") {
        None | Some(Json::Null) => "".into(),
        Some(title) => string_of(title),
    }
}

/// Returns the labels of the form's fields, by name.
fn labels(payload: &Json) -> HashMap<&str, Cow<'_, str>> {
    let Some(Json::Array(children)) = payload.get("node").and_then(|node| node.get("children")) else {
        return HashMap::new();
    };
    let fields = children.iter().filter(|child| child.get("type").and_then(Json::as_str) == Some("field"));
    let labelled = fields.filter_map(|field| Some((field.get("name")?.as_str()?, field.get("label")?.as_str()?)));
    let is_whole = |(name, label): &(&str, &str)| !name.is_empty() && !label.is_empty();
    // Of two labels for a name, the later one counts.
    labelled.filter(is_whole).map(|(name, label)| (name, label.into())).collect()
}
