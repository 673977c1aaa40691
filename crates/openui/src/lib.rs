//! OpenUI stored messages: a program or a text between marker lines that start with `]]>openui:`, with form
//! values as context. The rules stand in `spec/openui.md`; what is said here names them by id.
//!
//! Not supported: asking whether a message is well formed. Every string reads; only writing can be refused.
//!
//! - [`parse`] reads a whole message, [`parse_streaming`] one that is still arriving, and [`StreamReader`] reads
//!   one chunk by chunk at a cost in proportion to the chunks.
//! - [`build`] writes a message, [`from_event`] an action turn; both refuse what would not read back.
//! - [`model_text`] is what the model sees of a message.
//! - [`trace`](trace()) says of each line what it is and which rule says so, [`analyze`](analyze()) all that there is to say.
//!
//! A [`Message`] borrows from what was read; attributes and context are decoded when asked for.

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

pub use analyze::{Analysis, Effect, LineAnalysis, LineRole, MarkerAnalysis, SectionKind, SectionName, analyze};
pub use attributes::{AttributePair, Attributes};
pub use build::{Built, Draft, DraftContext, WriteError, WriteErrorKind, build};
pub use choices::Choices;
pub use context::{Context, ContextValue, decode_context};
pub use marker::PREFIX;
pub use message::Message;
pub use model::{CONTEXT_LABEL, Role, model_text};
pub use names::UnknownName;
pub use options::{Options, Profile};
pub use read::{parse, parse_streaming};
pub use stream::StreamReader;
pub use trace::{Line, LineKind, Mode, trace};
pub use turn::{ActionEvent, from_event};
