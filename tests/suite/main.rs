//! The tests of the suite itself, in one program: each file is a module, and `cargo test --test suite NAME::` runs those of
//! one. One program is linked once, and its tests that wait for child processes run beside those that compute.
//!
//! Apart stand `corpus` (a trial for each case and profile) and `adapters` (adapters and signals, end to end).

// The fuzz targets that `regressions` takes in name their crate so.
extern crate self as genui_conform_fuzz;

#[path = "../support/generate.rs"]
mod generate;
#[path = "../support/plain.rs"]
mod plain;
#[path = "../support/snapshots.rs"]
mod snapshots;

mod baseline;
mod bounds;
mod campaign;
mod cli;
mod compare;
mod derived;
mod docs;
mod explain;
mod filters;
mod glossen;
mod headings;
mod judge;
mod layering;
mod lint;
mod message_fixtures;
mod properties;
mod prove;
mod regressions;
mod reports;
mod spec;
mod toonui;
mod verdict;

use regressions::Input;
