//! Derived checks: what must hold of every input, whatever it says. They come free with every case, and need no
//! expectation: an implementation is held to its own answers, with what is left open as it was bound. The document of
//! each format words them, under Derived checks; the checks themselves are in the definition of the format.

mod input;
mod run;

pub(super) use run::check_id;
pub use run::{DerivedOutcome, Evidence, run_check, run_checks, run_these_checks};

use crate::case::Case;
use crate::checks::{Check, InputChecks};
use crate::format::Method;
use crate::formats::FORMATS;

/// Every derived check, in the order of the formats.
#[must_use]
pub fn all_checks() -> Vec<Check> {
    FORMATS.all().flat_map(|format| format.checks()).collect()
}

/// The checks that may be made on the input of a case. What the rules say of it may leave some out.
#[must_use]
pub fn checks_on(case: &Case) -> Vec<Check> {
    checks_of(case.method).map_or_else(Vec::new, |on_input| on_input.checks.iter().collect())
}

/// The checks on the params of a method; `None` if there are none.
fn checks_of(method: Method) -> Option<InputChecks> {
    method.checks
}
