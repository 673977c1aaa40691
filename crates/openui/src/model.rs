//! The text of a stored message for the model.

use super::build::unforgeable_json;
use super::choices::TextContext;
use super::names::names;
use super::options::Options;
use super::{Context, ContextValue, parse};
use genui_json::Json;

/// The author of a stored message. The names are `assistant` and `user`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model.
    Assistant,
    /// The user.
    User,
}

names!(Role { Assistant = "assistant", User = "user" });

/// The text between a user's message and its context (`openui.model.user`).
pub const CONTEXT_LABEL: &str = "\ncontext and form values = ";

/// Returns the text of a stored message for the model, which contains no marker line.
///
/// Of an assistant turn it is the content (`openui.model.assistant`). Of a user turn it is the content and, if there is
/// a context, [`CONTEXT_LABEL`] and the context as JSON (`openui.model.user`, `openui.model.no-marker-line`). The choice
/// for `openui.model.text-context` decides about a context that is not JSON.
///
/// # Examples
///
/// ```
/// use genui_openui::{Options, Role, model_text};
///
/// let stored = "]]>openui:content\nBook it\n]]>openui:context\n{\"guests\":2}";
/// let text = model_text(stored, Role::User, &Options::default());
/// assert_eq!(text, "Book it\ncontext and form values = {\"guests\":2}");
/// ```
#[must_use]
pub fn model_text(raw: &str, role: Role, options: &Options) -> String {
    let message = parse(raw, options);
    let mut text = message.content.into_owned();
    if role == Role::Assistant {
        return text;
    }
    let context = match message.context.as_ref().map(Context::decode) {
        None | Some(ContextValue::Json(Json::Null)) => return text,
        Some(ContextValue::Json(value)) => unforgeable_json(&value),
        Some(ContextValue::Text(context)) => match options.choices.text_context {
            TextContext::Text => context.to_owned(),
            TextContext::JsonString => unforgeable_json(&Json::from(context)),
        },
    };
    text.push_str(CONTEXT_LABEL);
    text.push_str(&context);
    text
}
