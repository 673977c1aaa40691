//! Reports: what a record says to people. They read records and run nothing.

mod escape;
mod human;
mod json;
mod junit;
mod repeat;
mod summary;
mod trace;
mod traffic;

pub use escape::{excerpt, plural, printable};
pub use human::{HumanReport, write_human};
pub use json::{read_failed, write_json};
pub use junit::write_junit;
pub use repeat::Repeat;
pub use summary::{BoundChoice, CaseSummary, DepartureSummary, DerivedSummary, Summary, report_schema};
pub use trace::write_trace;
pub use traffic::write_traffic;
