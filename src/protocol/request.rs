//! Methods and their params.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::glossen;
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

    /// The members that a result may have.
    #[must_use]
    pub fn result_members(self) -> &'static [&'static str] {
        match self {
            Method::OpenuiParse => &["content", "context", "attributes", "end"],
            Method::OpenuiStream => &["snapshots", "final"],
            Method::OpenuiBuild
            | Method::OpenuiFromEvent
            | Method::ToonuiToModelMessage
            | Method::ToonuiToUiMessage => &["message"],
            Method::OpenuiModelText | Method::ToonuiToContent | Method::ToonuiToDisplayContent => &["text"],
            Method::ToonuiReply | Method::ToonuiSubmit => &["payload"],
            Method::GlossenValidate => &["accepted", "messages"],
            Method::GlossenCheck => &["violations"],
            Method::GlossenToModelMessages | Method::GlossenEdit => &["messages"],
            Method::GlossenSources => &["sources"],
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
    /// See [`Method::ToonuiReply`].
    ToonuiReply(ReplyParams),
    /// See [`Method::ToonuiSubmit`].
    ToonuiSubmit(SubmitParams),
    /// See [`Method::ToonuiToContent`].
    ToonuiToContent(PayloadParams),
    /// See [`Method::ToonuiToDisplayContent`].
    ToonuiToDisplayContent(PayloadParams),
    /// See [`Method::ToonuiToModelMessage`].
    ToonuiToModelMessage(PayloadParams),
    /// See [`Method::ToonuiToUiMessage`].
    ToonuiToUiMessage(PayloadParams),
    /// See [`Method::GlossenValidate`].
    GlossenValidate(MessagesParams),
    /// See [`Method::GlossenCheck`].
    GlossenCheck(CheckParams),
    /// See [`Method::GlossenToModelMessages`].
    GlossenToModelMessages(MessagesParams),
    /// See [`Method::GlossenSources`].
    GlossenSources(SourcesParams),
    /// See [`Method::GlossenEdit`].
    GlossenEdit(EditParams),
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

/// Params of `toonui.reply`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyParams {
    /// What the button says.
    pub value: String,
    /// The button's context: any JSON value, of which `null` is one.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub context: Option<Box<RawValue>>,
}

/// Params of `toonui.submit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmitParams {
    /// What the form is for.
    pub intent: String,
    /// The values by their names.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub values: Option<Box<RawValue>>,
}

/// Params of the methods that take a payload.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PayloadParams {
    /// The payload: any JSON value, since bad ones are asked about too.
    #[schemars(with = "serde_json::Value")]
    pub payload: Box<RawValue>,
}

/// Params of the methods that take messages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessagesParams {
    /// The messages: any JSON value, since bad ones are asked about too.
    #[schemars(with = "serde_json::Value")]
    pub messages: Box<RawValue>,
}

/// Params of `glossen.check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckParams {
    /// The message.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub message: Box<RawValue>,
    /// The page list; without it, urls are not checked.
    #[serde(default, deserialize_with = "optional_pages")]
    #[schemars(with = "Option<Vec<Page>>")]
    pub pages: Option<Vec<glossen::Page>>,
    /// Whether the answer is complete; no where it is absent.
    pub finished: Option<bool>,
}

/// A page of the page list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Its path, such as `/docs/backups`.
    url: String,
    /// Its title.
    title: String,
    /// Its anchors.
    anchors: Vec<Anchor>,
}

/// An anchor of a page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Anchor {
    /// What stands behind the `#`.
    id: String,
    /// The heading that it belongs to, perhaps empty.
    heading: String,
}

impl From<Page> for glossen::Page {
    fn from(page: Page) -> glossen::Page {
        let anchors = page.anchors.into_iter().map(|anchor| glossen::Anchor { id: anchor.id, heading: anchor.heading });
        glossen::Page { url: page.url, title: page.title, anchors: anchors.collect() }
    }
}

/// Reads a page list as the reference takes it.
fn pages<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<glossen::Page>, D::Error> {
    Ok(Vec::<Page>::deserialize(deserializer)?.into_iter().map(Into::into).collect())
}

/// Reads a page list that may be `null`.
fn optional_pages<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<glossen::Page>>, D::Error> {
    Ok(Option::<Vec<Page>>::deserialize(deserializer)?.map(|pages| pages.into_iter().map(Into::into).collect()))
}

/// Params of `glossen.sources`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcesParams {
    /// The answer, in Markdown.
    pub answer: String,
    /// Scheme and host of the site.
    pub origin: String,
    /// The page list.
    #[serde(deserialize_with = "pages")]
    #[schemars(with = "Vec<Page>")]
    pub pages: Vec<glossen::Page>,
}

/// Params of `glossen.edit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// The messages.
    #[schemars(with = "Vec<serde_json::Value>")]
    pub messages: Box<RawValue>,
    /// The edited message, with the id of the one that it replaces.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub edited: Box<RawValue>,
}

/// A member that is there, `null` included.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
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
            Method::ToonuiReply => Request::ToonuiReply(typed(params)?),
            Method::ToonuiSubmit => Request::ToonuiSubmit(typed(params)?),
            Method::ToonuiToContent => Request::ToonuiToContent(typed(params)?),
            Method::ToonuiToDisplayContent => Request::ToonuiToDisplayContent(typed(params)?),
            Method::ToonuiToModelMessage => Request::ToonuiToModelMessage(typed(params)?),
            Method::ToonuiToUiMessage => Request::ToonuiToUiMessage(typed(params)?),
            Method::GlossenValidate => Request::GlossenValidate(typed(params)?),
            Method::GlossenCheck => Request::GlossenCheck(typed(params)?),
            Method::GlossenToModelMessages => Request::GlossenToModelMessages(typed(params)?),
            Method::GlossenSources => Request::GlossenSources(typed(params)?),
            Method::GlossenEdit => Request::GlossenEdit(typed(params)?),
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
