//! A conformance suite for the messages that generative-UI chat apps store and send.
//!
//! The program `genui-conform` is the usual way in; `README.md` shows it. This library is shared by the program, the
//! property tests and the fuzz targets. From the bottom up:
//!
//! - [`json`]: JSON values that lose nothing.
//! - [`openui`], [`toonui`], [`glossen`]: the references, each a crate of its own.
//! - [`protocol`]: the adapter protocol, a crate of its own.
//! - [`open_points`]: points that a format leaves open; [`settings`]: the profile and a choice for each of them.
//! - [`mod@format`]: what the suite needs to know of a format; [`formats`]: the definitions, with samples, generators,
//!   derived checks and mutants.
//! - [`rules`]: the catalogue, read from `spec/`.
//! - [`explain`](mod@explain): what each line or part of a message is, and the rule that says so.
//! - [`checks`]: what a derived check may request, and how it ends.
//! - [`case`]: test cases, loaded, selected and linted.
//! - [`adapter`]: implementations under test, in this process or as children.
//! - [`run`]: sends requests, judges, and keeps a record; [`report`] writes it as reports.
//! - [`mutation`] shows that the cases kill the mutants.
//! - [`generate`]: requests, drawn from a seed; [`campaign`] looks for those on which two implementations disagree.
//! - [`shrink`]: makes a failing input smaller.
//! - [`settled`]: which requests these may make: those that the documents specify, and a caller may send.
//! - [`nearest`](mod@nearest): the known name that was probably meant by a misspelt one.
//!
//! Oracles and properties are in the crate `genui-testkit`, which only tests and fuzz targets use.
//!
//! Dependencies between these go one way; `tests/suite/layering.rs` checks it.

pub use genui_glossen as glossen;
pub use genui_json as json;
pub use genui_openui as openui;
pub use genui_protocol as protocol;
pub use genui_toonui as toonui;

/// The version of the suite, which the handshake and every report contain.
pub const SUITE: &str = env!("CARGO_PKG_VERSION");

pub mod adapter;
pub mod campaign;
pub mod case;
pub mod checks;
#[cfg(feature = "cli")]
pub mod cli;
pub mod explain;
pub mod format;
pub mod formats;
pub mod generate;
pub mod mutation;
pub mod nearest;
pub mod open_points;
mod parallel;
pub mod report;
pub mod rules;
pub mod run;
pub mod settings;
pub mod settled;
pub mod shrink;
