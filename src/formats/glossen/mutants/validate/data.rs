//! Mutants that accept the wrong texts, data and metadata.

use super::super::mangling::{composed, cut, is_blank, trimmed};
use super::super::{
    Fault, Mutant, each, each_data, each_part, items, kind, member, only, only_parts, parts, role, text, with_text,
    wrong,
};
use super::{a_text, as_text, filled, in_json, is_text, refusing, right};
use crate::formats::values::{with, without};
use crate::glossen::Choices;
use crate::json::{Json, Pointer};

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.type.text",
        "null-is-no-text",
        "A text of null counts as an empty one.",
        Fault::Validate(|messages, choices| {
            right(
                &each_part(messages, &|part| if kind(part) == "text" { filled(part, "text") } else { part.clone() }),
                choices,
            )
        }),
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
        "glossen.type.text",
        "blank-texts-refused",
        "A text of white space alone is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                kind(part) == "text" && !text(part, "text").is_empty() && is_blank(text(part, "text"))
            })
        }),
    ),
    wrong(
        "glossen.type.text",
        "trimmed-texts",
        "White space around a text is trimmed.",
        Fault::Validate(|messages, choices| with_texts(messages, choices, &trimmed)),
    ),
    wrong(
        "glossen.type.text",
        "composed-texts",
        "A text is returned under NFC.",
        Fault::Validate(|messages, choices| with_texts(messages, choices, &composed)),
    ),
    wrong(
        "glossen.type.text",
        "long-texts-cut",
        "A text is cut at 1,000 characters.",
        Fault::Validate(|messages, choices| with_texts(messages, choices, &|text| cut(text, 1000))),
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
        "glossen.type.page",
        "null-is-no-title",
        "A title or url of null counts as an empty one.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-page", &|data| filled(&filled(data, "title"), "url")), choices)
        }),
    ),
    wrong(
        "glossen.type.page",
        "any-value-is-a-url",
        "A url that is true, a list or an object counts as its JSON.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-page", &|data| member(data, "url", &in_json)), choices)
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
        "glossen.type.passage",
        "numbers-are-texts",
        "The text of a passage may be a number.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-passage", &|data| member(data, "text", &as_text)), choices)
        }),
    ),
    wrong(
        "glossen.type.passage",
        "null-is-no-text-of-a-passage",
        "A title, a url or a text of null counts as an empty one.",
        Fault::Validate(|messages, choices| {
            let filled = |data: &Json| filled(&filled(&filled(data, "title"), "url"), "text");
            right(&each_data(messages, "data-passage", &filled), choices)
        }),
    ),
    wrong(
        "glossen.type.passage",
        "trimmed-names-of-passages",
        "White space around the title and the heading of a passage is trimmed.",
        Fault::Validate(|messages, choices| {
            let trimmed = |data: &Json| with_text(&with_text(data, "title", &trimmed), "heading", &trimmed);
            Some(each_data(&right(messages, choices)?, "data-passage", &trimmed))
        }),
    ),
    wrong(
        "glossen.type.passage",
        "any-value-is-a-heading",
        "A heading that is true, a list or an object counts as its JSON.",
        Fault::Validate(|messages, choices| {
            right(&each_data(messages, "data-passage", &|data| member(data, "heading", &in_json)), choices)
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
        "glossen.type.sources",
        "nothing-is-a-list",
        "Data of null or of an empty object count as an empty list.",
        Fault::Validate(|messages, choices| {
            let listed = |data: &Json| match data {
                Json::Null => Json::Array(Vec::new()),
                Json::Object(members) if members.is_empty() => Json::Array(Vec::new()),
                other => other.clone(),
            };
            right(&each_data(messages, "data-sources", &listed), choices)
        }),
    ),
    wrong(
        "glossen.type.sources",
        "sources-once",
        "A source that comes twice is returned once.",
        Fault::Validate(|messages, choices| {
            let once = |data: &Json| {
                let list = items(Some(data));
                let first = (0..list.len()).filter(|at| !list[..*at].contains(&list[*at]));
                Json::Array(first.map(|at| list[at].clone()).collect())
            };
            Some(each_data(&right(messages, choices)?, "data-sources", &once))
        }),
    ),
    wrong(
        "glossen.type.sources",
        "ten-sources",
        "At most ten sources are kept.",
        Fault::Validate(|messages, choices| {
            let first = |data: &Json| Json::Array(items(Some(data)).iter().take(10).cloned().collect());
            Some(each_data(&right(messages, choices)?, "data-sources", &first))
        }),
    ),
    wrong(
        "glossen.type.sources",
        "sources-have-titles",
        "A source with an empty title is refused.",
        Fault::Validate(|messages, choices| {
            let is_untitled = |source: &Json| source.get("title") == Some(&"".into());
            refusing(messages, choices, &|part| {
                kind(part) == "data-sources" && items(part.get("data")).iter().any(is_untitled)
            })
        }),
    ),
    wrong(
        "glossen.type.sources",
        "bad-sources-are-skipped",
        "A bad source is dropped, and the others are accepted.",
        Fault::Validate(|messages, choices| {
            let is_good = |source: &Json| ["title", "url"].iter().all(|name| source.get(name).is_some_and(is_text));
            right(&each_data(messages, "data-sources", &|data| only(data, &is_good)), choices)
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
        "glossen.type.metadata",
        "known-reasons-alone",
        "A finishReason that the SDK does not know is refused.",
        Fault::Validate(|messages, choices| {
            const KNOWN: [&str; 6] = ["stop", "length", "content-filter", "tool-calls", "error", "other"];
            let is_unknown = |message: &Json| {
                let reason = message.get("metadata").and_then(|metadata| metadata.get("finishReason"));
                reason.and_then(Json::as_str).is_some_and(|reason| !KNOWN.contains(&reason))
            };
            if items(Some(messages)).iter().any(is_unknown) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.metadata",
        "metadata-of-answers",
        "Metadata of a user's or a system message are dropped.",
        Fault::Validate(|messages, choices| {
            Some(each(&right(messages, choices)?, &|message| match role(message) {
                "assistant" => message.clone(),
                _ => without(message, "metadata"),
            }))
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
        "glossen.type.unknown-data-part",
        "inherited-from-functions",
        "Names that only some JavaScript objects have are found among the schemas.",
        Fault::Validate(|messages, choices| {
            taking_data_parts(messages, choices, &|name| {
                ["name", "length", "prototype", "__defineGetter__", "toLocaleString", "valueOf"].contains(&name)
            })
        }),
    ),
    wrong(
        "glossen.type.unknown-data-part",
        "data-parts-by-their-beginning",
        "A name that begins or ends with a known one is accepted.",
        Fault::Validate(|messages, choices| {
            let is_near = |name: &str, known: &str| name.starts_with(known) || name.ends_with(known);
            taking_data_parts(messages, choices, &|name| {
                ["page", "passage", "sources"].iter().any(|known| is_near(name, known))
            })
        }),
    ),
    wrong(
        "glossen.type.unknown-data-part",
        "unknown-data-is-dropped",
        "Data parts of unknown names are dropped, and the rest is accepted.",
        Fault::Validate(|messages, choices| {
            let is_known = |part: &Json| !kind(part).starts_with("data-") || is_page_passage_or_sources(part);
            right(&only_parts(messages, &is_known), choices)
        }),
    ),
];

fn with_missing(data: &Json, name: &str, value: &str) -> Json {
    match data {
        Json::Object(_) if data.get(name).is_none() => with(data, name, value.into()),
        other => other.clone(),
    }
}

fn is_page_passage_or_sources(part: &Json) -> bool {
    matches!(kind(part), "data-page" | "data-passage" | "data-sources")
}

/// Returns the right messages with each text part's text changed.
fn with_texts(messages: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Option<Json> {
    let changed = |part: &Json| if kind(part) == "text" { with_text(part, "text", change) } else { part.clone() };
    Some(each_part(&right(messages, choices)?, &changed))
}

/// Accepts data parts of further names, whatever their data is.
fn taking_data_parts(messages: &Json, choices: &Choices, takes: &dyn Fn(&str) -> bool) -> Option<Json> {
    let is_taken =
        |part: &Json| !is_page_passage_or_sources(part) && kind(part).strip_prefix("data-").is_some_and(takes);
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
