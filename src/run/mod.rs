//! Running cases: ask an implementation, judge what it answers, keep a record. Nothing here formats anything
//! for people; [`crate::report`] does.

pub mod compare;
pub mod derived;

mod agreement;
mod baseline;
mod choices;
mod cost;
mod evidence;
mod execute;
mod judge;
mod lineup;
mod record;
mod tally;

pub use agreement::{Agreement, Question, agreements};
pub use baseline::{Baseline, BaselineError, BaselineUse, EntryUse, updated as updated_baseline};
pub use choices::{Bound, BoundBy, ChoiceError, options, read_choice};
pub use cost::{Growth, Size, steepness};
pub use execute::{Plan, PlanError, execute};
pub use judge::{Judgement, bind, judge, no_answer};
pub use lineup::{Entrant, LineupError, REFERENCE, read_lineup};
pub use record::{CaseOutcome, Counts, Departure, Record, Verdict};
pub use tally::RuleTally;
