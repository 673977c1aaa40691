//! Requests that an implementation may refuse, because its interface has no way to say them.

use super::Method;
use crate::json::{self, Json};

/// The reason of a writer that takes attributes as an object, which keeps neither their order nor a name that is there
/// twice.
pub const UNORDERED_ATTRIBUTES: &str = "unordered-attributes";

/// Whether a request to a listed method may be refused with this reason (code 2). Every other refusal fails a run.
#[must_use]
pub fn may_refuse(method: Method, params: &str, reason: &str) -> bool {
    method == Method::OpenuiBuild
        && reason == UNORDERED_ATTRIBUTES
        && json::parse(params).is_ok_and(|params| attributes_need_order(&params))
}

/// Whether the params of `openui.build` have attributes that an object cannot say.
#[must_use]
pub(super) fn attributes_need_order(params: &Json) -> bool {
    matches!(params.get("attributes"), Some(Json::Array(pairs)) if pairs.len() > 1)
}
