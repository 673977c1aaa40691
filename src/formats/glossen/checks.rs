//! The derived checks on Glossen messages and edits.

use crate::checks::{
    Answers, CheckDef, CheckOutcome, InputChecks, Request, Shrink, Subject, check_failure, definitions, find, result,
};
use crate::format::Method;
use crate::formats::glossen::methods;
use crate::glossen;
use crate::json::{Json, JsonString, json_equal};
use crate::settings::Settings;

/// A check on messages.
#[derive(Clone, Copy)]
enum OnMessages {
    /// On messages of whatever kind.
    Any(fn(&Json, &mut Answers) -> Option<CheckOutcome>),
    /// On messages that can be converted for the model.
    Convertible(fn(&[Json], &mut Answers) -> Option<CheckOutcome>),
}

type OnEdit = fn(&Json, &mut Answers) -> Option<CheckOutcome>;

const MESSAGES_CHECKS: [(CheckDef, OnMessages); 3] = [
    // What validation gives is accepted unchanged.
    (CheckDef { name: "valid-again", rule: "glossen.validate.idempotent" }, OnMessages::Any(valid_again)),
    // Messages give the same model messages one by one as all at once.
    (CheckDef { name: "one-by-one", rule: "glossen.model.convert" }, OnMessages::Convertible(one_by_one)),
    // What must not reach the model makes no difference to what does.
    (CheckDef { name: "unseen", rule: "glossen.model.convert" }, OnMessages::Convertible(unseen)),
];

const EDIT_CHECKS: [(CheckDef, OnEdit); 1] = [
    // An edit changes nothing before the edited message, and nothing comes after it.
    (CheckDef { name: "same-prefix", rule: "glossen.edit.prefix" }, same_prefix),
];

/// The checks on messages to be validated.
pub(super) const ON_VALIDATION: InputChecks = InputChecks {
    checks: &definitions(&MESSAGES_CHECKS),
    shrink: Shrink::Member("/messages"),
    prepare: prepare_validation,
};

/// The checks on messages to be converted.
pub(super) const ON_CONVERSION: InputChecks = InputChecks { prepare: prepare_conversion, ..ON_VALIDATION };

/// The checks on an edit.
pub(super) const ON_EDIT: InputChecks =
    InputChecks { checks: &definitions(&EDIT_CHECKS), shrink: Shrink::Params, prepare: prepare_edit };

fn prepare_validation<'a>(method: Method, params: &'a Json, options: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    let messages = params.get("messages")?;
    // Messages that a backend refuses are never converted.
    let is_convertible = glossen::validate(messages, &super::choices(options)).is_ok();
    Some(Box::new(Messages::new(method, messages, is_convertible)))
}

fn prepare_conversion<'a>(method: Method, params: &'a Json, options: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    let messages = params.get("messages")?;
    // A case may convert messages that a backend refuses.
    let is_convertible = glossen::to_model_messages(messages, &super::choices(options)).is_ok();
    Some(Box::new(Messages::new(method, messages, is_convertible)))
}

/// An edit that the rules refuse leaves nothing to check.
fn prepare_edit<'a>(_: Method, params: &'a Json, options: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    let (messages, edited) = (params.get("messages")?, params.get("edited")?);
    glossen::edit(messages, edited, &super::choices(options)).ok()?;
    Some(Box::new(Edit(params)))
}

/// Messages under check.
struct Messages<'a> {
    method: Method,
    messages: &'a Json,
    is_convertible: bool,
}

impl<'a> Messages<'a> {
    fn new(method: Method, messages: &'a Json, is_convertible: bool) -> Messages<'a> {
        Messages { method, messages, is_convertible: is_convertible && glossen::files_are_specified(messages) }
    }
}

impl Subject for Messages<'_> {
    fn applies(&self, check: &CheckDef) -> bool {
        match find(&MESSAGES_CHECKS, check) {
            Some(OnMessages::Any(_)) => true,
            Some(OnMessages::Convertible(_)) => self.is_convertible,
            None => false,
        }
    }

    fn specified_for(&self, check: &CheckDef) -> Method {
        match find(&MESSAGES_CHECKS, check) {
            Some(OnMessages::Convertible(_)) => methods::TO_MODEL_MESSAGES,
            _ => self.method,
        }
    }

    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome> {
        match (find(&MESSAGES_CHECKS, check), self.messages) {
            (Some(OnMessages::Any(run)), messages) => run(messages, answers),
            (Some(OnMessages::Convertible(run)), Json::Array(messages)) if self.is_convertible => {
                run(messages, answers)
            }
            _ => Some(CheckOutcome::Holds),
        }
    }
}

/// The params of an edit under check.
struct Edit<'a>(&'a Json);

