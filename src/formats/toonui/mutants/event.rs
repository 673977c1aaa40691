//! Mutants that make the payload of an event wrongly.

use super::mangling::{
    cut, decoded, in_lf, percent_decoded, split_words, untagged, with_each, with_texts_in, within_levels,
    without_members,
};
use super::text::{is_reply, parsed, shown};
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
        "toonui.event.reply",
        "reply-value-cut-at-1000",
        "A reply's value is cut after 1,000 characters.",
        Fault::Event(|payload| with_texts_in(&payload, &["value"], &|text| cut(text, 1_000))),
    ),
    mutant(
        "toonui.event.reply",
        "context-entities-decoded",
        "Entities in the strings of a context are decoded, since they come from a page.",
        Fault::Event(|payload| with_texts_in(&payload, &["context"], &decoded)),
    ),
    mutant(
        "toonui.event.reply",
        "context-words-become-values",
        "The strings `true` and `false` in a context become booleans.",
        Fault::Event(|payload| {
            changed(payload, "context", |context| {
                with_each(context, &|value| match value.as_str() {
                    Some("true") => true.into(),
                    Some("false") => false.into(),
                    _ => value,
                })
            })
        }),
    ),
    mutant(
        "toonui.event.reply",
        "context-of-json-text-read",
        "A context that is a string of JSON is read.",
        Fault::Event(|payload| {
            changed(payload, "context", |context| context.as_str().map_or_else(|| context.clone(), parsed))
        }),
    ),
    mutant(
        "toonui.event.reply",
        "falsy-reply-context-is-none",
        "A context of false, 0 or the empty string counts as missing and becomes an empty object.",
        Fault::Event(|payload| {
            changed(
                payload,
                "context",
                |context| if is_falsy(context) { Json::Object(Vec::new()) } else { context.clone() },
            )
        }),
    ),
    mutant(
        "toonui.event.reply",
        "context-of-three-levels",
        "Lists and objects within three others are null in a context.",
        Fault::Event(|payload| changed(payload, "context", |context| within_levels(context, 3))),
    ),
    mutant(
        "toonui.event.reply",
        "context-without-prototype-names",
        "Members `__proto__` and `constructor` of a context are left out, as safe readers of JSON do.",
        Fault::Event(|payload| {
            changed(payload, "context", |context| {
                without_members(context, &|name, _| ["__proto__", "constructor"].contains(&name))
            })
        }),
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
        "toonui.event.submit",
        "intent-without-tags",
        "The intent loses its tags.",
        Fault::Event(|payload| with_texts_in(&payload, &["intent"], &untagged)),
    ),
    mutant(
        "toonui.event.submit",
        "intent-percent-decoded",
        "The intent is decoded, as if it came from a URL.",
        Fault::Event(|payload| with_texts_in(&payload, &["intent"], &percent_decoded)),
    ),
    mutant(
        "toonui.event.submit",
        "values-in-lf",
        "Strings in the values have LF for CRLF.",
        Fault::Event(|payload| with_texts_in(&payload, &["values"], &in_lf)),
    ),
    mutant(
        "toonui.event.submit",
        "values-of-a-list-are-none",
        "Values in a list count as missing and become an empty object.",
        Fault::Event(|payload| {
            changed(payload, "values", |values| match values {
                Json::Array(_) => Json::Object(Vec::new()),
                other => other.clone(),
            })
        }),
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
        "toonui.event.form-title",
        "title-in-words",
        "The form title is the intent with a space before each of its capitals.",
        Fault::Event(|payload| with_texts_in(&payload, &["formTitle"], &split_words)),
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
        "toonui.event.id",
        "hash-for-an-id",
        "The id is a hash of the event, so that the same event has the same id again.",
        Fault::Event(|payload| {
            let event = without(&payload, "eventId").to_ascii();
            let hash = event.bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
            let kind = if is_reply(&payload) { "reply" } else { "submit" };
            changed(payload, "eventId", |_| format!("{kind}_{hash:08x}").into())
        }),
    ),
    mutant(
        "toonui.event.id",
        "id-in-two-groups",
        "The id has a dash in the middle of its digits.",
        Fault::Event(|payload| {
            with_texts_in(&payload, &["eventId"], &|id| {
                let (start, end) = id.split_at(id.floor_char_boundary(id.len().saturating_sub(4)));
                format!("{start}-{end}")
            })
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

/// Whether JavaScript takes a value for false. Null is not asked about.
fn is_falsy(value: &Json) -> bool {
    match value {
        Json::Bool(value) => !value,
        Json::Number(number) => number.to_double().as_str() == "0",
        Json::String(text) => text.as_str() == Some(""),
        _ => false,
    }
}
