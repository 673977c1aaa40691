//! Methods and their params.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{self, Json};

/// Params that do not fit their method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamsError(String);

impl ParamsError {
    /// An error with this message.
    #[must_use]
    pub fn new(message: String) -> ParamsError {
        ParamsError(message)
    }
}

impl fmt::Display for ParamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParamsError {}

/// Reads the params of a method from their JSON text.
///
/// # Errors
///
/// Says what does not fit, with the line and column of the text.
pub fn read_params<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, ParamsError> {
    // serde would take a list for the members in their order.
    if !params.trim_start().starts_with('{') {
        return Err(ParamsError("expected an object as params".to_owned()));
    }
    serde_json::from_str(params).map_err(|error| ParamsError(error.to_string()))
}

/// The value of an optional member; `null` where it is absent.
///
/// # Errors
///
/// Says where it nests too deep.
pub(crate) fn value(raw: Option<&RawValue>) -> Result<Json, ParamsError> {
    raw.map_or(Ok(Json::Null), |raw| json::parse(raw.get()).map_err(|error| ParamsError(error.to_string())))
}
