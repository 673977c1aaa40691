//! Results and refusals.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;

use super::Method;
use crate::json::Json;

/// What an implementation answers when it does what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum Response {
    /// Of `openui.parse`.
    Message(ParseResult),
    /// Of `openui.stream`.
    Stream {
        /// What shows after each chunk.
        snapshots: Vec<ParseResult>,
        /// The whole, once nothing more comes.
        r#final: ParseResult,
    },
    /// Of `openui.build` and `openui.from_event`.
    Written {
        /// The stored message.
        message: String,
    },
    /// Of `openui.model_text`, and of the texts of a payload.
    Text {
        /// What the model, or a person, sees.
        text: String,
    },
    /// Of `toonui.reply` and `toonui.submit`.
    Payload {
        /// The payload.
        #[schemars(with = "serde_json::Value")]
        payload: Json,
    },
    /// Of `toonui.to_model_message` and `toonui.to_ui_message`.
    UserMessage {
        /// The message object.
        #[schemars(with = "BTreeMap<String, serde_json::Value>")]
        message: Json,
    },
}

/// A message as it was read.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
pub struct ParseResult {
    /// The program or text.
    pub content: String,
    /// The context: any JSON value; `null` for none.
    #[schemars(with = "serde_json::Value", default)]
    pub context: Json,
    /// The attributes of the winning content marker.
    #[schemars(with = "BTreeMap<String, String>", default)]
    pub attributes: Vec<(String, String)>,
    /// Whether there is an end line.
    #[schemars(default)]
    pub end: bool,
}

impl Response {
    /// The result as it goes over the protocol.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Response::Message(message) => message.to_json(),
            Response::Stream { snapshots, r#final } => Json::object([
                ("snapshots", Json::Array(snapshots.iter().map(ParseResult::to_json).collect())),
                ("final", r#final.to_json()),
            ]),
            Response::Written { message } => Json::object([("message", message.as_str().into())]),
            Response::Text { text } => Json::object([("text", text.as_str().into())]),
            Response::Payload { payload } => Json::object([("payload", payload.clone())]),
            Response::UserMessage { message } => Json::object([("message", message.clone())]),
        }
    }
}

impl ParseResult {
    fn to_json(&self) -> Json {
        let attributes = self.attributes.iter().map(|(name, value)| (name.as_str().into(), value.as_str().into()));
        Json::object([
            ("content", self.content.as_str().into()),
            ("context", self.context.clone()),
            ("attributes", Json::Object(attributes.collect())),
            ("end", self.end.into()),
        ])
    }
}

/// Whether a result of a method has the form that the protocol gives it, whatever it says.
///
/// # Errors
///
/// Names the member, what was expected there, and what was found.
pub fn check_result(method: Method, result: &Json) -> Result<(), String> {
    match method {
        Method::OpenuiParse => check_message(result, ""),
        Method::OpenuiStream => {
            check_members(method.result_members(), result, "")?;
            match result.get("snapshots") {
                Some(Json::Array(snapshots)) => snapshots
                    .iter()
                    .enumerate()
                    .try_for_each(|(index, snapshot)| check_message(snapshot, &format!("/snapshots/{index}")))?,
                other => return Err(expected("a list", "/snapshots", other)),
            }
            check_message(result.get("final").unwrap_or(&Json::Null), "/final")
        }
        Method::OpenuiBuild
        | Method::OpenuiFromEvent
        | Method::OpenuiModelText
        | Method::ToonuiToContent
        | Method::ToonuiToDisplayContent => {
            let members = method.result_members();
            check_members(members, result, "")?;
            members.iter().try_for_each(|member| check_text(result, member, ""))
        }
        Method::ToonuiReply | Method::ToonuiSubmit | Method::ToonuiToModelMessage | Method::ToonuiToUiMessage => {
            let members = method.result_members();
            check_members(members, result, "")?;
            members.iter().try_for_each(|member| match result.get(member) {
                Some(Json::Object(_)) => Ok(()),
                other => Err(expected("an object", &format!("/{member}"), other)),
            })
        }
    }
}

fn check_message(message: &Json, at: &str) -> Result<(), String> {
    if let Json::Object(_) = message {
        check_text(message, "content", at)?;
    }
    check_members(Method::OpenuiParse.result_members(), message, at)?;
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

fn check_text(result: &Json, member: &str, at: &str) -> Result<(), String> {
    match result.get(member) {
        Some(Json::String(_)) => Ok(()),
        other => Err(expected("a string", &format!("{at}/{member}"), other)),
    }
}

fn check_members(known: &[&str], value: &Json, at: &str) -> Result<(), String> {
    let Json::Object(members) = value else { return Err(expected("an object", at, Some(value))) };
    match members.iter().find(|(name, _)| !name.as_str().is_some_and(|name| known.contains(&name))) {
        Some((name, _)) => {
            let place = if at.is_empty() { "the result" } else { at };
            Err(format!("expected only {} in {place}, but found {}", known.join(", "), name.to_ascii()))
        }
        None => Ok(()),
    }
}

fn expected(what: &str, at: &str, found: Option<&Json>) -> String {
    let place = if at.is_empty() { "as result".to_owned() } else { format!("at {at} of the result") };
    format!("expected {what} {place}, but found {}", found.map_or("nothing", Json::kind))
}

/// An implementation's refusal that a case can expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal.
    pub kind: RefusalKind,
    /// What is refused, and where it stands.
    pub message: String,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// Content or a text context holds a marker line.
    ForgedMarker,
    /// What was to be written would not read back.
    NotWritable,
    /// A payload of which no text can be made.
    BadPayload,
    /// The params do not fit the method.
    BadParams,
}

impl RefusalKind {
    /// Every kind.
    pub const ALL: [RefusalKind; 4] =
        [RefusalKind::ForgedMarker, RefusalKind::NotWritable, RefusalKind::BadPayload, RefusalKind::BadParams];

    /// The name in `data.kind` and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RefusalKind::ForgedMarker => "forged-marker",
            RefusalKind::NotWritable => "not-writable",
            RefusalKind::BadPayload => "bad-payload",
            RefusalKind::BadParams => "bad-params",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RefusalKind> {
        RefusalKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
