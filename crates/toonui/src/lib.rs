//! ToonUI events and messages, by `spec/toonui.md`: what an event makes, the texts and messages that come out of a
//! payload, and the payload back from its text.
//!
//! A payload is any JSON value: what it lacks and what is odd about it shows in the texts as JavaScript would show it.
//! Spans are byte offsets, start inclusive, end exclusive; lines count from 1.

mod content;
mod display;
mod event;
mod forgery;
mod javascript;
mod message;
mod payload;
mod read;
mod trace;

pub use content::to_content;
pub use display::to_display_content;
pub use event::{reply, submit};
pub use forgery::{Forgery, ForgeryKind, forgeries};
pub use message::{to_model_message, to_ui_message};
pub use payload::PayloadError;
pub use read::{ContentError, ContentErrorKind, entry_names, read_content, recoverable};
pub use trace::{ContentLine, LineOf, left_out, trace_content};
