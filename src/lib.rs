//! A conformance suite for the messages that generative-UI chat apps store and send.
//!
//! The program `genui-conform` is the usual way in; `README.md` shows it. This library is shared by the program, the
//! property tests and the fuzz targets. From the bottom up:
//!
//! - [`json`]: JSON values that lose nothing.
//! - [`openui`]: the reference reader and writer of OpenUI stored messages; [`naive`] is the oracle, an independent
//!   reader.
//! - [`toonui`]: the reference for ToonUI events and messages.
//! - [`glossen`]: the reference for the Glossen message contract.
//! - [`open_points`]: points that a format leaves open; [`settings`]: the profile and a choice for each of them.
//! - [`rules`]: the catalogue, read from `spec/`.
//! - [`protocol`]: requests and answers; [`reference`](mod@reference) answers them with the formats.
//! - [`explain`](mod@explain): what each line or part of a message is, and the rule that says so.
//! - [`checks`]: what a derived check may request, and how it ends.
//! - [`mod@format`]: what the suite needs to know of a format; [`formats`]: the definitions.
//! - [`case`]: test cases, loaded, selected and linted.
//! - [`adapter`]: implementations under test, in this process or as children.
//! - [`run`]: sends requests, judges, and keeps a record; [`report`] writes it as reports.
//! - [`mutants`]: wrong implementations, each of which violates a rule; [`prove`] shows that the cases kill them.
//! - [`generate`]: requests, drawn from a seed; [`campaign`] looks for those on which two implementations disagree.
//! - [`shrink`]: makes a failing input smaller.
//! - [`settled`]: which requests these may make: those that the documents specify, and a caller may send.
//! - [`props`]: the body of every property.
//! - [`nearest`](mod@nearest): the known name that was probably meant by a misspelt one.
//!
//! Dependencies between these go one way; `tests/suite/layering.rs` checks it.

pub use genui_glossen as glossen;
pub use genui_json as json;
pub use genui_openui as openui;
pub use genui_toonui as toonui;

pub mod adapter;
pub mod answer;
pub mod campaign;
pub mod case;
pub mod checks;
#[cfg(feature = "cli")]
pub mod cli;
pub mod explain;
pub mod format;
pub mod formats;
pub mod generate;
pub mod naive;
pub mod nearest;
pub mod open_points;
pub mod props;
pub mod protocol;
pub mod prove;
pub mod report;
pub mod rules;
pub mod run;
pub mod settings;
pub mod settled;
pub mod shrink;
