//! The reference of Glossen: answers requests with `genui-glossen`.

use super::wire::Request;
use crate::format::Method;
use crate::format::{Reference, Reply};
use crate::glossen::{self, Choices, EditError, MessageError, OriginError, Source, ValidateError};
use crate::json::Json;
use crate::protocol::{Refusal, RefusalKind, request_value};

impl Reference for Choices {
    fn answer(&self, method: Method, params: &str) -> Reply {
        answer(&Request::read(method, params)?, self)
    }
}

/// Answers a request as the rules and these choices require.
pub(super) fn answer(request: &Request, choices: &Choices) -> Reply {
    match request {
        Request::Validate(params) => match glossen::validate(&request_value(Some(&params.messages))?, choices) {
            Ok(messages) => Ok(validated(Some(messages))),
            Err(ValidateError::Invalid(..)) => Ok(validated(None)),
            Err(ValidateError::LimitExceeded(error)) => Err(MessageError::from(error).into()),
        },
        Request::Check(params) => {
            let message = request_value(Some(&params.message))?;
            let violations = glossen::check(&message, params.pages.as_deref(), params.finished == Some(true))?;
            Ok(violated(violations.iter().map(|violation| (violation.rule, violation.at.to_string()))))
        }
        Request::ToModelMessages(params) => {
            let messages = request_value(Some(&params.messages))?;
            Ok(messages_result(glossen::to_model_messages(&messages, choices)?))
        }
        Request::Sources(params) => {
            Ok(sources_result(&glossen::sources(&params.answer, &params.origin, &params.pages)?))
        }
        Request::Edit(params) => {
            let (messages, edited) = (request_value(Some(&params.messages))?, request_value(Some(&params.edited))?);
            Ok(messages_result(glossen::edit(&messages, &edited, choices)?))
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

impl From<MessageError> for Refusal {
    fn from(bad: MessageError) -> Refusal {
        Refusal { kind: RefusalKind::BadParams, message: bad.to_string() }
    }
}

impl From<OriginError> for Refusal {
    fn from(bad: OriginError) -> Refusal {
        Refusal { kind: RefusalKind::BadParams, message: bad.to_string() }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        let kind = match &error {
            EditError::UnknownId => RefusalKind::UnknownId,
            EditError::NotAUserMessage => RefusalKind::NotAUserMessage,
            EditError::InvalidMessages(_) => RefusalKind::BadParams,
        };
        Refusal { kind, message: error.to_string() }
    }
}
