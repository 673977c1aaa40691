//! Mutants that are too strict with messages of the right types, or that return them changed.

use super::super::mangling::{composed, cut, decoded};
use super::super::{
    Fault, Mutant, each, each_data, items, kind, member, only_parts, parts, role, text, with_text, wrong,
};
use super::{refusing, right};
use crate::formats::values::with;
use crate::glossen::choices::{ExtraKeys, UrlCheck};
use crate::glossen::{Choices, check};
use crate::json::Json;

pub(super) const MUTANTS: &[Mutant] = &[
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
        "glossen.type.outer-keys",
        "well-known-keys-kept",
        "A `name`, `createdAt`, `content` or `annotations` of a message is kept.",
        Fault::Validate(|messages, choices| {
            let known = |message: &Json| {
                let names = ["name", "createdAt", "content", "annotations"];
                let members = names.iter().filter_map(|name| Some(((*name).into(), message.get(name)?.clone())));
                Json::Object(members.collect())
            };
            let given = right(messages, choices)?;
            let both = items(Some(&given)).iter().zip(items(Some(messages)));
            Some(Json::Array(both.map(|(given, message)| and_others(given, &known(message))).collect()))
        }),
    ),
    wrong(
        "glossen.type.outer-keys",
        "keys-of-parts-kept",
        "Members of a part that no type names are kept.",
        Fault::Validate(|messages, choices| {
            let given = right(messages, choices)?;
            let both = items(Some(&given)).iter().zip(items(Some(messages)));
            let kept = both.map(|(given, message)| {
                let both = parts(given).iter().zip(parts(message));
                with(given, "parts", Json::Array(both.map(|(given, part)| and_others(given, part)).collect()))
            });
            Some(Json::Array(kept.collect()))
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
    wrong(
        "glossen.id.stable",
        "ids-in-small-letters-at-once",
        "Validation turns ids into lower case.",
        Fault::Validate(|messages, choices| with_ids(messages, choices, &str::to_lowercase)),
    ),
    wrong(
        "glossen.id.stable",
        "decoded-ids",
        "Ids are percent-decoded.",
        Fault::Validate(|messages, choices| with_ids(messages, choices, &decoded)),
    ),
    wrong(
        "glossen.id.stable",
        "composed-ids",
        "Ids are returned under NFC.",
        Fault::Validate(|messages, choices| with_ids(messages, choices, &composed)),
    ),
    wrong(
        "glossen.id.stable",
        "long-ids-cut",
        "Ids are cut at 64 characters.",
        Fault::Validate(|messages, choices| with_ids(messages, choices, &|id| cut(id, 64))),
    ),
];

/// Returns the object with the members of another one that it lacks.
fn and_others(object: &Json, other: &Json) -> Json {
    let (Json::Object(known), Json::Object(others)) = (object, other) else { return object.clone() };
    let more = others.iter().filter(|(name, _)| !known.iter().any(|(known, _)| known == name));
    Json::Object(known.iter().chain(more).cloned().collect())
}

fn extra_keys(choices: &Choices, extra_keys: ExtraKeys) -> Choices {
    Choices { extra_keys, ..*choices }
}

fn with_ids(messages: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Option<Json> {
    let given = right(messages, choices)?;
    Some(each(&given, &|message| with_text(message, "id", change)))
}
