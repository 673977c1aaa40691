//! Derived checks: metamorphic checks, which compare the answers of one implementation with each other. They run on
//! every case, and need no expected results; what is open is judged by the resolved choice. The document of each format
//! describes them, under Derived checks; the checks themselves are in the definition of the format.

mod input;
mod run;

pub(super) use run::check_id;
pub use run::{CheckResult, Evidence, run_check, run_checks, run_these_checks};

use crate::case::Case;
use crate::checks::{Check, InputChecks};
use crate::format::Method;
use crate::formats::FORMATS;

/// Every derived check, in the order of the formats.
#[must_use]
pub fn all_checks() -> Vec<Check> {
    FORMATS.all().flat_map(|format| format.checks()).collect()
}

/// Returns the checks that run on the input of a case. The rules may exclude some of them.
#[must_use]
pub fn checks_on(case: &Case) -> Vec<Check> {
    checks_of(case.method).map_or_else(Vec::new, |on_input| on_input.checks.iter().collect())
}

/// The checks on the params of a method; `None` if there are none.
fn checks_of(method: Method) -> Option<InputChecks> {
    method.checks
}
