//! Requests that no generator of the suite makes: random numbers and texts, members of any type.

use genui_conform::format::Method;
use genui_conform::generate::{Draw, DrawExt};
use genui_json::{Json, JsonString, parse};

/// Params of a method of ToonUI. Many are unspecified.
pub(crate) fn params(draw: &mut dyn Draw, method: Method) -> Json {
    match method.name() {
        "toonui.reply" => event(draw, "value", "context"),
        "toonui.submit" => event(draw, "intent", "values"),
        _ => Json::object([("payload", payload(draw))]),
    }
}

/// Params of a new event, whose entries are absent, null, an object or, rarely, anything else.
fn event(draw: &mut dyn Draw, raw: &str, holder: &str) -> Json {
    let raw = (JsonString::from(raw), text(draw).into());
    let entries = match draw.below(8) {
        0 | 1 => return Json::Object(vec![raw]),
        2 | 3 => Json::Null,
        4 => value(draw, 3),
        _ => object(draw, 3),
    };
    Json::Object(vec![raw, (holder.into(), entries)])
}

/// A payload whose members are of any type, given twice or not at all, or unknown.
pub(crate) fn payload(draw: &mut dyn Draw) -> Json {
    if draw.one_in(40) {
        return value(draw, 2);
    }
    let kind = |draw: &mut dyn Draw| draw.pick(&["ui_reply", "ui_submit", "UI_REPLY", "ui_reply "]).into();
    let mut members: Vec<(JsonString, Json)> = Vec::new();
    for _ in 0..draw.below(14) {
        let name = draw.pick(&[
            "kind",
            "kind",
            "eventId",
            "source",
            "component",
            "value",
            "intent",
            "formTitle",
            "values",
            "values",
            "context",
            "context",
            "node",
            "line",
            "theme",
        ]);
        let value = match name {
            "kind" if !draw.one_in(6) => kind(draw),
            "values" | "context" if !draw.one_in(6) => object(draw, 3),
            "node" => node(draw),
            "values" | "context" => value(draw, 3),
            _ if draw.one_in(6) => value(draw, 3),
            _ => text(draw).into(),
        };
        members.push((name.into(), value));
    }
    Json::Object(members)
}

/// A form, some of whose members are of other types or absent.
fn node(draw: &mut dyn Draw) -> Json {
    let member = |draw: &mut dyn Draw, names: &[&'static str]| -> Json {
        if draw.one_in(12) { value(draw, 1) } else { draw.pick(names).into() }
    };
    let child = |draw: &mut dyn Draw| {
        let mut members: Vec<(JsonString, Json)> = Vec::new();
        for _ in 0..draw.below(5) {
            members.push(match draw.below(3) {
                0 => ("type".into(), member(draw, &["field", "field", "field", "fields", "button"])),
                1 => ("name".into(), member(draw, &["a", "b", "0", "", "-0"])),
                _ => ("label".into(), member(draw, &["", "A", "b", " "])),
            });
        }
        if draw.one_in(20) { value(draw, 1) } else { Json::Object(members) }
    };
    let children = (0..draw.below(5)).map(|_| child(draw)).collect();
    match draw.below(12) {
        0 => value(draw, 2),
        1 => Json::object([("children", value(draw, 2))]),
        _ => Json::object([("type", "form".into()), ("children", Json::Array(children))]),
    }
}

fn value(draw: &mut dyn Draw, depth: usize) -> Json {
    match draw.below(if depth == 0 { 6 } else { 8 }) {
        0 => Json::Null,
        1 => draw.one_in(2).into(),
        2 | 3 => parse(&number(draw)).expect("is JSON"),
        4 | 5 => text(draw).into(),
        6 => Json::Array((0..draw.below(4)).map(|_| value(draw, depth - 1)).collect()),
        _ => object(draw, depth - 1),
    }
}

fn object(draw: &mut dyn Draw, depth: usize) -> Json {
    let name = |draw: &mut dyn Draw| match draw.below(4) {
        0 => text(draw),
        1 => draw.pick(&["a", "b", "0", "1", "00", "-0", "toString"]).to_owned(),
        2 => (draw.below(1 << 34)).to_string(),
        _ => (4_294_967_290 + draw.below(10)).to_string(),
    };
    Json::Object((0..draw.below(6)).map(|_| (name(draw).into(), value(draw, depth))).collect())
}

/// A number: the shortest text of any double, or random digits with a point and an exponent.
fn number(draw: &mut dyn Draw) -> String {
    if draw.one_in(2) {
        let bits = (0..4).fold(0, |bits, _| bits << 16 | draw.below(1 << 16) as u64);
        let double = f64::from_bits(bits);
        return if double.is_finite() { format!("{double:e}") } else { "1e999".to_owned() };
    }
    let digits = |draw: &mut dyn Draw, most: usize| -> String {
        (0..=draw.below(most)).map(|_| draw.pick(&['0', '1', '5', '9', '9'])).collect()
    };
    let sign = draw.pick(&["", "-"]);
    let whole = digits(draw, 24);
    let whole = whole.trim_start_matches('0');
    let fraction = if draw.one_in(2) { format!(".{}", digits(draw, 20)) } else { String::new() };
    let exponent = match draw.below(3) {
        0 => String::new(),
        1 => format!("{}{}{}", draw.pick(&["e", "E"]), draw.pick(&["", "+", "-"]), draw.below(30)),
        _ => format!("e{}{}", draw.pick(&["", "+", "-"]), draw.below(350)),
    };
    format!("{sign}{}{fraction}{exponent}", if whole.is_empty() { "0" } else { whole })
}

/// A text of characters that some writer escapes, trims, splits at or counts otherwise.
fn text(draw: &mut dyn Draw) -> String {
    let special = [
        'a',
        ' ',
        ':',
        '"',
        '\\',
        '/',
        '-',
        '{',
        ',',
        '0',
        '\n',
        '\r',
        '\t',
        '\u{0}',
        '\u{8}',
        '\u{b}',
        '\u{c}',
        '\u{1f}',
        '\u{7f}',
        '\u{85}',
        '\u{a0}',
        '\u{2028}',
        '\u{2029}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{feff}',
        '\u{ffff}',
        '\u{1f600}',
        '\u{10ffff}',
    ];
    (0..draw.below(6)).map(|_| draw.pick(&special)).collect()
}
