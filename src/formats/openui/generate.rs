//! OpenUI messages and requests, from the grammar in the documents' words.

use crate::generate::{Draw, DrawExt, object};
use crate::json::Json;

const KINDS: &[&str] = &["content", "content", "content", "context", "context", "end", "end", "thinking", "zz"];
const NEAR_MISSES: &[&str] = &[
    "]]>openui:",
    "]]>openui:Content",
    "]]>openui:contents",
    "]]>openui:content ",
    "]]>openui:content\"",
    "]]>openui:end2",
    "]]>openui",
    "]]>op",
    "]]",
    "]",
    " ]]>openui:end",
    "\u{feff}]]>openui:context",
    "]]>openui:con",
    "]]>openui:content\r",
    "]]>openui:scripts {\"count\":1}",
    "]]>openui:artifact {\"id\":\"x\"}",
];
const TEXTS: &[&str] = &[
    "root = A()",
    "root = Card([title, save])",
    "Good morning",
    "",
    " ",
    "x",
    "A]]",
    "say \"]]>openui:content\" twice",
    "caf\u{e9} \u{1f600}",
    "a\rb",
    "\u{2028}",
    "<b>]]></b>",
    "\u{a0}a\u{200b}",
    "\u{85}a\u{2029}",
    "\u{212b} e\u{301} \u{df} \u{130}",
    "$$ $& $1 \\1 %s {0}",
    "&amp; &lt;b&gt; <!--c-->",
    "```\na\n```",
    " a\u{ad}b \u{202e}c\u{202c} ",
];
const CONTEXTS: &[&str] = &[
    "{\"note\":\"rush\"}",
    "[\"User clicked: Save\",{\"n\":1}]",
    "null",
    "0",
    "false",
    "\"text\"",
    "not json",
    "{\"cut\":",
    "",
    " ",
    "{\"a\":\"]]>openui:content?\"}",
    "[9007199254740993,61440000000010240001,0.5000000000000000000001]",
    "1.0",
    "{\"a\":1,\"b\":2}",
    "[]",
    "{}",
    "true",
    "\"\"",
    "-0.0",
    "NULL",
    "True",
    "{\"a\":null,\"b\":false,\"c\":0,\"d\":\"\",\"e\":{},\"f\":[]}",
    "{\"__proto__\":{\"constructor\":[{\"toString\":1}]},\"10\":1,\"2\":2}",
    "[\"$$ $& $1\",\"&amp;<b>\",\"4000\",\"true\",\" a \",\"e\u{301}\",\"\u{212b}\",\"\u{1f600}\"]",
];
const ATTRIBUTES: &[&str] = &[
    "model=a",
    "a=1&b=2",
    "a=1&a=2",
    "a",
    "=b",
    "",
    "a+b=c%20d",
    "a=%zz",
    "a=%C3%A9",
    "a=%ff",
    "__proto__=x",
    "a=b=c",
    "&&",
    "a=]]>openui:end",
    "library=support%401.2.0",
    "a=1\r",
    "a=%24%24&A=%26amp%3B",
    "a=%20x+&b=%E2%84%AB&c=e%CC%81",
    "null=null&0=false",
];
const ENDINGS: &[&str] = &["\n", "\n", "\n", "\n", "\r\n", "\r\n", "\r", ""];
const ENVELOPES: &[&str] =
    &["<content>", "</content>", "<context>", "</context>", "<content version=\"2\">", "<content", "<contents>"];

/// A message.
pub fn message(draw: &mut dyn Draw) -> String {
    let mut message = String::new();
    if draw.one_in(12) {
        return envelope(draw);
    }
    for _ in 0..draw.below(9) {
        match draw.below(10) {
            0..=4 => {
                message.push_str("]]>openui:");
                message.push_str(draw.pick(KINDS));
                if draw.one_in(3) {
                    message.push('?');
                    message.push_str(draw.pick(ATTRIBUTES));
                }
            }
            5 => message.push_str(draw.pick(NEAR_MISSES)),
            6 => message.push_str(draw.pick(CONTEXTS)),
            _ => message.push_str(draw.pick(TEXTS)),
        }
        message.push_str(draw.pick(ENDINGS));
    }
    message
}

