//! Methods and their params.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{self, Json};

/// A method that an implementation may support.
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
    /// The payload of a button.
    ToonuiReply,
    /// The payload of a form.
    ToonuiSubmit,
    /// The compact text of a payload.
    ToonuiToContent,
    /// The text of a payload for people.
    ToonuiToDisplayContent,
    /// The message for the model that carries a payload.
    ToonuiToModelMessage,
    /// The message for a chat's state that carries a payload.
    ToonuiToUiMessage,
    /// Whether a backend accepts messages.
    GlossenValidate,
    /// Whether a produced message keeps the contract.
    GlossenCheck,
    /// What the model gets of messages.
    GlossenToModelMessages,
    /// The sources of an answer.
    GlossenSources,
    /// What an edit makes of messages.
    GlossenEdit,
}

/// A format, whose name is the first part of its methods, rules and cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// OpenUI stored messages.
    Openui,
    /// ToonUI events and messages.
    Toonui,
    /// The Glossen message contract.
    Glossen,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Openui, Format::Toonui, Format::Glossen];

    /// The first part of an id or a method's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Openui => "openui",
            Format::Toonui => "toonui",
            Format::Glossen => "glossen",
        }
    }

    /// Whether its rules depend on a profile.
    #[must_use]
    pub fn has_profiles(self) -> bool {
        self == Format::Openui
    }

    /// The format that a rule, a case or a method belongs to, by its id or name.
    #[must_use]
    pub fn of(id: &str) -> Option<Format> {
        let first = id.split(['.', '/']).next();
        Format::ALL.into_iter().find(|format| first == Some(format.name()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Method {
    /// Every method.
    pub const ALL: [Method; 16] = [
        Method::OpenuiParse,
        Method::OpenuiStream,
        Method::OpenuiBuild,
        Method::OpenuiModelText,
        Method::OpenuiFromEvent,
        Method::ToonuiReply,
        Method::ToonuiSubmit,
        Method::ToonuiToContent,
        Method::ToonuiToDisplayContent,
        Method::ToonuiToModelMessage,
        Method::ToonuiToUiMessage,
        Method::GlossenValidate,
        Method::GlossenCheck,
        Method::GlossenToModelMessages,
        Method::GlossenSources,
        Method::GlossenEdit,
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
            Method::ToonuiReply => "toonui.reply",
            Method::ToonuiSubmit => "toonui.submit",
            Method::ToonuiToContent => "toonui.to_content",
            Method::ToonuiToDisplayContent => "toonui.to_display_content",
            Method::ToonuiToModelMessage => "toonui.to_model_message",
            Method::ToonuiToUiMessage => "toonui.to_ui_message",
            Method::GlossenValidate => "glossen.validate",
            Method::GlossenCheck => "glossen.check",
            Method::GlossenToModelMessages => "glossen.to_model_messages",
            Method::GlossenSources => "glossen.sources",
            Method::GlossenEdit => "glossen.edit",
        }
    }

    /// The format that it belongs to.
    #[must_use]
    pub fn format(self) -> Format {
        Format::of(self.name()).expect("the name of a method begins with that of its format")
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

/// Params that do not fit their method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamsError(String);

impl ParamsError {
    /// An error with this message.
    #[must_use]
    pub fn new(message: String) -> ParamsError {
        ParamsError(message)
    }
}

impl fmt::Display for ParamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParamsError {}

/// Reads the params of a method from their JSON text.
///
/// # Errors
///
/// Says what does not fit, with the line and column of the text.
pub fn read_params<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, ParamsError> {
    // serde would take a list for the members in their order.
    if !params.trim_start().starts_with('{') {
        return Err(ParamsError("expected an object as params".to_owned()));
    }
    serde_json::from_str(params).map_err(|error| ParamsError(error.to_string()))
}

/// The value of an optional member; `null` where it is absent.
///
/// # Errors
///
/// Says where it nests too deep.
pub(crate) fn value(raw: Option<&RawValue>) -> Result<Json, ParamsError> {
    raw.map_or(Ok(Json::Null), |raw| json::parse(raw.get()).map_err(|error| ParamsError(error.to_string())))
}
