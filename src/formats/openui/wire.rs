//! What goes over the protocol for the methods of OpenUI: params, results and their schemas.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::format::Method;
use crate::format::result_shape::{ShapeError, check_members, check_text, expected};
use crate::json::Json;
use crate::openui::Role;
use crate::protocol::{ParamsError, read_params};

/// A request of a method, with typed params.
#[derive(Debug)]
pub(super) enum Request {
    Parse(ParseParams),
    Stream(StreamParams),
    Build(BuildParams),
    ModelText(ModelTextParams),
    FromEvent(FromEventParams),
}

impl Request {
    /// Reads the params of a method of this format from their JSON text.
    ///
    /// # Errors
    ///
    /// Returns what does not fit, with the line and column of the text.
    pub(super) fn read(method: Method, params: &str) -> Result<Request, ParamsError> {
        Ok(match method.name() {
            "openui.parse" => Request::Parse(read_params(params)?),
            "openui.stream" => Request::Stream(read_params(params)?),
            "openui.build" => Request::Build(read_params(params)?),
            "openui.model_text" => Request::ModelText(read_params(params)?),
            "openui.from_event" => Request::FromEvent(read_params(params)?),
            other => unreachable!("{other} is no method of this format"),
        })
    }
}

/// Params of `openui.parse`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ParseParams {
    /// The stored message.
    pub(super) raw: String,
    /// Whether more of it may come; no where it is absent.
    pub(super) streaming: Option<bool>,
}

/// Params of `openui.stream`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamParams {
    /// The message as it arrives; a chunk may be empty.
    pub(super) chunks: Vec<String>,
}

/// Params of `openui.build`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildParams {
    /// The program or text.
    pub(super) content: String,
    /// Any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) context: Option<Box<RawValue>>,
    /// Names and values of the content marker, in order.
    pub(super) attributes: Option<Vec<(String, String)>>,
    /// Whether an end line is written; no where it is absent.
    pub(super) end: Option<bool>,
}

/// Params of `openui.model_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelTextParams {
    /// The stored message.
    pub(super) raw: String,
    /// Whose turn it is.
    pub(super) role: RoleName,
}

/// Whose turn a stored message is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum RoleName {
    /// The model's own.
    Assistant,
    /// The user's.
    User,
}

/// Params of `openui.from_event`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FromEventParams {
    /// What the user clicked.
    pub(super) message: String,
    /// The form state: any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) form_state: Option<Box<RawValue>>,
    /// The action's own context: any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub(super) context: Option<Box<RawValue>>,
}

impl From<RoleName> for Role {
    fn from(role: RoleName) -> Role {
        match role {
            RoleName::Assistant => Role::Assistant,
            RoleName::User => Role::User,
        }
    }
}

/// A message as it was read.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
pub(super) struct ParseResult {
    /// The program or text.
    pub(super) content: String,
    /// The context: any JSON value; `null` for none.
    #[schemars(with = "serde_json::Value", default)]
    pub(super) context: Json,
    /// The attributes of the winning content marker.
    #[schemars(with = "BTreeMap<String, String>", default)]
    pub(super) attributes: Vec<(String, String)>,
    /// Whether there is an end line.
    #[schemars(default)]
    pub(super) end: bool,
}

impl ParseResult {
    pub(super) fn to_json(&self) -> Json {
        let attributes = self.attributes.iter().map(|(name, value)| (name.as_str().into(), value.as_str().into()));
        Json::object([
            ("content", self.content.as_str().into()),
            ("context", self.context.clone()),
            ("attributes", Json::Object(attributes.collect())),
            ("end", self.end.into()),
        ])
    }
}

/// A message as it was read chunk by chunk.
#[derive(JsonSchema)]
pub(super) struct StreamResult {
    /// The message as read after each chunk.
    pub(super) snapshots: Vec<ParseResult>,
    /// The whole message, after the last chunk.
    pub(super) r#final: ParseResult,
}

impl StreamResult {
    pub(super) fn to_json(&self) -> Json {
        Json::object([
            ("snapshots", Json::Array(self.snapshots.iter().map(ParseResult::to_json).collect())),
            ("final", self.r#final.to_json()),
        ])
    }
}

/// A written message.
#[derive(JsonSchema)]
pub(super) struct WrittenResult {
    /// The stored message.
    pub(super) message: String,
}

impl WrittenResult {
    pub(super) fn to_json(&self) -> Json {
        Json::object([("message", self.message.as_str().into())])
    }
}

/// A text for the model.
#[derive(JsonSchema)]
pub(super) struct TextResult {
    /// The text.
    pub(super) text: String,
}

impl TextResult {
    pub(super) fn to_json(&self) -> Json {
        Json::object([("text", self.text.as_str().into())])
    }
}

/// The members of a read message.
pub(super) const MESSAGE_MEMBERS: &[&str] = &["content", "context", "attributes", "end"];

/// The members of a message read chunk by chunk.
pub(super) const STREAM_MEMBERS: &[&str] = &["snapshots", "final"];

/// Checks the shape of a read message.
pub(super) fn check_parse(result: &Json) -> Result<(), ShapeError> {
    check_message(result, "")
}

/// Checks the shape of a message read chunk by chunk.
pub(super) fn check_stream(result: &Json) -> Result<(), ShapeError> {
    check_members(STREAM_MEMBERS, result, "")?;
    match result.get("snapshots") {
        Some(Json::Array(snapshots)) => snapshots
            .iter()
            .enumerate()
            .try_for_each(|(index, snapshot)| check_message(snapshot, &format!("/snapshots/{index}")))?,
        other => return Err(expected("a list", "/snapshots", other)),
    }
    check_message(result.get("final").unwrap_or(&Json::Null), "/final")
}

/// Checks the shape of a written message.
pub(super) fn check_written(result: &Json) -> Result<(), ShapeError> {
    check_members(&["message"], result, "")?;
    check_text(result, "message", "")
}

/// Checks the shape of a text for the model.
pub(super) fn check_model_text(result: &Json) -> Result<(), ShapeError> {
    check_members(&["text"], result, "")?;
    check_text(result, "text", "")
}

fn check_message(message: &Json, at: &str) -> Result<(), ShapeError> {
    if let Json::Object(_) = message {
        check_text(message, "content", at)?;
    }
    check_members(MESSAGE_MEMBERS, message, at)?;
    match message.get("attributes") {
        None => {}
        Some(Json::Object(members)) => {
            if let Some((name, value)) = members.iter().find(|(_, value)| !matches!(value, Json::String(_))) {
                let name = name.as_str().unwrap_or_default();
                return Err(expected("a string", &format!("{at}/attributes/{name}"), Some(value)));
            }
        }
        other => return Err(expected("an object", &format!("{at}/attributes"), other)),
    }
    match message.get("end") {
        None | Some(Json::Bool(_)) => Ok(()),
        other => Err(expected("a boolean", &format!("{at}/end"), other)),
    }
}
