//! Runs cases: sends requests to an implementation, judges its answers, and records the results. [`crate::report`]
//! formats them for readers.

pub mod compare;
pub mod derived;

mod agreement;
mod assessed;
mod baseline;
mod bounds;
mod choices;
mod comparison_file;
mod conformance;
mod cost;
mod evidence;
mod execute;
mod growth;
mod judge;
mod policy;
mod record;
mod tally;
mod update;
mod verdict;

pub use agreement::{Agreement, Review, agreements};
pub use assessed::{AssessedCase, AssessedCheck};
pub use baseline::{Baseline, BaselineError, BaselineUse, EntryUse};
pub use bounds::{Bounds, FailFast};
pub use choices::{ChoiceError, ChoiceSource, ResolvedChoice, options, read_choice};
pub use comparison_file::{ComparedImplementation, ComparisonFileError, REFERENCE, read_comparison_file};
pub use conformance::{Claim, Conformance};
pub use cost::measure_growth;
pub use execute::{Plan, PlanError, execute, execute_within, judge_again};
pub use growth::{Growth, Size};
pub use judge::{Judged, Terms, bind, judge, narrow};
pub use policy::{Assessment, NewCases, Policy, Unsupported};
pub use record::{Again, CaseResult, Failure, RunResult};
pub use tally::RuleTally;
pub use update::updated as updated_baseline;
pub use verdict::{Counts, UnknownVerdict, Verdict};
