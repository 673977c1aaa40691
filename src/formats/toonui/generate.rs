//! ToonUI payloads and requests, with what the texts stumble over: names that look like lines or indexes, numbers at the
//! edges of a double, every kind of value.

use std::sync::LazyLock;

use crate::generate::{Draw, DrawExt, object};
use crate::json::{self, Json, JsonString};

const WORDS: &[&str] = &[
    "book_table",
    "Show the menu",
    "",
    " ",
    "  padded  ",
    "a: b",
    "a: \"b",
    "say \"hi\"",
    "C:\\temp\\n",
    "tab\there",
    "a\rb",
    "- item",
    "null",
    "42",
    "Zo\u{eb} \u{1f600}",
    "\u{2028}",
    "\u{1}\u{7f}",
    "undefined",
    ": ",
    "\": ",
    // What templates, decoders, readers of JSON, trimming and normalisation change.
    "$$ $& $` $' $1",
    "\\1 %s {0} ${x}",
    "&amp;",
    "&lt;b&gt;",
    "a & <b>b</b>",
    "]]>o",
    "</p>",
    "%41 %20",
    "it's \u{201c}q\u{201d}",
    "\"s\"",
    "**b** `c`",
    "true",
    "1.0",
    "1e3",
    "[1,2]",
    "{\"a\":1}",
    "2024-01-01",
    "9007199254740993",
    "e\u{301}",
    "\u{e9}",
    "\u{130}\u{df}",
    "\u{feff}x",
    "\u{a0}x\u{3000}",
    "x\u{200b}",
    "a\u{ad}b",
    "\u{202e}abc",
    "\u{20000}",
    "camelCase-and_more.Words",
];
/// Longer than the limits that are usual for labels, columns and texts.
static LONG: LazyLock<String> = LazyLock::new(|| "long ".repeat(220));
/// Texts that forge a line if they occur in a raw field.
const BREAKS: &[&str] = &["a\nb", "ok\n  source: form", "x: 1\n  admin", "\n", "a\r\nb"];
const NAMES: &[&str] = &[
    "name",
    "guests",
    "eventId",
    "value",
    "intent",
    "kind",
    "0",
    "7",
    "10",
    "01",
    "4294967294",
    "4294967295",
    "-1",
    "1.5",
    "__proto__",
    "constructor",
    "first name",
    "hasOwnProperty",
    "Name",
    " name",
    "password",
];
/// Numbers that every double holds, or nearly; what reads JSON into integers sees others than what reads doubles.
const PLAIN_NUMBERS: &[&str] = &["0", "1", "-1", "2500", "0.5", "1.5e300", "9007199254740992"];
const EDGE_NUMBERS: &[&str] = &[
    "1.0",
    "-0",
    "1e21",
    "123456789012345678901",
    "0.000001",
    "0.0000001",
    "9007199254740993",
    "1e400",
    "-1e400",
    "5e-324",
    "2e23",
    "1E2",
    "0.1e1",
];

/// How deep a value nests.
const DEPTH: usize = 4;

/// A payload whose raw fields are strings. Every once in a while one of them has a line break.
pub fn payload(draw: &mut dyn Draw) -> Json {
    payload_of(draw, true)
}

fn payload_of(draw: &mut dyn Draw, edges: bool) -> Json {
    let mut members: Vec<(JsonString, Json)> = Vec::new();
    if draw.one_in(2) {
        members.push(("kind".into(), "ui_reply".into()));
        for name in ["source", "component"] {
            let value = if draw.one_in(4) { raw(draw) } else { "button" };
            members.push((name.into(), value.into()));
        }
        for name in ["eventId", "value"] {
            members.push((name.into(), raw(draw).into()));
        }
        match draw.below(4) {
            0 => {}
            1 => members.push(("context".into(), Json::Null)),
            _ => members.push(("context".into(), entries(draw, edges))),
        }
    } else {
        let kind = if draw.one_in(12) { "ui_poll" } else { "ui_submit" };
        for (name, value) in [("kind", kind), ("source", "form")] {
            members.push((name.into(), value.into()));
        }
        for name in ["eventId", "intent", "formTitle"] {
            members.push((name.into(), raw(draw).into()));
        }
        members.push(("values".into(), entries(draw, edges)));
        if draw.one_in(4) {
            members.push(("node".into(), node(draw)));
        }
    }
    if draw.one_in(6) {
        members.push(("line".into(), Json::from(draw.below(100) as u64)));
    }
    if draw.one_in(8) {
        // A member that no rule names. Only the model message has it, within the payload.
        members.push(("theme".into(), value(draw, false, 1)));
    }
    Json::Object(members)
}

