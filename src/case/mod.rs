//! Test cases: a request, and the answers of a right implementation. `spec/case-format.md` describes them.
//!
//! [`Corpus`] loads case files, [`Filter`] selects among them, [`lint`] checks them for mistakes, and [`write_bundle`]
//! puts them into one document. Nothing here sends requests to an implementation.

mod corpus;
mod embedded;
mod export;
mod known;
mod lint;
mod load;
mod locate;
mod select;
mod shape;
mod wire;

pub(crate) use corpus::located;
pub use corpus::{Corpus, CorpusError};
pub use export::write_bundle;
pub use known::KnownFailing;
pub(crate) use known::{KNOWN_FILE, KnownError, Listed, read_known};
pub use lint::{LintCode, LintWarning, is_well_formed_id, lint};
pub use load::{Case, CaseError, CaseFault, CaseOption, Expectation, Matcher, Outcome, SAMPLED_TOPIC, read_case};
pub use locate::Place;
pub use select::{Filter, Selection, SelectionError, Shard};
pub use wire::{Scale, case_schema};
