//! The rules by which the reference reads the message of a request.

use std::collections::BTreeSet;

use genui_openui::{Mode, trace};

use super::reader_options;
use crate::json::Json;
use crate::settings::Settings;

/// Of a message that is read.
pub(super) fn of_message(params: &Json, options: &Settings) -> BTreeSet<&'static str> {
    let Some(raw) = params.get("raw").and_then(Json::as_str) else { return BTreeSet::new() };
    let streams = params.get("streaming") == Some(&Json::Bool(true));
    of_lines(raw, if streams { Mode::Streaming } else { Mode::Whole }, options)
}

/// Of a message that arrives in chunks.
pub(super) fn of_chunks(params: &Json, options: &Settings) -> BTreeSet<&'static str> {
    let Some(Json::Array(chunks)) = params.get("chunks") else { return BTreeSet::new() };
    of_lines(&chunks.iter().filter_map(Json::as_str).collect::<String>(), Mode::Whole, options)
}

fn of_lines(raw: &str, mode: Mode, options: &Settings) -> BTreeSet<&'static str> {
    trace(raw, mode, &reader_options(options)).into_iter().map(|line| line.rule).collect()
}
