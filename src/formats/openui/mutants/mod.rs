//! Mutants of OpenUI: wrong readers and writers, each of which violates one rule in a way that an implementer would
//! really write.
//!
//! Each wraps the reference: it changes the input or the answer of the reference. The reference does not know them.

mod attributes;
mod context;
mod legacy;
mod mangling;
mod marker;
mod model;
mod read;
mod reference;
mod section;
mod stream;
mod turn;
mod write;

use super::wire::{ParseParams, ParseResult, Request, RoleName, StreamResult, TextResult, WrittenResult};
use crate::format::Method;
use crate::format::{self, Reply};
use crate::protocol::Refusal;
use crate::settings::{ProfileName, Settings};
use reference::{BuildInput, Event, ReferenceReader};

/// Every mutant, in the order of the rules.
pub(super) fn all() -> Vec<format::Mutant> {
    let lists: [&'static [Mutant]; 10] = [
        marker::MUTANTS,
        section::MUTANTS,
        read::MUTANTS,
        context::MUTANTS,
        attributes::MUTANTS,
        stream::MUTANTS,
        write::MUTANTS,
        model::MUTANTS,
        turn::MUTANTS,
        legacy::MUTANTS,
    ];
    lists.into_iter().flatten().map(Mutant::listed).collect()
}

/// A row of the lists: a wrong implementation.
#[derive(Clone, Copy, Debug)]
struct Mutant {
    name: &'static str,
    about: &'static str,
    rule: &'static str,
    profiles: Option<&'static [ProfileName]>,
    fault: Fault,
}

impl Mutant {
    fn listed(&'static self) -> format::Mutant {
        let Mutant { name, about, rule, profiles, ref fault } = *self;
        format::Mutant { name, about, rule, profiles, fault }
    }
}

/// What it does differently from the reference. It does everything else as the reference does.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Reads a message that is complete or still arriving, and so also the text after each chunk.
    Read(fn(&ReferenceReader<'_>, &str, bool) -> ParseResult),
    /// Reads the message of `openui.parse`, with its params as given.
    Parse(fn(&ReferenceReader<'_>, &ParseParams) -> ParseResult),
    /// Reads chunks.
    Stream(fn(&ReferenceReader<'_>, &[String]) -> (Vec<ParseResult>, ParseResult)),
    /// Writes a message.
    Build(fn(&ReferenceReader<'_>, BuildInput) -> Result<String, Refusal>),
    /// Strips a message for the model: the message, and whether it is the user's.
    ModelText(fn(&ReferenceReader<'_>, &str, bool) -> String),
    /// Writes an action turn.
    Turn(fn(&ReferenceReader<'_>, Event) -> Result<String, Refusal>),
}

impl format::Fault for Fault {
    fn answer(&self, method: Method, params: &str, options: &Settings) -> Option<Reply> {
        Request::read(method, params)
            .map_or_else(|error| Some(Err(error.into())), |request| self.reply(&request, options))
    }
}

impl Fault {
    fn reply(&self, request: &Request, options: &Settings) -> Option<Reply> {
        let options = crate::formats::openui::reader_options(options);
        let right = ReferenceReader { options: &options };
        let message = |message: Result<String, Refusal>| message.map(|message| WrittenResult { message }.to_json());
        Some(match (self, request) {
            (Fault::Read(read), Request::Parse(params)) => {
                Ok(read(&right, &params.raw, params.streaming == Some(true)).to_json())
            }
            (Fault::Read(read), Request::Stream(params)) => {
                let mut text = String::new();
                let mut snapshot = |chunk: &String| {
                    text.push_str(chunk);
                    read(&right, &text, true)
                };
                let snapshots = params.chunks.iter().map(&mut snapshot).collect();
                Ok(StreamResult { snapshots, r#final: read(&right, &text, false) }.to_json())
            }
            (Fault::Parse(read), Request::Parse(params)) => Ok(read(&right, params).to_json()),
            (Fault::Stream(stream), Request::Stream(params)) => {
                let (snapshots, whole) = stream(&right, &params.chunks);
                Ok(StreamResult { snapshots, r#final: whole }.to_json())
            }
            (Fault::Build(build), Request::Build(params)) => {
                message(BuildInput::of(params).and_then(|writing| build(&right, writing)))
            }
            (Fault::ModelText(text), Request::ModelText(params)) => {
                let is_user = matches!(params.role, RoleName::User);
                Ok(TextResult { text: text(&right, &params.raw, is_user) }.to_json())
            }
            (Fault::Turn(turn), Request::FromEvent(params)) => {
                message(Event::of(params).and_then(|event| turn(&right, event)))
            }
            _ => return None,
        })
    }
}

/// A row: the rule that it violates and how, in the order in which people read it.
const fn mutant(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    Mutant { name, about, rule, profiles: None, fault }
}

/// A mutant that is right in some of the profiles in which its rule applies.
const fn mutant_in(profiles: &'static [ProfileName], mutant: Mutant) -> Mutant {
    Mutant { profiles: Some(profiles), ..mutant }
}
