//! The text of a payload for the model.

use super::javascript::stringify;
use super::payload::{Payload, PayloadError};
use genui_json::Json;

/// Returns the text of a payload for the model: its kind, the header, and a line for each entry.
///
/// The header fields are written unchanged (`toonui.content.raw`); [`forgeries`](super::forgeries) finds those that
/// forge a line. The rules are `toonui.content.*`.
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_json::parse;
/// use genui_toonui::to_content;
///
/// let payload = parse(r#"{"kind":"ui_submit","eventId":"e1","intent":"Book","formTitle":"Table","values":{"guests":2}}"#)?;
/// let content = to_content(&payload)?;
/// assert_eq!(content, "ui_submit:\n  eventId: e1\n  intent: Book\n  formTitle: Table\n  guests: 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_content(payload: &Json) -> Result<String, PayloadError> {
    Ok(content(&Payload::new(payload)?))
}

pub(crate) fn content(payload: &Payload<'_>) -> String {
    let mut out = format!("{}:", payload.kind.name());
    for name in payload.kind.header() {
        push_line(&mut out, name, &payload.raw(name));
    }
    for (name, value) in payload.entries() {
        push_line(&mut out, &name, &stringify(&value));
    }
    out
}

fn push_line(out: &mut String, name: &str, value: &str) {
    for piece in ["\n  ", name, ": ", value] {
        out.push_str(piece);
    }
}
