//! The body of every property. Property tests call these with generated inputs, fuzz targets with the fuzzer's, and the
//! regression tests with the inputs that either has found. Each must hold for every input.

#[cfg(feature = "suite")]
pub mod case_file;
pub mod glossen;
pub mod openui;
#[cfg(feature = "suite")]
pub mod protocol;
pub mod toonui;
