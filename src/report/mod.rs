//! Reports: what a record says to people. They read records and run nothing.

mod badge;
mod comparison;
mod escape;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod repeat;
mod summary;
mod trace;
mod traffic;
mod verdicts;

pub use badge::write_badge;
pub use comparison::{
    AnswerGroup, CaseRow, Cell, Column, ComparedRun, Comparison, DerivedCell, DerivedRow, ExpectedAnswer, RuleRow,
    comparison_schema,
};
pub use escape::{excerpt, plural, printable};
pub use html::write_html;
pub use human::{HumanReport, write_human};
pub use json::{read_failed, write_comparison, write_json};
pub use junit::write_junit;
pub use markdown::write_markdown;
pub use repeat::Repeat;
pub use summary::{BoundChoice, CaseSummary, DepartureSummary, DerivedSummary, Summary, report_schema};
pub use trace::write_trace;
pub use traffic::write_traffic;
