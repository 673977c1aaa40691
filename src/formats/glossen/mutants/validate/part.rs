//! Mutants that accept the wrong parts, data and metadata.

use super::super::{
    Fault, Mutant, each, each_data, each_part, items, kind, member, only_parts, parts, role, text, wrong,
};
use super::{a_text, refusing, right};
use crate::formats::values::{with, without};
use crate::glossen::Choices;
use crate::json::{Json, Pointer};

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.type.text",
        "null-is-no-text",
        "A text of null counts as an empty one.",
        Fault::Validate(|messages, choices| right(&each_part(messages, &|part| filled(part, "text", "text")), choices)),
    ),
    wrong(
        "glossen.type.text",
        "texts-say-something",
        "An empty text is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| kind(part) == "text" && part.get("text") == Some(&"".into()))
        }),
    ),
    wrong(
        "glossen.type.page",
        "untitled-pages",
        "A page without a title is accepted, with an empty one.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-page", &|data| with_missing(data, "title", "")), choices)
        }),
    ),
    wrong(
        "glossen.type.page",
        "numbers-are-titles",
        "The title of a page may be a number.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-page", &|data| member(data, "title", &as_text)), choices)
        }),
    ),
    wrong(
        "glossen.type.passage",
        "null-is-no-heading",
        "A heading of null counts as missing.",
        Fault::Validate(|messages, choices| {
            right(
                &each_data(messages, "data-passage", &|data| match data.get("heading") {
                    Some(Json::Null) => without(data, "heading"),
                    _ => data.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.passage",
        "passages-have-headings",
        "A passage without a heading is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                kind(part) == "data-passage" && part.get("data").is_some_and(|data| data.get("heading").is_none())
            })
        }),
    ),
    wrong(
        "glossen.type.passage",
        "passages-without-text",
        "A passage without its text is accepted.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-passage", &|data| with_missing(data, "text", "")), choices)
        }),
    ),
    wrong(
        "glossen.type.sources",
        "one-source-is-a-list",
        "A single source outside of a list counts as a list of one.",
        Fault::Validate(|messages, choices| {
            right(
                &each_data(messages, "data-sources", &|data| match data {
                    Json::Object(_) => Json::Array(vec![data.clone()]),
                    other => other.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.sources",
        "sources-are-some",
        "An empty list of sources is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                kind(part) == "data-sources" && part.get("data") == Some(&Json::Array(Vec::new()))
            })
        }),
    ),
    wrong(
        "glossen.type.sources",
        "untitled-sources",
        "A source without a title is accepted, with its url as one.",
        Fault::Validate(|messages, choices| {
            right(
                &each_data(messages, "data-sources", &|data| {
                    each(data, &|source| with_missing(source, "title", text(source, "url")))
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.metadata",
        "null-is-no-metadata",
        "Metadata of null count as missing.",
        Fault::Validate(|messages, choices| {
            right(
                &each(messages, &|message| match message.get("metadata") {
                    Some(Json::Null) => without(message, "metadata"),
                    _ => message.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.metadata",
        "null-is-no-reason",
        "A finishReason of null counts as missing.",
        Fault::Validate(|messages, choices| {
            right(
                &each(messages, &|message| {
                    member(message, "metadata", &|metadata| match metadata.get("finishReason") {
                        Some(Json::Null) => without(metadata, "finishReason"),
                        _ => metadata.clone(),
                    })
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.metadata",
        "metadata-are-needed",
        "An assistant's message without metadata is refused.",
        Fault::Validate(|messages, choices| {
            let lacks = |message: &Json| role(message) == "assistant" && message.get("metadata").is_none();
            if items(Some(messages)).iter().any(lacks) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.unknown-data-part",
        "any-data-part",
        "Data parts of any name are accepted.",
        Fault::Validate(|messages, choices| taking_data_parts(messages, choices, &|_| true)),
    ),
    wrong(
        "glossen.type.unknown-data-part",
        "inherited-data-parts",
        "Names that every JavaScript object has are found among the schemas.",
        Fault::Validate(|messages, choices| {
            taking_data_parts(messages, choices, &|name| matches!(name, "toString" | "constructor" | "isPrototypeOf"))
        }),
    ),
    wrong(
        "glossen.type.unknown-data-part",
        "data-parts-in-any-case",
        "Capital letters in the name of a data part do not matter.",
        Fault::Validate(|messages, choices| {
            right(
                &each_part(messages, &|part| {
                    member(part, "type", &|kind| match kind.as_str() {
                        Some(kind) if kind.starts_with("data-") => kind.to_ascii_lowercase().into(),
                        _ => kind.clone(),
                    })
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.parts",
        "any-part",
        "Parts of unknown types are accepted and dropped.",
        Fault::Validate(|messages, choices| {
            right(
                &only_parts(messages, &|part| !matches!(kind(part), "image" | "audio" | "source" | "Text" | "")),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.parts",
        "any-state",
        "A text may have any state.",
        Fault::Validate(|messages, choices| {
            right(
                &each_part(messages, &|part| match kind(part) {
                    "text" | "reasoning" => member(part, "state", &|_| "done".into()),
                    _ => part.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.parts",
        "no-steps",
        "A part `step-start` is refused.",
        Fault::Validate(|messages, choices| refusing(messages, choices, &|part| kind(part) == "step-start")),
    ),
    wrong(
        "glossen.type.parts",
        "numbered-data-parts",
        "The id of a data part may be a number.",
        Fault::Validate(|messages, choices| right(&each_part(messages, &|part| member(part, "id", &as_text)), choices)),
    ),
    wrong(
        "glossen.type.parts",
        "texts-alone",
        "Of the parts without data, only text is known.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                matches!(kind(part), "reasoning" | "file" | "source-url" | "source-document")
            })
        }),
    ),
];

fn with_missing(data: &Json, name: &str, value: &str) -> Json {
    match data {
        Json::Object(_) if data.get(name).is_none() => with(data, name, value.into()),
        other => other.clone(),
    }
}

fn as_text(value: &Json) -> Json {
    match value {
        Json::Number(number) => number.as_str().into(),
        other => other.clone(),
    }
}

/// Accepts data parts of further names, whatever their data is.
fn taking_data_parts(messages: &Json, choices: &Choices, takes: &dyn Fn(&str) -> bool) -> Option<Json> {
    let is_taken = |part: &Json| {
        kind(part)
            .strip_prefix("data-")
            .is_some_and(|name| !["page", "passage", "sources"].contains(&name) && takes(name))
    };
    // A text replaces each of them, so that the message is not empty.
    let given = right(&each_part(messages, &|part| if is_taken(part) { a_text() } else { part.clone() }), choices)?;
    let root = Pointer::default();
    let mut back = given;
    for (at, message) in items(Some(messages)).iter().enumerate() {
        for (index, part) in parts(message).iter().enumerate().filter(|(_, part)| is_taken(part)) {
            let place = root.child(at.to_string()).child("parts").child(index.to_string());
            if let Some(place) = place.find_mut(&mut back) {
                *place = part.clone();
            }
        }
    }
    Some(back)
}

/// Returns a part of this type in which null represents the empty text.
fn filled(part: &Json, of: &str, name: &str) -> Json {
    match kind(part) == of && part.get(name) == Some(&Json::Null) {
        true => with(part, name, "".into()),
        false => part.clone(),
    }
}