/// A short piece of a message, to be repeated.
pub fn fragment(draw: &mut dyn Draw) -> String {
    match draw.below(6) {
        0 | 1 => format!("]]>openui:{}{}", draw.pick(KINDS), draw.pick(ENDINGS)),
        2 => draw.pick(NEAR_MISSES).to_owned(),
        3 => draw.pick(ENVELOPES).to_owned(),
        4 => format!("{}{}", draw.pick(TEXTS), draw.pick(ENDINGS)),
        _ => format!("]]>openui:content?{}{}", draw.pick(ATTRIBUTES), draw.pick(ENDINGS)),
    }
}

/// An older envelope, or nearly. White space in it is that of ASCII: what other does is not settled.
fn envelope(draw: &mut dyn Draw) -> String {
    let mut message = String::new();
    for _ in 0..1 + draw.below(6) {
        match draw.below(4) {
            0 | 1 => message.push_str(draw.pick(ENVELOPES)),
            2 => message
                .push_str(&draw.pick(TEXTS).replace(|letter: char| !letter.is_ascii() && letter.is_whitespace(), "")),
            _ => message.push_str(draw.pick(CONTEXTS)),
        }
        if draw.one_in(3) {
            message.push_str(draw.pick(ENDINGS));
        }
    }
    message
}

/// Params of `openui.parse`.
pub(super) fn parse(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("raw", Json::from(message(draw)))];
    if draw.one_in(3) {
        members.push(("streaming", true.into()));
    }
    object(members)
}

/// Params of `openui.stream`.
pub(super) fn stream(draw: &mut dyn Draw) -> Json {
    object(vec![("chunks", Json::Array(chunks(draw)))])
}

/// Params of `openui.build`.
pub(super) fn build(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("content", Json::from(content(draw)))];
    if draw.one_in(2) {
        members.push(("context", context(draw)));
    }
    if draw.one_in(2) {
        let pair = |text: &str| Json::Array(vec![name(text).into(), Json::from(text)]);
        let pairs = (0..draw.below(4)).map(|_| pair(draw.pick(ATTRIBUTES))).collect();
        members.push(("attributes", Json::Array(pairs)));
    }
    if draw.one_in(2) {
        members.push(("end", true.into()));
    }
    object(members)
}

/// Params of `openui.model_text`.
pub(super) fn model_text(draw: &mut dyn Draw) -> Json {
    let role = if draw.one_in(2) { "user" } else { "assistant" };
    object(vec![("raw", Json::from(message(draw))), ("role", role.into())])
}

/// Params of `openui.from_event`.
pub(super) fn from_event(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("message", Json::from(content(draw)))];
    for name in ["form_state", "context"] {
        if draw.one_in(2) {
            members.push((name, context(draw)));
        }
    }
    object(members)
}

/// Text to be written: mostly harmless.
fn content(draw: &mut dyn Draw) -> String {
    if draw.one_in(4) { message(draw) } else { format!("{}{}", draw.pick(TEXTS), draw.pick(ENDINGS)) }
}

/// A context to be written: a value, or text.
fn context(draw: &mut dyn Draw) -> Json {
    let text = draw.pick(CONTEXTS);
    match crate::json::parse(text) {
        Ok(value) if !draw.one_in(4) => value,
        _ => Json::from(text),
    }
}

fn name(text: &str) -> &str {
    text.split('=').next().unwrap_or(text)
}

/// A message cut into chunks, some of them empty.
fn chunks(draw: &mut dyn Draw) -> Vec<Json> {
    let message = message(draw);
    let mut rest = &message[..];
    let mut chunks = Vec::new();
    while !rest.is_empty() && chunks.len() < 40 {
        let len = draw.below(12);
        let at = rest.ceil_char_boundary(len.min(rest.len()));
        chunks.push(Json::from(&rest[..at]));
        rest = &rest[at..];
    }
    chunks.push(Json::from(rest));
    chunks
}
