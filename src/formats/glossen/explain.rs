//! Explains Glossen messages: each message, each of its parts, and the rules that they violate.

use std::collections::{HashMap, HashSet};

use super::wire::CheckParams;
use crate::explain::{Detail, Explanation, Fact, FactValue, Part, RefusedText, Warning, other_choices};
use crate::formats::glossen::open_points as points;
use crate::glossen::{Choices, Page, ValidateError, Violation, breakouts, check, trace, validate};
use crate::json::{Json, Pointer};
use crate::protocol::read_params;
use crate::settings::Settings;

/// Explains the messages of a request.
pub(super) fn of_messages(params: &Json, options: &Settings) -> Option<Explanation<'static>> {
    let expected = Expected { choices: super::choices(options), pages: None, streaming: true };
    params.get("messages").map(|messages| explain_glossen(messages, &expected))
}

/// Explains the message of a check.
pub(super) fn of_check(params: &Json, options: &Settings) -> Option<Explanation<'static>> {
    let check: CheckParams = read_params(&params.to_ascii()).ok()?;
    let expected = Expected {
        choices: super::choices(options),
        pages: check.pages.as_deref(),
        streaming: check.finished != Some(true),
    };
    params.get("message").map(|message| explain_glossen(message, &expected))
}

/// What is expected of messages, apart from their types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'a> {
    /// The choice on each open point.
    pub choices: Choices,
    /// The page list; without one, anchors and sources are not checked.
    pub pages: Option<&'a [Page]>,
    /// Whether more of an answer may come. A complete answer has a reason for its end.
    pub streaming: bool,
}

