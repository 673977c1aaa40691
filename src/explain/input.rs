//! Which format a text is of.

use thiserror::Error;

use crate::format::{Format, Formats};
use crate::json;

/// Why the format of a text cannot be found out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// The text is JSON that nests too deep, and perhaps a text of this format.
    #[error("{source}{}", plain.map_or_else(String::new, |format| format!("; `--format {format}` reads it as text")))]
    TooDeep {
        /// Where it nests too deep.
        source: json::Error,
        /// The format that takes any text.
        plain: Option<Format>,
    },
    /// No format takes the text, which is not JSON.
    #[error("expected a text of some format: {0}")]
    NoJson(#[source] json::Error),
    /// No format takes the text, which is JSON.
    #[error("expected a text of some format")]
    NoFormat,
}

/// Finds out which format a text is of. Later formats are asked first: they recognise less.
///
/// # Errors
///
/// If the text is JSON that is nested too deep to be read.
pub fn format_of(formats: Formats, text: &str) -> Result<Format, InputError> {
    let read = json::parse(text);
    let recognising = |value| {
        let all: Vec<_> = formats.all().collect();
        all.into_iter().rev().find(|format| format.recognises(value))
    };
    let plain = recognising(None);
    match read {
        Err(source) if source.is_too_deep() => Err(InputError::TooDeep { source, plain }),
        Err(error) => plain.ok_or(InputError::NoJson(error)),
        Ok(value) => recognising(Some(&value)).ok_or(InputError::NoFormat),
    }
}
