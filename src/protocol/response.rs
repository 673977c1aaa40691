//! Results and refusals.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;

use super::Method;
use crate::glossen;
use crate::json::{Json, Pointer};

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
    /// Of `glossen.validate`.
    Validated {
        /// Whether the messages are accepted.
        accepted: bool,
        /// What the backend goes on with, where they are.
        #[schemars(with = "Option<Vec<serde_json::Value>>")]
        messages: Option<Json>,
    },
    /// Of `glossen.check`.
    Checked {
        /// The rules that are broken.
        violations: Vec<BrokenRule>,
    },
    /// Of `glossen.to_model_messages` and `glossen.edit`.
    Messages {
        /// The messages.
        #[schemars(with = "Vec<serde_json::Value>")]
        messages: Json,
    },
    /// Of `glossen.sources`.
    Sources {
        /// The sources.
        #[schemars(with = "Vec<Source>")]
        sources: Vec<glossen::Source>,
    },
}

/// A rule that a message breaks.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
pub struct BrokenRule {
    /// The rule's id.
    pub rule: String,
    /// Where in the message, for people.
    #[schemars(with = "String", default)]
    pub at: Pointer,
}

/// A page that an answer links to.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "stands for the reference's type in the schema")]
struct Source {
    /// What it is called.
    title: String,
    /// Where it is.
    url: String,
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
            Response::Validated { accepted, messages: None } => Json::object([("accepted", (*accepted).into())]),
            Response::Validated { accepted, messages: Some(messages) } => {
                Json::object([("accepted", (*accepted).into()), ("messages", messages.clone())])
            }
            Response::Checked { violations } => {
                let broken = violations.iter().map(|broken| {
                    Json::object([("rule", broken.rule.as_str().into()), ("at", broken.at.to_string().into())])
                });
                Json::object([("violations", Json::Array(broken.collect()))])
            }
            Response::Messages { messages } => Json::object([("messages", messages.clone())]),
            Response::Sources { sources } => {
                let sources = sources.iter().map(|source| {
                    Json::object([("title", source.title.as_str().into()), ("url", source.url.as_str().into())])
                });
                Json::object([("sources", Json::Array(sources.collect()))])
            }
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
        Method::GlossenValidate => {
            check_members(method.result_members(), result, "")?;
            match (result.get("accepted"), result.get("messages")) {
                (Some(Json::Bool(true)), messages) => check_list(messages, "/messages").map(|_| ()),
                (Some(Json::Bool(false)), None) => Ok(()),
                (Some(Json::Bool(false)), messages) => Err(expected("nothing", "/messages", messages)),
                (other, _) => Err(expected("a boolean", "/accepted", other)),
            }
        }
        Method::GlossenToModelMessages | Method::GlossenEdit => {
            check_members(method.result_members(), result, "")?;
            check_list(result.get("messages"), "/messages").map(|_| ())
        }
        Method::GlossenCheck => {
            check_members(method.result_members(), result, "")?;
            let broken = check_list(result.get("violations"), "/violations")?.iter().enumerate();
            broken.into_iter().try_for_each(|(index, broken)| match broken {
                Json::Object(_) => check_text(broken, "rule", &format!("/violations/{index}")),
                other => Err(expected("an object", &format!("/violations/{index}"), Some(other))),
            })
        }
        Method::GlossenSources => {
            check_members(method.result_members(), result, "")?;
            check_list(result.get("sources"), "/sources")?.iter().enumerate().try_for_each(|(index, source)| {
                let at = format!("/sources/{index}");
                check_members(&["title", "url"], source, &at)?;
                ["title", "url"].iter().try_for_each(|member| check_text(source, member, &at))
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

fn check_list<'r>(list: Option<&'r Json>, at: &str) -> Result<&'r [Json], String> {
    match list {
        Some(Json::Array(items)) => Ok(items),
        other => Err(expected("a list", at, other)),
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
            Err(format!("expected only {} in {place}, but found {name}", known.join(", ")))
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
    /// No message has the id.
    UnknownId,
    /// The message that has the id is no user's.
    NotAUserMessage,
    /// The params do not fit the method.
    BadParams,
}

impl RefusalKind {
    /// Every kind.
    pub const ALL: [RefusalKind; 6] = [
        RefusalKind::ForgedMarker,
        RefusalKind::NotWritable,
        RefusalKind::BadPayload,
        RefusalKind::UnknownId,
        RefusalKind::NotAUserMessage,
        RefusalKind::BadParams,
    ];

    /// The name in `data.kind` and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RefusalKind::ForgedMarker => "forged-marker",
            RefusalKind::NotWritable => "not-writable",
            RefusalKind::BadPayload => "bad-payload",
            RefusalKind::UnknownId => "unknown-id",
            RefusalKind::NotAUserMessage => "not-a-user-message",
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
