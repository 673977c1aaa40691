//! The building blocks of mutants: the lines of a right content, and ways to write them differently.

use super::super::reference::refusal;
use crate::formats::values::{members, with};
use crate::json::{self, Json, JsonString};
use crate::protocol::Refusal;
use crate::toonui::{to_content, to_display_content, trace_content};

/// A text, or the refusal to write one.
pub(super) type Text = Result<String, Refusal>;

/// A line of a content: its member or entry, and the text after the colon.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) value: String,
}

/// The number of lines before the entries: the kind, and the header.
pub(super) fn header_len(payload: &Json) -> usize {
    if is_reply(payload) { 5 } else { 4 }
}

pub(super) fn is_reply(payload: &Json) -> bool {
    payload.get("kind").and_then(Json::as_str) == Some("ui_reply")
}

pub(super) fn entries_of(payload: &Json) -> Vec<(JsonString, Json)> {
    members(payload.get(if is_reply(payload) { "context" } else { "values" }))
}

/// Returns the header lines and the entry lines of the right content.
pub(super) fn lines(payload: &Json) -> Result<(Vec<Line>, Vec<Line>), Refusal> {
    let content = to_content(payload).map_err(refusal)?;
    let mut lines = Vec::new();
    for line in trace_content(payload).map_err(refusal)?.into_iter().skip(1) {
        let value = content[line.span]["\n  : ".len() + line.of.name().len()..].to_owned();
        lines.push(Line { name: line.of.name().to_owned(), value });
    }
    let entries = lines.split_off(header_len(payload) - 1);
    Ok((lines, entries))
}

pub(super) fn joined(payload: &Json, lines: impl IntoIterator<Item = Line>) -> String {
    let kind = if is_reply(payload) { "ui_reply:" } else { "ui_submit:" };
    let lines = lines.into_iter().map(|Line { name, value }| format!("\n  {name}: {value}"));
    std::iter::once(kind.to_owned()).chain(lines).collect()
}

/// Returns the content after its header lines have been changed.
pub(super) fn with_header(payload: &Json, change: impl FnOnce(Vec<Line>) -> Vec<Line>) -> Text {
    let (header, entries) = lines(payload)?;
    Ok(joined(payload, change(header).into_iter().chain(entries)))
}

/// Returns the content after its entry lines have been changed.
pub(super) fn with_entries(payload: &Json, change: impl FnOnce(Vec<Line>) -> Vec<Line>) -> Text {
    let (header, entries) = lines(payload)?;
    Ok(joined(payload, header.into_iter().chain(change(entries))))
}

/// Returns the content with another text for each entry for which `write` gives one. `write` gets the value as it was
/// given and the right line.
pub(super) fn with_given(payload: &Json, write: impl Fn(&Json, &Line) -> Option<String>) -> Text {
    let given = once_each(entries_of(payload));
    with_entries(payload, |entries| {
        let other = |line: &Line| {
            let (_, value) = given.iter().find(|(name, _)| name.as_str() == Some(&line.name[..]))?;
            write(value, line)
        };
        entries.into_iter().map(|line| Line { value: other(&line).unwrap_or(line.value), name: line.name }).collect()
    })
}

/// Returns the content with the value of each entry written another way.
pub(super) fn with_values(payload: &Json, write: impl Fn(&Json) -> String) -> Text {
    with_entries(payload, |entries| {
        entries.into_iter().map(|line| Line { value: write(&parsed(&line.value)), name: line.name }).collect()
    })
}

/// Returns the content whose entries are these members of the payload, in the given order, each written by `write`.
pub(super) fn with_members(payload: &Json, members: Vec<(JsonString, Json)>, write: impl Fn(&Json) -> String) -> Text {
    with_entries(payload, |_| {
        let lines = members.iter().map(|(name, value)| Line { name: name.to_text().into_owned(), value: write(value) });
        lines.collect()
    })
}

/// Returns the content with these members of the payload after its header, where the payload has them.
pub(super) fn printing(payload: &Json, names: &[&str]) -> Text {
    with_header(payload, |mut header| {
        let there = names.iter().filter_map(|name| Some((name, payload.get(name)?)));
        header.extend(there.map(|(name, value)| Line { name: (*name).to_owned(), value: shown(value) }));
        header
    })
}

/// Returns the content of the payload with other entries.
pub(super) fn to_content_of(payload: &Json, entries: Vec<(JsonString, Json)>) -> Text {
    let name = if is_reply(payload) { "context" } else { "values" };
    match payload.get(name) {
        Some(Json::Object(_)) => Ok(to_content(&with(payload, name, Json::Object(entries))).map_err(refusal)?),
        _ => Ok(to_content(payload).map_err(refusal)?),
    }
}

/// Returns the members with each name once: in its first place, with its last value.
pub(super) fn once_each(members: Vec<(JsonString, Json)>) -> Vec<(JsonString, Json)> {
    let mut kept: Vec<(JsonString, Json)> = Vec::new();
    for (name, value) in members {
        match kept.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => kept.push((name, value)),
        }
    }
    kept
}

pub(super) fn parsed(text: &str) -> Json {
    json::parse(text).unwrap_or_else(|_| Json::from(text))
}

/// Returns a value as the right content has it.
pub(super) fn printed(value: &Json) -> String {
    let payload = Json::object([("kind", "ui_submit".into()), ("values", Json::object([("x", value.clone())]))]);
    let content = to_content(&payload).unwrap_or_default();
    content.rsplit_once("\n  x: ").map(|(_, value)| value.to_owned()).unwrap_or_default()
}

/// Returns a value as a right display text shows it.
pub(super) fn shown(value: &Json) -> String {
    let payload = Json::object([
        ("kind", "ui_submit".into()),
        ("formTitle", "".into()),
        ("values", Json::object([("x", value.clone())])),
    ]);
    to_display_content(&payload).map(|text| text["\nx: ".len()..].to_owned()).unwrap_or_default()
}

pub(super) fn quoted(text: &str) -> String {
    Json::from(text).to_compact()
}
