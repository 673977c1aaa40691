//! Mutants that accept the wrong lists and messages.

use super::super::{Fault, Mutant, each, items, member, only, parts, role, text, wrong};
use super::{a_text, right};
use crate::formats::values::with;
use crate::json::{self, Json};

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
        "glossen.type.message",
        "messages-as-text",
        "Messages in a string of JSON are accepted.",
        Fault::Validate(|messages, choices| match messages.as_str().map(json::parse) {
            Some(Ok(list)) => right(&list, choices),
            _ => right(messages, choices),
        }),
    ),
    wrong(
        "glossen.type.message",
        "roles-in-turn",
        "Two messages of the same role, one after the other, are refused.",
        Fault::Validate(|messages, choices| {
            let repeats = |pair: &[Json]| role(&pair[0]) == role(&pair[1]);
            if items(Some(messages)).windows(2).any(repeats) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.message",
        "system-speaks-first",
        "A message of the system after another message is refused.",
        Fault::Validate(|messages, choices| {
            let is_system = |message: &Json| role(message) == "system";
            if items(Some(messages)).iter().skip(1).any(is_system) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.message",
        "plain-ids",
        "An id of other characters than letters, digits, hyphens and underscores is refused.",
        Fault::Validate(|messages, choices| {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            let is_odd = |message: &Json| !text(message, "id").chars().all(is_plain);
            if items(Some(messages)).iter().any(is_odd) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.message",
        "few-parts",
        "A message of more than 50 parts is refused.",
        Fault::Validate(|messages, choices| {
            let has_many = |message: &Json| parts(message).len() > 50;
            if items(Some(messages)).iter().any(has_many) { None } else { right(messages, choices) }
        }),
    ),
    wrong(
        "glossen.type.message",
        "ids-in-any-case",
        "Two ids that differ only in capital letters are refused.",
        Fault::Validate(|messages, choices| {
            let list = items(Some(messages));
            let is_near = |one: &Json, other: &Json| {
                let (one, other) = (text(one, "id"), text(other, "id"));
                one != other && one.to_lowercase() == other.to_lowercase()
            };
            let is_refused = (0..list.len()).any(|at| list[..at].iter().any(|other| is_near(other, &list[at])));
            if is_refused { None } else { right(messages, choices) }
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
];

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
