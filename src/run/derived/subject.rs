//! What a check looks at: the input of a case, of whatever format.

use super::{Check, Finding, Knowledge, glossen, openui, toonui};
use crate::case::Case;
use crate::json::{self, Json};
use crate::options::Options;
use crate::protocol::{Format, Method};
use crate::settled::is_askable;
use crate::shrink;

/// The input of a case on which checks are made.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// A message to be read.
    Message(String),
    /// A payload of which texts are made.
    Payload(Json),
    /// An event to be made: the method and its params.
    Event(Method, Json),
    /// Messages to be validated or converted.
    Messages(Method, Json),
    /// The params of an edit.
    Edit(Json),
}

impl Input {
    /// The input of a case; `None` where no check looks at it.
    pub(super) fn of(case: &Case) -> Option<Input> {
        // The loader has read the params.
        let params = || json::parse(&case.params).ok();
        match case.method {
            Method::OpenuiParse => params()?.get("raw").and_then(Json::as_str).map(str::to_owned).map(Input::Message),
            Method::OpenuiStream | Method::OpenuiBuild | Method::OpenuiModelText | Method::OpenuiFromEvent => None,
            Method::ToonuiReply | Method::ToonuiSubmit => Some(Input::Event(case.method, params()?)),
            Method::ToonuiToContent
            | Method::ToonuiToDisplayContent
            | Method::ToonuiToModelMessage
            | Method::ToonuiToUiMessage => params()?.get("payload").cloned().map(Input::Payload),
            Method::GlossenValidate | Method::GlossenToModelMessages => {
                Some(Input::Messages(case.method, params()?.get("messages")?.clone()))
            }
            Method::GlossenEdit => params().map(Input::Edit),
            Method::GlossenCheck | Method::GlossenSources => None,
        }
    }

    /// Whether a check may be made on this input: whether it may be asked about, and the documents settle what comes.
    pub(super) fn is_askable(&self, check: Check) -> bool {
        let (method, params) = match self {
            Input::Message(raw) => (Method::OpenuiParse, Json::object([("raw", raw.as_str().into())])),
            // What the methods that take a payload give is settled together.
            Input::Payload(payload) => (Method::ToonuiToContent, Json::object([("payload", payload.clone())])),
            Input::Event(method, params) => (*method, params.clone()),
            Input::Messages(method, messages) => {
                let are_converted = matches!(check, Check::OneByOne | Check::Unseen);
                let method = if are_converted { Method::GlossenToModelMessages } else { *method };
                (method, Json::object([("messages", messages.clone())]))
            }
            Input::Edit(params) => (Method::GlossenEdit, params.clone()),
        };
        is_askable(method, &params)
    }

    /// The checks that may be made on it. What the rules say of it may leave some out.
    pub(super) fn checks(&self) -> Vec<Check> {
        let is_made = |check: &Check| match self {
            Input::Message(_) => check.format() == Format::Openui,
            Input::Payload(_) => check.format() == Format::Toonui && *check != Check::FreshId,
            Input::Event(..) => *check == Check::FreshId,
            Input::Messages(..) => check.format() == Format::Glossen && *check != Check::SamePrefix,
            Input::Edit(_) => *check == Check::SamePrefix,
        };
        Check::ALL.into_iter().filter(is_made).collect()
    }

    /// The text that a report shows.
    pub(super) fn to_text(&self) -> String {
        match self {
            Input::Message(raw) => raw.clone(),
            Input::Payload(value) | Input::Event(_, value) | Input::Messages(_, value) | Input::Edit(value) => {
                value.to_ascii()
            }
        }
    }

    /// The smallest input that was found for which `holds` is still true, within this many questions.
    pub(super) fn shrunk(&self, attempts: usize, holds: &mut dyn FnMut(&Input) -> bool) -> Input {
        let wrap = |wrap: &dyn Fn(Json) -> Input, value: &Json, holds: &mut dyn FnMut(&Input) -> bool| {
            wrap(shrink::value(value, attempts, &mut |value| holds(&wrap(value.clone()))))
        };
        match self {
            Input::Message(raw) => {
                Input::Message(shrink::text(raw, attempts, &mut |text| holds(&Input::Message(text.to_owned()))))
            }
            Input::Payload(value) => wrap(&Input::Payload, value, holds),
            Input::Messages(method, value) => wrap(&|value| Input::Messages(*method, value), value, holds),
            Input::Edit(value) => wrap(&Input::Edit, value, holds),
            // An event is small, and half of its members are needed.
            Input::Event(..) => self.clone(),
        }
    }
}

/// An input with what the rules say of it.
pub(super) enum Subject<'a> {
    Openui(openui::Subject<'a>),
    Toonui(toonui::Subject<'a>),
    Glossen(glossen::Subject<'a>),
}

impl<'a> Subject<'a> {
    pub(super) fn new(input: &'a Input, options: &'a Options) -> Subject<'a> {
        match input {
            Input::Message(raw) => Subject::Openui(openui::Subject::new(raw, &options.openui)),
            Input::Payload(payload) => Subject::Toonui(toonui::Subject::Payload(payload)),
            Input::Event(method, params) => Subject::Toonui(toonui::Subject::Event(*method, params)),
            Input::Messages(method, messages) => {
                Subject::Glossen(glossen::Subject::messages(messages, *method, options))
            }
            Input::Edit(params) => Subject::Glossen(glossen::Subject::edit(params, options)),
        }
    }

    /// Whether a check is about inputs of this kind.
    pub(super) fn looks_at(&self, check: Check) -> bool {
        match self {
            Subject::Openui(_) => check.format() == Format::Openui,
            Subject::Toonui(toonui::Subject::Event(..)) => check == Check::FreshId,
            Subject::Toonui(toonui::Subject::Payload(_)) => check.format() == Format::Toonui && check != Check::FreshId,
            Subject::Glossen(glossen::Subject::Messages { are_converted, .. }) => {
                check == Check::ValidAgain || *are_converted && matches!(check, Check::OneByOne | Check::Unseen)
            }
            Subject::Glossen(glossen::Subject::Edit(_)) => check == Check::SamePrefix,
            Subject::Glossen(glossen::Subject::Nothing) => false,
        }
    }

    /// Asks what a check of the same format needs to know; `None` while some answers are missing, which
    /// [`Knowledge`] then lists.
    pub(super) fn examine(&self, check: Check, known: &mut Knowledge) -> Option<Finding> {
        match self {
            Subject::Openui(subject) => openui::examine(check, subject, known),
            Subject::Toonui(subject) => toonui::examine(check, subject, known),
            Subject::Glossen(subject) => glossen::examine(check, subject, known),
        }
    }
}
