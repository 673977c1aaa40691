//! Mutants that write action turns wrongly.

use super::Fault::Turn;
use super::mangling::{
    composed, cut, entities_decoded, is_empty, replaced, with_texts, within_16_bits, without_members,
};
use super::reference::{Event, ReferenceReader, is_falsy};
use super::{Mutant, mutant};
use crate::json::{self, Json};
use crate::protocol::Refusal;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.event.turn",
        "turn-with-an-object",
        "The context of a turn is an object, not a list.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            Ok(message.replacen("\n[\"User clicked: ", "\n{\"action\":[\"User clicked: ", 1) + "}")
        }),
    ),
    mutant(
        "openui.event.turn",
        "turn-with-an-end-line",
        "A turn is written with an end line.",
        Turn(|right, event| right.turn(&event).map(|message| message + "\n]]>openui:end")),
    ),
    mutant(
        "openui.event.turn",
        "turn-without-its-list",
        "Without form state and context, only the message is stored.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            let bare = event.form_state == Json::Null && event.context == Json::Null;
            let end = message.rfind("\n]]>openui:context\n").filter(|_| bare).unwrap_or(message.len());
            Ok(message[..end].to_owned())
        }),
    ),
    mutant(
        "openui.event.clicked",
        "clicked-without-a-label",
        "The first element is the message alone.",
        Turn(|right, event| right.turn(&event).map(|message| message.replacen("[\"User clicked: ", "[\"", 1))),
    ),
    mutant(
        "openui.event.form-state",
        "context-in-place-of-the-form-state",
        "Without form state, the action's context is the second element, without {} before it.",
        Turn(|right, event| {
            let lacks = event.form_state == Json::Null && event.context != Json::Null;
            right.turn(&event).map(|message| if lacks { message.replacen("\",{},", "\",", 1) } else { message })
        }),
    ),
    mutant(
        "openui.event.form-state",
        "form-state-wrapped",
        "The form state is wrapped in an object with the member `formState`.",
        Turn(|right, mut event| {
            if event.form_state != Json::Null {
                event.form_state = Json::object([("formState", event.form_state)]);
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.form-state",
        "empty-form-state-left-out",
        "An empty form state counts as none.",
        Turn(|right, mut event| {
            if event.form_state == Json::Object(Vec::new()) && event.context == Json::Null {
                event.form_state = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "context-before-the-form-state",
        "The action's context comes before the form state.",
        Turn(|right, mut event| {
            if event.context != Json::Null && event.form_state != Json::Null {
                std::mem::swap(&mut event.context, &mut event.form_state);
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "action-context-not-written",
        "The action's context is not written.",
        Turn(|right, mut event| {
            if event.form_state != Json::Null {
                event.context = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "falsy-action-context-left-out",
        "An action's context of false, 0 or \"\" is dropped.",
        Turn(|right, mut event| {
            if is_falsy(&event.context) {
                event.context = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "null-action-context-written",
        "A turn without an action's context has null in its place.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            let lacks = event.context == Json::Null && event.form_state != Json::Null;
            Ok(if lacks { format!("{},null]", message.strip_suffix(']').unwrap_or(&message)) } else { message })
        }),
    ),
    mutant(
        "openui.event.empty-message",
        "empty-message-gets-a-text",
        "A turn without a message says \"(no message)\".",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            Ok(if event.message.is_empty() {
                message.replacen("]]>openui:content\n", "]]>openui:content\n(no message)", 1)
            } else {
                message
            })
        }),
    ),
    mutant(
        "openui.event.turn",
        "turn-content-composed",
        "Letters and accents of the content are composed (NFC), those of the label are not.",
        Turn(|right, event| content_changed(right, &event, composed)),
    ),
    mutant(
        "openui.event.turn",
        "turn-content-cut",
        "The content of a turn is cut at 500 characters, its label is not.",
        Turn(|right, event| content_changed(right, &event, |content| cut(content, 500))),
    ),
    mutant(
        "openui.event.clicked",
        "label-cut",
        "The label has at most 200 characters of the message.",
        Turn(|right, event| label_changed(right, &event, |label| cut(label, 200))),
    ),
    mutant(
        "openui.event.clicked",
        "label-with-a-capital",
        "The message in the label begins with a capital.",
        Turn(|right, event| {
            label_changed(right, &event, |label| {
                let mut letters = label.chars();
                letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
            })
        }),
    ),
    mutant(
        "openui.event.clicked",
        "label-trimmed",
        "The message in the label is trimmed.",
        Turn(|right, event| label_changed(right, &event, |label| label.trim().to_owned())),
    ),
    mutant(
        "openui.event.clicked",
        "label-through-a-replacement",
        "The message in the label goes through `String.replace`, which reads `$$` and `$&`.",
        Turn(|right, event| label_changed(right, &event, replaced)),
    ),
    mutant(
        "openui.event.form-state",
        "form-values-cut",
        "Form values are cut at 255 characters.",
        Turn(|right, event| {
            right.turn(&Event { form_state: with_texts(event.form_state, &|text| cut(text, 255)), ..event })
        }),
    ),
    mutant(
        "openui.event.form-state",
        "list-becomes-an-object",
        "A form state that is a list becomes an object, with the places as names.",
        Turn(|right, event| right.turn(&Event { form_state: of_places(event.form_state), ..event })),
    ),
    mutant(
        "openui.event.form-state",
        "form-state-must-be-an-object",
        "A form state that is no object and no list becomes an empty object.",
        Turn(|right, event| {
            right.turn(&Event {
                form_state: match event.form_state {
                    value @ (Json::Object(_) | Json::Array(_) | Json::Null) => value,
                    _ => Json::Object(Vec::new()),
                },
                ..event
            })
        }),
    ),
    mutant(
        "openui.event.form-state",
        "empty-form-values-left-out",
        "Form values that are empty are not stored: an empty text, list or object.",
        Turn(|right, event| right.turn(&Event { form_state: without_members(event.form_state, &is_empty), ..event })),
    ),
    mutant(
        "openui.event.form-state",
        "characters-beyond-16-bits-lost",
        "Characters beyond U+FFFF become U+FFFD in form values.",
        Turn(|right, event| right.turn(&Event { form_state: with_texts(event.form_state, &within_16_bits), ..event })),
    ),
    mutant(
        "openui.event.form-state",
        "form-values-composed",
        "Letters and accents of form values are composed (NFC).",
        Turn(|right, event| right.turn(&Event { form_state: with_texts(event.form_state, &composed), ..event })),
    ),
    mutant(
        "openui.event.context",
        "empty-action-context-left-out",
        "An action's context that is an empty list or object is not written.",
        Turn(|right, mut event| {
            if is_empty(&event.context) && event.context.as_str().is_none() {
                event.context = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "entities-of-the-action-context-decoded",
        "Entities in the action's context are decoded.",
        Turn(|right, event| right.turn(&Event { context: with_texts(event.context, &entities_decoded), ..event })),
    ),
];

const LABEL: &str = "User clicked: ";
const CONTEXT_LINE: &str = "\n]]>openui:context\n";

/// Writes a turn after the message in its label has been changed.
fn label_changed(
    right: &ReferenceReader<'_>,
    event: &Event,
    change: impl Fn(&str) -> String,
) -> Result<String, Refusal> {
    let message = right.turn(event)?;
    let changed = change(&event.message);
    let (content, context) = message.rsplit_once(CONTEXT_LINE).unwrap_or((&message, ""));
    match json::parse(context) {
        Ok(Json::Array(mut items)) if changed != event.message && !items.is_empty() => {
            items[0] = Json::from(format!("{LABEL}{changed}"));
            Ok(format!("{content}{CONTEXT_LINE}{}", Json::Array(items).to_compact()))
        }
        _ => Ok(message),
    }
}

/// Writes a turn after its content has been changed, but not its label.
fn content_changed(
    right: &ReferenceReader<'_>,
    event: &Event,
    change: impl Fn(&str) -> String,
) -> Result<String, Refusal> {
    let message = right.turn(event)?;
    Ok(message.replacen(&event.message, &change(&event.message), 1))
}

/// Returns an object with the items of a list, under the numbers of their places.
fn of_places(value: Json) -> Json {
    match value {
        Json::Array(items) => {
            let places = items.into_iter().enumerate();
            Json::Object(places.map(|(place, item)| (place.to_string().into(), item)).collect())
        }
        other => other,
    }
}
