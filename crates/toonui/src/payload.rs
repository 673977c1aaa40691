//! A payload and its fields, as JavaScript would read them.

use std::borrow::Cow;
use std::fmt;

use super::javascript;
use genui_json::Json;

pub(crate) const REPLY: &str = "ui_reply";
pub(crate) const SUBMIT: &str = "ui_submit";

/// The members in a reply's header, in their order.
const REPLY_HEADER: &[&str] = &["eventId", "value", "source", "component"];

/// The members in a submit's header, in their order.
const SUBMIT_HEADER: &[&str] = &["eventId", "intent", "formTitle"];

/// The kind of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Reply,
    /// Every payload that is no reply (`toonui.content.kind`).
    Submit,
}

impl Kind {
    pub(crate) const ALL: [Kind; 2] = [Kind::Reply, Kind::Submit];

    /// Returns the name in a payload and, before a colon, on the first line of its content.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Reply => REPLY,
            Kind::Submit => SUBMIT,
        }
    }

    /// Returns the members in the header, in their order.
    pub(crate) fn header(self) -> &'static [&'static str] {
        match self {
            Kind::Reply => REPLY_HEADER,
            Kind::Submit => SUBMIT_HEADER,
        }
    }

    /// Returns the member whose entries follow the header.
    pub(crate) fn entries_in(self) -> &'static str {
        match self {
            Kind::Reply => "context",
            Kind::Submit => "values",
        }
    }
}

/// A payload that has texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Payload<'p> {
    pub(crate) json: &'p Json,
    pub(crate) kind: Kind,
}

impl<'p> Payload<'p> {
    pub(crate) fn new(json: &'p Json) -> Result<Payload<'p>, PayloadError> {
        if !matches!(json, Json::Object(_)) {
            return Err(PayloadError { expected: "an object as payload", found: json.kind() });
        }
        let kind = match json.get("kind").and_then(Json::as_str) {
            Some(REPLY) => Kind::Reply,
            _ => Kind::Submit,
        };
        match (kind, json.get("values")) {
            (Kind::Submit, None) => Err(PayloadError { expected: "`values` in a submit", found: "nothing" }),
            (Kind::Submit, Some(Json::Null)) => Err(PayloadError { expected: "`values` in a submit", found: "null" }),
            _ => Ok(Payload { json, kind }),
        }
    }

    /// Returns a member as it appears in a text.
    pub(crate) fn raw(&self, name: &str) -> Cow<'p, str> {
        self.json.get(name).map_or("undefined".into(), javascript::string_of)
    }

    /// Returns the entries, in their order.
    pub(crate) fn entries(&self) -> Vec<(Cow<'p, str>, Cow<'p, Json>)> {
        self.json.get(self.kind.entries_in()).map(javascript::entries).unwrap_or_default()
    }
}

/// The error of a payload that has no texts (`toonui.input.missing`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayloadError {
    expected: &'static str,
    found: &'static str,
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, but found {}", self.expected, self.found)
    }
}

impl std::error::Error for PayloadError {}
