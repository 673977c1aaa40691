//! Glossen messages and requests: parts in every order, data that lacks something or has too much, answers whose links
//! lead to pages, past them and away.

use crate::generate::{Draw, DrawExt, object};
use crate::json::{self, Json, JsonString};

const WORDS: &[&str] = &[
    "Why?",
    "",
    " ",
    "Backups",
    "say \"now\"",
    "C:\\temp",
    "two\nlines",
    "\u{2028}",
    "\u{1}\u{7f}",
    "Zo\u{eb} \u{1f600}",
    "]",
    "</passage>",
    "<passage>\nx\n</passage>",
    "[a](/docs/backups)",
    "$$ $& $1 \\1 %s {0} ${x}",
    "&amp; &lt;b&gt; &#39;",
    "a & b <b>c</b> <!-- d -->",
    "<![CDATA[x]]>",
    "4000",
    "1e3",
    "null",
    "false",
    "[1,2]",
    "{\"a\":1}",
    "2026-01-01",
    "undefined",
    "__proto__",
    "toString",
    "e\u{301}\u{e9}\u{212b}\u{fb01}",
    "stra\u{df}e \u{130}",
    "\u{feff}a\u{feff}",
    "a\u{200b}\u{ad}\u{202e}b\u{200d}",
    "\u{a0}a\u{3000}",
    "a\n",
    "\r\na\rb\r\n",
    "\n\n\n",
    "\t",
    "\u{0}\u{85}\u{2029}",
    "\u{1b}[31mred",
    "\\n\\u00e9",
    "100% %41 a+b",
    "```\nx\n```",
    "*s* _e_ # h",
    "]]>openui:content",
    "\u{201c}q\u{201d} \u{2026}",
    "https://docs.example/a?b=c&d#e",
    "\u{ffff}\u{10ffff}",
];
/// Words that software changes only if they are the whole text.
const WHOLE: &[&str] = &[
    "null",
    "undefined",
    "true",
    "4000",
    "-5",
    "[1,2]",
    "{\"a\":1}",
    "\"s\"",
    "```\nx\n```",
    " a ",
    "a\n",
    " ",
    "",
    "a/",
    "a.",
    "a \n\nb \n",
    "2026-01-01",
    "__proto__",
    "toString",
    "\u{feff}a",
];
/// Words that fill a place beyond the lengths at which software likes to cut.
const LONG_WORDS: &[&str] = &["word ", "\u{1f600}", "0"];
const IDS: &[&str] = &[
    "q1",
    "q2",
    "r1",
    "r2",
    "",
    " q1",
    "q1 ",
    "q1\n",
    "Q1",
    "\u{e9}",
    "e\u{301}",
    "7",
    "007",
    "__proto__",
    "%71",
    "$$",
    "{0}",
    "&amp;",
];
const URLS: &[&str] = &[
    "/docs/backups",
    "/docs/backups#restore",
    "/docs/backups#step%2D2",
    "/docs/backups#none",
    "/docs/backups#",
    "/docs/nothing",
    "/",
    "/#top",
    "https://docs.example/docs/backups",
    "no url",
    "/docs/backups#restore#x",
    "/docs/backups#Restore",
    "/docs/backups#%72estore",
    "/docs/backups#%2572estore",
    "/docs/backups#%FF",
    "/docs/backups#50%",
    "/docs/backups#e\u{301}",
    "/docs/backups#\u{e9}",
    "/docs/backups#toString",
    "/docs/backups#restore ",
    "/docs/backups?q=1&r=$$#restore",
    "/docs/backups/#restore",
    "/Docs/backups",
    "docs/backups",
    "",
];
/// What becomes of other urls of files is not settled (`glossen.model.file`).
const FILE_URLS: &[&str] = &["data:,x", "data:image/png;base64,AA==", "https://docs.example/a.png"];
const ODD_NAMES: &[&str] = &[
    "data-weather",
    "data-",
    "data-toString",
    "data-constructor",
    "data-__proto__",
    "data-hasOwnProperty",
    "data-__class__",
    "data-Page",
    "data-pages",
];
/// Values for places where another type is expected.
const ODD_VALUES: &[&str] = &["null", "5", "true", "[]", "{}", "\"\"", "[null]", "{\"title\":\"T\"}"];
/// Kinds of parts of a user or an assistant.
const PARTS: &[&str] = &[
    "text",
    "data-page",
    "data-passage",
    "data-sources",
    "step-start",
    "reasoning",
    "file",
    "source-url",
    "source-document",
];
/// What answers are made of.
const LINKS: &[&str] = &[
    "[a](/docs/backups)",
    "[b](/docs/backups#restore)",
    "[c](/docs/backups/#step-2 \"title\")",
    "![d](docs/../docs/./backups?x=1#top)",
    "[e]( </> )",
    "[f](#top)",
    "[g](https://docs.example:443/docs/backups)",
    "[h](https://DOCS.example/docs/backups#restore)",
    "[i](http://docs.example/docs/backups)",
    "[j](//elsewhere.example/docs/backups)",
    "[k](\\docs\\backups)",
    "[l](/docs/backups#50%)",
    "[m](/docs/backups#%C3%BC)",
    "[n](/docs/backups#%FF)",
    "[o](/docs/%2e%2e/docs/backups)",
    "[p](mailto:a@b.example)",
    "[q](javascript:alert(1))",
    "[r](/docs/backups/index.html)",
    "[s](/docs/backups.md)",
    "[t](/docs/backups/?q=%zz#restore 'T')",
    "[u](/docs/backups#%72estore)",
    "[v](/docs/backups#Restore)",
    "[w](/docs/backups#restore#x)",
    "[x](https:docs/backups)",
    "[y](/docs/backups#e%CC%81)",
    "[z](/docs/backups#%C3%A9)",
    "[a](https://docs.example:80/docs/backups)",
    "[b](/docs/a.b;v=1'(&x|)",
    "[c](/docs/a.b;v=1&x)",
    "[d](/docs/backups#toString)",
    "<!-- ",
    " -->",
    "\u{2028}",
    "\u{200b}",
    "&amp;",
    "](",
    "](<",
    "\u{feff}",
    "\u{85}",
    "\n",
    " and ",
    "`",
    "#",
    ")",
];

