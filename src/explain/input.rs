//! Which format a text is of.

use std::fmt;

use crate::json::{self, Json};
use crate::protocol::Format;

/// What was given to be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// An OpenUI stored message.
    Openui(&'a str),
    /// A ToonUI payload.
    Toonui(Json),
    /// A list of Glossen messages, or one of them.
    Glossen(Json),
}

/// Why a text cannot be taken for what it is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadInput(String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

impl<'a> Input<'a> {
    /// Takes a text for a message of this format. Without one, a JSON list and a JSON object with a `role` are Glossen
    /// messages, another JSON object with a `kind` is a ToonUI payload, and everything else is an OpenUI message.
    ///
    /// # Errors
    ///
    /// Says what was expected, and at which byte, where a format of JSON is asked for and the text is none; also where
    /// no format is asked for and JSON is nested too deep to tell which it is.
    pub fn read(text: &'a str, format: Option<Format>) -> Result<Input<'a>, BadInput> {
        if format == Some(Format::Openui) {
            return Ok(Input::Openui(text));
        }
        let read = json::parse(text);
        let is = |value: &Json| match value {
            Json::Array(_) => Format::Glossen,
            Json::Object(_) if value.get("role").is_some() => Format::Glossen,
            Json::Object(_) if value.get("kind").is_some() => Format::Toonui,
            _ => Format::Openui,
        };
        match (format, read) {
            (Some(Format::Toonui), Ok(value)) => Ok(Input::Toonui(value)),
            (Some(_), Ok(value)) => Ok(Input::Glossen(value)),
            (Some(format), Err(error)) => Err(BadInput(format!("expected {format} as JSON: {error}"))),
            (None, Ok(value)) => Ok(match is(&value) {
                Format::Glossen => Input::Glossen(value),
                Format::Toonui => Input::Toonui(value),
                Format::Openui => Input::Openui(text),
            }),
            (None, Err(error)) if error.is_too_deep() => {
                Err(BadInput(format!("{error}; `--format openui` reads it as text")))
            }
            (None, Err(_)) => Ok(Input::Openui(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_from_the_text() {
        let format = |text| match Input::read(text, None) {
            Ok(Input::Openui(_)) => "openui",
            Ok(Input::Toonui(_)) => "toonui",
            Ok(Input::Glossen(_)) => "glossen",
            Err(_) => "none",
        };
        for (text, expected) in [
            ("", "openui"),
            ("]]>openui:end", "openui"),
            ("\"kind\"", "openui"),
            ("{}", "openui"),
            ("{\"kind\":\"ui_reply\"", "openui"),
            (" {\"kind\":1}\n", "toonui"),
            ("{\"kind\":1,\"role\":2}", "glossen"),
            ("[]", "glossen"),
            ("[", "openui"),
        ] {
            assert_eq!(format(text), expected, "{text}");
        }
        assert_eq!(format(&"[".repeat(100_000)), "none");
        assert!(Input::read(&"[".repeat(100_000), Some(Format::Openui)).is_ok());
        let error = Input::read("{\"kind\":}", Some(Format::Toonui)).expect_err("is no JSON");
        assert!(error.to_string().contains("at byte 8"), "{error}");
    }
}
