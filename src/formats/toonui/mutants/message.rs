//! Mutants that make messages wrongly.

use super::mangling::{cut, trimmed, with_texts_in};
use super::{Fault, Mutant, mutant};
use crate::formats::values::{changed, with, without};
use crate::json::{self, Json};
use crate::toonui::reply;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.message.model",
        "model-message-without-payload",
        "The model message has no payload.",
        Fault::ModelMessage(|message| without(&message, "payload")),
    ),
    mutant(
        "toonui.message.model",
        "display-text-in-content",
        "The content of the model message is the display text.",
        Fault::ModelMessage(|message| {
            let display = message.get("displayContent").cloned().unwrap_or_default();
            with(&message, "content", display)
        }),
    ),
    mutant(
        "toonui.message.model",
        "payload-trimmed-to-known",
        "The payload in the model message lacks its line, its node and everything else that the text leaves out.",
        Fault::ModelMessage(|message| {
            changed(message, "payload", |payload| {
                ["line", "node"].iter().fold(payload.clone(), |payload, name| without(&payload, name))
            })
        }),
    ),
    mutant(
        "toonui.message.model",
        "empty-display-text-left-out",
        "The model message has no `displayContent` where the display text is empty.",
        Fault::ModelMessage(|message| match message.get("displayContent").and_then(Json::as_str) {
            Some("") => without(&message, "displayContent"),
            _ => message,
        }),
    ),
    mutant(
        "toonui.message.model",
        "value-in-the-payload-trimmed",
        "The value in the payload of the model message loses the white space around it.",
        Fault::ModelMessage(|message| {
            changed(message, "payload", |payload| with_texts_in(payload, &["value"], &trimmed))
        }),
    ),
    mutant(
        "toonui.message.ui",
        "ui-message-with-content",
        "The UI message has a `content` as well as its parts, as older messages had.",
        Fault::UiMessage(|message| {
            let text = "/parts/0/text".parse::<json::Pointer>().ok().and_then(|place| place.find(&message).cloned());
            with(&message, "content", text.unwrap_or_default())
        }),
    ),
    mutant(
        "toonui.message.ui",
        "display-text-in-part",
        "The part of the UI message is the display text.",
        Fault::UiMessage(|message| {
            let text = message.get("metadata").and_then(|metadata| metadata.get("displayContent")).cloned();
            let part = Json::object([("type", "text".into()), ("text", text.unwrap_or_default())]);
            with(&message, "parts", Json::Array(vec![part]))
        }),
    ),
    mutant(
        "toonui.message.ui",
        "metadata-without-kind",
        "The metadata of the UI message has no kind.",
        Fault::UiMessage(|message| changed(message, "metadata", |metadata| without(metadata, "kind"))),
    ),
    mutant(
        "toonui.message.ui",
        "text-of-the-part-trimmed",
        "The text in the part of the UI message loses the white space around it.",
        Fault::UiMessage(|message| with_texts_in(&message, &["parts"], &trimmed)),
    ),
    mutant(
        "toonui.message.ui",
        "long-display-text-cut",
        "The display text in the metadata is cut after 280 characters, since it is a preview.",
        Fault::UiMessage(|message| {
            changed(message, "metadata", |metadata| {
                with_texts_in(metadata, &["displayContent"], &|text| cut(text, 280))
            })
        }),
    ),
    mutant(
        "toonui.message.id",
        "new-id-for-a-message",
        "The UI message has a new id.",
        Fault::UiMessage(|message| {
            let new = reply("", None);
            changed(message, "id", |_| new.get("eventId").cloned().unwrap_or_default())
        }),
    ),
    mutant(
        "toonui.message.id",
        "message-id-in-small-letters",
        "The id of the UI message is in small letters.",
        Fault::UiMessage(|message| with_texts_in(&message, &["id"], &|id| id.to_lowercase())),
    ),
    mutant(
        "toonui.message.id",
        "message-id-cut-at-64",
        "The id of the UI message is cut after 64 characters, as many as a column holds.",
        Fault::UiMessage(|message| with_texts_in(&message, &["id"], &|id| cut(id, 64))),
    ),
];