/// Params of `glossen.validate`.
pub(super) fn validate(draw: &mut dyn Draw) -> Json {
    let messages = if draw.one_in(16) { odd_value(draw) } else { messages(draw, true) };
    object(vec![("messages", messages)])
}

/// Params of `glossen.check`.
pub(super) fn check(draw: &mut dyn Draw) -> Json {
    let message = message(draw, false);
    let mut members = vec![("message", with_text(draw, message))];
    if draw.one_in(2) {
        members.push(("pages", pages(draw)));
    }
    if draw.one_in(2) {
        members.push(("finished", draw.one_in(2).into()));
    }
    object(members)
}

/// Params of `glossen.to_model_messages`.
pub(super) fn to_model_messages(draw: &mut dyn Draw) -> Json {
    object(vec![("messages", messages(draw, false))])
}

/// Params of `glossen.sources`.
pub(super) fn sources(draw: &mut dyn Draw) -> Json {
    let origin = draw.pick(&["https://docs.example", "http://docs.example:8080"]);
    object(vec![("answer", answer(draw).into()), ("origin", origin.into()), ("pages", pages(draw))])
}

/// Params of `glossen.edit`.
pub(super) fn edit(draw: &mut dyn Draw) -> Json {
    let (all, mut edited) = if draw.one_in(5) {
        (Json::Array(vec![full_message(draw, "user"), full_message(draw, "assistant")]), full_message(draw, "user"))
    } else {
        (messages(draw, false), message(draw, false))
    };
    // Few edits would find their message otherwise.
    if let (Json::Array(all), Json::Object(members)) = (&all, &mut edited)
        && draw.one_in(2)
    {
        let found = all[draw.below(all.len())].get("id");
        for (_, id) in members.iter_mut().filter(|(name, _)| name.as_str() == Some("id")) {
            *id = found.cloned().unwrap_or(Json::Null);
        }
    }
    object(vec![("messages", all), ("edited", edited)])
}

/// The message, with a text among its parts: without any, an answer is nothing that the contract speaks of.
fn with_text(draw: &mut dyn Draw, mut message: Json) -> Json {
    let text = part(draw, "text");
    if let Json::Object(members) = &mut message
        && let Some((_, Json::Array(parts))) = members.iter_mut().find(|(name, _)| name.as_str() == Some("parts"))
        && !parts.iter().any(|part| part.get("type").and_then(Json::as_str) == Some("text"))
    {
        let at = draw.below(parts.len() + 1);
        parts.insert(at, text);
    }
    message
}

