//! The reference of OpenUI: answers requests with the reader and the writer of `genui-openui`.

use super::wire::{BuildParams, FromEventParams, ParseResult, Request, StreamResult, TextResult, WrittenResult};
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{Reference, Reply};
use crate::openui::{
    ActionEvent, Built, Draft, DraftContext, Message, Options, StreamReader, WriteError, WriteErrorKind, build,
    from_event, model_text, parse, parse_streaming,
};
use crate::protocol::{Refusal, RefusalKind};

impl Reference for Options {
    fn answer(&self, method: Method, params: &str) -> Reply {
        answer(&Request::read(method, params)?, self)
    }
}

/// Answers a request as the rules and these options require.
pub(super) fn answer(request: &Request, options: &Options) -> Reply {
    match request {
        Request::Parse(params) => Ok(read(&params.raw, params.streaming == Some(true), options).to_json()),
        Request::Stream(params) => {
            let mut reader = StreamReader::new(*options);
            let mut snapshot = |chunk: &String| {
                reader.push(chunk);
                result(&reader.message())
            };
            let snapshots = params.chunks.iter().map(&mut snapshot).collect();
            Ok(StreamResult { snapshots, r#final: result(&reader.whole()) }.to_json())
        }
        Request::Build(params) => written(params, options),
        Request::ModelText(params) => {
            Ok(TextResult { text: model_text(&params.raw, params.role.into(), options) }.to_json())
        }
        Request::FromEvent(params) => turn(params, options),
    }
}

/// Reads a message that is complete or still arriving.
pub(super) fn read(raw: &str, streaming: bool, options: &Options) -> ParseResult {
    result(&if streaming { parse_streaming(raw, options) } else { parse(raw, options) })
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

fn written(params: &BuildParams, options: &Options) -> Reply {
    let context = optional_value(params.context.as_deref())?;
    let draft = Draft {
        content: &params.content,
        context: DraftContext::from(&context),
        attributes: params.attributes.as_deref().unwrap_or_default(),
        end: params.end == Some(true),
    };
    message(build(&draft, options))
}

fn turn(params: &FromEventParams, options: &Options) -> Reply {
    let form_state = optional_value(params.form_state.as_deref())?;
    let context = optional_value(params.context.as_deref())?;
    let event = ActionEvent { message: &params.message, form_state: Some(&form_state), context: Some(&context) };
    message(from_event(&event, options))
}

fn message(built: Result<Built, WriteError>) -> Reply {
    Ok(WrittenResult { message: built.map_err(refusal)?.message }.to_json())
}

/// Returns the refusal for an error of the writer.
pub(super) fn refusal(error: WriteError) -> Refusal {
    let kind = match error.kind() {
        WriteErrorKind::ForgedMarker => RefusalKind::ForgedMarker,
        WriteErrorKind::NotWritable => RefusalKind::NotWritable,
    };
    Refusal::new(kind, error)
}
