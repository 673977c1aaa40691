//! The checks on Glossen messages and edits.

use super::{Check, Finding, Knowledge, Question, ask_all, departs, result};
use crate::glossen;
use crate::json::{Json, JsonString};
use crate::options::Options;
use crate::protocol::Method;
use crate::run::compare::same_json;

/// What a check looks at.
pub(super) enum Subject<'a> {
    /// Messages that are validated or converted.
    Messages {
        /// The messages.
        messages: &'a Json,
        /// Whether a conversion of them is settled.
        are_converted: bool,
    },
    /// The params of an edit that is right.
    Edit(&'a Json),
    /// What no check speaks of.
    Nothing,
}

impl<'a> Subject<'a> {
    /// The messages of a request. Those that a backend refuses are none to be converted, unless a case does so.
    pub(super) fn messages(messages: &'a Json, method: Method, options: &Options) -> Subject<'a> {
        let are_converted = match method {
            Method::GlossenToModelMessages => glossen::to_model_messages(messages, &options.glossen).is_ok(),
            _ => glossen::validate(messages, &options.glossen).is_ok(),
        };
        Subject::Messages { messages, are_converted: are_converted && glossen::files_are_settled(messages) }
    }

    /// The params of an edit. One that the rules refuse leaves nothing to be checked.
    pub(super) fn edit(params: &'a Json, options: &Options) -> Subject<'a> {
        match (params.get("messages"), params.get("edited")) {
            (Some(messages), Some(edited)) if glossen::edit(messages, edited, &options.glossen).is_ok() => {
                Subject::Edit(params)
            }
            _ => Subject::Nothing,
        }
    }
}

/// Asks what a check needs to know of messages or an edit; `None` while some answers are missing.
pub(super) fn examine(check: Check, subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    match (check, subject) {
        (Check::ValidAgain, Subject::Messages { messages, .. }) => valid_again(messages, known),
        (Check::OneByOne, Subject::Messages { messages: Json::Array(messages), are_converted: true }) => {
            one_by_one(messages, known)
        }
        (Check::Unseen, Subject::Messages { messages: Json::Array(messages), are_converted: true }) => {
            unseen(messages, known)
        }
        (Check::SamePrefix, Subject::Edit(params)) => same_prefix(params, known),
        _ => Some(Finding::Holds),
    }
}

fn valid_again(messages: &Json, known: &mut Knowledge) -> Option<Finding> {
    let first = Question::messages(Method::GlossenValidate, messages);
    let first = result!(known, first);
    let Some(given) = first.get("messages") else { return Some(Finding::Holds) };
    let second = Question::messages(Method::GlossenValidate, given);
    let found = result!(known, second);
    Some(if same_json(&first, &found) { Finding::Holds } else { departs(second, first.to_ascii(), found.to_ascii()) })
}

fn one_by_one(messages: &[Json], known: &mut Knowledge) -> Option<Finding> {
    let convert =
        |messages: &[Json]| Question::messages(Method::GlossenToModelMessages, &Json::Array(messages.to_vec()));
    let all = convert(messages);
    let each: Vec<Question> = messages.iter().map(|message| convert(std::slice::from_ref(message))).collect();
    ask_all(known, each.iter().chain([&all]))?;
    let mut expected = Vec::new();
    for question in each {
        if let Some(Json::Array(messages)) = result!(known, question).get("messages") {
            expected.extend(messages.iter().cloned());
        }
    }
    let expected = Json::object([("messages", Json::Array(expected))]);
    let found = result!(known, all);
    Some(if same_json(&expected, &found) {
        Finding::Holds
    } else {
        departs(all, expected.to_ascii(), found.to_ascii())
    })
}

fn unseen(messages: &[Json], known: &mut Knowledge) -> Option<Finding> {
    let bare: Vec<Json> = messages.iter().map(without_unseen).collect();
    // A user has to say something; whether one without a part is taken is another question.
    let is_empty = |message: &Json| message.get("parts") == Some(&Json::Array(Vec::new()));
    if bare == messages || bare.iter().any(is_empty) {
        return Some(Finding::Holds);
    }
    let question =
        |messages: &[Json]| Question::messages(Method::GlossenToModelMessages, &Json::Array(messages.to_vec()));
    let (whole, bare) = (question(messages), question(&bare));
    ask_all(known, [&whole, &bare])?;
    let (expected, found) = (result!(known, bare), result!(known, whole));
    Some(if same_json(&expected, &found) {
        Finding::Holds
    } else {
        departs(whole, expected.to_ascii(), found.to_ascii())
    })
}

/// The message without metadata, and without data parts but pages and passages.
fn without_unseen(message: &Json) -> Json {
    let is_seen = |part: &&Json| {
        let kind = part.get("type").and_then(Json::as_str).unwrap_or_default();
        !kind.starts_with("data-") || matches!(kind, "data-page" | "data-passage")
    };
    let Json::Object(members) = message else { return message.clone() };
    let kept = members.iter().filter(|(name, _)| name.as_str() != Some("metadata"));
    let kept = kept.map(|(name, value)| match value {
        Json::Array(parts) if *name == JsonString::from("parts") => {
            (name.clone(), Json::Array(parts.iter().filter(is_seen).cloned().collect()))
        }
        other => (name.clone(), other.clone()),
    });
    Json::Object(kept.collect())
}

fn same_prefix(params: &Json, known: &mut Knowledge) -> Option<Finding> {
    let question = Question { method: Method::GlossenEdit, params: params.to_ascii() };
    let found = result!(known, question);
    let (Some(Json::Array(given)), Some(edited)) = (params.get("messages"), params.get("edited")) else {
        return Some(Finding::Holds);
    };
    let replaced = given.iter().position(|message| message.get("id") == edited.get("id")).unwrap_or(given.len());
    let expected = &given[..replaced];
    let holds = match found.get("messages") {
        Some(Json::Array(messages)) => {
            messages.len() == replaced + 1
                && expected.iter().zip(messages).all(|(expected, found)| same_json(expected, found))
        }
        _ => false,
    };
    Some(if holds {
        Finding::Holds
    } else {
        let first = Json::Array(expected.to_vec()).to_ascii();
        departs(question, format!("{first} and one message more"), found.to_ascii())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_file_of_a_relative_url_is_not_converted() {
        let are_converted = |url: &str, method: Method| {
            let messages = format!(
                r#"[{{"id":"q","role":"user","parts":[{{"type":"file","mediaType":"image/png","url":"{url}"}}]}}]"#
            );
            let messages = json::parse(&messages).expect("is JSON");
            let subject = Subject::messages(&messages, method, &Options::default());
            matches!(subject, Subject::Messages { are_converted: true, .. })
        };
        for method in [Method::GlossenValidate, Method::GlossenToModelMessages] {
            for url in ["data:,x", "https://docs.example/a.png"] {
                assert!(are_converted(url, method), "{url}");
            }
            // No base, no scheme, another case, a path that the parser adds, a blank that it drops.
            for url in ["/a.png", "a.png", "", "HTTPS://docs.example/", "https://docs.example", " data:,x"] {
                assert!(!are_converted(url, method), "{url}");
            }
        }
    }
}
