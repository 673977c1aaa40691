//! The shape of a case: its params without names, words and figures. Two cases with the same shape that test the same
//! rules test the same thing twice.

use super::Case;
use crate::json;

/// The shape of a case's request.
pub(super) fn shape(case: &Case) -> String {
    let mut out = format!("{} {:?} ", case.method, case.profiles);
    // The loader has parsed the params; any other text has no shape to compare.
    if let Ok(params) = json::parse(&case.params) {
        (case.method.shape)(&params, &mut out);
    }
    out
}
