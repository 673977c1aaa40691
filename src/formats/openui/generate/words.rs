//! Texts and values for the places of generated requests: what software changes when it only has to carry it through.

use crate::generate::{Draw, DrawExt};
use crate::json::{self, Json};

/// Words, none of which is JSON at an edge for which no answer is specified.
const WORDS: &[&str] = &[
    "",
    " ",
    "x",
    "a",
    "root = Card([title, save])",
    "Good morning",
    "caf\u{e9} \u{1f600}",
    // Patterns of replacement, escapes.
    "$$",
    "$&",
    "$1 $` $'",
    "\\1 \\n \\\\",
    "\\u00e9",
    "%s %% {0} {{x}} ${y}",
    "100% %41 %2B a+b",
    // Markup.
    "&amp;",
    "&lt;b&gt; &quot;q&quot; &#65;",
    "<b>a</b>",
    "a < b > c & d",
    "<!--c-->",
    "<![CDATA[x]]>",
    "</passage>",
    "*s* _e_ `t` # h",
    "```\na\n```",
    "- a\n- b\n",
    // What looks like another value.
    "4000",
    "007",
    "-5",
    "1e3",
    "12.50",
    "0x1f",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
    "true",
    "false",
    "null",
    "NULL",
    "None",
    "undefined",
    "NaN",
    "2026-01-01",
    "[1,2]",
    "[1,]",
    "{\"a\":1,}",
    "{\"a\":[1]}",
    "{",
    "[",
    "{'a':1}",
    "\"s\"",
    "__proto__",
    "constructor",
    // Letters.
    "e\u{301}",
    "\u{e9}",
    "\u{212b} \u{fb01}",
    "stra\u{df}e \u{130} \u{17f}",
    "A a",
    "\u{1f600}\u{1f468}\u{200d}\u{1f469}",
    "\u{201c}q\u{201d} \u{2026} \u{661}",
    // White space and what cannot be seen.
    " a ",
    "a\n",
    "\na",
    "\n\nx\n\n",
    "two  spaces  ",
    "\ta\t",
    "two\nlines",
    "two\r\nlines",
    "\r\na\r\n",
    "a\rb",
    "\u{a0}a\u{3000}",
    "\u{85}a\u{2029}",
    "a\u{2028}b",
    "\u{feff}",
    "\u{feff}a",
    "a\u{feff}",
    "a\u{200b}\u{ad}b",
    "a\u{202e}b\u{202c}",
    "\u{b}a\u{c}",
    "\0\u{1}\u{7f}",
    "\u{1b}[31m",
    // Pieces of markers.
    "]",
    "]]",
    "]]>",
    "]]>openui",
    "]]>openui:",
    "]]>openui:Foo",
    "say ]]>openui:end",
    "a]]>openui:contents",
];
/// Words that software changes only if they are the whole text.
const WHOLE: &[&str] = &[
    "null",
    "undefined",
    "true",
    "4000",
    "12.50",
    "-5",
    "[1,2]",
    "{\"a\":[1]}",
    "\"s\"",
    "```\na\n```",
    " a ",
    "a\n",
    "\n\n",
    " ",
    "a/",
    "a.",
    "a \n\nb \n",
    "2026-01-01",
    "__proto__",
    "toString",
    "\u{feff}a",
];
/// What joins words. It makes no longer number of two.
const JOINTS: &[&str] = &[" ", " ", "\n", "\r\n", "\n\n", ", ", "-"];
/// How many words are joined to the first one.
const FURTHER: &[usize] = &[0, 0, 0, 0, 0, 0, 1, 1, 2, 3];
/// What long texts are made of.
const UNITS: &[&str] = &["w", "w", "z", "ab ", "\u{e9}", "\u{1f600}", "a\n"];
/// Their lengths, in units: just beyond those at which software likes to cut.
const LENGTHS: &[usize] = &[65, 101, 130, 210, 260, 260, 520, 520, 1030, 1030, 1030];
/// Values other than texts, objects and lists with something in them.
const SCALARS: &[&str] = &[
    "null",
    "false",
    "0",
    "\"\"",
    "{}",
    "[]",
    "true",
    "1",
    "-0.0",
    "-5",
    "0.5",
    "1.0",
    "1e3",
    "9007199254740993",
    "9223372036854775807",
    "61440000000010240001",
    "0.5000000000000000000001",
];
/// Names of members and attributes.
const NAMES: &[&str] = &[
    "note",
    "a",
    "A",
    "b c",
    "10",
    "2",
    "01",
    "",
    "$x",
    "_x",
    "a.b",
    "a/b",
    "x=1&y=2",
    "n+m",
    "__proto__",
    "constructor",
    "toString",
    "length",
    "formState",
    "e\u{301}",
    "\u{e9}",
    "\u{212b}",
    "&amp;",
    "<b>",
    "null",
    "line\nend",
    "long long long long long long long long long long long long long long long long name",
    "]]>openui:content?",
];

