//! Mutants that accept too much or too little.

use super::{
    Fault, Mutant, each, each_data, each_part, items, kind, member, only, only_parts, parts, role, text, wrong,
};
use crate::formats::values::{with, without};
use crate::glossen::choices::{ExtraKeys, UrlCheck};
use crate::glossen::{Choices, check, validate};
use crate::json::{Json, JsonString, Pointer};

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.type.message",
        "numbers-are-ids",
        "An id that is a number is accepted, as its digits.",
        Fault::Validate(|messages, choices| {
            right(
                &each(messages, &|message| {
                    member(message, "id", &|id| match id {
                        Json::Number(number) => number.as_str().into(),
                        other => other.clone(),
                    })
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.type.message",
        "any-role-speaks",
        "A message of a role that the SDK does not know is accepted.",
        Fault::Validate(|messages, choices| {
            let known = each(messages, &|message| {
                member(message, "role", &|role| match role.as_str() {
                    Some("user" | "assistant" | "system") | None => role.clone(),
                    Some(_) => "assistant".into(),
                })
            });
            right(&known, choices).map(|given| restored(&given, messages, "role"))
        }),
    ),
    wrong(
        "glossen.type.message",
        "bad-messages-are-skipped",
        "A bad message is dropped, and the others are accepted.",
        Fault::Validate(|messages, choices| {
            let alone = |message: &Json| right(&Json::Array(vec![message.clone()]), choices).is_some();
            let good = only(messages, &alone);
            if items(Some(&good)).is_empty() { None } else { right(&good, choices) }
        }),
    ),
    wrong(
        "glossen.type.message",
        "one-message-is-a-list",
        "A single message outside of a list counts as a list of one.",
        Fault::Validate(|messages, choices| match messages {
            Json::Object(_) => right(&Json::Array(vec![messages.clone()]), choices),
            _ => right(messages, choices),
        }),
    ),
    wrong(
        "glossen.type.message",
        "ids-are-new",
        "The same id twice is refused.",
        Fault::Validate(|messages, choices| {
            let messages_given = items(Some(messages));
            let is_repeated =
                |at: usize| messages_given[..at].iter().any(|other| other.get("id") == messages_given[at].get("id"));
            if (0..messages_given.len()).any(is_repeated) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.not-empty",
        "no-message-is-fine",
        "An empty list of messages is accepted.",
        Fault::Validate(|messages, choices| match messages {
            Json::Array(list) if list.is_empty() => Some(messages.clone()),
            _ => right(messages, choices),
        }),
    ),
    wrong(
        "glossen.type.not-empty",
        "no-part-is-fine",
        "A user's message without parts is accepted.",
        Fault::Validate(|messages, choices| {
            let is_empty = |message: &Json| message.get("parts") == Some(&Json::Array(Vec::new()));
            let filled = each(messages, &|message| match is_empty(message) && role(message) != "assistant" {
                true => with(message, "parts", Json::Array(vec![a_text()])),
                false => message.clone(),
            });
            right(&filled, choices).map(|given| restored(&given, messages, "parts"))
        }),
    ),
    wrong(
        "glossen.type.not-empty",
        "an-answer-has-begun",
        "An assistant's message without parts is refused.",
        Fault::Validate(|messages, choices| {
            let has_none = |message: &Json| message.get("parts").is_some() && parts(message).is_empty();
            if items(Some(messages)).iter().any(has_none) { None } else { right(messages, choices) }
        }),
    ),
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
    wrong(
        "glossen.type.outer-keys",
        "outer-keys-kept",
        "Members of a message that no type names are kept.",
        Fault::Validate(|messages, choices| {
            let given = right(messages, choices)?;
            let both = items(Some(&given)).iter().zip(items(Some(messages)));
            Some(Json::Array(both.map(|(given, message)| and_others(given, message)).collect()))
        }),
    ),
    wrong(
        "glossen.type.outer-keys",
        "strict-messages",
        "A message with a member that no type names is refused.",
        Fault::Validate(|messages, choices| {
            let given = right(messages, choices)?;
            let has_more = |(given, message): (&Json, &Json)| and_others(given, message) != *given;
            if items(Some(&given)).iter().zip(items(Some(messages))).any(has_more) { None } else { Some(given) }
        }),
    ),
    wrong(
        "glossen.type.extra-keys",
        "half-stripped",
        "Other members are stripped from pages and passages, and kept in sources and metadata.",
        Fault::Validate(|messages, choices| {
            let (stripped, kept) = (extra_keys(choices, ExtraKeys::Stripped), extra_keys(choices, ExtraKeys::Kept));
            let (stripped, kept) = (right(messages, &stripped)?, right(messages, &kept)?);
            let both = items(Some(&stripped)).iter().zip(items(Some(&kept)));
            let is_assistant = |message: &Json| role(message) == "assistant";
            Some(Json::Array(
                both.map(|(bare, full)| if is_assistant(bare) { full.clone() } else { bare.clone() }).collect(),
            ))
        }),
    ),
    wrong(
        "glossen.type.url",
        "scripts-in-small-letters",
        "A url is refused only if it begins exactly with `javascript:`.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                part.get("data").is_some_and(|data| text(data, "url").starts_with("javascript:"))
            })
        }),
    ),
    wrong(
        "glossen.type.url",
        "only-pages-are-checked",
        "The url of a page is checked, that of a passage or a source is not.",
        Fault::Validate(|messages, choices| {
            let checked = Choices { url: UrlCheck::Checked, ..*choices };
            let pages = only_parts(messages, &|part| !matches!(kind(part), "data-passage" | "data-sources"));
            let refused = right(&pages, choices).is_some() && right(&pages, &checked).is_none();
            if refused { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.validate.order",
        "users-keep-order",
        "The order of a user's parts is enforced, that of an assistant's is not.",
        Fault::Validate(|messages, choices| {
            let breaks = |message: &Json| {
                role(message) == "user" && check(message, None, false).is_ok_and(|broken| !broken.is_empty())
            };
            if items(Some(messages)).iter().any(breaks) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.validate.idempotent",
        "escaped-again",
        "Ampersands and quotation marks of titles are escaped for HTML, once more each time.",
        Fault::Validate(|messages, choices| {
            let escaped = |data: &Json| {
                member(data, "title", &|title| match title.as_str() {
                    Some(title) => title.replace('&', "&amp;").replace('"', "&quot;").into(),
                    None => title.clone(),
                })
            };
            let given = right(messages, choices)?;
            Some(each_data(&each_data(&given, "data-page", &escaped), "data-passage", &escaped))
        }),
    ),
    wrong(
        "glossen.validate.idempotent",
        "empty-metadata-lost",
        "In messages with metadata, an empty object becomes null, which is refused the next time.",
        Fault::Validate(|messages, choices| {
            let given = right(messages, choices)?;
            Some(each(&given, &|message| {
                member(message, "metadata", &|metadata| match metadata {
                    Json::Object(members) if members.is_empty() => Json::Null,
                    other => other.clone(),
                })
            }))
        }),
    ),
    wrong(
        "glossen.id.stable",
        "trimmed-ids",
        "White space around an id is trimmed.",
        Fault::Validate(|messages, choices| with_ids(messages, choices, &|id| id.trim().to_owned())),
    ),
    wrong(
        "glossen.id.stable",
        "ids-for-the-nameless",
        "An empty id is replaced by a generated one.",
        Fault::Validate(|messages, choices| {
            with_ids(messages, choices, &|id| if id.is_empty() { "msg-1".to_owned() } else { id.to_owned() })
        }),
    ),
];

fn right(messages: &Json, choices: &Choices) -> Option<Json> {
    validate(messages, choices).ok()
}

fn a_text() -> Json {
    Json::object([("type", "text".into()), ("text", "".into())])
}

/// Refuses messages with such a part, in addition to those that are refused anyway.
fn refusing(messages: &Json, choices: &Choices, refuses: &dyn Fn(&Json) -> bool) -> Option<Json> {
    let has_one = |message: &Json| parts(message).iter().any(refuses);
    if items(Some(messages)).iter().any(has_one) { None } else { right(messages, choices) }
}

/// Returns a part of this type in which null represents the empty text.
fn filled(part: &Json, of: &str, name: &str) -> Json {
    match kind(part) == of && part.get(name) == Some(&Json::Null) {
        true => with(part, name, "".into()),
        false => part.clone(),
    }
}

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

/// Returns the given messages with a member of each one unchanged.
fn restored(given: &Json, messages: &Json, name: &str) -> Json {
    let both = items(Some(given)).iter().zip(items(Some(messages)));
    Json::Array(
        both.map(|(given, message)| match message.get(name) {
            Some(value) if items(Some(value)).is_empty() => with(given, name, value.clone()),
            _ => given.clone(),
        })
        .collect(),
    )
}

/// Returns the object with the members of another one that it lacks.
fn and_others(object: &Json, other: &Json) -> Json {
    let (Json::Object(known), Json::Object(others)) = (object, other) else { return object.clone() };
    let more = others.iter().filter(|(name, _)| !known.iter().any(|(known, _)| known == name));
    Json::Object(known.iter().chain(more).cloned().collect())
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

fn extra_keys(choices: &Choices, extra_keys: ExtraKeys) -> Choices {
    Choices { extra_keys, ..*choices }
}

fn with_ids(messages: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Option<Json> {
    let given = right(messages, choices)?;
    Some(each(&given, &|message| {
        member(message, "id", &|id| match id {
            Json::String(JsonString::Unicode(id)) => change(id).into(),
            other => other.clone(),
        })
    }))
}
