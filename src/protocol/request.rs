//! Methods and their params.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{self, Json};
use crate::openui::Role;

/// A method that an implementation may offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Reads a stored message.
    OpenuiParse,
    /// Reads a message that arrives in chunks.
    OpenuiStream,
    /// Writes a stored message.
    OpenuiBuild,
    /// What the model sees of a stored message.
    OpenuiModelText,
    /// The stored turn for an action.
    OpenuiFromEvent,
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 5] = [
        Method::OpenuiParse,
        Method::OpenuiStream,
        Method::OpenuiBuild,
        Method::OpenuiModelText,
        Method::OpenuiFromEvent,
    ];

    /// The name in the protocol and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::OpenuiParse => "openui.parse",
            Method::OpenuiStream => "openui.stream",
            Method::OpenuiBuild => "openui.build",
            Method::OpenuiModelText => "openui.model_text",
            Method::OpenuiFromEvent => "openui.from_event",
        }
    }

    /// The members that a result may have.
    #[must_use]
    pub fn result_members(self) -> &'static [&'static str] {
        match self {
            Method::OpenuiParse => &["content", "context", "attributes", "end"],
            Method::OpenuiStream => &["snapshots", "final"],
            Method::OpenuiBuild | Method::OpenuiFromEvent => &["message"],
            Method::OpenuiModelText => &["text"],
        }
    }

    /// The method of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something asked of an implementation.
#[derive(Debug)]
pub enum Request {
    /// See [`Method::OpenuiParse`].
    OpenuiParse(ParseParams),
    /// See [`Method::OpenuiStream`].
    OpenuiStream(StreamParams),
    /// See [`Method::OpenuiBuild`].
    OpenuiBuild(BuildParams),
    /// See [`Method::OpenuiModelText`].
    OpenuiModelText(ModelTextParams),
    /// See [`Method::OpenuiFromEvent`].
    OpenuiFromEvent(FromEventParams),
}

/// Params of `openui.parse`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParseParams {
    /// The stored message.
    pub raw: String,
    /// Whether more of it may come; no where it is absent.
    pub streaming: Option<bool>,
}

/// Params of `openui.stream`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamParams {
    /// The message as it arrives; a chunk may be empty.
    pub chunks: Vec<String>,
}

/// Params of `openui.build`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildParams {
    /// The program or text.
    pub content: String,
    /// Any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub context: Option<Box<RawValue>>,
    /// Names and values of the content marker, in order.
    pub attributes: Option<Vec<(String, String)>>,
    /// Whether an end line is written; no where it is absent.
    pub end: Option<bool>,
}

/// Params of `openui.model_text`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelTextParams {
    /// The stored message.
    pub raw: String,
    /// Whose turn it is.
    pub role: RoleName,
}

/// Whose turn a stored message is.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoleName {
    /// The model's own.
    Assistant,
    /// The user's.
    User,
}

impl From<RoleName> for Role {
    fn from(role: RoleName) -> Role {
        match role {
            RoleName::Assistant => Role::Assistant,
            RoleName::User => Role::User,
        }
    }
}

/// Params of `openui.from_event`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FromEventParams {
    /// What the user clicked.
    pub message: String,
    /// The form state: any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub form_state: Option<Box<RawValue>>,
    /// The action's own context: any JSON value; absent or `null` for none.
    #[schemars(with = "Option<serde_json::Value>")]
    pub context: Option<Box<RawValue>>,
}

/// Params that do not fit their method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadParams(String);

impl fmt::Display for BadParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadParams {}

impl Request {
    /// Reads the params of a method from their JSON text.
    ///
    /// # Errors
    ///
    /// Says what does not fit, and at which line and column of the text.
    pub fn read(method: Method, params: &str) -> Result<Request, BadParams> {
        // serde would take a list for the members in their order.
        if !params.trim_start().starts_with('{') {
            return Err(BadParams("expected an object as params".to_owned()));
        }
        Ok(match method {
            Method::OpenuiParse => Request::OpenuiParse(typed(params)?),
            Method::OpenuiStream => Request::OpenuiStream(typed(params)?),
            Method::OpenuiBuild => Request::OpenuiBuild(typed(params)?),
            Method::OpenuiModelText => Request::OpenuiModelText(typed(params)?),
            Method::OpenuiFromEvent => Request::OpenuiFromEvent(typed(params)?),
        })
    }
}

fn typed<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, BadParams> {
    serde_json::from_str(params).map_err(|error| BadParams(error.to_string()))
}

/// The value of an optional member; `null` where it is absent.
///
/// # Errors
///
/// Says where it nests too deep.
pub(crate) fn value(raw: Option<&RawValue>) -> Result<Json, BadParams> {
    raw.map_or(Ok(Json::Null), |raw| json::parse(raw.get()).map_err(|error| BadParams(error.to_string())))
}
