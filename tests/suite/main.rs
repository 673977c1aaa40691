//! The tests of the suite itself, in one program: each file is a module, and `cargo test --test suite NAME::` runs one
//! module. One program links only once, and tests that wait for child processes run in parallel with tests that compute.
//!
//! Two other programs are `corpus` (a trial for each case and profile) and `adapters` (adapters and signals, end to end).

// The fuzz targets that `regressions` includes use this crate name.
extern crate self as genui_conform_fuzz;

#[path = "../support/generate.rs"]
mod generate;
#[path = "../support/plain.rs"]
mod plain;
#[path = "../support/snapshots.rs"]
mod snapshots;

mod agreement;
mod baseline;
mod bounds;
mod campaign;
mod cli;
mod compare;
mod comparison_file;
mod derived;
mod docs;
mod explain;
mod filters;
mod findings;
mod formats;
mod glossen;
mod headings;
mod judge;
mod layering;
mod lint;
mod mangling;
mod message_fixtures;
mod nearest;
mod properties;
mod prove;
mod recognition;
mod regressions;
mod reports;
mod shards;
mod spec;
mod specified;
mod toonui;
mod verdict;
mod wrong_answers;

use regressions::Input;
