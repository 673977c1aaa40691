//! Reasons with which an implementation may answer that it does not support a request of a listed method.

use super::Formats;
use super::Method;
use crate::json::{self, Json};

/// A `data.reason` of code 2 that fails no run, on some requests.
#[derive(Clone, Copy, Debug)]
pub struct UnsupportedReason {
    /// The reason.
    pub reason: &'static str,
    /// Whether it excuses the implementation from a request with these params.
    pub excuses: fn(&Json) -> bool,
}

impl Formats {
    /// Whether a request to a listed method may be refused with this reason (code 2). Every other refusal fails a run.
    #[must_use]
    pub fn may_refuse(self, method: Method, params: &str, reason: &str) -> bool {
        let mut reasons = method.unsupported_reasons.iter().filter(|known| known.reason == reason);
        reasons.any(|known| json::parse(params).is_ok_and(|params| (known.excuses)(&params)))
    }
}
