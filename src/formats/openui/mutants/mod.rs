//! Mutants: wrong implementations, each of which breaks one rule in a way that a person would really write. They
//! show that the suite can fail: `prove` runs it against every one of them, and `serve --mutant` makes any of them
//! an adapter.
//!
//! Each wraps the reference from outside: it changes what the reference gets or what it gives. The reference knows
//! nothing of them.

mod attributes;
mod context;
mod glossen;
mod legacy;
mod marker;
mod read;
mod right;
mod section;
mod stream;
mod toonui;
mod values;
mod write;

use crate::json::Json;
use crate::openui::Profile;
use crate::options::Options;
use crate::protocol::{ParseResult, Refusal, Request, Response};
use crate::reference;
use right::{Event, Right, Writing};

/// A wrong implementation.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// Its name.
    pub name: &'static str,
    /// What it does wrong, in a line.
    pub about: &'static str,
    /// The id of the rule that it breaks.
    pub rule: &'static str,
    /// The profiles in which it breaks it, where these are not all in which the rule holds.
    only_in: Option<&'static [Profile]>,
    fault: Fault,
}

/// What it does otherwise than the reference; everything else it does as the reference does.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Reads a message that is whole or still arriving, and so what has arrived after each chunk.
    Read(fn(&Right<'_>, &str, bool) -> ParseResult),
    /// Reads chunks.
    Stream(fn(&Right<'_>, &[String]) -> (Vec<ParseResult>, ParseResult)),
    /// Writes a message.
    Build(fn(&Right<'_>, Writing) -> Result<String, Refusal>),
    /// Strips a message for the model: the message, and whether it is the user's.
    ModelText(fn(&Right<'_>, &str, bool) -> String),
    /// Writes an action turn.
    Turn(fn(&Right<'_>, Event) -> Result<String, Refusal>),
    /// Changes the payload of an event.
    Event(fn(Json) -> Json),
    /// Changes the payload of a form that was given values, knowing these.
    Form(fn(Json, Json) -> Json),
    /// Takes another payload for the one that was given.
    Payload(fn(&Json) -> Json),
    /// Writes the content of a payload, in messages too.
    Content(fn(&Json) -> Result<String, Refusal>),
    /// Writes the display text of a payload, in messages too.
    Display(fn(&Json) -> Result<String, Refusal>),
    /// Changes the message for the model.
    ModelMessage(fn(Json) -> Json),
    /// Changes the message for a chat's state.
    UiMessage(fn(Json) -> Json),
    /// Does something of Glossen's otherwise.
    Glossen(glossen::Fault),
}

/// Every mutant, in the order of the rules' documents.
pub fn all() -> impl Iterator<Item = &'static Mutant> {
    [
        marker::MUTANTS,
        section::MUTANTS,
        read::MUTANTS,
        context::MUTANTS,
        attributes::MUTANTS,
        stream::MUTANTS,
        write::MUTANTS,
        legacy::MUTANTS,
        toonui::MUTANTS,
    ]
    .into_iter()
    .flatten()
    .chain(glossen::mutants())
}

/// The mutant of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Mutant> {
    all().find(|mutant| mutant.name == name)
}

impl Mutant {
    /// Whether it breaks its rule in this profile, if the rule holds there.
    #[must_use]
    pub fn is_wrong_in(&self, profile: Profile) -> bool {
        self.only_in.is_none_or(|profiles| profiles.contains(&profile))
    }

    /// Answers as the reference does, but for its fault.
    ///
    /// # Errors
    ///
    /// A refusal, rightly or wrongly.
    pub fn answer(&self, request: &Request, options: &Options) -> Result<Response, Refusal> {
        let right = Right { options: &options.openui };
        match (self.fault, request) {
            (Fault::Read(read), Request::OpenuiParse(params)) => {
                Ok(Response::Message(read(&right, &params.raw, params.streaming == Some(true))))
            }
            (Fault::Read(read), Request::OpenuiStream(params)) => {
                let mut text = String::new();
                let mut snapshot = |chunk: &String| {
                    text.push_str(chunk);
                    read(&right, &text, true)
                };
                let snapshots = params.chunks.iter().map(&mut snapshot).collect();
                Ok(Response::Stream { snapshots, r#final: read(&right, &text, false) })
            }
            (Fault::Stream(stream), Request::OpenuiStream(params)) => {
                let (snapshots, whole) = stream(&right, &params.chunks);
                Ok(Response::Stream { snapshots, r#final: whole })
            }
            (Fault::Build(build), Request::OpenuiBuild(params)) => {
                build(&right, Writing::of(params)?).map(|message| Response::Written { message })
            }
            (Fault::ModelText(text), Request::OpenuiModelText(params)) => {
                let is_user = matches!(params.role, crate::protocol::RoleName::User);
                Ok(Response::Text { text: text(&right, &params.raw, is_user) })
            }
            (Fault::Turn(turn), Request::OpenuiFromEvent(params)) => {
                turn(&right, Event::of(params)?).map(|message| Response::Written { message })
            }
            (Fault::Glossen(fault), request) => {
                glossen::answer(fault, request, &options.glossen).unwrap_or_else(|| reference::answer(request, options))
            }
            _ => toonui::answer(self.fault, request).unwrap_or_else(|| reference::answer(request, options)),
        }
    }
}

/// One line of a catalogue: what it breaks and how, in the order in which people read it.
const fn mutant(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    Mutant { name, about, rule, only_in: None, fault }
}

/// A mutant that is right in some of the profiles in which its rule holds.
const fn mutant_in(profiles: &'static [Profile], mutant: Mutant) -> Mutant {
    Mutant { only_in: Some(profiles), ..mutant }
}
