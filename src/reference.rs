//! The reference implementation: answers a request with the formats of this crate. The only place where the
//! formats meet.

use crate::openui::{
    ActionEvent, Built, Draft, DraftContext, Message, Options, StreamReader, WriteError, WriteErrorKind, build,
    from_event, model_text, parse, parse_streaming,
};
use crate::protocol::{BadParams, ParseResult, Refusal, RefusalKind, Request, Response, request_value as value};

/// Answers a request by the rules, as these options say.
///
/// # Errors
///
/// A refusal, where the format cannot hold what was to be written, or the params do not fit.
pub fn answer(request: &Request, options: &Options) -> Result<Response, Refusal> {
    match request {
        Request::OpenuiParse(params) => {
            let message = match params.streaming {
                Some(true) => parse_streaming(&params.raw, options),
                _ => parse(&params.raw, options),
            };
            Ok(Response::Message(result(&message)))
        }
        Request::OpenuiStream(params) => {
            let mut reader = StreamReader::new(*options);
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
                context: DraftContext::of(&context),
                attributes: params.attributes.as_deref().unwrap_or_default(),
                end: params.end == Some(true),
            };
            written(build(&draft, options))
        }
        Request::OpenuiModelText(params) => {
            Ok(Response::Text { text: model_text(&params.raw, params.role.into(), options) })
        }
        Request::OpenuiFromEvent(params) => {
            let (form_state, context) = (value(params.form_state.as_deref())?, value(params.context.as_deref())?);
            let event =
                ActionEvent { message: &params.message, form_state: Some(&form_state), context: Some(&context) };
            written(from_event(&event, options))
        }
    }
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

impl From<BadParams> for Refusal {
    fn from(error: BadParams) -> Refusal {
        Refusal { kind: RefusalKind::BadParams, message: error.to_string() }
    }
}