/// An answer with links.
pub fn answer(draw: &mut dyn Draw) -> String {
    (0..draw.below(6)).map(|_| draw.pick(LINKS)).collect()
}

/// Messages; if they may be wrong, one of them is in one of two lists.
pub fn messages(draw: &mut dyn Draw, may_be_wrong: bool) -> Json {
    let wrong = may_be_wrong && draw.one_in(2);
    let count = draw.below(4) + usize::from(!wrong);
    let mut messages: Vec<Json> = (0..count).map(|_| message(draw, false)).collect();
    if wrong {
        let at = draw.below(messages.len() + 1);
        messages.insert(at, message(draw, true));
    }
    Json::Array(messages)
}

fn message(draw: &mut dyn Draw, wrong: bool) -> Json {
    let role = draw.pick(&["user", "user", "assistant", "assistant", "system"]);
    let mut parts: Vec<Json> = if draw.one_in(2) { in_order(draw, role) } else { in_any_order(draw, role) };
    let mut members: Vec<(&str, Json)> = vec![("id", id(draw)), ("role", role.into())];
    if draw.one_in(3) {
        let reason = draw.pick(&["stop", "length", ""]);
        members.push(("metadata", object(vec![("finishReason", reason.into())])));
    }
    if draw.one_in(6) {
        members.push((draw.pick(&["createdAt", "messageId", "__proto__", "toString"]), odd_value(draw)));
    }
    if !wrong {
        members.push(("parts", Json::Array(parts)));
        return object(members);
    }
    match draw.below(8) {
        0 => {
            let at = draw.below(members.len());
            members[at].1 = odd_value(draw);
        }
        1 => {
            members.remove(draw.below(members.len()));
        }
        2 => members[1].1 = draw.pick(&["tool", "User", "data", "", "developer"]).into(),
        3 => return object(members),
        4 => {
            members.push(("parts", odd_value(draw)));
            return object(members);
        }
        _ => {
            let at = draw.below(parts.len() + 1);
            let part = wrong_part(draw);
            parts.insert(at, part);
        }
    }
    members.push(("parts", Json::Array(parts)));
    object(members)
}

/// A message with every kind of part, for methods that pass parts on.
fn full_message(draw: &mut dyn Draw, role: &str) -> Json {
    let parts = PARTS.iter().map(|kind| part(draw, kind)).collect();
    object(vec![("id", id(draw)), ("role", role.into()), ("parts", Json::Array(parts))])
}

fn in_order(draw: &mut dyn Draw, role: &str) -> Vec<Json> {
    let mut parts = Vec::new();
    match role {
        "user" => {
            if draw.one_in(2) {
                parts.push(part(draw, "data-page"));
            }
            for _ in 0..draw.below(3) {
                parts.push(part(draw, "data-passage"));
            }
        }
        "assistant" if draw.one_in(2) => parts.push(part(draw, "step-start")),
        _ => {}
    }
    parts.push(part(draw, "text"));
    if role == "assistant" && draw.one_in(2) {
        parts.push(part(draw, "data-sources"));
    }
    parts
}

fn in_any_order(draw: &mut dyn Draw, role: &str) -> Vec<Json> {
    let kinds: &[&str] = match role {
        // What becomes of its data parts is not settled.
        "system" => &["text", "file", "reasoning", "source-url"],
        _ => PARTS,
    };
    (0..=draw.below(5)).map(|_| draw.pick(kinds)).collect::<Vec<_>>().into_iter().map(|kind| part(draw, kind)).collect()
}

fn part(draw: &mut dyn Draw, kind: &str) -> Json {
    let mut members: Vec<(&str, Json)> = vec![("type", kind.into())];
    let mut text = |name: &'static str, words: &[&'static str], members: &mut Vec<(&str, Json)>| {
        members.push((name, draw.pick(words).into()));
    };
    match kind {
        "file" => {
            text("mediaType", &["image/png"], &mut members);
            text("url", FILE_URLS, &mut members);
        }
        "source-url" => {
            text("sourceId", IDS, &mut members);
            text("url", URLS, &mut members);
        }
        "source-document" => {
            for name in ["sourceId", "mediaType"] {
                text(name, IDS, &mut members);
            }
        }
        _ => {}
    }
    if matches!(kind, "text" | "reasoning") && draw.one_in(4) {
        members.push(("state", draw.pick(&["streaming", "done"]).into()));
    }
    if kind == "file" && draw.one_in(2) {
        members.push(("filename", word(draw)));
    }
    if kind.starts_with("data-") && draw.one_in(6) {
        members.push(("id", id(draw)));
    }
    match kind {
        "text" | "reasoning" => members.insert(1, ("text", word(draw))),
        "source-document" => members.push(("title", word(draw))),
        "data-page" => members.push(("data", page_data(draw))),
        "data-passage" => members.push(("data", passage_data(draw))),
        "data-sources" => {
            members.push(("data", Json::Array((0..draw.below(3)).map(|_| page_data(draw)).collect())));
        }
        _ => {}
    }
    if draw.one_in(12) {
        members.push((draw.pick(&["extra", "messageId", "constructor"]), odd_value(draw)));
    }
    object(members)
}

