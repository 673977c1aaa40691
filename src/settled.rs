//! Which requests the documents specify, and a caller may send: the one predicate that generators, shrinkers, derived
//! checks and campaigns share. Other requests are never generated, however wrong an answer to them may look: a person
//! would find out that no rule is about them.
//!
//! Which inputs of a format are unspecified is in its definition, by rule and name. Cases may send more requests (the
//! level `may` is for that); they are sent unchanged.

use crate::format::Method;
use crate::format::{Unspecified, UnspecifiedInput};
use crate::formats::FORMATS;
use crate::json::{Json, JsonString, MAX_DEPTH};

/// Params nest no deeper than this, since an answer that repeats them has to fit a line of the protocol.
const DEPTH: usize = MAX_DEPTH / 2;

/// Whether params fit their method, and the documents specify the result: whether a generator may make them, and a
/// shrinker may return them.
#[must_use]
pub fn is_askable(method: Method, params: &Json) -> bool {
    (method.params.check)(&params.to_ascii()).is_ok() && is_settled(method, params)
}

/// Whether the documents specify the result of the method for these params, which fit it. If not, any answer is right,
/// also a refusal.
#[must_use]
pub fn is_settled(method: Method, params: &Json) -> bool {
    is_plain(params, 0) && unspecified(method, params, None).is_none()
}

/// The rule and name by which the documents specify no answer to a request with these params, or leave open a difference
/// between two answers to it.
#[must_use]
pub fn unspecified(method: Method, params: &Json, difference: Option<(&Json, &Json)>) -> Option<&'static Unspecified> {
    FORMATS.unspecified(&UnspecifiedInput { method, params, difference })
}

/// Whether all strings are Unicode text, and nothing nests too deep.
fn is_plain(value: &Json, depth: usize) -> bool {
    let is_text = |text: &JsonString| matches!(text, JsonString::Unicode(_));
    depth <= DEPTH
        && match value {
            Json::String(string) => is_text(string),
            Json::Array(items) => items.iter().all(|item| is_plain(item, depth + 1)),
            Json::Object(members) => members.iter().all(|(name, value)| is_text(name) && is_plain(value, depth + 1)),
            Json::Null | Json::Bool(_) | Json::Number(_) => true,
        }
}
