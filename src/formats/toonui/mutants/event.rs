//! Mutants that make the payload of an event wrongly.

use super::text::{is_reply, shown};
use super::{Fault, Mutant, mutant};
use crate::formats::values::{changed, members, with, without};
use crate::json::Json;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.event.reply",
        "reply-without-component",
        "A reply has no `component`.",
        Fault::Event(|payload| without(&payload, "component")),
    ),
    mutant(
        "toonui.event.reply",
        "reply-value-trimmed",
        "A reply's value loses the white space around it.",
        Fault::Event(|payload| changed(payload, "value", |value| value.as_str().unwrap_or_default().trim().into())),
    ),
    mutant(
        "toonui.event.submit",
        "submit-values-as-text",
        "Values of a submit become strings, as form controls give them.",
        Fault::Event(|payload| {
            changed(payload, "values", |values| {
                let texts = members(Some(values)).into_iter().map(|(name, value)| (name, shown(&value).into()));
                Json::Object(texts.collect())
            })
        }),
    ),
    mutant(
        "toonui.event.submit",
        "submit-with-component",
        "A submit has a `component`, as a reply has.",
        Fault::Event(|payload| if is_reply(&payload) { payload } else { with(&payload, "component", "form".into()) }),
    ),
    mutant(
        "toonui.event.form-title",
        "title-made-readable",
        "The form title is the intent with spaces for its underscores.",
        Fault::Event(|payload| {
            changed(payload, "formTitle", |title| title.as_str().unwrap_or_default().replace('_', " ").into())
        }),
    ),
    mutant(
        "toonui.event.form-title",
        "no-title",
        "A submit has no `formTitle` unless a form gives it one.",
        Fault::Event(|payload| without(&payload, "formTitle")),
    ),
    mutant(
        "toonui.event.id",
        "uuid-for-an-id",
        "The id is a UUID instead of a word and some digits.",
        Fault::Event(|payload| {
            changed(payload, "eventId", |id| {
                let word = id.as_str().unwrap_or_default();
                format!("{}-4b1d-8f00-000000000000", word.rsplit('_').next().unwrap_or_default()).into()
            })
        }),
    ),
    mutant(
        "toonui.event.id",
        "one-id-for-all",
        "Each event gets the same id.",
        Fault::Event(|payload| {
            let word = if is_reply(&payload) { "reply_1" } else { "submit_1" };
            changed(payload, "eventId", |_| word.into())
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "no-entries-no-member",
        "Without a context or values, the payload has no such member.",
        Fault::Event(|payload| {
            let empty: Vec<&str> = ["context", "values"]
                .into_iter()
                .filter(|name| payload.get(name) == Some(&Json::Object(Vec::new())))
                .collect();
            empty.into_iter().fold(payload, |payload, name| without(&payload, name))
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "null-context-is-none",
        "A context of null counts as missing and becomes an empty object.",
        Fault::Event(|payload| {
            changed(payload, "context", |context| match context {
                Json::Null => Json::Object(Vec::new()),
                other => other.clone(),
            })
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "null-values-stay",
        "Values of null stay null.",
        Fault::Form(|payload, values| if values == Json::Null { with(&payload, "values", values) } else { payload }),
    ),
];
