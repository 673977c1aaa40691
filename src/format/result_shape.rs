//! Checks of the shape of a result, whatever its content.

use std::fmt;

use crate::json::Json;

/// Why a result does not have the shape that the protocol gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError(String);

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShapeError {}

/// The items of a list at a place of a result.
pub(crate) fn check_list<'r>(list: Option<&'r Json>, at: &str) -> Result<&'r [Json], ShapeError> {
    match list {
        Some(Json::Array(items)) => Ok(items),
        other => Err(expected("a list", at, other)),
    }
}

/// Checks that a member is a string.
pub(crate) fn check_text(result: &Json, member: &str, at: &str) -> Result<(), ShapeError> {
    match result.get(member) {
        Some(Json::String(_)) => Ok(()),
        other => Err(expected("a string", &format!("{at}/{member}"), other)),
    }
}

/// Checks that a value is an object with known members alone.
pub(crate) fn check_members(known: &[&str], value: &Json, at: &str) -> Result<(), ShapeError> {
    let Json::Object(members) = value else { return Err(expected("an object", at, Some(value))) };
    match members.iter().find(|(name, _)| !name.as_str().is_some_and(|name| known.contains(&name))) {
        Some((name, _)) => {
            let place = if at.is_empty() { "the result" } else { at };
            Err(ShapeError(format!("expected only {} in {place}, but found {name}", known.join(", "))))
        }
        None => Ok(()),
    }
}

/// The error that something else was found at a place of a result.
pub(crate) fn expected(what: &str, at: &str, found: Option<&Json>) -> ShapeError {
    let place = if at.is_empty() { "as result".to_owned() } else { format!("at {at} of the result") };
    ShapeError(format!("expected {what} {place}, but found {}", found.map_or("nothing", Json::kind)))
}
