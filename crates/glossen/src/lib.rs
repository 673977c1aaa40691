//! The Glossen message contract, by `spec/glossen.md`: which messages a backend accepts, whether a produced message
//! keeps the contract, what the model gets, which links of an answer are sources, and what an edit does.
//!
//! Messages are JSON values, since bad ones are asked about as much as good ones; every place is a JSON pointer. Cost
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

pub use check::check;
pub use choices::Choices;
pub use convert::{breakouts, files_are_specified, to_model_messages};
pub use edit::{EditError, edit};
pub use message::{LimitError, MAX_DEPTH, MAX_PARTS, MessageError};
pub use page::{Anchor, Page};
pub use sources::{OriginError, Source, sources};
pub use trace::{TraceItem, trace};
pub use validate::{MAX_VIOLATIONS, ValidateError, validate};

use std::fmt;

use genui_json::Pointer;

/// A rule that a message breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule's id.
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