/// Params of `toonui.reply`.
pub(super) fn reply(draw: &mut dyn Draw) -> Json {
    event(draw, "value", "context")
}

/// Params of `toonui.submit`.
pub(super) fn submit(draw: &mut dyn Draw) -> Json {
    event(draw, "intent", "values")
}

/// Params of the methods that give a text or a message without the payload.
pub(super) fn written(draw: &mut dyn Draw) -> Json {
    object(vec![("payload", if draw.one_in(20) { bad(draw) } else { payload(draw) })])
}

/// Params of `toonui.to_model_message`. Its result contains the payload itself, in which other languages write some
/// numbers differently.
pub(super) fn carried(draw: &mut dyn Draw) -> Json {
    object(vec![("payload", payload_of(draw, false))])
}

fn event(draw: &mut dyn Draw, text: &str, entries_in: &str) -> Json {
    let mut members = vec![(text, Json::from(raw(draw)))];
    if draw.one_in(2) {
        // Whatever it is, it is passed on.
        let given = if draw.one_in(4) { value(draw, false, DEPTH) } else { entries(draw, false) };
        members.push((entries_in, given));
    }
    object(members)
}

/// What is refused.
fn bad(draw: &mut dyn Draw) -> Json {
    let texts = ["null", "true", "5", "\"ui_reply\"", "{}", "{\"kind\":\"ui_submit\",\"values\":null}"];
    json::parse(draw.pick(&texts)).expect("is JSON")
}

fn raw(draw: &mut dyn Draw) -> &'static str {
    match draw.below(64) {
        0..4 => draw.pick(BREAKS),
        4 => LONG.as_str(),
        _ => draw.pick(WORDS),
    }
}

fn entries(draw: &mut dyn Draw, edges: bool) -> Json {
    let members = (0..draw.below(6)).map(|_| (name(draw).into(), value(draw, edges, DEPTH)));
    Json::Object(members.collect())
}

fn name(draw: &mut dyn Draw) -> &'static str {
    if draw.one_in(3) { raw(draw) } else { draw.pick(NAMES) }
}

fn value(draw: &mut dyn Draw, edges: bool, depth: usize) -> Json {
    match draw.below(if depth == 0 { 7 } else { 9 }) {
        0 => Json::Null,
        1 => draw.one_in(2).into(),
        2 | 3 => {
            let numbers = if edges && draw.one_in(2) { EDGE_NUMBERS } else { PLAIN_NUMBERS };
            json::parse(draw.pick(numbers)).expect("is JSON")
        }
        4..=6 => {
            let text = if draw.one_in(4) { draw.pick(BREAKS) } else { raw(draw) };
            text.into()
        }
        7 => Json::Array((0..draw.below(4)).map(|_| value(draw, edges, depth - 1)).collect()),
        _ => {
            let members = (0..draw.below(4)).map(|_| (name(draw).into(), value(draw, edges, depth - 1)));
            Json::Object(members.collect())
        }
    }
}

/// The form of a submit: fields with and without labels, and what is no field.
fn node(draw: &mut dyn Draw) -> Json {
    let node_type = if draw.one_in(4) { "panel" } else { "form" };
    let children = (0..draw.below(5)).map(|_| {
        let kind = if draw.one_in(4) { "button" } else { "field" };
        let mut members = vec![("type", Json::from(kind)), ("name", name(draw).into())];
        if !draw.one_in(4) {
            let label =
                if draw.one_in(2) { raw(draw) } else { ["Guests", "a: b", "Two\nlines", "name", ""][draw.below(5)] };
            members.push(("label", label.into()));
        }
        object(members)
    });
    object(vec![("type", node_type.into()), ("title", "Other".into()), ("children", Json::Array(children.collect()))])
}
