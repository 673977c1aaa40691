#![doc = include_str!("../README.md")]
//!
//! # Tour
//!
//! - [`reply`] makes the payload of a button, and [`submit`] that of a form.
//! - [`to_content`] returns the text of a payload for the model, and [`to_display_content`] the one for the user.
//!   [`to_model_message`] and [`to_ui_message`] return messages with these texts.
//! - [`read_content`] reads a payload back from its text. [`recoverable`] returns what it gets back, without the text.
//! - [`forgeries`] finds the places in a payload that forge or shadow a line of its text.
//! - [`trace_content`] returns each line of a text with the rule that decides it.
//!
//! A payload is any JSON value. Missing and unusual members appear in the texts as JavaScript would write them
//! (`toonui.input.odd`).
//!
//! Positions are byte offsets, start inclusive, end exclusive. Lines are numbered from 1.

mod content;
mod display;
mod event;
mod forgery;
mod javascript;
mod message;
mod payload;
mod read;
mod trace;

pub use crate::{
    content::to_content,
    display::to_display_content,
    event::{reply, submit},
    forgery::{Forgery, ForgeryKind, forgeries},
    message::{to_model_message, to_ui_message},
    payload::PayloadError,
    read::{ContentError, ContentErrorKind, entry_names, read_content, recoverable},
    trace::{ContentLine, LineOf, left_out, trace_content},
};
