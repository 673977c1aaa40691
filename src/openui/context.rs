//! The context of a message, decoded when asked for.

use std::borrow::Cow;

use super::Options;
use super::options::{Choices, EmptyContext, Numbers};
use crate::json::{self, Json};

/// Contexts nested deeper than this come back as their text (`openui.context.limits` leaves it free). It is a
/// little less than [`json::MAX_DEPTH`], so that an answer that carries a context is itself within that.
const MAX_CONTEXT_DEPTH: usize = json::MAX_DEPTH - 10;

/// The text of a context section.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    text: Cow<'a, str>,
    choices: Choices,
}

/// What a context is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextValue<'c> {
    /// JSON (`openui.context.json`); JSON `null` reads as no context.
    Json(Json),
    /// Text that is not JSON, or not yet (`openui.context.text`).
    Text(&'c str),
}

impl<'a> Context<'a> {
    /// The context of this text; none where there is no text, or an empty one that reads as none
    /// (`openui.context.empty`).
    pub(super) fn of(text: Option<Cow<'a, str>>, options: &Options) -> Option<Context<'a>> {
        text.filter(|text| !text.is_empty() || options.choices.empty_context == EmptyContext::EmptyString)
            .map(|text| Context { text, choices: options.choices })
    }

    /// The body of the section.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.text
    }

    /// The value where the text is JSON, else the text.
    #[must_use]
    pub fn decode(&self) -> ContextValue<'_> {
        match json::parse_within(&self.text, MAX_CONTEXT_DEPTH) {
            Ok(mut value) => {
                if self.choices.numbers == Numbers::Double {
                    to_doubles(&mut value);
                }
                ContextValue::Json(value)
            }
            Err(_) => ContextValue::Text(&self.text),
        }
    }

    /// The context as it goes over the protocol: the value where it is JSON, else a string.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self.decode() {
            ContextValue::Json(value) => value,
            ContextValue::Text(text) => Json::from(text),
        }
    }
}

/// The context that a section with this body gives, as it goes over the protocol; `null` where it gives none
/// (`openui.context.absent`, `openui.context.empty`).
///
/// # Example
///
/// ```
/// use genui_conform::json::Json;
/// use genui_conform::openui::{Options, decode_context};
///
/// let decode = |body| decode_context(body, &Options::default());
/// assert_eq!(decode("clicked twice"), Json::from("clicked twice"));
/// assert_eq!(decode(" false\n"), Json::from(false));
/// assert_eq!(decode("null"), Json::Null);
/// ```
#[must_use]
pub fn decode_context(body: &str, options: &Options) -> Json {
    Context::of(Some(body.into()), options).map_or(Json::Null, |context| context.to_json())
}

/// Whether this text would come back as a JSON value.
pub(super) fn is_json(text: &str) -> bool {
    json::parse_within(text, MAX_CONTEXT_DEPTH).is_ok()
}

fn to_doubles(value: &mut Json) {
    match value {
        Json::Number(number) => *number = number.to_double(),
        Json::Array(items) => items.iter_mut().for_each(to_doubles),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| to_doubles(value)),
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}
