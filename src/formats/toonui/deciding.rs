//! The rules by which the reference writes the content of a payload.

use std::collections::BTreeSet;

use genui_toonui::trace_content;

use crate::json::Json;
use crate::settings::Settings;

/// Of a payload whose texts are written.
pub(super) fn of_payload(params: &Json, _: &Settings) -> BTreeSet<&'static str> {
    let lines = params.get("payload").map(trace_content);
    lines.into_iter().flatten().flatten().map(|line| line.rule).collect()
}
