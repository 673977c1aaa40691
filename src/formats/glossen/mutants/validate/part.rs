//! Mutants that accept the wrong parts besides texts and data.

use super::super::{Fault, Mutant, each_part, items, kind, member, only_parts, parts, role, wrong};
use super::{as_text, filled, refusing, right};
use crate::formats::values::{with, without};
use crate::json::Json;

/// The parts whose members are all strings.
const OTHER_KINDS: [&str; 4] = ["reasoning", "file", "source-url", "source-document"];
/// Their members.
const STRINGS: [&str; 6] = ["text", "mediaType", "url", "filename", "sourceId", "title"];

pub(super) const MUTANTS: &[Mutant] = &[
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
        "glossen.type.parts",
        "members-say-something",
        "A file, a source or a reasoning with an empty member is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                let is_empty = |name: &&str| part.get(name) == Some(&"".into());
                OTHER_KINDS.contains(&kind(part)) && STRINGS.iter().any(is_empty)
            })
        }),
    ),
    wrong(
        "glossen.type.parts",
        "null-is-an-empty-member",
        "A member of null counts as an empty one in files, sources and reasoning.",
        Fault::Validate(|messages, choices| {
            let filled = |part: &Json| match OTHER_KINDS.contains(&kind(part)) {
                true => STRINGS.iter().fold(part.clone(), |part, name| filled(&part, name)),
                false => part.clone(),
            };
            right(&each_part(messages, &filled), choices)
        }),
    ),
    wrong(
        "glossen.type.parts",
        "null-is-no-member",
        "A filename, a title, a state or an id of null counts as missing.",
        Fault::Validate(|messages, choices| {
            let bare = |part: &Json| {
                let is_null = |name: &&&str| part.get(name) == Some(&Json::Null);
                ["filename", "title", "state", "id"]
                    .iter()
                    .filter(is_null)
                    .fold(part.clone(), |part, name| without(&part, name))
            };
            right(&each_part(messages, &bare), choices)
        }),
    ),
    wrong(
        "glossen.type.parts",
        "numbers-are-members",
        "A member of a file, a source or a reasoning may be a number.",
        Fault::Validate(|messages, choices| {
            let texts = |part: &Json| match OTHER_KINDS.contains(&kind(part)) {
                true => STRINGS.iter().fold(part.clone(), |part, name| member(&part, name, &as_text)),
                false => part.clone(),
            };
            right(&each_part(messages, &texts), choices)
        }),
    ),
    wrong(
        "glossen.type.parts",
        "members-not-needed",
        "A file or a source may lack its media type, its id or its title.",
        Fault::Validate(|messages, choices| {
            let given = right(&each_part(messages, &with_all), choices)?;
            Some(with_the_given(&given, messages))
        }),
    ),
    wrong(
        "glossen.type.parts",
        "states-of-answers",
        "A text with a state is refused in a message of a user or the system.",
        Fault::Validate(|messages, choices| {
            let has_state = |message: &Json| {
                role(message) != "assistant" && parts(message).iter().any(|part| part.get("state").is_some())
            };
            if items(Some(messages)).iter().any(has_state) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.parts",
        "parts-of-some-roles",
        "Files are refused in messages of the system, and steps outside of answers.",
        Fault::Validate(|messages, choices| {
            let is_odd = |message: &Json| {
                parts(message).iter().any(|part| match kind(part) {
                    "file" => role(message) == "system",
                    "step-start" => role(message) != "assistant",
                    _ => false,
                })
            };
            if items(Some(messages)).iter().any(is_odd) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.parts",
        "media-types-have-a-slash",
        "A media type without a `/` is refused.",
        Fault::Validate(|messages, choices| {
            refusing(messages, choices, &|part| {
                part.get("mediaType").and_then(Json::as_str).is_some_and(|media| !media.contains('/'))
            })
        }),
    ),
];

/// The members that this mutant does not need, by the type of the part.
fn not_needed(part: &Json) -> &'static [&'static str] {
    match kind(part) {
        "file" => &["mediaType"],
        "source-url" => &["sourceId"],
        "source-document" => &["sourceId", "mediaType", "title"],
        _ => &[],
    }
}

/// Returns the part with each member that this mutant does not need.
fn with_all(part: &Json) -> Json {
    let lacks = |name: &&&str| part.get(name).is_none();
    not_needed(part).iter().filter(lacks).fold(part.clone(), |part, name| with(&part, name, "".into()))
}

/// Returns the accepted messages without the members that [`with_all`] gave them.
fn with_the_given(accepted: &Json, messages: &Json) -> Json {
    let bare = |(accepted, given): (&Json, &Json)| {
        let lacks = |name: &&&str| given.get(name).is_none();
        not_needed(given).iter().filter(lacks).fold(accepted.clone(), |part, name| without(&part, name))
    };
    let both = items(Some(accepted)).iter().zip(items(Some(messages)));
    let restored = both.map(|(accepted, message)| {
        let both = parts(accepted).iter().zip(parts(message));
        with(accepted, "parts", Json::Array(both.map(bare).collect()))
    });
    Json::Array(restored.collect())
}
