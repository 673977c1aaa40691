#![doc = include_str!("../README.md")]
//!
//! # Tour
//!
//! - [`parse`] reads a whole message, and [`parse_streaming`] one that is still arriving. [`StreamReader`] reads a
//!   message chunk by chunk at a cost in proportion to the chunks.
//! - [`build`] writes a message, and [`from_event`] the turn of a user's action. Both return a [`WriteError`] if the
//!   message would not read back equal.
//! - [`model_text`] returns the part of a message that the model sees.
//! - [`trace`](trace()) returns the kind of each line and the rule that decides it. [`analyze`](analyze()) returns
//!   everything that is known about each line.
//!
//! [`Options`] select a [`Profile`] and, for each point that the specification leaves open, a choice
//! ([`choices::Choices`]).
//!
//! A [`Message`] borrows from the text. Attributes and context are decoded on request: [`Attributes::decode`],
//! [`Context::decode`].
//!
//! Positions are byte offsets, start inclusive, end exclusive. Lines end with LF and are numbered from 1.
//!
//! The crate does not check whether a message is well formed: only writing can fail.

mod analyze;
mod attributes;
mod build;
pub mod choices;
mod context;
mod hold;
mod legacy;
mod marker;
mod message;
mod model;
mod names;
mod options;
mod read;
mod sections;
mod stream;
mod trace;
mod turn;

pub use crate::{
    analyze::{Analysis, Effect, LineAnalysis, LineRole, MarkerAnalysis, SectionKind, SectionName, analyze},
    attributes::{AttributePair, Attributes},
    build::{Built, Draft, DraftContext, WriteError, WriteErrorKind, build},
    choices::Choices,
    context::{Context, ContextValue, decode_context},
    marker::PREFIX,
    message::Message,
    model::{CONTEXT_LABEL, Role, model_text},
    names::UnknownName,
    options::{Options, Profile},
    read::{parse, parse_streaming},
    stream::StreamReader,
    trace::{Line, LineKind, Mode, trace},
    turn::{ActionEvent, from_event},
};
