#![doc = include_str!("../README.md")]
//!
//! # Tour
//!
//! - [`parse`] reads a text, and [`parse_within`] sets the deepest nesting. Reading does not recurse.
//! - [`Json`] is the value. [`Json::get`] and [`Pointer`] look into it.
//! - [`Json::to_compact`], [`Json::to_ascii`] and [`Json::write`] write it.
//! - [`json_equal`] compares two values by meaning, and [`first_difference`] returns where they differ. `==` compares
//!   their text.
//!
//! Comments, `NaN`, trailing commas and everything else that RFC 8259 does not allow are errors.

mod meaning;
mod number;
mod parse;
mod pointer;
mod value;
mod write;

pub use crate::{
    meaning::{first_difference, json_equal},
    number::Number,
    parse::{Error, parse, parse_within},
    pointer::{Pointer, PointerError},
    value::{Json, JsonString},
    write::Style,
};

/// The deepest nesting that [`parse`] accepts.
///
/// No real message nests this deep, and recursion over such a value is safe on the stack of every thread.
pub const MAX_DEPTH: usize = 1_000;
