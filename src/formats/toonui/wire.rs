//! What goes over the protocol for the methods of ToonUI: params, results and their schemas.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::format::Method;
use crate::format::result_shape::{ShapeError, check_members, check_text, expected};
use crate::json::Json;
use crate::protocol::{ParamsError, read_params};

/// A request of a method, with typed params.
#[derive(Debug)]
pub(super) enum Request {
    Reply(ReplyParams),
    Submit(SubmitParams),
    ToContent(PayloadParams),
    ToDisplayContent(PayloadParams),
    ToModelMessage(PayloadParams),
    ToUiMessage(PayloadParams),
}

impl Request {
    /// Reads the params of a method of this format from their JSON text.
    ///
    /// # Errors
    ///
    /// Returns what does not fit, with the line and column of the text.
    pub(super) fn read(method: Method, params: &str) -> Result<Request, ParamsError> {
        Ok(match method.name() {
            "toonui.reply" => Request::Reply(read_params(params)?),
            "toonui.submit" => Request::Submit(read_params(params)?),
            "toonui.to_content" => Request::ToContent(read_params(params)?),
            "toonui.to_display_content" => Request::ToDisplayContent(read_params(params)?),
            "toonui.to_model_message" => Request::ToModelMessage(read_params(params)?),
            "toonui.to_ui_message" => Request::ToUiMessage(read_params(params)?),
            other => unreachable!("{other} is no method of this format"),
        })
    }
}

/// Params of `toonui.reply`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyParams {
    /// What the button says.
    pub(super) value: String,
    /// The button's context: any JSON value, of which `null` is one.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) context: Option<Box<RawValue>>,
}

/// Params of `toonui.submit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SubmitParams {
    /// What the form is for.
    pub(super) intent: String,
    /// The values by their names.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) values: Option<Box<RawValue>>,
}

/// Params of the methods that take a payload.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PayloadParams {
    /// The payload: any JSON value, since bad ones are asked about too.
    #[schemars(with = "serde_json::Value")]
    pub(super) payload: Box<RawValue>,
}

/// A member that is there, `null` included.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

/// The schema of a payload that an event makes.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct PayloadResult {
    /// The payload.
    payload: serde_json::Value,
}

/// The schema of a text of a payload.
#[derive(JsonSchema)]
#[schemars(rename = "PayloadText")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct TextResult {
    /// The text.
    text: String,
}

/// The schema of a message that carries a payload.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct MessageResult {
    /// The message object.
    message: BTreeMap<String, serde_json::Value>,
}

/// Checks the shape of a payload that an event makes.
pub(super) fn check_payload(result: &Json) -> Result<(), ShapeError> {
    check_object("payload", result)
}

/// Checks the shape of a message that carries a payload.
pub(super) fn check_message(result: &Json) -> Result<(), ShapeError> {
    check_object("message", result)
}

/// Checks the shape of a text of a payload.
pub(super) fn check_payload_text(result: &Json) -> Result<(), ShapeError> {
    check_members(&["text"], result, "")?;
    check_text(result, "text", "")
}

/// Checks that a result has this member alone, and that it is an object.
fn check_object(member: &'static str, result: &Json) -> Result<(), ShapeError> {
    check_members(&[member], result, "")?;
    match result.get(member) {
        Some(Json::Object(_)) => Ok(()),
        other => Err(expected("an object", &format!("/{member}"), other)),
    }
}
