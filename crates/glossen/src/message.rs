//! Messages and their parts, as every function except validation reads them: data parts may have any name, and a
//! malformed message is an error.

use std::fmt;

use genui_json::{self as json, Json, JsonString, Pointer};

/// The deepest nesting that every function accepts.
pub const MAX_DEPTH: usize = json::MAX_DEPTH;

/// The maximum number of messages, and of their parts in all. No conversation has nearly as many.
pub const MAX_PARTS: usize = 100_000;

/// The error of a value that exceeds [`MAX_PARTS`] or [`MAX_DEPTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitError(Limit);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Parts,
    Depth,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Limit::Parts => {
                write!(f, "expected at most {MAX_PARTS} messages and as many parts in all, but found more")
            }
            Limit::Depth => write!(f, "expected at most {MAX_DEPTH} levels of nesting, but found more"),
        }
    }
}

impl std::error::Error for LimitError {}

/// The error of a value that a function cannot read as messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// The value exceeds a limit.
    LimitExceeded(LimitError),
    /// A member is missing or has another type.
    #[non_exhaustive]
    Malformed {
        /// The place: in the list of messages, or in the one message that was given.
        at: Pointer,
        /// What was expected there, and what was found.
        message: String,
    },
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::LimitExceeded(error) => error.fmt(f),
            MessageError::Malformed { at, message } if *at == Pointer::default() => f.write_str(message),
            MessageError::Malformed { at, message } => write!(f, "{at}: {message}"),
        }
    }
}

impl std::error::Error for MessageError {}

impl From<LimitError> for MessageError {
    fn from(error: LimitError) -> MessageError {
        MessageError::LimitExceeded(error)
    }
}

/// The role of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    User,
    Assistant,
    System,
}

impl Role {
    pub(crate) fn named(name: &str) -> Option<Role> {
        Some(match name {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
        }
    }
}

/// A message whose parts have types. Nothing else about them has been checked.
pub(crate) struct Message<'a> {
    pub(crate) role: Role,
    pub(crate) metadata: Option<&'a Json>,
    pub(crate) parts: Vec<Part<'a>>,
}

/// A part of a message.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) kind: &'a str,
    value: &'a Json,
    index: usize,
}

impl<'a> Message<'a> {
    pub(crate) fn of(value: &'a Json, at: &Pointer) -> Result<Message<'a>, MessageError> {
        object(value, at)?;
        let role = member_text(value, "role", at)?;
        let role = Role::named(role)
            .ok_or_else(|| bad(&at.child("role"), "expected user, assistant or system, but found another role"))?;
        let parts = list(value.get("parts"), &at.child("parts"))?.iter().enumerate().map(|(index, value)| {
            let at = at.child("parts").child(index.to_string());
            object(value, &at)?;
            Ok::<_, MessageError>(Part { kind: member_text(value, "type", &at)?, value, index })
        });
        Ok(Message { role, metadata: value.get("metadata"), parts: parts.collect::<Result<_, _>>()? })
    }
}

impl<'a> Part<'a> {
    /// Returns the text of a member.
    pub(crate) fn text(&self, name: &str, message: &Pointer) -> Result<&'a JsonString, MessageError> {
        string(self.value.get(name), &self.at(message).child(name))
    }

    /// Returns the text of a member, or `None` if there is no such member.
    pub(crate) fn optional_text(&self, name: &str, message: &Pointer) -> Result<Option<&'a JsonString>, MessageError> {
        self.value.get(name).map(|_| self.text(name, message)).transpose()
    }

    /// Returns the text of a member of its data.
    pub(crate) fn data_text(&self, name: &str, message: &Pointer) -> Result<&'a JsonString, MessageError> {
        let data = self.data(message)?;
        string(data.get(name), &self.at(message).child("data").child(name))
    }

    /// Returns the text of a member of its data, or `None` if there is no such member.
    pub(crate) fn optional_data_text(
        &self,
        name: &str,
        message: &Pointer,
    ) -> Result<Option<&'a JsonString>, MessageError> {
        self.data(message)?.get(name).map(|_| self.data_text(name, message)).transpose()
    }

    pub(crate) fn data(&self, message: &Pointer) -> Result<&'a Json, MessageError> {
        self.value.get("data").ok_or_else(|| expected("data", &self.at(message).child("data"), None))
    }

    pub(crate) fn at(&self, message: &Pointer) -> Pointer {
        message.child("parts").child(self.index.to_string())
    }
}

/// Returns the messages of a list.
pub(crate) fn messages(value: &Json) -> Result<Vec<Message<'_>>, MessageError> {
    let root = Pointer::default();
    let messages = list(Some(value), &root)?.iter().enumerate();
    messages.map(|(index, value)| Message::of(value, &root.child(index.to_string()))).collect()
}

/// Checks that a value is within the limits. This comes first: everything else may recurse into the value.
pub(crate) fn within_limits(value: &Json) -> Result<(), LimitError> {
    let messages = match value {
        Json::Array(messages) => messages.as_slice(),
        message => std::slice::from_ref(message),
    };
    let parts = messages.iter().map(|message| match message.get("parts") {
        Some(Json::Array(parts)) => parts.len(),
        _ => 0,
    });
    if messages.len() > MAX_PARTS || parts.sum::<usize>() > MAX_PARTS {
        return Err(LimitError(Limit::Parts));
    }
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_DEPTH && matches!(value, Json::Array(_) | Json::Object(_)) {
            return Err(LimitError(Limit::Depth));
        }
        match value {
            Json::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Json::Object(members) => open.extend(members.iter().map(|(_, value)| (value, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

pub(crate) fn object(value: &Json, at: &Pointer) -> Result<(), MessageError> {
    if matches!(value, Json::Object(_)) { Ok(()) } else { Err(expected("an object", at, Some(value))) }
}

pub(crate) fn list<'a>(value: Option<&'a Json>, at: &Pointer) -> Result<&'a [Json], MessageError> {
    match value {
        Some(Json::Array(items)) => Ok(items),
        other => Err(expected("a list", at, other)),
    }
}

pub(crate) fn string<'a>(value: Option<&'a Json>, at: &Pointer) -> Result<&'a JsonString, MessageError> {
    match value {
        Some(Json::String(text)) => Ok(text),
        other => Err(expected("a string", at, other)),
    }
}

fn member_text<'a>(value: &'a Json, name: &str, at: &Pointer) -> Result<&'a str, MessageError> {
    let at = at.child(name);
    let text = string(value.get(name), &at)?.as_str();
    text.ok_or_else(|| bad(&at, "expected a string of Unicode characters, but found half of a surrogate pair"))
}

fn expected(what: &str, at: &Pointer, found: Option<&Json>) -> MessageError {
    bad(at, &expectation(what, found))
}

fn bad(at: &Pointer, message: &str) -> MessageError {
    MessageError::Malformed { at: at.clone(), message: message.to_owned() }
}

pub(crate) fn expectation(what: &str, found: Option<&Json>) -> String {
    format!("expected {what}, but found {}", found.map_or("nothing", Json::kind))
}
