//! Test cases: what is asked, and what a right implementation answers. `spec/case-format.md` says it in words.
//!
//! [`Corpus`] loads case files, [`Filter`] selects among them, [`lint`] says what is wrong with them, and
//! [`write_bundle`] puts them into one document. Nothing here asks an implementation anything.

mod corpus;
mod export;
mod known;
mod lint;
mod load;
mod locate;
mod select;
mod shape;
mod wire;

pub use corpus::{Corpus, CorpusError};
pub use export::write_bundle;
pub use known::KnownFailing;
pub(crate) use known::{KNOWN_FILE, Listed, read_known};
pub use lint::{Finding, LintCode, is_well_formed_id, lint};
pub use load::{Case, CaseError, CaseOption, Expectation, Matcher, Outcome, read_case};
pub use locate::Place;
pub use select::{Filter, FilterError, Selection, Shard};
pub use wire::{Scale, case_schema};