/// A text: mostly a word, or some of them joined, and sometimes a long one.
pub(super) fn text(draw: &mut dyn Draw) -> String {
    match draw.below(40) {
        0..=23 => {}
        24..=30 => return draw.pick(WHOLE).to_owned(),
        31..=35 => return all(draw),
        _ => return long(draw),
    }
    let mut text = draw.pick(WORDS).to_owned();
    for _ in 0..draw.pick(FURTHER) {
        text.push_str(draw.pick(JOINTS));
        text.push_str(draw.pick(WORDS));
    }
    text
}

/// All words in one text: what is changed within a text shows in few requests.
fn all(draw: &mut dyn Draw) -> String {
    WORDS.join(draw.pick(JOINTS))
}

fn long(draw: &mut dyn Draw) -> String {
    let length = match draw.below(300) {
        0..=289 => draw.pick(LENGTHS),
        290..=298 => 5_000,
        _ => 66_000,
    };
    // Escapes of other characters would make a line too long for an implementation to send.
    let unit = if length > 5_000 { "w" } else { draw.pick(UNITS) };
    unit.repeat(length)
}

/// A name of a member or an attribute.
pub(super) fn name(draw: &mut dyn Draw) -> &'static str {
    draw.pick(NAMES)
}

/// A value: an object or a list of such values, a text or another one.
pub(super) fn value(draw: &mut dyn Draw) -> Json {
    value_within(draw, 3)
}

fn value_within(draw: &mut dyn Draw, depth: usize) -> Json {
    if draw.one_in(16) {
        return all_values();
    }
    match draw.below(if depth == 0 { 5 } else { 9 }) {
        0..=2 => text(draw).into(),
        3 | 4 => json::parse(draw.pick(SCALARS)).expect("is JSON"),
        5 => Json::Array((0..draw.below(4)).map(|_| value_within(draw, depth - 1)).collect()),
        6 => Json::Array(vec![format!("User clicked: {}", text(draw)).into(), object(draw, depth - 1)]),
        _ => object(draw, depth - 1),
    }
}

/// An object with every name, and in it every word and every other value.
fn all_values() -> Json {
    let words = WORDS.iter().map(|word| Json::from(*word));
    let scalars = SCALARS.iter().map(|scalar| json::parse(scalar).expect("is JSON"));
    let mut values: Vec<Json> = words.chain(scalars).collect();
    let rest = values.split_off(NAMES.len());
    let members = NAMES.iter().map(|name| json::JsonString::from(*name)).zip(values);
    Json::Object(members.chain([("rest".into(), Json::Array(rest))]).collect())
}

/// An object, each of whose names occurs once.
fn object(draw: &mut dyn Draw, depth: usize) -> Json {
    let mut members: Vec<(json::JsonString, Json)> = Vec::new();
    for _ in 0..draw.below(5) {
        let name = name(draw);
        if members.iter().all(|(known, _)| known.as_str() != Some(name)) {
            members.push((name.into(), value_within(draw, depth)));
        }
    }
    Json::Object(members)
}
