//! A message as it was read.

use std::borrow::Cow;

use super::{Attributes, Context};
use genui_json::Json;

/// What was read of a stored message. It borrows from the text; only where text behind an end line joins a
/// body is that body a copy.
#[derive(Clone, Debug, Default)]
pub struct Message<'a> {
    /// The program or text.
    pub content: Cow<'a, str>,
    /// The context behind the winning content, if any.
    pub context: Option<Context<'a>>,
    /// The attributes of the winning content marker.
    pub attributes: Attributes<'a>,
    /// Whether there is an end line.
    pub end: bool,
}

impl Message<'_> {
    /// The context as it goes over the protocol: the value where it is JSON, else a string; `null` for none.
    #[must_use]
    pub fn context_json(&self) -> Json {
        self.context.as_ref().map_or(Json::Null, Context::to_json)
    }
}
