//! TODO

pub mod adapter;
pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
pub mod json;
pub mod naive;
pub mod openui;
pub mod props;
pub mod protocol;
pub mod reference;
pub mod report;
pub mod rules;
pub mod run;
