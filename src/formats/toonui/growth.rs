//! Inputs that can be made longer and longer.

use crate::format::GrowthPoint;
use crate::generate::{Draw, DrawExt};
use crate::json::{self, Json};

/// Of `toonui.reply`.
pub(super) const REPLY: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/value",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| Json::object([("value", unit.repeat(times).into())]),
    },
    GrowthPoint {
        at: "/context",
        prefixes: &[""],
        fragment: value,
        params: |_, unit, times| Json::object([("value", "Go".into()), ("context", entries(unit, times))]),
    },
];

/// Of `toonui.submit`.
pub(super) const SUBMIT: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/intent",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| Json::object([("intent", unit.repeat(times).into())]),
    },
    GrowthPoint {
        at: "/values",
        prefixes: &[""],
        fragment: value,
        params: |_, unit, times| Json::object([("intent", "order".into()), ("values", entries(unit, times))]),
    },
];

/// Of the methods that take a payload.
pub(super) const PAYLOAD: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/payload/value",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| reply(unit.repeat(times).into(), Json::Null),
    },
    GrowthPoint {
        at: "/payload/context/note",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| reply("Go".into(), Json::object([("note", unit.repeat(times).into())])),
    },
    GrowthPoint {
        at: "/payload/context/list",
        prefixes: &[""],
        fragment: value,
        params: |_, unit, times| reply("Go".into(), Json::object([("list", Json::Array(vec![parsed(unit); times]))])),
    },
    GrowthPoint {
        at: "/payload/values",
        prefixes: &[""],
        fragment: value,
        params: |_, unit, times| submit(entries(unit, times), Json::object([])),
    },
    GrowthPoint {
        at: "/payload/node/children",
        prefixes: &[""],
        fragment: value,
        params: |_, unit, times| {
            let field = |at| {
                let (name, label) = (name(at), format!("Label {at}"));
                Json::object([("type", "field".into()), ("name", name.into()), ("label", label.into())])
            };
            let children = Json::Array((0..times).map(field).collect());
            submit(entries(unit, times), Json::object([("type", "form".into()), ("children", children)]))
        },
    },
];

/// Pieces of a text.
const PIECES: &[&str] =
    &["a: b\n", "say \"hi\" ", "C:\\temp", "\n  source: form", "\u{2028}", "\u{1f600}", "x", "\u{1}"];

/// Values of an entry, as JSON.
const VALUES: &[&str] = &["null", "true", "0.5", "\"a: b\"", "[\"S\",null,[1,2]]", "{\"a\":[]}", "\"\\n\""];

fn piece(draw: &mut dyn Draw) -> String {
    draw.pick(PIECES).to_owned()
}

fn value(draw: &mut dyn Draw) -> String {
    draw.pick(VALUES).to_owned()
}

fn parsed(unit: &str) -> Json {
    json::parse(unit).expect("a value is JSON")
}

fn name(at: usize) -> String {
    format!("field {at}")
}

/// Entries of different names and the same value.
fn entries(unit: &str, times: usize) -> Json {
    let value = parsed(unit);
    Json::Object((0..times).map(|at| (name(at).as_str().into(), value.clone())).collect())
}

fn reply(value: Json, context: Json) -> Json {
    payload([
        ("kind", "ui_reply".into()),
        ("eventId", "reply_1".into()),
        ("source", "button".into()),
        ("component", "button".into()),
        ("value", value),
        ("context", context),
    ])
}

fn submit(values: Json, node: Json) -> Json {
    payload([
        ("kind", "ui_submit".into()),
        ("eventId", "submit_1".into()),
        ("source", "form".into()),
        ("intent", "order".into()),
        ("formTitle", "Order".into()),
        ("values", values),
        ("node", node),
    ])
}

fn payload<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::object([("payload", Json::object(members))])
}
