//! The compact text of a payload.

use super::javascript::stringify;
use super::payload::{Payload, PayloadError};
use genui_json::Json;

/// The compact text of a payload. Raw fields go in as they are; [`super::forgeries`] names those that forge a line.
///
/// # Errors
///
/// Where the payload is no object, or a submit without values: `toonui.input.missing`.
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
