#![doc = include_str!("../README.md")]
//!
//! # Tour
//!
//! - [`validate`](validate()) returns the messages that a backend accepts, or every [`Violation`] of the types.
//! - [`check`](check()) returns the rules of the contract that a produced message violates.
//! - [`to_model_messages`] returns what the model gets. [`breakouts`] finds passages that end their own block.
//! - [`sources`](sources()) returns the pages that an answer links to.
//! - [`edit`](edit()) returns the messages after an edit.
//! - [`trace`](trace()) returns what each message and part is, and the rule that decides it.
//!
//! Messages are JSON values, so that a function can report what is wrong with them. Positions are JSON pointers. Cost
//! is in proportion to the input, and [`MAX_DEPTH`], [`MAX_PARTS`] and [`MAX_VIOLATIONS`] bound it.

mod check;
pub mod choices;
mod convert;
mod edit;
mod message;
mod order;
mod page;
mod part;
mod sources;
mod trace;
mod url;
mod validate;

pub use crate::{
    check::check,
    choices::Choices,
    convert::{breakouts, files_are_specified, to_model_messages},
    edit::{EditError, edit},
    message::{LimitError, MAX_DEPTH, MAX_PARTS, MessageError},
    page::{Anchor, Page},
    sources::{OriginError, Source, sources},
    trace::{TraceItem, trace},
    validate::{MAX_VIOLATIONS, ValidateError, validate},
};

use std::fmt;

use genui_json::Pointer;

/// A place where a message violates a rule. `Display` writes all of it on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The id of the rule.
    pub rule: &'static str,
    /// The place: in the list of messages for [`validate()`], in the message for [`check()`].
    pub at: Pointer,
    /// What was expected there, and what was found.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.at == Pointer::default() { "the whole".to_owned() } else { self.at.to_string() };
        write!(f, "{place}: {} ({})", self.message, self.rule)
    }
}
