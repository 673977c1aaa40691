//! Inputs that can be made longer and longer.

use super::generate::messages;
use crate::format::GrowthPoint;
use crate::generate::{Draw, DrawExt};
use crate::json::{self, Json};

/// Of `glossen.validate`.
pub(super) const VALIDATE: &[GrowthPoint] = CONVERTED;

/// Of `glossen.to_model_messages`.
pub(super) const TO_MODEL_MESSAGES: &[GrowthPoint] = CONVERTED;

/// Of the methods that take messages.
const CONVERTED: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/messages",
        prefixes: &[""],
        fragment: message,
        params: |_, unit, times| Json::object([("messages", Json::Array(vec![parsed(unit); times]))]),
    },
    GrowthPoint {
        at: "/messages/0/parts",
        prefixes: &[""],
        fragment: part,
        params: |_, unit, times| of_message(vec![parsed(unit); times], |message| ("messages", list(message))),
    },
    GrowthPoint {
        at: "/messages/0/parts/0/text",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| of_message(vec![text(&unit.repeat(times))], |message| ("messages", list(message))),
    },
];

/// Of `glossen.check`.
pub(super) const CHECK: &[GrowthPoint] = &[
    GrowthPoint {
        at: "/message/parts",
        prefixes: &[""],
        fragment: part,
        params: |_, unit, times| of_message(vec![parsed(unit); times], |message| ("message", message)),
    },
    GrowthPoint {
        at: "/message/parts/0/text",
        prefixes: &[""],
        fragment: piece,
        params: |_, unit, times| of_message(vec![text(&unit.repeat(times))], |message| ("message", message)),
    },
];

/// Of `glossen.sources`.
pub(super) const SOURCES: &[GrowthPoint] = &[GrowthPoint {
    at: "/answer",
    prefixes: &["", "[a](/docs/backups", "](<"],
    fragment: piece,
    params: |prefix, unit, times| {
        let anchor = Json::object([("id", "restore".into()), ("heading", "Restore".into())]);
        let anchors = ("anchors", list(anchor));
        let page = Json::object([("url", "/docs/backups".into()), ("title", "Backups".into()), anchors]);
        let answer = format!("{prefix}{}", unit.repeat(times));
        Json::object([("answer", answer.into()), ("origin", "https://docs.example".into()), ("pages", list(page))])
    },
}];

/// Of `glossen.edit`, which replaces the last message.
pub(super) const EDIT: &[GrowthPoint] = &[GrowthPoint {
    at: "/messages",
    prefixes: &[""],
    fragment: message,
    params: |_, unit, times| {
        let last = user(vec![text("Why?")]);
        let messages = std::iter::repeat_n(parsed(unit), times).chain([last]);
        Json::object([("messages", Json::Array(messages.collect())), ("edited", user(vec![text("How?")]))])
    },
}];

/// Pieces of a text with links.
const PIECES: &[&str] = &[
    "[a](/docs/backups)",
    "[b](/docs/backups#restore) and ",
    "[c](",
    "](<",
    " ",
    "(",
    ")",
    "\n",
    "<passage>\n",
    "\"\\",
    "\u{1f600}",
];

/// The id of the message that is made here. No generated message has it.
const ID: &str = "last";

fn piece(draw: &mut dyn Draw) -> String {
    draw.pick(PIECES).to_owned()
}

/// A message that the contract accepts.
fn message(draw: &mut dyn Draw) -> String {
    match messages(draw, false) {
        Json::Array(messages) if !messages.is_empty() => messages[0].to_ascii(),
        _ => user(vec![text("Why?")]).to_ascii(),
    }
}

/// A part of such a message.
fn part(draw: &mut dyn Draw) -> String {
    match parsed(&message(draw)).get("parts") {
        Some(Json::Array(parts)) if !parts.is_empty() => draw.pick(&parts.iter().collect::<Vec<_>>()).to_ascii(),
        _ => text("Why?").to_ascii(),
    }
}

fn parsed(unit: &str) -> Json {
    json::parse(unit).expect("a message or part is JSON")
}

fn text(text: &str) -> Json {
    Json::object([("type", "text".into()), ("text", text.into())])
}

fn user(parts: Vec<Json>) -> Json {
    Json::object([("id", ID.into()), ("role", "user".into()), ("parts", Json::Array(parts))])
}

fn list(item: Json) -> Json {
    Json::Array(vec![item])
}

/// Params with a message of these parts.
fn of_message(parts: Vec<Json>, member: impl Fn(Json) -> (&'static str, Json)) -> Json {
    // A text comes first: a message without a part, or an answer without a text, has rules of its own.
    Json::object([member(user(if parts.is_empty() { vec![text("")] } else { parts }))])
}
