//! The stored turn of an action that continues the conversation.

use super::build::{Built, Draft, DraftContext, WriteError, build, push_context, unforgeable_json};
use super::choices::EmptyMessage;
use super::context::with_chosen_numbers;
use super::options::Options;
use genui_json::Json;

/// An action of the user, such as a click on a button of a form.
#[derive(Clone, Copy, Debug)]
pub struct ActionEvent<'a> {
    /// The text of the action.
    pub message: &'a str,
    /// The form state. `{}` is a form state; JSON `null` is none.
    pub form_state: Option<&'a Json>,
    /// The context of the action. JSON `null` is none.
    pub context: Option<&'a Json>,
}

/// Writes the stored turn of an action.
///
/// The content is the message. The context is a list of `User clicked: ` with the message, the form state, and the
/// context of the action. Without a form state, `{}` represents it before a context (rules `openui.event.turn`,
/// `openui.event.clicked`, `openui.event.form-state`, `openui.event.context`, `openui.event.empty-message`).
///
/// # Errors
///
/// Returns an error if the message would not read back equal, as [`build`] does.
///
/// # Examples
///
/// ```
/// use genui_openui::{ActionEvent, Options, from_event};
///
/// let event = ActionEvent { message: "Save order", form_state: None, context: None };
/// let stored = from_event(&event, &Options::default())?.message;
/// assert_eq!(stored, "]]>openui:content\nSave order\n]]>openui:context\n[\"User clicked: Save order\"]");
/// # Ok::<(), genui_openui::WriteError>(())
/// ```
pub fn from_event(event: &ActionEvent<'_>, options: &Options) -> Result<Built, WriteError> {
    let given = |value: Option<&Json>| value.filter(|value| **value != Json::Null).cloned();
    let context = given(event.context);
    let form_state = given(event.form_state).or_else(|| context.is_some().then(|| Json::Object(Vec::new())));
    let mut elements = vec![Json::from(format!("User clicked: {}", event.message))];
    elements.extend(form_state);
    elements.extend(context);
    let elements = Json::Array(elements);
    if event.message.is_empty() && options.choices.empty_message == EmptyMessage::NoContentLine {
        let mut message = String::new();
        push_context(&mut message, &unforgeable_json(&with_chosen_numbers(&elements, options)));
        return Ok(Built { message, written_anyway: Vec::new() });
    }
    build(&Draft { content: event.message, context: DraftContext::Json(&elements), ..Draft::default() }, options)
}
