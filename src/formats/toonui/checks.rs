//! The derived checks on ToonUI payloads and events.

use crate::checks::{
    Answers, CheckDef, CheckOutcome, InputChecks, Request, Shrink, Subject, check_failure, check_failure_of,
    definitions, find, result,
};
use crate::format::Method;
use crate::formats::toonui::methods;
use crate::json::{self, Json, Pointer, json_equal};
use crate::protocol::Answer;
use crate::settings::Settings;
use crate::toonui::{ContentErrorKind, entry_names, read_content, recoverable};

type OnPayload = fn(&Json, &mut Answers) -> Option<CheckOutcome>;
type OnEvent = fn(Method, &Json, &mut Answers) -> Option<CheckOutcome>;

const PAYLOAD_CHECKS: [(CheckDef, OnPayload); 3] = [
    // The content of a payload reads back as the payload.
    (CheckDef { name: "reads-back", rule: "toonui.content.recoverable" }, reads_back),
    // A UI message carries the texts of its payload.
    (CheckDef { name: "ui-text", rule: "toonui.message.ui" }, ui_text),
    // Content and display text have the same names in the same order.
    (CheckDef { name: "same-names", rule: "toonui.content.key-order" }, same_names),
];

const EVENT_CHECKS: [(CheckDef, OnEvent); 1] = [
    // Two events have different ids, whether they are the same otherwise or not.
    (CheckDef { name: "fresh-id", rule: "toonui.event.id" }, fresh_id),
];

/// The checks on the payload of a method.
pub(super) const ON_PAYLOAD: InputChecks =
    InputChecks { checks: &definitions(&PAYLOAD_CHECKS), shrink: Shrink::Member("/payload"), prepare: prepare_payload };

/// The checks on the params of a method that makes an event. An event is small, and half of its members are needed.
pub(super) const ON_EVENT: InputChecks =
    InputChecks { checks: &definitions(&EVENT_CHECKS), shrink: Shrink::Never, prepare: prepare_event };

fn prepare_payload<'a>(_: Method, params: &'a Json, _: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    Some(Box::new(Payload(params.get("payload")?)))
}

fn prepare_event<'a>(method: Method, params: &'a Json, _: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    Some(Box::new(Event(method, params)))
}

/// A payload under check.
struct Payload<'a>(&'a Json);

impl Subject for Payload<'_> {
    fn applies(&self, check: &CheckDef) -> bool {
        find(&PAYLOAD_CHECKS, check).is_some()
    }

    fn specified_for(&self, _: &CheckDef) -> Method {
        // What is specified of a payload is the same for all methods that take one.
        methods::TO_CONTENT
    }

    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome> {
        // Whether a refusal is right is for the case to say.
        if is_refused(self.0, answers)? {
            return Some(CheckOutcome::Holds);
        }
        find(&PAYLOAD_CHECKS, check).map_or(Some(CheckOutcome::Holds), |run| run(self.0, answers))
    }
}

/// A request for an event under check.
struct Event<'a>(Method, &'a Json);

impl Subject for Event<'_> {
    fn applies(&self, check: &CheckDef) -> bool {
        find(&EVENT_CHECKS, check).is_some()
    }

    fn specified_for(&self, _: &CheckDef) -> Method {
        self.0
    }

    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome> {
        find(&EVENT_CHECKS, check).map_or(Some(CheckOutcome::Holds), |run| run(self.0, self.1, answers))
    }
}

/// A request of a method that takes a payload.
fn of_payload(method: Method, payload: &Json) -> Request {
    Request::new(method, &Json::object([("payload", payload.clone())]))
}

fn is_refused(payload: &Json, answers: &mut Answers) -> Option<bool> {
    let methods = [methods::TO_CONTENT, methods::TO_DISPLAY_CONTENT, methods::TO_UI_MESSAGE];
    let requests = methods.map(|method| of_payload(method, payload));
    answers.request_all(&requests)?;
    Some(requests.iter().any(|request| matches!(answers.get(request), Some(Answer::Refusal { .. }))))
}

fn reads_back(payload: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    let request = of_payload(methods::TO_CONTENT, payload);
    let answer = result!(answers, request);
    Some(match read_again(payload, text(&answer, "/text")) {
        None => CheckOutcome::Holds,
        Some(Lost { rule, expected, found }) => check_failure_of(rule, request, expected, found),
    })
}

/// What does not come back from the content of a payload.
struct Lost {
    /// The violated rule, if it is another than `toonui.content.recoverable`: a violation that is only of level should has
    /// its own.
    rule: Option<&'static str>,
    expected: String,
    found: String,
}

