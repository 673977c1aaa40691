//! ToonUI payloads and requests, with what the texts stumble over: names that look like lines or indexes, numbers at the
//! edges of a double, every kind of value.

mod words;

use words::{all_names, all_numbers, all_texts, line, name, near_one_of, number, text};

use crate::generate::{Draw, DrawExt, object};
use crate::json::{self, Json, JsonString};

/// Kinds other than that of a reply, all of which are those of a submit.
const OTHER_KINDS: &[&str] = &["ui_poll", "UI_REPLY", "Ui_Reply", "ui_reply ", "ui-reply", "reply", "UI_SUBMIT", ""];
/// Values of every type that are false, empty or nothing for some language.
const FALSY: &[&str] = &["false", "0", "\"\"", "[]", "{}", "\" \"", "[[]]", "[null]", "true", "1", "\"0\"", "-1"];

/// How deep a value nests.
const DEPTH: usize = 4;

/// A payload whose raw fields are strings. Every once in a while one of them has a line break.
pub fn payload(draw: &mut dyn Draw) -> Json {
    payload_of(draw, true)
}

fn payload_of(draw: &mut dyn Draw, edges: bool) -> Json {
    let mut members = if draw.one_in(2) { reply_members(draw, edges) } else { submit_members(draw, edges) };
    if draw.one_in(6) {
        members.push(("line".into(), Json::from(draw.below(100) as u64)));
    }
    if draw.one_in(8) {
        // A member that no rule names. Only the model message has it, within the payload.
        let theme = if draw.one_in(3) { all_entries() } else { value(draw, false, 1) };
        members.push(("theme".into(), theme));
    }
    if draw.one_in(6) {
        let at = draw.below(members.len());
        members.rotate_left(at);
    }
    Json::Object(members)
}

fn reply_members(draw: &mut dyn Draw, edges: bool) -> Vec<(JsonString, Json)> {
    let mut members: Vec<(JsonString, Json)> = vec![("kind".into(), "ui_reply".into())];
    for name in ["source", "component"] {
        let value = if draw.one_in(2) { raw(draw) } else { "button".to_owned() };
        members.push((name.into(), value.into()));
    }
    members.push(("eventId".into(), id(draw, "reply").into()));
    members.push(("value".into(), raw(draw).into()));
    match draw.below(5) {
        0 => {}
        1 => members.push(("context".into(), Json::Null)),
        _ => members.push(("context".into(), entries(draw, edges))),
    }
    if draw.one_in(8) {
        // What a submit has.
        members.push(("intent".into(), raw(draw).into()));
        members.push(("values".into(), entries(draw, edges)));
    }
    members
}