/// Explains each message and each part: the violated rules with their places, and the members that a backend drops.
/// `value` is a list of messages, or one message; for any other value, the explanation says what was expected.
#[must_use]
pub fn explain_glossen(value: &Json, expected: &Expected<'_>) -> Explanation<'static> {
    let wrapped;
    let (messages, is_single) = match value {
        Json::Object(_) => {
            wrapped = Json::Array(vec![value.clone()]);
            (&wrapped, true)
        }
        _ => (value, false),
    };
    let pieces = match trace(messages) {
        Ok(pieces) => pieces,
        Err(bad) => {
            let refused = RefusedText { message: bad.to_string(), rule: None };
            return Explanation::new(super::FORMAT, Vec::new(), Err(refused), Vec::new());
        }
    };
    let mut builder = ExplanationBuilder { parts: Vec::new(), places: HashMap::new(), warnings: Vec::new(), is_single };
    for piece in pieces {
        builder.places.insert(piece.at.to_string(), builder.parts.len());
        builder.parts.push(Part {
            line: None,
            at: Some(builder.shown(&piece.at.to_string())),
            bytes: None,
            kind: piece.what,
            section: None,
            rules: vec![piece.rule],
            text: without_parts(piece.value).to_ascii().into(),
            details: Vec::new(),
        });
    }
    // The number of violations: those for which the backend refuses the messages, or those in accepted messages.
    let mut violated = 0;
    // Whether the accepted messages are unchanged.
    let reading = match validate(messages, &expected.choices) {
        Ok(accepted) => {
            for (at, rule) in left_out(messages, &accepted) {
                builder.detail("left out", &at.to_string(), None, rule);
            }
            Ok(Some(accepted == *messages))
        }
        Err(ValidateError::Invalid(violations, count)) => {
            violations.into_iter().for_each(|violation| builder.breaks("", violation));
            violated = count;
            Ok(None)
        }
        Err(ValidateError::LimitExceeded(bad)) => Err(RefusedText { message: bad.to_string(), rule: None }),
    };
    if let Json::Array(messages) = messages {
        for (index, message) in messages.iter().enumerate() {
            let at = format!("/{index}");
            // Validation has reported values that are no message.
            let violations = check(message, expected.pages, !expected.streaming).unwrap_or_default();
            if let Ok(Some(_)) = reading {
                violated += violations.len();
            }
            violations.into_iter().for_each(|violation| builder.breaks(&at, violation));
            for place in breakouts(&Json::Array(vec![message.clone()])).unwrap_or_default() {
                let place = place.to_string();
                let at = builder.shown(&format!("{at}{}", place.strip_prefix("/0").unwrap_or(&place)));
                let message = "this passage ends its own block, so that what follows looks like the reader's own words";
                let rule = "glossen.model.breakout";
                builder.warnings.push(Warning { line: None, at: Some(at), message: message.to_owned(), rule });
            }
        }
    }
    let facts = reading.map(|unchanged| {
        let unchanged = unchanged.map(|unchanged| Fact::new("unchanged", FactValue::Flag(unchanged), None));
        let accepted = Fact::new("accepted", FactValue::Flag(unchanged.is_some()), None);
        let violations = Fact::new("violations", FactValue::Count(violated), None);
        [accepted].into_iter().chain(unchanged).chain([violations]).collect()
    });
    let explanation = Explanation::new(super::FORMAT, builder.parts, facts, builder.warnings);
    Explanation {
        streaming: expected.streaming,
        choices: other_choices(points::OPEN_POINTS, |rule| points::chosen(&expected.choices, rule)),
        ..explanation
    }
}

/// The parts so far. Places are pointers into the list of messages; the shown places are pointers into the given value.
struct ExplanationBuilder {
    parts: Vec<Part<'static>>,
    places: HashMap<String, usize>,
    warnings: Vec<Warning>,
    is_single: bool,
}

impl ExplanationBuilder {
    fn shown(&self, place: &str) -> String {
        let shown = if self.is_single { place.strip_prefix("/0").unwrap_or(place) } else { place };
        shown.to_owned()
    }

    fn breaks(&mut self, message: &str, violation: Violation) {
        let place = format!("{message}{}", violation.at);
        self.detail("breaks", &place, Some(violation.message), violation.rule);
    }

    /// Adds a detail to the part at a place, or to the nearest one around it.
    fn detail(&mut self, kind: &'static str, place: &str, value: Option<String>, rule: &'static str) {
        let mut around = place;
        let index = loop {
            match (self.places.get(around), around.rfind('/')) {
                (Some(index), _) => break Some(*index),
                (None, Some(at)) => around = &around[..at],
                (None, None) => break None,
            }
        };
        let name = self.shown(place);
        let Some(part) = index.and_then(|index| self.parts.get_mut(index)) else {
            let message = value.unwrap_or_default();
            return self.warnings.push(Warning { line: None, at: Some(name), message, rule });
        };
        if !part.rules.contains(&rule) {
            part.rules.push(rule);
        }
        part.details.push(Detail { kind, name: name.into(), value: value.map(Into::into), rules: vec![rule] });
    }
}

/// Returns a message without its parts, which are parts of their own; a part is unchanged.
fn without_parts(value: &Json) -> Json {
    match value {
        Json::Object(members) if matches!(value.get("parts"), Some(Json::Array(_))) => {
            Json::Object(members.iter().filter(|(name, _)| name.as_str() != Some("parts")).cloned().collect())
        }
        other => other.clone(),
    }
}

/// Returns the members of messages that validation drops, each with the rule.
fn left_out(given: &Json, accepted: &Json) -> Vec<(Pointer, &'static str)> {
    let mut found = Vec::new();
    let mut open = vec![(given, accepted, Pointer::default(), "glossen.type.outer-keys")];
    while let Some((given, accepted, at, rule)) = open.pop() {
        match (given, accepted) {
            (Json::Array(given), Json::Array(accepted)) => {
                let both = given.iter().zip(accepted).enumerate().rev();
                open.extend(
                    both.map(|(index, (given, accepted))| (given, accepted, at.child(index.to_string()), rule)),
                );
            }
            (Json::Object(members), Json::Object(accepted)) if given != &Json::Object(accepted.clone()) => {
                let kept: HashMap<_, _> = accepted.iter().map(|(name, value)| (name, value)).collect();
                let mut seen = HashSet::new();
                // If a name is given twice, the last one counts.
                for (name, value) in members.iter().rev().filter(|(name, _)| seen.insert(name)) {
                    let at = at.child(name.to_text());
                    // Within these, members are no longer those of a message or a part.
                    let is_inner = matches!(name.as_str(), Some("metadata" | "data"));
                    match kept.get(name) {
                        Some(accepted) if is_inner => open.push((value, accepted, at, "glossen.type.extra-keys")),
                        Some(accepted) => open.push((value, accepted, at, rule)),
                        None => found.push((at, rule)),
                    }
                }
            }
            _ => {}
        }
    }
    found.sort();
    found
}
