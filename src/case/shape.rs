//! The shape of a case: what is left of its params when names, words and figures are taken out. Two cases with
//! the same shape that turn on the same rules say the same twice.

use super::Case;
use crate::json;

/// The shape of a case's request.
pub(super) fn shape(case: &Case) -> String {
    let mut out = format!("{} {:?} ", case.method, case.profiles);
    // The loader has read the params; what cannot be read has no shape to compare.
    if let Ok(params) = json::parse(&case.params) {
        (case.method.shape)(&params, &mut out);
    }
    out
}
