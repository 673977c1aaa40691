//! The checks on what the model gets of a message.

use super::message::Message;
use super::{content, quoted, requests};
use crate::checks::{Answers, CheckOutcome, check_failure, result};
use crate::json::Json;
use crate::openui::CONTEXT_LABEL;

pub(super) fn model_markers(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let markers = message.marker_texts();
    if markers.is_empty() {
        return Some(CheckOutcome::Holds);
    }
    let asked = ["assistant", "user"].map(|role| requests::model_text(message.raw, role));
    answers.request_all(&asked)?;
    let label = CONTEXT_LABEL.trim_start();
    for request in asked {
        let found = result!(answers, request);
        let text = found.get("text").and_then(Json::as_str).unwrap_or_default();
        let is_marker = |line: &&str| markers.contains(&line.trim_end_matches('\r'));
        // What follows the label is a context, and begins no line.
        if let Some(line) = text.split('\n').filter(|line| !line.starts_with(label)).find(is_marker) {
            return Some(check_failure(request, "no marker line of the message".to_owned(), quoted(line)));
        }
    }
    Some(CheckOutcome::Holds)
}

pub(super) fn model_content(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let (read, request) = (requests::parse(message.raw, false), requests::model_text(message.raw, "assistant"));
    answers.request_all([&read, &request])?;
    let read = result!(answers, read);
    let found = result!(answers, request);
    let (Some(expected), Some(text)) = (content(&read), found.get("text").and_then(Json::as_str)) else {
        return Some(CheckOutcome::Holds);
    };
    if text != expected {
        return Some(check_failure(request, format!("the content that is read: {}", quoted(expected)), quoted(text)));
    }
    Some(CheckOutcome::Holds)
}
