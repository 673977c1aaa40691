//! Inputs that can be made longer and longer.

use super::generate::fragment;
use crate::format::GrowthPoint;
use crate::generate::{Draw, DrawExt};
use crate::json::{self, Json};

/// Of `openui.parse`.
pub(super) const PARSE: &[GrowthPoint] = &[GrowthPoint {
    at: "/raw",
    prefixes: PREFIXES,
    fragment,
    params: |prefix, unit, times| Json::object([("raw", repeated(prefix, unit, times))]),
}];

/// Of `openui.stream`. The number of chunks stays the same, since the result has the content once for each of them.
pub(super) const STREAM: &[GrowthPoint] = &[GrowthPoint {
    at: "/chunks",
    prefixes: PREFIXES,
    fragment,
    params: |prefix, unit, times| {
        let chunk = unit.repeat(times / CHUNKS);
        let chunks = std::iter::once(prefix).chain(std::iter::repeat_n(&chunk[..], CHUNKS));
        Json::object([("chunks", Json::Array(chunks.map(Json::from).collect()))])
    },
}];

/// Of `openui.build`.
pub(super) const BUILD: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/content",
        prefixes: &[""],
        fragment,
        params: |prefix, unit, times| Json::object([("content", repeated(prefix, unit, times))]),
    },
    GrowthPoint {
        at: "/context",
        prefixes: &[""],
        fragment: item,
        params: |_, unit, times| Json::object([("content", "A".into()), ("context", list(unit, times))]),
    },
    GrowthPoint {
        at: "/attributes",
        prefixes: &[""],
        fragment: |draw| draw.pick(PAIRS).to_owned(),
        params: |_, unit, times| Json::object([("content", "A".into()), ("attributes", list(unit, times))]),
    },
];

/// Of `openui.model_text`.
pub(super) const MODEL_TEXT: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/raw",
        prefixes: PREFIXES,
        fragment,
        params: |prefix, unit, times| {
            Json::object([("raw", repeated(prefix, unit, times)), ("role", "assistant".into())])
        },
    },
    GrowthPoint {
        at: "/raw",
        prefixes: PREFIXES,
        fragment,
        params: |prefix, unit, times| Json::object([("raw", repeated(prefix, unit, times)), ("role", "user".into())]),
    },
];

/// Of `openui.from_event`.
pub(super) const FROM_EVENT: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/message",
        prefixes: &[""],
        fragment,
        params: |prefix, unit, times| Json::object([("message", repeated(prefix, unit, times))]),
    },
    GrowthPoint {
        at: "/form_state",
        prefixes: &[""],
        fragment: item,
        params: |_, unit, times| Json::object([("message", "A".into()), ("form_state", list(unit, times))]),
    },
];

const PREFIXES: &[&str] = &["", "]]>openui:content\n"];

/// Chunks in which a message arrives.
const CHUNKS: usize = 8;

/// Items of a context.
const ITEMS: &[&str] = &["0", "\"note\"", "{\"a\":1}", "[]", "\"]]>openui:end\"", "\"\\n\"", "1.0", "null"];

/// Attributes, as JSON.
const PAIRS: &[&str] = &["[\"a\",\"1\"]", "[\"model\",\"a+b c\"]", "[\"\",\"%\"]", "[\"a\",\"\\u00e9\"]"];

fn item(draw: &mut dyn Draw) -> String {
    draw.pick(ITEMS).to_owned()
}

fn repeated(prefix: &str, unit: &str, times: usize) -> Json {
    format!("{prefix}{}", unit.repeat(times)).into()
}

fn list(unit: &str, times: usize) -> Json {
    Json::Array(vec![json::parse(unit).expect("an item is JSON"); times])
}