impl Subject for Edit<'_> {
    fn applies(&self, check: &CheckDef) -> bool {
        find(&EDIT_CHECKS, check).is_some()
    }

    fn specified_for(&self, _: &CheckDef) -> Method {
        methods::EDIT
    }

    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome> {
        find(&EDIT_CHECKS, check).map_or(Some(CheckOutcome::Holds), |run| run(self.0, answers))
    }
}

/// A request of a method that takes messages.
fn of_messages(method: Method, messages: &Json) -> Request {
    Request::new(method, &Json::object([("messages", messages.clone())]))
}

fn valid_again(messages: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    let first = of_messages(methods::VALIDATE, messages);
    let first = result!(answers, first);
    let Some(given) = first.get("messages") else { return Some(CheckOutcome::Holds) };
    let second = of_messages(methods::VALIDATE, given);
    let found = result!(answers, second);
    Some(if json_equal(&first, &found) {
        CheckOutcome::Holds
    } else {
        check_failure(second, first.to_ascii(), found.to_ascii())
    })
}

fn one_by_one(messages: &[Json], answers: &mut Answers) -> Option<CheckOutcome> {
    let convert = |messages: &[Json]| of_messages(methods::TO_MODEL_MESSAGES, &Json::Array(messages.to_vec()));
    let all = convert(messages);
    let each: Vec<Request> = messages.iter().map(|message| convert(std::slice::from_ref(message))).collect();
    answers.request_all(each.iter().chain([&all]))?;
    let mut expected = Vec::new();
    for request in each {
        if let Some(Json::Array(messages)) = result!(answers, request).get("messages") {
            expected.extend(messages.iter().cloned());
        }
    }
    let expected = Json::object([("messages", Json::Array(expected))]);
    let found = result!(answers, all);
    Some(if json_equal(&expected, &found) {
        CheckOutcome::Holds
    } else {
        check_failure(all, expected.to_ascii(), found.to_ascii())
    })
}

fn unseen(messages: &[Json], answers: &mut Answers) -> Option<CheckOutcome> {
    let bare: Vec<Json> = messages.iter().map(without_unseen).collect();
    // Whether a message without any part is accepted is for other rules.
    let is_empty = |message: &Json| message.get("parts") == Some(&Json::Array(Vec::new()));
    if bare == messages || bare.iter().any(is_empty) {
        return Some(CheckOutcome::Holds);
    }
    let request = |messages: &[Json]| of_messages(methods::TO_MODEL_MESSAGES, &Json::Array(messages.to_vec()));
    let (whole, bare) = (request(messages), request(&bare));
    answers.request_all([&whole, &bare])?;
    let (expected, found) = (result!(answers, bare), result!(answers, whole));
    Some(if json_equal(&expected, &found) {
        CheckOutcome::Holds
    } else {
        check_failure(whole, expected.to_ascii(), found.to_ascii())
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

fn same_prefix(params: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    let request = Request::new(methods::EDIT, params);
    let found = result!(answers, request);
    let (Some(Json::Array(given)), Some(edited)) = (params.get("messages"), params.get("edited")) else {
        return Some(CheckOutcome::Holds);
    };
    let replaced = given.iter().position(|message| message.get("id") == edited.get("id")).unwrap_or(given.len());
    let expected = &given[..replaced];
    let holds = match found.get("messages") {
        Some(Json::Array(messages)) => {
            messages.len() == replaced + 1
                && expected.iter().zip(messages).all(|(expected, found)| json_equal(expected, found))
        }
        _ => false,
    };
    Some(if holds {
        CheckOutcome::Holds
    } else {
        let first = Json::Array(expected.to_vec()).to_ascii();
        check_failure(request, format!("{first} and one message more"), found.to_ascii())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_file_of_a_relative_url_is_not_converted() {
        let are_converted = |url: &str, (method, checks): (Method, InputChecks)| {
            let messages = format!(
                r#"[{{"id":"q","role":"user","parts":[{{"type":"file","mediaType":"image/png","url":"{url}"}}]}}]"#
            );
            let params = Json::object([("messages", json::parse(&messages).expect("is JSON"))]);
            let options = Settings::default();
            let subject = (checks.prepare)(method, &params, &options).expect("there are messages");
            let converted = |(definition, run): &(CheckDef, OnMessages)| {
                matches!(run, OnMessages::Convertible(_)).then(|| subject.applies(definition))
            };
            let applies: Vec<bool> = MESSAGES_CHECKS.iter().filter_map(converted).collect();
            assert_eq!(applies, [applies[0]; 2], "{url}");
            applies[0]
        };
        for method in [(methods::VALIDATE, ON_VALIDATION), (methods::TO_MODEL_MESSAGES, ON_CONVERSION)] {
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
