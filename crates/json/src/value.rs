//! The value itself, and how one is built and looked into.

use std::borrow::Cow;

use super::Number;

/// A JSON value. Equality is of the text: `1` and `1.0` differ, and so do members in another order. Two values
/// are compared by their meaning with [`json_equal`](crate::json_equal).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, kept as its text.
    Number(Number),
    /// A string.
    String(JsonString),
    /// A list.
    Array(Vec<Json>),
    /// An object: members in the order of the text; a name given twice is there twice.
    Object(Vec<(JsonString, Json)>),
}

/// A JSON string: Unicode text, or, where it holds a lone surrogate, the UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonString {
    /// Text of Unicode scalar values.
    Unicode(String),
    /// UTF-16 code units of which at least one is a surrogate without its other half.
    Surrogates(Vec<u16>),
}

impl Json {
    /// An object of the given members, in their order.
    #[must_use]
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.map(|(name, value)| (JsonString::from(name), value)).into())
    }

    /// The value of the member called `name`; of the last one where the name is given twice. `None` where this
    /// is no object or has no such member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(member, _)| member.as_str() == Some(name)).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The text of a string of Unicode scalar values; `None` for everything else.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(string) => string.as_str(),
            _ => None,
        }
    }

    /// What kind of value this is, as a noun for messages: `a string`, `null`.
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
    /// The text; `None` where the string holds a lone surrogate.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            JsonString::Unicode(text) => Some(text),
            JsonString::Surrogates(_) => None,
        }
    }

    /// The text, with U+FFFD for each lone surrogate.
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
