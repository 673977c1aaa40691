//! The reference of ToonUI: answers requests with `genui-toonui`.

use super::wire::{PayloadParams, Request};
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{Reference, Reply};
use crate::json::Json;
use crate::protocol::{ParamsError, Refusal, RefusalKind};
use crate::toonui::{self, PayloadError};

/// The reference. ToonUI has neither profiles nor open points.
pub(super) struct Toonui;

impl Reference for Toonui {
    fn answer(&self, method: Method, params: &str) -> Reply {
        answer(&Request::read(method, params)?)
    }
}

/// Answers a request as the rules require.
pub(super) fn answer(request: &Request) -> Reply {
    match request {
        Request::Reply(params) => {
            let context = params.context.as_deref().map(|context| optional_value(Some(context))).transpose()?;
            Ok(member("payload", toonui::reply(&params.value, context)))
        }
        Request::Submit(params) => {
            let values = params.values.as_deref().map(|values| optional_value(Some(values))).transpose()?;
            Ok(member("payload", toonui::submit(&params.intent, values)))
        }
        Request::ToContent(params) => {
            Ok(member("text", toonui::to_content(&payload(params)?).map_err(refusal)?.into()))
        }
        Request::ToDisplayContent(params) => {
            Ok(member("text", toonui::to_display_content(&payload(params)?).map_err(refusal)?.into()))
        }
        Request::ToModelMessage(params) => {
            Ok(member("message", toonui::to_model_message(&payload(params)?).map_err(refusal)?))
        }
        Request::ToUiMessage(params) => {
            Ok(member("message", toonui::to_ui_message(&payload(params)?).map_err(refusal)?))
        }
    }
}

/// A result of one member.
pub(super) fn member(name: &str, value: Json) -> Json {
    Json::object([(name, value)])
}

/// The payload of a request.
pub(super) fn payload(params: &PayloadParams) -> Result<Json, ParamsError> {
    optional_value(Some(&params.payload))
}

/// Returns the refusal for a payload of which no text can be made.
pub(super) fn refusal(error: PayloadError) -> Refusal {
    Refusal::new(RefusalKind::BadPayload, error)
}
