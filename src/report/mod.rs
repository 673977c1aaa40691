//! Reports of a run, a comparison or an explanation. This module only formats; it runs nothing.

mod badge;
mod colour;
mod comparison;
mod escape;
mod explain;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod paragraph;
mod rerun;
mod summary;
mod traffic;

/// The reason for an unsupported case whose method is not listed in the handshake.
const NOT_LISTED: &str = "the adapter does not list the method";

pub use badge::write_badge;
pub use comparison::{
    AnswerGroup, CaseRow, Cell, Column, ComparedRun, Comparison, DerivedCell, DerivedRow, ExpectedAnswer, RuleRow,
    comparison_schema,
};
pub use escape::{excerpt, plural, printable};
pub use explain::{write_explanation, write_explanation_json, write_parts};
pub use html::write_html;
pub use human::{Detail, HumanReport, write_human};
pub use json::{NotAReport, read_failed, write_comparison, write_json};
pub use junit::write_junit;
pub use markdown::{MARKDOWN_LIMIT, write_markdown};
pub use rerun::Rerun;
pub use summary::{BoundChoice, CaseSummary, DerivedSummary, FailureText, Summary, UnsupportedSummary, report_schema};
pub use traffic::write_traffic;
