//! Input of the methods, from JSON text.

use serde_json::value::RawValue;

use crate::json::{self, Json};
use crate::protocol::ParamsError;

/// Reads params from the text of a JSON file.
///
/// # Errors
///
/// If the text is not JSON.
pub fn json_params(text: &str, _streaming: bool) -> Result<Json, ParamsError> {
    json::parse(text).map_err(|why| ParamsError::new(format!("expected JSON: {why}")))
}

/// Reads one member of params from the text of a JSON file.
///
/// # Errors
///
/// If the text is not JSON.
pub fn json_member(name: &'static str, text: &str) -> Result<Json, ParamsError> {
    Ok(Json::object([(name, json_params(text, false)?)]))
}

/// Reads a text of a format that is JSON.
///
/// # Errors
///
/// If the text is not JSON.
pub fn json_text(format: &str, text: &str) -> Result<Json, ParamsError> {
    json::parse(text).map_err(|error| ParamsError::new(format!("expected {format} as JSON: {error}")))
}

/// Returns the value of an optional member; `null` if it is absent.
///
/// # Errors
///
/// If the value nests too deep.
pub fn optional_value(raw: Option<&RawValue>) -> Result<Json, ParamsError> {
    raw.map_or(Ok(Json::Null), |raw| json::parse(raw.get()).map_err(|error| ParamsError::new(error.to_string())))
}
