//! The reference implementation: answers a request with the formats of this crate. The only place where the
//! formats meet.

use crate::glossen::{self, EditError, MessageError, OriginError, ValidateError};
use crate::json::Json;
use crate::openui::{
    ActionEvent, Built, Draft, DraftContext, Message, StreamReader, WriteError, WriteErrorKind, build, from_event,
    model_text, parse, parse_streaming,
};
use crate::options::Options;
use crate::protocol::{
    BadParams, BrokenRule, ParseResult, PayloadParams, Refusal, RefusalKind, Request, Response, request_value as value,
};
use crate::toonui::{self, PayloadError};

/// Answers a request by the rules, as these options say.
///
/// # Errors
///
/// A refusal, where the format cannot hold what was to be written, or the params do not fit.
pub fn answer(request: &Request, options: &Options) -> Result<Response, Refusal> {
    let openui = &options.openui;
    match request {
        Request::OpenuiParse(params) => {
            let message = match params.streaming {
                Some(true) => parse_streaming(&params.raw, openui),
                _ => parse(&params.raw, openui),
            };
            Ok(Response::Message(result(&message)))
        }
        Request::OpenuiStream(params) => {
            let mut reader = StreamReader::new(*openui);
            let mut snapshot = |chunk: &String| {
                reader.push(chunk);
                result(&reader.message())
            };
            let snapshots = params.chunks.iter().map(&mut snapshot).collect();
            Ok(Response::Stream { snapshots, r#final: result(&reader.whole()) })
        }
        Request::OpenuiBuild(params) => {
            let context = value(params.context.as_deref())?;
            let draft = Draft {
                content: &params.content,
                context: DraftContext::from(&context),
                attributes: params.attributes.as_deref().unwrap_or_default(),
                end: params.end == Some(true),
            };
            written(build(&draft, openui))
        }
        Request::OpenuiModelText(params) => {
            Ok(Response::Text { text: model_text(&params.raw, params.role.into(), openui) })
        }
        Request::OpenuiFromEvent(params) => {
            let (form_state, context) = (value(params.form_state.as_deref())?, value(params.context.as_deref())?);
            let event =
                ActionEvent { message: &params.message, form_state: Some(&form_state), context: Some(&context) };
            written(from_event(&event, openui))
        }
        Request::ToonuiReply(params) => {
            let context = params.context.as_deref().map(|context| value(Some(context))).transpose()?;
            Ok(Response::Payload { payload: toonui::reply(&params.value, context) })
        }
        Request::ToonuiSubmit(params) => {
            let values = params.values.as_deref().map(|values| value(Some(values))).transpose()?;
            Ok(Response::Payload { payload: toonui::submit(&params.intent, values) })
        }
        Request::ToonuiToContent(params) => Ok(Response::Text { text: toonui::to_content(&payload(params)?)? }),
        Request::ToonuiToDisplayContent(params) => {
            Ok(Response::Text { text: toonui::to_display_content(&payload(params)?)? })
        }
        Request::ToonuiToModelMessage(params) => {
            Ok(Response::UserMessage { message: toonui::to_model_message(&payload(params)?)? })
        }
        Request::ToonuiToUiMessage(params) => {
            Ok(Response::UserMessage { message: toonui::to_ui_message(&payload(params)?)? })
        }
        Request::GlossenValidate(params) => {
            match glossen::validate(&value(Some(&params.messages))?, &options.glossen) {
                Ok(messages) => Ok(Response::Validated { accepted: true, messages: Some(messages) }),
                Err(ValidateError::Invalid(..)) => Ok(Response::Validated { accepted: false, messages: None }),
                Err(ValidateError::LimitExceeded(error)) => Err(glossen::MessageError::from(error).into()),
            }
        }
        Request::GlossenCheck(params) => {
            let message = value(Some(&params.message))?;
            let violations = glossen::check(&message, params.pages.as_deref(), params.finished == Some(true))?;
            let broken =
                violations.into_iter().map(|broken| BrokenRule { rule: broken.rule.to_owned(), at: broken.at });
            Ok(Response::Checked { violations: broken.collect() })
        }
        Request::GlossenToModelMessages(params) => {
            let messages = value(Some(&params.messages))?;
            Ok(Response::Messages { messages: glossen::to_model_messages(&messages, &options.glossen)? })
        }
        Request::GlossenSources(params) => {
            Ok(Response::Sources { sources: glossen::sources(&params.answer, &params.origin, &params.pages)? })
        }
        Request::GlossenEdit(params) => {
            let (messages, edited) = (value(Some(&params.messages))?, value(Some(&params.edited))?);
            Ok(Response::Messages { messages: glossen::edit(&messages, &edited, &options.glossen)? })
        }
    }
}

fn payload(params: &PayloadParams) -> Result<Json, BadParams> {
    value(Some(&params.payload))
}

fn result(message: &Message<'_>) -> ParseResult {
    let attributes = message.attributes.decode().into_iter();
    ParseResult {
        content: message.content.to_string(),
        context: message.context_json(),
        attributes: attributes.map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
        end: message.end,
    }
}

fn written(built: Result<Built, WriteError>) -> Result<Response, Refusal> {
    Ok(Response::Written { message: built?.message })
}

impl From<WriteError> for Refusal {
    fn from(error: WriteError) -> Refusal {
        let kind = match error.kind() {
            WriteErrorKind::ForgedMarker => RefusalKind::ForgedMarker,
            WriteErrorKind::NotWritable => RefusalKind::NotWritable,
        };
        Refusal { kind, message: error.to_string() }
    }
}

impl From<PayloadError> for Refusal {
    fn from(error: PayloadError) -> Refusal {
        Refusal { kind: RefusalKind::BadPayload, message: error.to_string() }
    }
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

impl From<BadParams> for Refusal {
    fn from(error: BadParams) -> Refusal {
        Refusal { kind: RefusalKind::BadParams, message: error.to_string() }
    }
}
