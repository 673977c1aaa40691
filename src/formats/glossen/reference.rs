//! The reference of Glossen: answers requests with `genui-glossen`.

use std::fmt::Display;

use super::wire::Request;
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{Reference, Reply};
use crate::glossen::{self, Choices, EditError, MessageError, Source, ValidateError};
use crate::json::Json;
use crate::protocol::{Refusal, RefusalKind};

impl Reference for Choices {
    fn answer(&self, method: Method, params: &str) -> Reply {
        answer(&Request::read(method, params)?, self)
    }
}

/// Answers a request as the rules and these choices require.
pub(super) fn answer(request: &Request, choices: &Choices) -> Reply {
    match request {
        Request::Validate(params) => match glossen::validate(&optional_value(Some(&params.messages))?, choices) {
            Ok(messages) => Ok(validated(Some(messages))),
            Err(ValidateError::Invalid(..)) => Ok(validated(None)),
            Err(ValidateError::LimitExceeded(error)) => Err(bad_params(MessageError::from(error))),
        },
        Request::Check(params) => {
            let message = optional_value(Some(&params.message))?;
            let violations =
                glossen::check(&message, params.pages.as_deref(), params.finished == Some(true)).map_err(bad_params)?;
            Ok(violated(violations.iter().map(|violation| (violation.rule, violation.at.to_string()))))
        }
        Request::ToModelMessages(params) => {
            let messages = optional_value(Some(&params.messages))?;
            Ok(messages_result(glossen::to_model_messages(&messages, choices).map_err(bad_params)?))
        }
        Request::Sources(params) => {
            Ok(sources_result(&glossen::sources(&params.answer, &params.origin, &params.pages).map_err(bad_params)?))
        }
        Request::Edit(params) => {
            let (messages, edited) = (optional_value(Some(&params.messages))?, optional_value(Some(&params.edited))?);
            Ok(messages_result(glossen::edit(&messages, &edited, choices).map_err(edit_refusal)?))
        }
    }
}

/// The result of a validation: the messages with which the backend continues, if it accepts them.
pub(super) fn validated(messages: Option<Json>) -> Json {
    match messages {
        Some(messages) => Json::object([("accepted", true.into()), ("messages", messages)]),
        None => Json::object([("accepted", false.into())]),
    }
}

/// The result of a check: the violated rules, each with its place.
pub(super) fn violated<'r>(rules: impl Iterator<Item = (&'r str, String)>) -> Json {
    let violations = rules.map(|(rule, at)| Json::object([("rule", rule.into()), ("at", at.into())]));
    Json::object([("violations", Json::Array(violations.collect()))])
}

/// The result of the methods that give messages.
pub(super) fn messages_result(messages: Json) -> Json {
    Json::object([("messages", messages)])
}

/// The sources of an answer as a result.
pub(super) fn sources_result(sources: &[Source]) -> Json {
    let sources = sources
        .iter()
        .map(|source| Json::object([("title", source.title.as_str().into()), ("url", source.url.as_str().into())]));
    Json::object([("sources", Json::Array(sources.collect()))])
}

/// Returns the refusal for params that are not what the method reads.
pub(super) fn bad_params(error: impl Display) -> Refusal {
    Refusal::new(RefusalKind::BadParams, error)
}

/// Returns the refusal for an edit that cannot be made.
pub(super) fn edit_refusal(error: EditError) -> Refusal {
    let kind = match &error {
        EditError::UnknownId => RefusalKind::UnknownId,
        EditError::NotAUserMessage => RefusalKind::NotAUserMessage,
        EditError::InvalidMessages(_) => RefusalKind::BadParams,
    };
    Refusal::new(kind, error)
}
