//! The value, and how it is built and looked into.

use std::borrow::Cow;

use super::Number;

/// A JSON value.
///
/// `==` compares texts: `1` and `1.0` differ, and so do members in another order. To compare meanings, use
/// [`json_equal`](crate::json_equal).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
///
/// let event = Json::object([("name", "save".into()), ("count", 2.into()), ("done", true.into())]);
/// assert_eq!(event.to_compact(), r#"{"name":"save","count":2,"done":true}"#);
/// assert_eq!(event.get("name").and_then(Json::as_str), Some("save"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text.
    Number(Number),
    /// A string.
    String(JsonString),
    /// A list.
    Array(Vec<Json>),
    /// An object: all members in the order of the text, repeated names included.
    Object(Vec<(JsonString, Json)>),
}

/// A JSON string: Unicode text or, if it contains a lone surrogate, UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonString {
    /// Text of Unicode scalar values.
    Unicode(String),
    /// UTF-16 code units with at least one lone surrogate.
    Surrogates(Vec<u16>),
}

impl Json {
    /// Returns an object with the given members, in their order.
    #[must_use]
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.map(|(name, value)| (JsonString::from(name), value)).into())
    }

    /// Returns the value of a member, or `None` if this is no object or has no such member. Of a repeated name the
    /// last counts.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(member, _)| member.as_str() == Some(name)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns the text of a string without lone surrogates, or `None` for everything else.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(string) => string.as_str(),
            _ => None,
        }
    }

    /// Returns the type of the value as a noun for messages: `a string`, `null`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

impl JsonString {
    /// Returns the text, or `None` if the string contains a lone surrogate.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            JsonString::Unicode(text) => Some(text),
            JsonString::Surrogates(_) => None,
        }
    }

    /// Returns the text, with U+FFFD in place of each lone surrogate.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            JsonString::Unicode(text) => text.into(),
            JsonString::Surrogates(units) => String::from_utf16_lossy(units).into(),
        }
    }
}

impl From<&str> for JsonString {
    fn from(text: &str) -> JsonString {
        JsonString::Unicode(text.to_owned())
    }
}

impl From<String> for JsonString {
    fn from(text: String) -> JsonString {
        JsonString::Unicode(text)
    }
}

impl From<Vec<u16>> for JsonString {
    /// Returns the string of these UTF-16 code units.
    fn from(units: Vec<u16>) -> JsonString {
        match String::from_utf16(&units) {
            Ok(text) => JsonString::Unicode(text),
            Err(_) => JsonString::Surrogates(units),
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(JsonString::from(text))
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(JsonString::Unicode(text))
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Number(Number::from(value))
    }
}
