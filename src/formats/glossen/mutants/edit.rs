//! Mutants that edit messages wrongly.

use super::super::reference::edit_refusal;
use super::mangling::{composed, trimmed};
use super::{Fault, Mutant, each, items, kind, member, parts, role, text, with_text, wrong};
use crate::formats::values::{with, without};
use crate::glossen::{Choices, EditError, edit};
use crate::json::{Json, JsonString};
use crate::protocol::{Refusal, RefusalKind};

type Edited = Result<Json, Refusal>;

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.edit.replace",
        "answers-stay",
        "What followed the edited message stays.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let after = items(Some(messages)).iter().skip(items(Some(&given)).len());
            Ok(Json::Array(items(Some(&given)).iter().chain(after).cloned().collect()))
        }),
    ),
    wrong(
        "glossen.edit.replace",
        "old-message-stays",
        "The edited message follows the old one.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let kept = items(Some(&given)).len();
            let mut all = items(Some(messages))[..kept].to_vec();
            all.extend(items(Some(&given)).last().cloned());
            Ok(Json::Array(all))
        }),
    ),
    wrong(
        "glossen.edit.replace",
        "only-the-answer-goes",
        "Only the answer directly after the edited message goes.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let after = items(Some(messages)).iter().skip(items(Some(&given)).len() + 1);
            Ok(Json::Array(items(Some(&given)).iter().chain(after).cloned().collect()))
        }),
    ),
    wrong(
        "glossen.edit.replace",
        "later-questions-stay",
        "Only what follows up to the next question goes.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let after = items(Some(messages)).iter().skip(items(Some(&given)).len());
            let later = after.skip_while(|message| role(message) != "user");
            Ok(Json::Array(items(Some(&given)).iter().chain(later).cloned().collect()))
        }),
    ),
    wrong(
        "glossen.edit.prefix",
        "tidied-prefix",
        "Earlier messages lose the members that no type names.",
        Fault::Edit(|messages, edited, choices| {
            in_front(messages, edited, choices, &|message| {
                let Json::Object(members) = message else { return message.clone() };
                let known = |name: &JsonString| {
                    name.as_str().is_some_and(|name| ["id", "role", "metadata", "parts"].contains(&name))
                };
                Json::Object(members.iter().filter(|(name, _)| known(name)).cloned().collect())
            })
        }),
    ),
    wrong(
        "glossen.edit.prefix",
        "forgotten-metadata",
        "Earlier messages lose their metadata.",
        Fault::Edit(|messages, edited, choices| {
            in_front(messages, edited, choices, &|message| without(message, "metadata"))
        }),
    ),
    wrong(
        "glossen.edit.prefix",
        "begun-answers-go",
        "Earlier answers without parts are dropped.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let list = items(Some(&given));
            let is_begun = |message: &Json| role(message) == "assistant" && parts(message).is_empty();
            let kept = (0..list.len()).filter(|at| at + 1 == list.len() || !is_begun(&list[*at]));
            Ok(Json::Array(kept.map(|at| list[at].clone()).collect()))
        }),
    ),
    wrong(
        "glossen.edit.prefix",
        "earlier-data-tidied",
        "The data of earlier parts lose the members that no type names.",
        Fault::Edit(|messages, edited, choices| {
            in_front(messages, edited, choices, &|message| {
                let tidied = |data: &Json| match data {
                    Json::Object(members) => {
                        let known = |name: &JsonString| {
                            name.as_str().is_some_and(|name| ["title", "url", "text", "heading"].contains(&name))
                        };
                        Json::Object(members.iter().filter(|(name, _)| known(name)).cloned().collect())
                    }
                    other => other.clone(),
                };
                member(message, "parts", &|parts| each(parts, &|part| member(part, "data", &tidied)))
            })
        }),
    ),
    wrong(
        "glossen.edit.own-id",
        "new-id",
        "The edited message gets a new id.",
        Fault::Edit(|messages, edited, choices| {
            last(messages, edited, choices, &|message| {
                with(message, "id", format!("{}-edited", text(message, "id")).into())
            })
        }),
    ),
    wrong(
        "glossen.edit.own-id",
        "trimmed-own-id",
        "White space around the id of the edited message is trimmed.",
        Fault::Edit(|messages, edited, choices| {
            last(messages, edited, choices, &|message| with_text(message, "id", &trimmed))
        }),
    ),
    wrong(
        "glossen.edit.as-given",
        "metadata-stay",
        "The metadata of the old message stay, if the edited one has none.",
        Fault::Edit(|messages, edited, choices| {
            let old = replaced(messages, edited).and_then(|old| old.get("metadata")).cloned();
            last(messages, edited, choices, &|message| match (&old, message.get("metadata")) {
                (Some(old), None) => with(message, "metadata", old.clone()),
                _ => message.clone(),
            })
        }),
    ),
    wrong(
        "glossen.edit.as-given",
        "context-stays",
        "The page and the passages of the old message stay, if the edited one has none.",
        Fault::Edit(|messages, edited, choices| {
            let is_data = |part: &&Json| kind(part).starts_with("data-");
            let old: Vec<Json> = replaced(messages, edited)
                .map(|old| parts(old).iter().filter(is_data).cloned().collect())
                .unwrap_or_default();
            last(messages, edited, choices, &|message| match parts(message).iter().any(|part| is_data(&part)) {
                true => message.clone(),
                false => with(message, "parts", Json::Array(old.iter().chain(parts(message)).cloned().collect())),
            })
        }),
    ),
    wrong(
        "glossen.edit.as-given",
        "always-a-user",
        "The edited message becomes a user's message.",
        Fault::Edit(|messages, edited, choices| {
            last(messages, edited, choices, &|message| with(message, "role", "user".into()))
        }),
    ),
    wrong(
        "glossen.edit.as-given",
        "trimmed-edits",
        "White space around the texts of an edit is trimmed.",
        Fault::Edit(|messages, edited, choices| {
            last(messages, edited, choices, &|message| {
                member(message, "parts", &|parts| each(parts, &|part| with_text(part, "text", &trimmed)))
            })
        }),
    ),
    wrong(
        "glossen.edit.as-given",
        "texts-alone-are-edited",
        "Of an edit, only the texts are taken; the other parts are those of the old message.",
        Fault::Edit(|messages, edited, choices| {
            let is_text = |part: &&Json| kind(part) == "text";
            let old: Vec<Json> = replaced(messages, edited)
                .map(|old| parts(old).iter().filter(|part| !is_text(part)).cloned().collect())
                .unwrap_or_default();
            last(messages, edited, choices, &|message| {
                let texts = parts(message).iter().filter(is_text).cloned();
                with(message, "parts", Json::Array(old.iter().cloned().chain(texts).collect()))
            })
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "unknown-is-new",
        "A message with an unknown id is put at the end.",
        Fault::Edit(|messages, edited, choices| match right(messages, edited, choices) {
            Err(Refusal { kind: RefusalKind::UnknownId, .. }) => {
                Ok(Json::Array(items(Some(messages)).iter().chain([edited]).cloned().collect()))
            }
            other => other,
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "answers-are-edited",
        "An answer may be edited too.",
        Fault::Edit(|messages, edited, choices| {
            right(&as_users(messages), edited, choices).map(|given| {
                let front = items(Some(messages)).iter().take(items(Some(&given)).len() - 1);
                Json::Array(front.chain(items(Some(&given)).last()).cloned().collect())
            })
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "last-of-twins",
        "Of several messages with the id the last counts.",
        Fault::Edit(|messages, edited, choices| {
            let list = items(Some(messages));
            let last = list.iter().rposition(|message| message.get("id") == edited.get("id"));
            match last {
                Some(at) => {
                    let given = right(&Json::Array(list[at..].to_vec()), edited, choices)?;
                    Ok(Json::Array(list[..at].iter().chain(items(Some(&given))).cloned().collect()))
                }
                None => right(messages, edited, choices),
            }
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "twins-of-users",
        "Messages of other roles are ignored in the search for the id.",
        Fault::Edit(|messages, edited, choices| {
            let list = items(Some(messages));
            let found =
                list.iter().position(|message| message.get("id") == edited.get("id") && role(message) == "user");
            match found {
                Some(at) => {
                    let given = right(&Json::Array(list[at..].to_vec()), edited, choices)?;
                    Ok(Json::Array(list[..at].iter().chain(items(Some(&given))).cloned().collect()))
                }
                None => right(messages, edited, choices),
            }
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "nameless-edits",
        "An edit with an empty id is refused.",
        Fault::Edit(|messages, edited, choices| match text(edited, "id") {
            "" => Err(edit_refusal(EditError::UnknownId)),
            _ => right(messages, edited, choices),
        }),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "ids-in-any-case-match",
        "Capital letters in an id do not matter.",
        Fault::Edit(|messages, edited, choices| matching(messages, edited, choices, &str::to_lowercase)),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "trimmed-ids-match",
        "White space around an id does not matter.",
        Fault::Edit(|messages, edited, choices| matching(messages, edited, choices, &trimmed)),
    ),
    wrong(
        "glossen.edit.unknown-id",
        "composed-ids-match",
        "Ids are compared under NFC.",
        Fault::Edit(|messages, edited, choices| matching(messages, edited, choices, &composed)),
    ),
    wrong(
        "glossen.edit.stray-key",
        "stray-key-now-and-then",
        "The stray key stays where nothing precedes the edited message.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let is_first = items(Some(&given)).len() == 1;
            last(messages, edited, choices, &|message| match is_first {
                true => with(message, "messageId", text(message, "id").into()),
                false => without(message, "messageId"),
            })
        }),
    ),
    wrong(
        "glossen.id.stable",
        "duplicate-ids-numbered",
        "Ids that occur twice are numbered.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            let list = items(Some(&given));
            let numbered = list.iter().enumerate().map(|(at, message)| {
                match list[..at].iter().any(|other| other.get("id") == message.get("id")) {
                    true => with(message, "id", format!("{}-{at}", text(message, "id")).into()),
                    false => message.clone(),
                }
            });
            Ok(Json::Array(numbered.collect()))
        }),
    ),
    wrong(
        "glossen.id.stable",
        "ids-in-small-letters",
        "An edit turns ids into lower case.",
        Fault::Edit(|messages, edited, choices| {
            let given = right(messages, edited, choices)?;
            Ok(each(&given, &|message| {
                member(message, "id", &|id| match id.as_str() {
                    Some(id) => id.to_lowercase().into(),
                    None => id.clone(),
                })
            }))
        }),
    ),
];

fn right(messages: &Json, edited: &Json, choices: &Choices) -> Edited {
    edit(messages, edited, choices).map_err(edit_refusal)
}

/// The message that an edit replaces.
fn replaced<'m>(messages: &'m Json, edited: &Json) -> Option<&'m Json> {
    items(Some(messages)).iter().find(|message| message.get("id") == edited.get("id"))
}

/// Returns the right messages with the edited one changed.
fn last(messages: &Json, edited: &Json, choices: &Choices, change: &dyn Fn(&Json) -> Json) -> Edited {
    let given = right(messages, edited, choices)?;
    let mut list = items(Some(&given)).to_vec();
    if let Some(last) = list.last_mut() {
        *last = change(last);
    }
    Ok(Json::Array(list))
}

/// Returns the right messages with those before the edited one changed.
fn in_front(messages: &Json, edited: &Json, choices: &Choices, change: &dyn Fn(&Json) -> Json) -> Edited {
    let given = right(messages, edited, choices)?;
    let list = items(Some(&given));
    let end = list.len().saturating_sub(1);
    Ok(Json::Array(list[..end].iter().map(change).chain(list[end..].iter().cloned()).collect()))
}

fn as_users(messages: &Json) -> Json {
    each(messages, &|message| with(message, "role", "user".into()))
}

/// Edits as if the id of the edited message were that of the first message whose id is the same but for what `change`
/// does to both.
fn matching(messages: &Json, edited: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Edited {
    let id = change(text(edited, "id"));
    match items(Some(messages)).iter().find(|message| change(text(message, "id")) == id) {
        Some(found) => right(messages, &with(edited, "id", text(found, "id").into()), choices),
        None => right(messages, edited, choices),
    }
}
