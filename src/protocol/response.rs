//! Results and refusals.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;

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
    /// Of `openui.model_text`.
    Text {
        /// What the model sees.
        text: String,
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
    /// The params do not fit the method.
    BadParams,
}

impl RefusalKind {
    /// Every kind.
    pub const ALL: [RefusalKind; 3] = [RefusalKind::ForgedMarker, RefusalKind::NotWritable, RefusalKind::BadParams];

    /// The name in `data.kind` and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RefusalKind::ForgedMarker => "forged-marker",
            RefusalKind::NotWritable => "not-writable",
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
