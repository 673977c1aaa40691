//! Reports: what a record, or an explanation, says to people. They read these and run nothing.

mod escape;
mod explain;
mod human;
mod json;
mod junit;
mod paragraph;
mod repeat;
mod summary;
mod traffic;

pub use escape::{excerpt, plural, printable};
pub use explain::{write_explanation, write_explanation_json, write_parts};
pub use human::{HumanReport, write_human};
pub use json::{read_failed, write_json};
pub use junit::write_junit;
pub use repeat::Repeat;
pub use summary::{BoundChoice, CaseSummary, DepartureSummary, DerivedSummary, Summary, report_schema};
pub use traffic::write_traffic;
