//! What each line of a content is, and which rule says so.

use std::ops::Range;

use super::content::content;
use super::javascript::{array_index, stringify};
use super::payload::{Kind, Payload, PayloadError, SUBMIT};
use crate::json::Json;

/// A line of a content as it was made: a raw field with a LF makes one of several lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentLine {
    /// Its bytes in the content, with the LF in front of it.
    pub span: Range<usize>,
    /// The member of the payload, or the name of the entry, that it shows; empty for the first line.
    pub name: String,
    /// The id of the rule that decides it.
    pub rule: &'static str,
}

/// The lines of a payload's content, in their order.
///
/// # Errors
///
/// Where the payload has no content.
pub fn trace_content(payload: &Json) -> Result<Vec<ContentLine>, PayloadError> {
    let payload = Payload::new(payload)?;
    let mut lines = Vec::new();
    let mut at = 0;
    let mut push = |name: &str, len: usize, rule| {
        lines.push(ContentLine { span: at..at + len, name: name.to_owned(), rule });
        at += len;
    };
    let is_named = payload.json.get("kind").and_then(Json::as_str) == Some(SUBMIT);
    let of_kind = match payload.kind {
        Kind::Reply => "toonui.content.reply",
        Kind::Submit if is_named => "toonui.content.submit",
        Kind::Submit => "toonui.content.kind",
    };
    push("", payload.kind.name().len() + ":".len(), of_kind);
    for name in payload.kind.header() {
        let rule = match payload.json.get(name) {
            Some(Json::String(_)) => of_kind,
            _ => "toonui.input.odd",
        };
        let value = payload.raw(name);
        let rule = if value.contains('\n') { "toonui.content.forgery" } else { rule };
        push(name, line_len(name, &value), rule);
    }
    let is_odd = !matches!(payload.json.get(payload.kind.entries_in()), Some(Json::Object(_)));
    for (name, value) in payload.entries() {
        let rule = match &*value {
            _ if is_odd => "toonui.input.odd",
            _ if name.contains('\n') || payload.kind.header().contains(&&*name) => "toonui.content.forgery",
            _ if array_index(&name).is_some() => "toonui.content.key-order",
            _ if payload.kind == Kind::Reply => "toonui.content.context",
            Json::Number(_) => "toonui.content.numbers",
            _ => "toonui.content.value",
        };
        push(&name, line_len(&name, &stringify(&value)), rule);
    }
    debug_assert_eq!(at, content(&payload).len(), "the lines are the content");
    Ok(lines)
}

fn line_len(name: &str, value: &str) -> usize {
    "\n  ".len() + name.len() + ": ".len() + value.len()
}
