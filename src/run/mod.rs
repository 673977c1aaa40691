//! Running cases: ask an implementation, judge what it answers, keep a record. Nothing here formats anything
//! for people; [`crate::report`] does.

pub mod compare;
pub mod derived;

mod agreement;
mod baseline;
mod bounds;
mod choices;
mod conformance;
mod cost;
mod evidence;
mod execute;
mod judge;
mod lineup;
mod record;
mod tally;
mod verdict;

pub use agreement::{Agreement, Question, agreements};
pub use baseline::{Baseline, BaselineError, BaselineUse, EntryUse, updated as updated_baseline};
pub use bounds::{Bounds, FailFast};
pub use choices::{Bound, BoundBy, ChoiceError, options, read_choice};
pub use conformance::{Claim, Conformance};
pub use cost::{Growth, Size, steepness};
pub use execute::{Plan, PlanError, execute, execute_within};
pub use judge::{Judgement, Terms, bind, judge, narrow};
pub use lineup::{Entrant, LineupError, REFERENCE, read_lineup};
pub use record::{Again, CaseOutcome, Departure, Record, Unsupported};
pub use tally::RuleTally;
pub use verdict::{Counts, UnknownVerdict, Verdict};
