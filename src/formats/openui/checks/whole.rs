//! The checks on how a whole message reads, and is written again.

use super::message::Message;
use super::{content, requests, same_reading};
use crate::checks::{Answers, CheckOutcome, check_failure, check_failure_of, result};
use crate::json::{Json, JsonString};
use crate::openui::choices::{ForgedMarker, NotWritable};
use crate::openui::{Draft, DraftContext, Line, LineKind, PREFIX, build};
use crate::protocol::Answer;

pub(super) fn line_endings(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let is_behind_end = |pair: &[Line]| message.is_end(&pair[0]) && pair[1].kind != LineKind::Marker;
    let line_behind_end = message.lines.windows(2).any(is_behind_end);
    if message.raw.contains('\r') || !message.raw.contains('\n') || line_behind_end {
        return Some(CheckOutcome::Holds);
    }
    let (lf, crlf) = (requests::parse(message.raw, false), requests::parse(&message.raw.replace('\n', "\r\n"), false));
    answers.request_all([&lf, &crlf])?;
    let plain = result!(answers, lf);
    let found = result!(answers, crlf);
    // A context that is text changes with its line endings; one that is JSON does not, and may be a string too.
    let with_crlf = |names: &[&str]| {
        let mut expected = plain.clone();
        if let Json::Object(members) = &mut expected {
            for (_, value) in
                members.iter_mut().filter(|(name, _)| name.as_str().is_some_and(|name| names.contains(&name)))
            {
                if let Json::String(JsonString::Unicode(text)) = value {
                    *text = text.replace('\n', "\r\n");
                }
            }
        }
        expected
    };
    let fits = |expected: &Json| same_reading(expected, &found);
    let expected = with_crlf(&["content", "context"]);
    if fits(&expected) || fits(&with_crlf(&["content"])) {
        return Some(CheckOutcome::Holds);
    }
    Some(check_failure(crlf, format!("as with LF, with CRLF in the bodies: {}", expected.to_ascii()), found.to_ascii()))
}

pub(super) fn unknown_section(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let raw = message.raw;
    let ends_behind_end = raw.ends_with('\n') && message.lines.last().is_some_and(|line| message.is_end(line));
    let is_envelope = message.lines.first().is_some_and(|line| line.kind == LineKind::Envelope);
    if raw.ends_with('\r') || ends_behind_end || is_envelope {
        return Some(CheckOutcome::Holds);
    }
    let (alone, with) =
        (requests::parse(raw, false), requests::parse(&format!("{raw}\n{PREFIX}zz\nnobody reads this"), false));
    answers.request_all([&alone, &with])?;
    let expected = result!(answers, alone);
    // A text without the prefix that is not returned unchanged has been read as an envelope. A section after it makes
    // it plain text. The rules about envelopes decide which texts are envelopes.
    let is_plain = |result: &Json| {
        let plain = Json::object([("content", Json::from(raw))]);
        same_reading(&plain, result)
    };
    if !raw.contains(PREFIX) && !is_plain(&expected) {
        return Some(CheckOutcome::Holds);
    }
    let found = result!(answers, with);
    if !same_reading(&expected, &found) {
        return Some(check_failure(
            with,
            format!("as without the unknown section: {}", expected.to_ascii()),
            found.to_ascii(),
        ));
    }
    Some(CheckOutcome::Holds)
}

pub(super) fn rewrite(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let read = result!(answers, requests::parse(message.raw, false));
    let (Some(text), null) = (content(&read), Json::Null) else { return Some(CheckOutcome::Holds) };
    let context = read.get("context").unwrap_or(&null);
    let attributes: &[(JsonString, Json)] = match read.get("attributes") {
        Some(Json::Object(members)) => members,
        _ => &[],
    };
    let end = read.get("end") == Some(&Json::Bool(true));
    if !is_writable(message, text, context, attributes, end) {
        return Some(CheckOutcome::Holds);
    }
    let request = requests::build(text, context, attributes, end);
    let forgeable =
        matches!(context, Json::Object(_) | Json::Array(_)) && context.to_compact().contains("]]>openui:content?");
    let rule = forgeable.then_some("openui.build.json-context");
    let written = match answers.get(&request)? {
        Answer::Refusal { kind, message } => {
            let found = format!("the refusal {kind}: {message}");
            return Some(check_failure_of(
                rule,
                request,
                "a message, since all of it can be written".to_owned(),
                found,
            ));
        }
        _ => result!(answers, request),
    };
    let Some(message) = written.get("message").and_then(Json::as_str) else {
        return Some(check_failure_of(rule, request, "a message".to_owned(), written.to_ascii()));
    };
    let again = requests::parse(message, false);
    let found = result!(answers, again);
    if !same_reading(&read, &found) {
        return Some(check_failure_of(rule, again, format!("what was written: {}", read.to_ascii()), found.to_ascii()));
    }
    Some(CheckOutcome::Holds)
}

/// Whether the format holds all of this. The suite decides, not the implementation's refusal.
fn is_writable(
    message: &Message<'_>,
    text: &str,
    context: &Json,
    attributes: &[(JsonString, Json)],
    end: bool,
) -> bool {
    let pairs: Option<Vec<(String, String)>> =
        attributes.iter().map(|(name, value)| Some((name.as_str()?.to_owned(), value.as_str()?.to_owned()))).collect();
    // A text with a lone surrogate is no text of a message.
    let is_text = !matches!(context, Json::String(JsonString::Surrogates(_)));
    let Some(pairs) = pairs.filter(|_| is_text) else { return false };
    let mut options = message.options;
    options.choices.forged_marker = ForgedMarker::Refused;
    options.choices.not_writable = NotWritable::Refused;
    let draft = Draft { content: text, context: DraftContext::from(context), attributes: &pairs, end };
    build(&draft, &options).is_ok()
}
