//! Test cases: what is asked, and what a right implementation answers. `spec/case-format.md` says it in words.
//!
//! [`Corpus`] loads case files, [`Filter`] selects among them, [`lint`] says what is wrong with them, and
//! [`write_bundle`] puts them into one document. [`read_fixture`] and [`write_fixtures`] lead from OpenUI message fixtures
//! to cases and back. Nothing here asks an implementation anything.

mod corpus;
mod export;
mod fixture;
mod lint;
mod load;
mod locate;
mod select;
mod shape;
mod wire;

pub use corpus::{Corpus, CorpusError};
pub use export::write_bundle;
pub use fixture::{
    EXPECTED_FILE, Fixture, FixtureError, FixtureFolder, FixtureSet, KnownFailing, Lost, MESSAGE_FILE, Remark,
    fixture_schema, read_fixture, write_fixtures,
};
pub use lint::{Finding, LintCode, is_well_formed_id, lint};
pub use load::{Case, CaseError, CaseOption, Expectation, Matcher, Outcome, read_case};
pub use locate::Place;
pub use select::{Filter, FilterError, Selection, Shard};
pub use wire::{Scale, case_schema};
