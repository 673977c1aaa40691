//! Checks of the shape of a result, whatever its content.

use thiserror::Error;

use crate::json::{Json, JsonString};

/// Why a result does not have the shape that the protocol gives it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// An object has a member that it cannot have.
    #[error("expected only {known} in {place}, but found {found}")]
    UnknownMember {
        /// The place of the object.
        place: String,
        /// The name of the member.
        found: JsonString,
        /// The members that it can have.
        known: String,
    },
    /// A place has a value of another kind.
    #[error("expected {expected} {place}, but found {found}")]
    Kind {
        /// The place.
        place: String,
        /// The kind that was expected.
        expected: String,
        /// The kind that was found.
        found: &'static str,
    },
}

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
            Err(ShapeError::UnknownMember { place: place.to_owned(), found: name.clone(), known: known.join(", ") })
        }
        None => Ok(()),
    }
}

/// The error that something else was found at a place of a result.
pub(crate) fn expected(what: &str, at: &str, found: Option<&Json>) -> ShapeError {
    let place = if at.is_empty() { "as result".to_owned() } else { format!("at {at} of the result") };
    ShapeError::Kind { place, expected: what.to_owned(), found: found.map_or("nothing", Json::kind) }
}
