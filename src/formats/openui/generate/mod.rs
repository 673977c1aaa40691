//! OpenUI messages and requests, from the grammar in the documents' words.

mod words;

use words::{name, text, value};

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
    "]]>openui:content.v2",
    "]]>openui:ns:end",
    "]]>openui:con-text",
    "]]>openui:context\u{b}",
    "]]>openui:end\u{a0}",
    "]]>openui:content\u{c}",
    "]]>openui:end\u{2028}",
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
    "[1,]",
    "{\"a\":1,}",
    "{'a':1}",
    "\"{\\\"a\\\":[1]}\"",
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
    "a=1&amp;b=2",
    "A=1&a=2",
    "a=%2520&b=%252B",
    "b=\"q\"&c='r'",
    "k=caf\u{e9}",
];
const ENDINGS: &[&str] = &["\n", "\n", "\n", "\n", "\r\n", "\r\n", "\r", ""];
const ENVELOPES: &[&str] =
    &["<content>", "</content>", "<context>", "</context>", "<content version=\"2\">", "<content", "<contents>"];
const CONTENT_TAGS: &[&str] = &[
    "<content>",
    "<content>",
    "<content>",
    "<content>",
    "<content version=\"2\">",
    "<content a=\">\" b='c'>",
    "<content title=\"a > b\">",
    "<content\nlang=en\n>",
    "<content >",
    "<content/>",
    "<content />",
    "<contents>",
    "<Content>",
    "<content><content>",
    "<content></content>",
];
const CONTEXT_TAGS: &[&str] =
    &["<context>", "<context>", "<context>", "<context>", "<context v=\"2\">", "<context >", "<context/>", "<Context>"];
/// What stands within tags that software takes for XML.
const MARKUP: &[&str] = &[
    "&amp;",
    "&lt;b&gt; &#65;",
    "<![CDATA[x]]>",
    "<b>a</b>",
    "<!--c-->",
    "</content>",
    "<content>a</content>",
    "a <context>1</context>",
    " a ",
    "\n\na\n",
];
/// White space of ASCII, as it stands around tags.
const BLANKS: &[&str] = &["", "", "", "", "\n", " ", "\t\u{b}\u{c}\r\n", "\n\n"];

/// A message: an older envelope, a text without markers, sections as they are written, or any mixture of lines.
pub fn message(draw: &mut dyn Draw) -> String {
    match draw.below(14) {
        0 | 1 => envelope(draw),
        2 | 3 => text(draw) + draw.pick(ENDINGS),
        4..=8 => sections(draw),
        _ => lines(draw),
    }
}

fn lines(draw: &mut dyn Draw) -> String {
    let mut message = String::new();
    for _ in 0..draw.below(9) {
        let piece = match draw.below(10) {
            0..=4 => marker(draw, draw_kind),
            5 => draw.pick(NEAR_MISSES).to_owned(),
            6 => context_text(draw),
            7 => text(draw),
            _ => draw.pick(TEXTS).to_owned(),
        };
        add(&mut message, &piece);
        message.push_str(draw.pick(ENDINGS));
    }
    message
}

/// Adds a piece, so that two numbers make no longer one.
fn add(message: &mut String, piece: &str) {
    let is_figure = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    if is_figure(message.chars().next_back()) && is_figure(piece.chars().next()) {
        message.push(' ');
    }
    message.push_str(piece);
}

/// A message as a writer makes it: a content section, contexts and an end, each of which may be missing.
fn sections(draw: &mut dyn Draw) -> String {
    let mut sections: Vec<String> = Vec::new();
    if draw.one_in(8) {
        sections.push(text(draw));
    }
    if !draw.one_in(6) {
        sections.push(marker(draw, |_| "content"));
        sections.push(text(draw));
    }
    for _ in 0..draw.pick(&[0, 1, 1, 1, 2]) {
        sections.push(marker(draw, |_| "context"));
        sections.push(context_text(draw));
    }
    if draw.one_in(2) {
        sections.push(marker(draw, |_| "end"));
        if draw.one_in(3) {
            sections.push(text(draw));
        }
    }
    let ending = draw.pick(&["\n", "\n", "\n", "\r\n"]);
    sections.join(ending)
}

/// A marker line without its line ending, with the kind that is drawn.
fn marker(draw: &mut dyn Draw, kind: impl Fn(&mut dyn Draw) -> &'static str) -> String {
    let kind = kind(draw);
    if draw.one_in(3) { format!("]]>openui:{kind}?{}", attributes(draw)) } else { format!("]]>openui:{kind}") }
}

fn draw_kind(draw: &mut dyn Draw) -> &'static str {
    draw.pick(KINDS)
}

/// The text of attributes: a known one, or pairs that are encoded.
fn attributes(draw: &mut dyn Draw) -> String {
    if draw.one_in(2) {
        return draw.pick(ATTRIBUTES).to_owned();
    }
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    for _ in 0..1 + draw.below(3) {
        pairs.append_pair(name(draw), &text(draw));
    }
    pairs.finish()
}

