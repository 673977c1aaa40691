//! What two answers disagree in, and what sorts of disagreement there are.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::adapter::{Answer, FaultKind};
use crate::case::Matcher;
use crate::generate::Input;
use crate::glossen;
use crate::json::{Json, Pointer};
use crate::openui::{Mode, Profile, trace};
use crate::options::Options;
use crate::protocol::{Format, Method, may_refuse};
use crate::run::compare::{Difference, difference};
use crate::settled::is_settled;
use crate::toonui::trace_content;

/// A sort of disagreement: what shows the same is told once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The method that was asked.
    pub method: &'static str,
    /// What differs, in words.
    pub what: String,
    /// The rules by which the reference reads the message of the request, or writes the content of its payload.
    pub rules: BTreeSet<&'static str>,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.method, self.what)
    }
}

/// A request on which two implementations disagree.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What sort it is.
    pub class: Class,
    /// The request, made small.
    pub input: Input,
    /// What the first implementation, or the reference, answers.
    pub left: Answer,
    /// What the second implementation answers.
    pub right: Answer,
    /// How many requests of the campaign showed the same before they were made small.
    pub count: usize,
}

/// What two answers to the same request disagree in; `None` where they are the same, where a side said that it does not
/// offer the request or was not asked, or where the rules leave free what differs. Only methods that both list are asked.
pub(super) fn disagreement(input: &Input, profile: Profile, left: &Answer, right: &Answer) -> Option<String> {
    Some(match (left, right) {
        (Answer::Omitted(_), _) | (_, Answer::Omitted(_)) => return None,
        (Answer::Unsupported(reason), _) | (_, Answer::Unsupported(reason)) => {
            // What the rules leave free may be refused as well.
            if !is_settled(input.method, &input.params) || may_refuse(input.method, &input.params.to_ascii(), reason) {
                return None;
            }
            "refused as not offered, though the method is listed".to_owned()
        }
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _) if fault.kind == FaultKind::NotRun => return None,
        (Answer::NoSuchMethod, _) | (_, Answer::NoSuchMethod) => "no such method, though it is listed".to_owned(),
        // An error is as good as any other answer there; a crash is not.
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _)
            if fault.kind == FaultKind::Error && !is_settled(input.method, &input.params) =>
        {
            return None;
        }
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _) => format!("no answer, {}", fault_name(fault.kind)),
        _ if !is_settled(input.method, &input.params) => return None,
        (Answer::Result(expected), Answer::Result(found)) => {
            let difference = difference(input.method, profile, matchers(input.method), expected, found)?;
            if input.method.format() == Format::Toonui && is_same_double(&difference) {
                return None;
            }
            let side = match (&difference.expected, &difference.found) {
                (Some(Json::String(expected)), Some(Json::String(found))) => {
                    match expected.to_ascii().len().cmp(&found.to_ascii().len()) {
                        std::cmp::Ordering::Less => "more text than expected",
                        std::cmp::Ordering::Greater => "less text than expected",
                        std::cmp::Ordering::Equal => "other text",
                    }
                }
                (None, _) => "something where nothing was expected",
                (_, None) => "nothing where something was expected",
                (Some(expected), Some(found)) if expected.kind() == found.kind() => "another value",
                _ => "a value of another type",
            };
            format!("{side} at {}", place(&difference.at.to_string()))
        }
        (Answer::Refusal { kind: left, .. }, Answer::Refusal { kind: right, .. }) if left == right => return None,
        (Answer::Refusal { kind, .. }, Answer::Refusal { .. }) => format!("another refusal than {kind}"),
        (Answer::Refusal { kind, .. }, _) => format!("a result where {kind} was expected"),
        (_, Answer::Refusal { kind, .. }) => format!("the refusal {kind} where a result was expected"),
    })
}

/// Whether the two values are the same double: what numbers of a payload may come back as.
fn is_same_double(difference: &Difference) -> bool {
    match (&difference.expected, &difference.found) {
        (Some(Json::Number(expected)), Some(Json::Number(found))) => expected.to_double() == found.to_double(),
        _ => false,
    }
}

/// A place in a result, without the number of a list's item and the names of a context's members.
fn place(pointer: &str) -> String {
    let steps: Vec<&str> = pointer.split('/').collect();
    match steps[..] {
        [""] => "the whole result".to_owned(),
        ["", "snapshots", _, member, ..] => format!("/snapshots/*/{member}"),
        ["", "final", member, ..] => format!("/final/{member}"),
        ["", member, ..] => format!("/{member}"),
        _ => pointer.to_owned(),
    }
}

/// What is new in each answer, and so has a form to be held to instead of a text.
pub(super) fn matchers(method: Method) -> &'static [Matcher] {
    static REPLY: LazyLock<[Matcher; 1]> = LazyLock::new(|| [event_id("reply")]);
    static SUBMIT: LazyLock<[Matcher; 1]> = LazyLock::new(|| [event_id("submit")]);
    match method {
        Method::ToonuiReply => &*REPLY,
        Method::ToonuiSubmit => &*SUBMIT,
        _ => &[],
    }
}

fn event_id(word: &str) -> Matcher {
    let pattern = Regex::new(&format!("^{word}_[0-9a-z]{{0,8}}$")).expect("the pattern is one");
    Matcher { pointer: Pointer::default().child("payload").child("eventId"), pattern }
}

fn fault_name(kind: FaultKind) -> &'static str {
    kind.name()
}

/// The rules by which the reference reads the message of a request, or writes the content of its payload, or which its
/// messages break; none where it has neither.
pub(super) fn deciding_rules(input: &Input, options: &Options) -> BTreeSet<&'static str> {
    if let Some((raw, mode)) = message(input) {
        return trace(&raw, mode, &options.openui).into_iter().map(|line| line.rule).collect();
    }
    match input.method.format() {
        Format::Openui => BTreeSet::new(),
        Format::Toonui => {
            let lines = input.params.get("payload").map(trace_content);
            lines.into_iter().flatten().flatten().map(|line| line.rule).collect()
        }
        Format::Glossen => broken_rules(input, options),
    }
}

/// The rules that the messages of a request break, as far as its method asks.
fn broken_rules(input: &Input, options: &Options) -> BTreeSet<&'static str> {
    let violations = match (input.method, input.params.get("messages"), input.params.get("message")) {
        (Method::GlossenValidate, Some(messages), _) => match glossen::validate(messages, &options.glossen) {
            Err(glossen::Refused::Invalid(violations, _)) => violations,
            _ => Vec::new(),
        },
        (Method::GlossenCheck, _, Some(message)) => glossen::check(message, None, false).unwrap_or_default(),
        _ => Vec::new(),
    };
    violations.into_iter().map(|violation| violation.rule).collect()
}

/// The message that a request reads.
pub(super) fn message(input: &Input) -> Option<(String, Mode)> {
    match input.method {
        Method::OpenuiParse | Method::OpenuiModelText => {
            let raw = input.params.get("raw").and_then(Json::as_str)?.to_owned();
            let streams = input.params.get("streaming") == Some(&Json::Bool(true));
            Some((raw, if streams { Mode::Streaming } else { Mode::Whole }))
        }
        Method::OpenuiStream => {
            let Some(Json::Array(chunks)) = input.params.get("chunks") else { return None };
            Some((chunks.iter().filter_map(Json::as_str).collect(), Mode::Whole))
        }
        _ => None,
    }
}