/// An id: mostly one of a few, so that two messages may have the same.
fn id(draw: &mut dyn Draw) -> Json {
    if draw.one_in(8) { word(draw) } else { draw.pick(IDS).into() }
}

/// A word, at times longer than software likes to keep.
fn word(draw: &mut dyn Draw) -> Json {
    match draw.below(24) {
        0..=16 => {}
        17..=20 => return draw.pick(WHOLE).into(),
        _ => return WORDS.join(draw.pick(&[" ", "\n", "-"])).into(),
    }
    if draw.one_in(24) {
        return draw.pick(LONG_WORDS).repeat(draw.pick(&[64, 256, 1024])).into();
    }
    draw.pick(WORDS).into()
}

fn page_data(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("title", word(draw)), ("url", draw.pick(URLS).into())];
    if draw.one_in(8) {
        members.push((draw.pick(&["rank", "toString"]), odd_value(draw)));
    }
    object(members)
}

fn passage_data(draw: &mut dyn Draw) -> Json {
    let mut members = vec![("title", word(draw)), ("url", draw.pick(URLS).into()), ("text", word(draw))];
    if draw.one_in(2) {
        members.push(("heading", word(draw)));
    }
    object(members)
}

/// A part that is refused, nearly always.
fn wrong_part(draw: &mut dyn Draw) -> Json {
    match draw.below(5) {
        0 => odd_value(draw),
        1 => object(vec![("type", draw.pick(ODD_NAMES).into()), ("data", page_data(draw))]),
        2 => object(vec![("type", draw.pick(&["image", "Text", "data", "step", "-"]).into()), ("text", "x".into())]),
        _ => {
            let kind = draw.pick(&["text", "data-page", "data-passage", "data-sources", "file", "reasoning"]);
            let Json::Object(mut members) = part(draw, kind) else { return Json::Null };
            let at = draw.below(members.len());
            match draw.below(3) {
                0 => {
                    members.remove(at);
                }
                _ if kind.starts_with("data-") && draw.one_in(2) => {
                    let is_data = |(name, _): &&mut (JsonString, Json)| name.as_str() == Some("data");
                    if let Some((_, Json::Object(data))) = members.iter_mut().find(is_data) {
                        let at = draw.below(data.len());
                        data[at].1 = odd_value(draw);
                    }
                }
                _ => members[at].1 = odd_value(draw),
            }
            // A type without a letter names nothing that anybody would send.
            for (_, kind) in members.iter_mut().filter(|(name, _)| name.as_str() == Some("type")) {
                if kind.as_str() == Some("") {
                    *kind = Json::Null;
                }
            }
            Json::Object(members)
        }
    }
}

fn odd_value(draw: &mut dyn Draw) -> Json {
    json::parse(draw.pick(ODD_VALUES)).expect("is JSON")
}

fn pages(draw: &mut dyn Draw) -> Json {
    let page = |url: &str, title: &str, anchors: &[(&str, &str)]| {
        let anchors =
            anchors.iter().map(|(id, heading)| object(vec![("id", (*id).into()), ("heading", (*heading).into())]));
        object(vec![("url", url.into()), ("title", title.into()), ("anchors", Json::Array(anchors.collect()))])
    };
    let all = [
        page(
            "/docs/backups",
            "Backups",
            &[("restore", "Restore"), ("step-2", ""), ("\u{fc}", "\u{dc}ber"), ("50%", "$$"), ("e\u{301}", " ")],
        ),
        page("/", "Home", &[("top", "Top")]),
        page("/docs", "All", &[]),
        page("/docs/a.b;v=1&x", " A &amp; B\n", &[("toString", "4000")]),
    ];
    Json::Array(all.into_iter().filter(|_| !draw.one_in(4)).collect())
}