fn submit_members(draw: &mut dyn Draw, edges: bool) -> Vec<(JsonString, Json)> {
    let mut members: Vec<(JsonString, Json)> = Vec::new();
    match draw.below(12) {
        0 => {}
        1 => members.push(("kind".into(), Json::Null)),
        2..=4 => members.push(("kind".into(), draw.pick(OTHER_KINDS).into())),
        _ => members.push(("kind".into(), "ui_submit".into())),
    }
    members.push(("source".into(), if draw.one_in(4) { raw(draw).into() } else { "form".into() }));
    members.push(("eventId".into(), id(draw, "submit").into()));
    let intent = raw(draw);
    let title = if draw.one_in(4) { intent.clone() } else { raw(draw) };
    members.push(("intent".into(), intent.into()));
    members.push(("formTitle".into(), title.into()));
    let values = entries(draw, edges);
    if draw.one_in(2) {
        members.push(("node".into(), node(draw, &names_of(&values))));
    }
    members.push(("values".into(), values));
    if draw.one_in(8) {
        // What a reply has.
        members.push(("value".into(), raw(draw).into()));
        members.push(("context".into(), entries(draw, edges)));
    }
    members
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

fn event(draw: &mut dyn Draw, raw: &str, entries_in: &str) -> Json {
    let mut members = vec![(raw, Json::from(text(draw)))];
    // Whatever it is, it is passed on.
    let given = match draw.below(10) {
        0 => return object(members),
        1 => Json::Null,
        2 | 3 => json::parse(draw.pick(FALSY)).expect("is JSON"),
        4 => Json::from(text(draw)),
        5 | 6 => value(draw, false, DEPTH),
        _ => entries(draw, false),
    };
    members.push((entries_in, given));
    object(members)
}

/// What is refused.
fn bad(draw: &mut dyn Draw) -> Json {
    let texts = [
        "null",
        "true",
        "5",
        "\"ui_reply\"",
        "\"{\\\"kind\\\":\\\"ui_submit\\\",\\\"values\\\":{}}\"",
        "{}",
        "{\"kind\":\"ui_submit\",\"values\":null}",
        "{\"kind\":\"UI_REPLY\",\"value\":\"a\"}",
    ];
    json::parse(draw.pick(&texts)).expect("is JSON")
}

/// The text of a raw field.
fn raw(draw: &mut dyn Draw) -> String {
    if draw.one_in(24) { text(draw) } else { line(draw) }
}

/// An id: one of an event, or any text.
fn id(draw: &mut dyn Draw, kind: &str) -> String {
    match draw.below(4) {
        0 => format!("{kind}_{}", draw.pick(&["7kd20x1q", "0", "", "Q-1", "a_b"])),
        _ => raw(draw),
    }
}

fn entries(draw: &mut dyn Draw, edges: bool) -> Json {
    if draw.one_in(16) {
        return all_entries();
    }
    let count = if draw.one_in(40) { 20 + draw.below(40) } else { draw.below(6) };
    // Many entries are small ones.
    object_of(draw, count, edges, if count > 6 { 0 } else { DEPTH })
}

/// An object with every name, and in it every text and every kind of value.
fn all_entries() -> Json {
    let others = all_numbers().chain(FALSY.iter().copied()).map(|value| json::parse(value).expect("is JSON"));
    let mut values: Vec<Json> = all_texts().map(Json::from).chain(others).collect();
    let rest = values.split_off(all_names().count());
    let members = all_names().map(JsonString::from).zip(values);
    Json::Object(members.chain([("rest".into(), Json::Array(rest))]).collect())
}

fn object_of(draw: &mut dyn Draw, count: usize, edges: bool, depth: usize) -> Json {
    let mut names: Vec<String> = Vec::new();
    let mut members: Vec<(JsonString, Json)> = Vec::new();
    for _ in 0..count {
        let name = name(draw, &names);
        members.push((name.as_str().into(), value(draw, edges, depth)));
        names.push(name);
    }
    Json::Object(members)
}

fn names_of(entries: &Json) -> Vec<String> {
    match entries {
        Json::Object(members) => members.iter().map(|(name, _)| name.to_text().into_owned()).collect(),
        _ => Vec::new(),
    }
}

fn value(draw: &mut dyn Draw, edges: bool, depth: usize) -> Json {
    match draw.below(if depth == 0 { 9 } else { 13 }) {
        0 => Json::Null,
        1 => draw.one_in(2).into(),
        2 | 3 => json::parse(number(draw, edges)).expect("is JSON"),
        4..=8 => text(draw).into(),
        9 | 10 => Json::Array((0..draw.below(4)).map(|_| value(draw, edges, depth - 1)).collect()),
        _ => {
            let count = draw.below(4);
            object_of(draw, count, edges, depth - 1)
        }
    }
}

/// The form of a submit with values of these names: fields with and without labels, and what is no field.
fn node(draw: &mut dyn Draw, names: &[String]) -> Json {
    let mut members: Vec<(&str, Json)> = Vec::new();
    if !draw.one_in(8) {
        members.push(("type", draw.pick(&["form", "form", "form", "panel", "Form"]).into()));
    }
    members.push(("title", if draw.one_in(2) { raw(draw).into() } else { "Other".into() }));
    if !draw.one_in(16) {
        let mut children: Vec<Json> = (0..draw.below(6)).map(|_| child(draw, names)).collect();
        if draw.one_in(4) {
            let inner = children.drain(..children.len() / 2).collect();
            children.push(object(vec![("type", "card".into()), ("children", Json::Array(inner))]));
        }
        members.push(("children", Json::Array(children)));
    }
    object(members)
}

fn child(draw: &mut dyn Draw, names: &[String]) -> Json {
    let kind = draw.pick(&["field", "field", "field", "field", "field", "field", "button", "Field", "fields", "input"]);
    let mut members = vec![("type", Json::from(kind))];
    if !draw.one_in(20) {
        let name = match draw.below(10) {
            0 => name(draw, names),
            1..=3 if !names.is_empty() => near_one_of(draw, names),
            _ if !names.is_empty() => names[draw.below(names.len())].clone(),
            _ => line(draw),
        };
        members.push(("name", name.into()));
    }
    if !draw.one_in(8) {
        members.push(("label", if draw.one_in(8) { "".into() } else { raw(draw).into() }));
    }
    if draw.one_in(6) {
        members.push(("placeholder", line(draw).into()));
    }
    if draw.one_in(6) {
        members.reverse();
    }
    object(members)
}
