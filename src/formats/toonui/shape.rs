//! The shape of params that have payloads.

use crate::format::{value_shape, words};
use crate::json::Json;

/// The shape of params: texts without words and figures.
pub(super) fn value(params: &Json, out: &mut String) {
    value_shape(params, &|text, out| out.push_str(&words(text)), out);
}
