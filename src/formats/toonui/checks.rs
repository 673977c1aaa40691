//! The checks on ToonUI payloads and events.

use super::{Check, Finding, Knowledge, Question, ask_all, departs, departs_from, result};
use crate::adapter::Answer;
use crate::json::{Json, Pointer};
use crate::protocol::Method;
use crate::run::compare::same_json;
use crate::toonui::{ContentErrorKind, entry_names, read_content, recoverable};

/// What a check looks at.
pub(super) enum Subject<'a> {
    /// The payload of a request.
    Payload(&'a Json),
    /// A request that makes an event: the method, and its params.
    Event(Method, &'a Json),
}

/// Asks what a check needs to know of a payload or an event; `None` while some answers are missing.
pub(super) fn examine(check: Check, subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    match (check, subject) {
        // Whether it is refused rightly is for the case to say.
        (Check::ReadsBack | Check::UiText | Check::SameNames, Subject::Payload(payload))
            if is_refused(payload, known)? =>
        {
            Some(Finding::Holds)
        }
        (Check::ReadsBack, Subject::Payload(payload)) => reads_back(payload, known),
        (Check::UiText, Subject::Payload(payload)) => ui_text(payload, known),
        (Check::SameNames, Subject::Payload(payload)) => same_names(payload, known),
        (Check::FreshId, Subject::Event(method, params)) => fresh_id(*method, params, known),
        _ => Some(Finding::Holds),
    }
}

fn is_refused(payload: &Json, known: &mut Knowledge) -> Option<bool> {
    let methods = [Method::ToonuiToContent, Method::ToonuiToDisplayContent, Method::ToonuiToUiMessage];
    let questions = methods.map(|method| Question::payload(method, payload));
    ask_all(known, &questions)?;
    Some(questions.iter().any(|question| matches!(known.answer(question), Some(Answer::Refusal { .. }))))
}

fn reads_back(payload: &Json, known: &mut Knowledge) -> Option<Finding> {
    let Some(expected) = recoverable(payload) else { return Some(Finding::Holds) };
    let question = Question::payload(Method::ToonuiToContent, payload);
    let answer = result!(known, question);
    let text = text(&answer, "/text");
    let has_context = payload.get("context").is_some_and(|context| !matches!(context, Json::Null));
    // What only a rule of level should asks for is told under that rule.
    let rule = |kind: Option<ContentErrorKind>| match kind {
        Some(ContentErrorKind::ValueText) => Some("toonui.content.value"),
        Some(ContentErrorKind::EntryOrder) => Some("toonui.content.key-order"),
        None | Some(ContentErrorKind::EntryLine) if has_context => Some("toonui.content.context"),
        _ => None,
    };
    Some(match read_content(text) {
        Ok(found) if same_json(&expected, &found) => Finding::Holds,
        Ok(found) => departs_from(rule(None), question, expected.to_ascii(), found.to_ascii()),
        Err(error) => {
            let found = format!("{} ({error})", Json::from(text).to_ascii());
            departs_from(rule(Some(error.kind())), question, format!("the content of {}", expected.to_ascii()), found)
        }
    })
}

fn ui_text(payload: &Json, known: &mut Knowledge) -> Option<Finding> {
    let content = Question::payload(Method::ToonuiToContent, payload);
    let display = Question::payload(Method::ToonuiToDisplayContent, payload);
    let message = Question::payload(Method::ToonuiToUiMessage, payload);
    ask_all(known, [&content, &display, &message])?;
    let texts = [result!(known, content), result!(known, display)];
    let answer = result!(known, message);
    for (expected, place) in texts.iter().zip(["/message/parts/0/text", "/message/metadata/displayContent"]) {
        let (expected, found) = (text(expected, "/text"), text(&answer, place));
        if expected != found {
            let quoted = |text: &str| Json::from(text).to_ascii();
            return Some(departs(message, format!("{} at {place}", quoted(expected)), quoted(found)));
        }
    }
    Some(Finding::Holds)
}

fn same_names(payload: &Json, known: &mut Knowledge) -> Option<Finding> {
    if recoverable(payload).is_none_or(|known| known.get("values").is_none()) || payload.get("node").is_some() {
        return Some(Finding::Holds);
    }
    let content = Question::payload(Method::ToonuiToContent, payload);
    let display = Question::payload(Method::ToonuiToDisplayContent, payload);
    ask_all(known, [&content, &display])?;
    let (content, shown) = (result!(known, content), result!(known, display));
    // A content that cannot be read is told by its own check.
    let Some(names) = entry_names(text(&content, "/text")) else { return Some(Finding::Holds) };
    let mut rest = text(&shown, "/text");
    for name in &names {
        match rest.split_once(&format!("\n{name}: ")) {
            Some((_, behind)) => rest = behind,
            None => {
                let expected = format!(
                    "a line for each of these names, in this order: {}",
                    Json::from(names.join(", ")).to_ascii()
                );
                return Some(departs(display, expected, shown.to_ascii()));
            }
        }
    }
    Some(Finding::Holds)
}

fn fresh_id(method: Method, params: &Json, known: &mut Knowledge) -> Option<Finding> {
    let Json::Object(members) = params else { return Some(Finding::Holds) };
    // Another event, so that a question of its own is asked: the same words with one more behind them.
    let other = members.iter().map(|(name, value)| match value.as_str() {
        Some(text) => (name.clone(), Json::from(format!("{text} again"))),
        None => (name.clone(), value.clone()),
    });
    let question = |params: &Json| Question { method, params: params.to_ascii() };
    let (first, second) = (question(params), question(&Json::Object(other.collect())));
    ask_all(known, [&first, &second])?;
    let id = |answer: &Json| text(answer, "/payload/eventId").to_owned();
    let (first, answer) = (result!(known, first), result!(known, second));
    Some(if id(&first) == id(&answer) {
        departs(second, format!("another id than {}", Json::from(id(&first)).to_ascii()), answer.to_ascii())
    } else {
        Finding::Holds
    })
}

/// The text at a place of an answer; none is empty.
fn text<'a>(answer: &'a Json, place: &str) -> &'a str {
    Pointer::parse(place).ok().and_then(|pointer| pointer.find(answer)?.as_str()).unwrap_or_default()
}