/// The text of a context.
fn context_text(draw: &mut dyn Draw) -> String {
    match draw.below(6) {
        0 | 1 => draw.pick(CONTEXTS).to_owned(),
        2 => text(draw),
        3 => format!(" {}\t", value(draw).to_compact()),
        _ => value(draw).to_compact(),
    }
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
    let message = if draw.one_in(3) { tags(draw) } else { pairs(draw) };
    message.replace(|letter: char| letter == '\u{feff}' || !letter.is_ascii() && letter.is_whitespace(), "")
}

/// Tags and texts in any order.
fn tags(draw: &mut dyn Draw) -> String {
    let mut message = String::new();
    for _ in 0..1 + draw.below(6) {
        let piece = match draw.below(4) {
            0 | 1 => draw.pick(ENVELOPES).to_owned(),
            2 => text(draw),
            _ => context_text(draw),
        };
        add(&mut message, &piece);
        if draw.one_in(3) {
            message.push_str(draw.pick(ENDINGS));
        }
    }
    message
}

/// A content pair or a text, and then mostly a context pair. Closing tags may be missing.
fn pairs(draw: &mut dyn Draw) -> String {
    let mut message = draw.pick(BLANKS).to_owned();
    if draw.one_in(4) {
        message.push_str(&inner(draw));
    } else {
        message.push_str(draw.pick(CONTENT_TAGS));
        message.push_str(draw.pick(BLANKS));
        message.push_str(&inner(draw));
        message.push_str(draw.pick(BLANKS));
        message.push_str(draw.pick(&["</content>", "</content>", "</content>", "</content></content>", ""]));
    }
    message.push_str(draw.pick(BLANKS));
    if draw.one_in(2) {
        message.push_str(draw.pick(CONTEXT_TAGS));
        let context = if draw.one_in(2) { context_text(draw) } else { inner(draw) };
        message.push_str(&context);
        message.push_str(draw.pick(&["</context>", "</context>", "</context>", "</context></context>", ""]));
        message.push_str(draw.pick(BLANKS));
    }
    message
}

/// A text within tags.
fn inner(draw: &mut dyn Draw) -> String {
    if draw.one_in(2) { text(draw) } else { draw.pick(MARKUP).to_owned() }
}

/// Params of `openui.parse`.
pub(super) fn parse(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("raw", Json::from(message(draw)))];
    if draw.one_in(3) {
        members.push(("streaming", (!draw.one_in(5)).into()));
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
        members.push(("attributes", Json::Array(written_attributes(draw))));
    }
    if draw.one_in(2) {
        members.push(("end", (!draw.one_in(4)).into()));
    }
    object(members)
}

/// Attributes to be written: few, which may have one name, or many.
fn written_attributes(draw: &mut dyn Draw) -> Vec<Json> {
    let pair = |name: &str, value: &str| Json::Array(vec![name.into(), value.into()]);
    if draw.one_in(12) {
        let many = 10 + draw.below(60);
        return (0..many).map(|number| pair(&format!("k{number}"), draw.pick(ATTRIBUTES))).collect();
    }
    (0..draw.below(4)).map(|_| pair(name(draw), &text(draw))).collect()
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
    match draw.below(6) {
        0 => message(draw),
        1 => format!("{}{}", draw.pick(TEXTS), draw.pick(ENDINGS)),
        _ => text(draw),
    }
}

/// A context to be written: a value, or text.
fn context(draw: &mut dyn Draw) -> Json {
    match draw.below(8) {
        0..=3 => value(draw),
        4 | 5 => text(draw).into(),
        _ => {
            let text = draw.pick(CONTEXTS);
            match crate::json::parse(text) {
                Ok(value) if !draw.one_in(4) => value,
                _ => Json::from(text),
            }
        }
    }
}

/// A message cut into chunks of up to 2, 11 or 60 bytes, some of them empty. Sometimes there is none. A byte order
/// mark may begin one.
fn chunks(draw: &mut dyn Draw) -> Vec<Json> {
    if draw.one_in(40) {
        return Vec::new();
    }
    let message = message(draw);
    let most = draw.pick(&[3, 12, 12, 60]);
    // What such a mark does in an envelope is not settled.
    let is_envelope = message.contains("<cont");
    let mut rest = &message[..];
    let mut chunks = Vec::new();
    while !rest.is_empty() && chunks.len() < 40 {
        let at = rest.ceil_char_boundary(draw.below(most).min(rest.len()));
        let mark = if !is_envelope && draw.one_in(30) { "\u{feff}" } else { "" };
        chunks.push(Json::from(format!("{mark}{}", &rest[..at])));
        rest = &rest[at..];
    }
    if !rest.is_empty() || draw.one_in(3) {
        chunks.push(Json::from(rest));
    }
    chunks
}