/// Reads a content; `None` if it gives the payload, or cannot be expected to.
fn read_again(payload: &Json, text: &str) -> Option<Lost> {
    let expected = recoverable(payload)?;
    let has_context = payload.get("context").is_some_and(|context| !matches!(context, Json::Null));
    let rule = |kind: Option<ContentErrorKind>| match kind {
        Some(ContentErrorKind::ValueText) => Some("toonui.content.value"),
        Some(ContentErrorKind::EntryOrder) => Some("toonui.content.key-order"),
        None | Some(ContentErrorKind::EntryLine) if has_context => Some("toonui.content.context"),
        _ => None,
    };
    match read_content(text) {
        Ok(found) if json_equal(&expected, &found) => None,
        Ok(found) => Some(Lost { rule: rule(None), expected: expected.to_ascii(), found: found.to_ascii() }),
        Err(error) => Some(Lost {
            rule: rule(Some(error.kind())),
            expected: format!("the content of {}", expected.to_ascii()),
            found: format!("{} ({error})", Json::from(text).to_ascii()),
        }),
    }
}

/// The rule that a result with the content of a payload breaks, if the payload cannot be recovered from it.
pub(super) fn unrecoverable(params: &str, result: &Json) -> Option<&'static str> {
    let params = json::parse(params).ok()?;
    let content = ["/text", "/message/content", "/message/parts/0/text"]
        .iter()
        .map(|place| text(result, place))
        .find(|text| !text.is_empty())?;
    let lost = read_again(params.get("payload")?, content)?;
    Some(lost.rule.unwrap_or("toonui.content.recoverable"))
}

fn ui_text(payload: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    let content = of_payload(methods::TO_CONTENT, payload);
    let display = of_payload(methods::TO_DISPLAY_CONTENT, payload);
    let message = of_payload(methods::TO_UI_MESSAGE, payload);
    answers.request_all([&content, &display, &message])?;
    let texts = [result!(answers, content), result!(answers, display)];
    let answer = result!(answers, message);
    for (expected, place) in texts.iter().zip(["/message/parts/0/text", "/message/metadata/displayContent"]) {
        let (expected, found) = (text(expected, "/text"), text(&answer, place));
        if expected != found {
            let quoted = |text: &str| Json::from(text).to_ascii();
            return Some(check_failure(message, format!("{} at {place}", quoted(expected)), quoted(found)));
        }
    }
    Some(CheckOutcome::Holds)
}

fn same_names(payload: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    if recoverable(payload).is_none_or(|known| known.get("values").is_none()) || payload.get("node").is_some() {
        return Some(CheckOutcome::Holds);
    }
    let content = of_payload(methods::TO_CONTENT, payload);
    let display = of_payload(methods::TO_DISPLAY_CONTENT, payload);
    answers.request_all([&content, &display])?;
    let (content, shown) = (result!(answers, content), result!(answers, display));
    // A content that cannot be read is reported by its own check.
    let Some(names) = entry_names(text(&content, "/text")) else { return Some(CheckOutcome::Holds) };
    let mut rest = text(&shown, "/text");
    for name in &names {
        match rest.split_once(&format!("\n{name}: ")) {
            Some((_, after)) => rest = after,
            None => {
                let expected = format!(
                    "a line for each of these names, in this order: {}",
                    Json::from(names.join(", ")).to_ascii()
                );
                return Some(check_failure(display, expected, shown.to_ascii()));
            }
        }
    }
    Some(CheckOutcome::Holds)
}

fn fresh_id(method: Method, params: &Json, answers: &mut Answers) -> Option<CheckOutcome> {
    let Json::Object(members) = params else { return Some(CheckOutcome::Holds) };
    let first = Request::new(method, params);
    // The same event once more. The blank makes it a request of its own here, and changes nothing in it.
    let same = Request { method, params: format!("{} ", first.params) };
    // Another event: each text gets one more word.
    let other = members.iter().map(|(name, value)| match value.as_str() {
        Some(text) => (name.clone(), Json::from(format!("{text} again"))),
        None => (name.clone(), value.clone()),
    });
    let other = Request::new(method, &Json::Object(other.collect()));
    answers.request_all([&first, &same, &other])?;
    let id = |answer: &Json| text(answer, "/payload/eventId").to_owned();
    let known = id(&result!(answers, first));
    for request in [same, other] {
        let answer = result!(answers, request);
        if id(&answer) == known {
            let expected = format!("another id than {}", Json::from(known).to_ascii());
            return Some(check_failure(request, expected, answer.to_ascii()));
        }
    }
    Some(CheckOutcome::Holds)
}

/// The text at a place of an answer; none is empty.
fn text<'a>(answer: &'a Json, place: &str) -> &'a str {
    place.parse::<Pointer>().ok().and_then(|pointer| pointer.find(answer)?.as_str()).unwrap_or_default()
}
