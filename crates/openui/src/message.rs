//! The result of reading.

use std::borrow::Cow;

use super::{Attributes, Context};
use genui_json::Json;

/// A stored message, as it was read.
///
/// It borrows from the text. A body is a copy only if text after an end line belongs to it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Message<'a> {
    /// The program or text.
    pub content: Cow<'a, str>,
    /// The context after the winning content, if any.
    pub context: Option<Context<'a>>,
    /// The attributes of the winning content marker.
    pub attributes: Attributes<'a>,
    /// Whether there is an end line.
    pub end: bool,
}

impl Message<'_> {
    /// Returns the context as JSON: its value, a string if the context is not JSON, or `null` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use genui_json::Json;
    /// use genui_openui::{Options, parse};
    ///
    /// let message = parse("Book it\n]]>openui:context\n{\"guests\":2}", &Options::default());
    /// assert_eq!(message.context_json(), Json::object([("guests", 2.into())]));
    /// ```
    #[must_use]
    pub fn context_json(&self) -> Json {
        self.context.as_ref().map_or(Json::Null, Context::to_json)
    }
}
