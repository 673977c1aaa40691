//! Mutants of ToonUI: makers and writers of events, texts and messages.

mod content;
mod display;
mod event;
mod input;
mod mangling;
mod message;
mod order;
mod text;
mod values;

use super::reference::{self, member, refusal};
use super::wire::{PayloadParams, Request};
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{self, Reply};
use crate::formats::values::{changed, with};
use crate::json::Json;
use crate::protocol::Refusal;
use crate::settings::Settings;
use crate::toonui::{to_content, to_display_content, to_model_message, to_ui_message};
use text::Text;

/// Every mutant.
pub(super) fn all() -> Vec<format::Mutant> {
    let lists: [&'static [Mutant]; 7] = [
        event::MUTANTS,
        content::MUTANTS,
        values::MUTANTS,
        order::MUTANTS,
        display::MUTANTS,
        message::MUTANTS,
        input::MUTANTS,
    ];
    lists.into_iter().flatten().map(Mutant::listed).collect()
}

/// A row of the lists: a wrong implementation.
#[derive(Clone, Copy, Debug)]
struct Mutant {
    name: &'static str,
    about: &'static str,
    rule: &'static str,
    fault: Fault,
}

impl Mutant {
    fn listed(&'static self) -> format::Mutant {
        let Mutant { name, about, rule, ref fault } = *self;
        format::Mutant { name, about, rule, profiles: None, fault }
    }
}

/// A row: the rule that it violates and how, in the order in which people read it.
const fn mutant(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    Mutant { name, about, rule, fault }
}

/// What a mutant does differently.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Changes the payload of an event.
    Event(fn(Json) -> Json),
    /// Changes the payload of a form that was given values; gets these.
    Form(fn(Json, Json) -> Json),
    /// Uses another payload instead of the given one.
    Payload(fn(&Json) -> Json),
    /// Writes the content of a payload, also in messages.
    Content(fn(&Json) -> Text),
    /// Writes the display text of a payload, also in messages.
    Display(fn(&Json) -> Text),
    /// Changes the message for the model.
    ModelMessage(fn(Json) -> Json),
    /// Changes the message for a chat's state.
    UiMessage(fn(Json) -> Json),
}

impl format::Fault for Fault {
    fn answer(&self, method: Method, params: &str, _options: &Settings) -> Option<Reply> {
        Request::read(method, params).map_or_else(|error| Some(Err(error.into())), |request| self.reply(&request))
    }
}

impl Fault {
    fn reply(&self, request: &Request) -> Option<Reply> {
        let of_event = |change: &dyn Fn(Json) -> Json| {
            let payload = reference::answer(request)?.get("payload").cloned().unwrap_or_default();
            Ok(member("payload", change(payload)))
        };
        Some(match (self, request) {
            (Fault::Event(change), Request::Reply(_) | Request::Submit(_)) => of_event(change),
            (Fault::Form(change), Request::Submit(params)) => {
                match params.values.as_deref().map(|values| optional_value(Some(values))) {
                    Some(Ok(values)) => of_event(&|payload| change(payload, values.clone())),
                    Some(Err(error)) => Err(error.into()),
                    None => return None,
                }
            }
            (_, Request::ToContent(params)) => {
                self.payload(params).and_then(|payload| Ok(member("text", self.content(&payload)?.into())))
            }
            (_, Request::ToDisplayContent(params)) => {
                self.payload(params).and_then(|payload| Ok(member("text", self.display(&payload)?.into())))
            }
            (_, Request::ToModelMessage(params)) => self.payload(params).and_then(|payload| {
                let message =
                    with(&to_model_message(&payload).map_err(refusal)?, "content", self.content(&payload)?.into());
                let message = with(&message, "displayContent", self.display(&payload)?.into());
                Ok(member("message", if let Fault::ModelMessage(change) = self { change(message) } else { message }))
            }),
            (_, Request::ToUiMessage(params)) => self.payload(params).and_then(|payload| {
                let part = Json::object([("type", "text".into()), ("text", self.content(&payload)?.into())]);
                let message = with(&to_ui_message(&payload).map_err(refusal)?, "parts", Json::Array(vec![part]));
                let display = self.display(&payload)?;
                let message = changed(message, "metadata", |metadata| with(metadata, "displayContent", display.into()));
                Ok(member("message", if let Fault::UiMessage(change) = self { change(message) } else { message }))
            }),
            _ => return None,
        })
    }

    /// Returns the payload that the mutant uses instead of the given one.
    fn payload(&self, params: &PayloadParams) -> Result<Json, Refusal> {
        let given = reference::payload(params)?;
        Ok(if let Fault::Payload(change) = self { change(&given) } else { given })
    }

    fn content(&self, payload: &Json) -> Text {
        if let Fault::Content(write) = self { write(payload) } else { Ok(to_content(payload).map_err(refusal)?) }
    }

    fn display(&self, payload: &Json) -> Text {
        if let Fault::Display(write) = self {
            write(payload)
        } else {
            Ok(to_display_content(payload).map_err(refusal)?)
        }
    }
}
