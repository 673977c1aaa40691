//! Each line of a content, and the rule that decides it.

use std::collections::HashMap;
use std::ops::Range;

use super::content::content;
use super::javascript::{array_index, stringify};
use super::payload::{Kind, Payload, PayloadError, SUBMIT};
use genui_json::Json;

/// A line of a content as it was made. A raw field with a LF makes one that spans several lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentLine {
    /// Its byte offsets in the content, start inclusive, end exclusive, with the LF before it.
    pub span: Range<usize>,
    /// The part of the payload that it shows.
    pub of: LineOf,
    /// The id of the rule that decides it.
    pub rule: &'static str,
    /// The ids of further rules that decide something about it, each once.
    pub also: Vec<&'static str>,
}

/// The part of a payload that a line shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineOf {
    /// The kind, on the first line.
    Kind,
    /// The member with this name, on another line of the header.
    Member(&'static str),
    /// An entry: the member that contains it, and its name.
    Entry(&'static str, String),
}

impl LineOf {
    /// Returns the name before the colon; empty for the first line.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            LineOf::Kind => "",
            LineOf::Member(name) => name,
            LineOf::Entry(_, name) => name,
        }
    }
}

/// Returns the lines of a payload's content in their order, each with the rule that decides it.
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_toonui::{submit, to_content, trace_content};
///
/// let payload = submit("Book", None);
/// let (content, lines) = (to_content(&payload)?, trace_content(&payload)?);
/// assert_eq!(&content[lines[0].span.clone()], "ui_submit:");
/// assert_eq!((lines[2].of.name(), lines[2].rule), ("intent", "toonui.content.submit"));
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
pub fn trace_content(payload: &Json) -> Result<Vec<ContentLine>, PayloadError> {
    let payload = Payload::new(payload)?;
    let mut lines = Vec::new();
    let mut at = 0;
    let mut push = |of, len: usize, rule, rules: &[&'static str]| {
        let also = rules.iter().copied().filter(|also| *also != rule).collect();
        lines.push(ContentLine { span: at..at + len, of, rule, also });
        at += len;
    };
    let is_named = payload.json.get("kind").and_then(Json::as_str) == Some(SUBMIT);
    let of_kind = match payload.kind {
        Kind::Reply => "toonui.content.reply",
        Kind::Submit if is_named => "toonui.content.submit",
        Kind::Submit => "toonui.content.kind",
    };
    push(LineOf::Kind, payload.kind.name().len() + ":".len(), of_kind, &[]);
    for name in payload.kind.header() {
        let rule = match payload.json.get(name) {
            Some(Json::String(_)) => of_kind,
            _ => "toonui.input.odd",
        };
        let value = payload.raw(name);
        let rule = if value.contains('\n') { "toonui.content.forgery" } else { rule };
        push(LineOf::Member(name), line_len(name, &value), rule, &[of_kind, "toonui.content.raw"]);
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
        let in_general = match payload.kind {
            Kind::Reply => "toonui.content.context",
            Kind::Submit => "toonui.content.submit",
        };
        let of_value: &[&str] = match &*value {
            Json::String(_) => &[in_general, "toonui.content.string-value", "toonui.content.value"],
            Json::Number(_) => &[in_general, "toonui.content.number-value", "toonui.content.numbers"],
            _ => &[in_general, "toonui.content.value"],
        };
        let len = line_len(&name, &stringify(&value));
        push(LineOf::Entry(payload.kind.entries_in(), name.into_owned()), len, rule, of_value);
    }
    debug_assert_eq!(at, content(&payload).len(), "the lines are the content");
    Ok(lines)
}

fn line_len(name: &str, value: &str) -> usize {
    "\n  ".len() + name.len() + ": ".len() + value.len()
}

/// Returns the members of a payload that its content omits, in their order (`toonui.content.left-out`).
///
/// Of a repeated name it is the last. The list is empty if the payload has no content.
///
/// # Examples
///
/// ```
/// use genui_toonui::{left_out, submit};
///
/// let payload = submit("Book", None);
/// assert_eq!(left_out(&payload), [("source", &"form".into())]);
/// ```
#[must_use]
pub fn left_out(payload: &Json) -> Vec<(&str, &Json)> {
    let (Ok(known), Json::Object(members)) = (Payload::new(payload), payload) else { return Vec::new() };
    let is_shown =
        |name: &str| name == "kind" || name == known.kind.entries_in() || known.kind.header().contains(&name);
    let named = members.iter().enumerate().filter_map(|(at, (name, value))| Some((at, name.as_str()?, value)));
    let named: Vec<(usize, &str, &Json)> = named.filter(|(_, name, _)| !is_shown(name)).collect();
    let last: HashMap<&str, usize> = named.iter().map(|(at, name, _)| (*name, *at)).collect();
    named.into_iter().filter(|(at, name, _)| last.get(name) == Some(at)).map(|(_, name, value)| (name, value)).collect()
}
