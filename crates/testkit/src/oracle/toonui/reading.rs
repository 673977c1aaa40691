//! Reading a content back (`toonui.content.recoverable`).

use genui_json::{Json, JsonString, parse};

use super::is_reply;
use super::javascript::{entries, json_text};

/// The members that the header lines are made of, the first line's included, and the member whose entries follow.
const REPLY: ([&str; 5], &str) = (["kind", "eventId", "value", "source", "component"], "context");
const SUBMIT: ([&str; 4], &str) = (["kind", "eventId", "intent", "formTitle"], "values");

/// The payload that must come back from the content, or `None` if none must: if a raw field is no string or has a LF.
/// Entries of what is no object (`toonui.input.odd`) look like those of an object, so they need not come back either.
///
/// It has no omitted member. Its kind is that of the first line, and its entries are in the order of the text.
#[must_use]
pub fn recoverable(payload: &Json) -> Option<Json> {
    let (kind, header, holder) = match is_reply(payload) {
        true => ("ui_reply", &REPLY.0[..], REPLY.1),
        false => ("ui_submit", &SUBMIT.0[..], SUBMIT.1),
    };
    let is_line = |text: &JsonString| text.as_str().is_some_and(|text| !text.contains('\n'));
    let mut members = vec![(JsonString::from("kind"), kind.into())];
    for name in &header[1..] {
        match payload.get(name) {
            Some(Json::String(text)) if is_line(text) => members.push(((*name).into(), Json::String(text.clone()))),
            _ => return None,
        }
    }
    if !matches!(payload.get(holder), None | Some(Json::Null | Json::Object(_))) {
        return None;
    }
    let mut back = Vec::new();
    for (name, value) in entries(payload.get(holder)) {
        if !is_line(&name) {
            return None;
        }
        // Numbers come back as doubles, a number too great for one as null.
        back.push((name, parse(&json_text(&value)).ok()?));
    }
    members.push((holder.into(), Json::Object(back)));
    Some(Json::Object(members))
}

/// Reads a content: the header by position, and each further line as an entry. `None` if it is no content.
#[must_use]
pub fn read_back(content: &str) -> Option<Json> {
    let lines: Vec<&str> = content.split('\n').collect();
    let (kind, header, holder) = match lines[0] {
        "ui_reply:" => ("ui_reply", &REPLY.0[..], REPLY.1),
        "ui_submit:" => ("ui_submit", &SUBMIT.0[..], SUBMIT.1),
        _ => return None,
    };
    let mut members = vec![(JsonString::from("kind"), kind.into())];
    for (at, name) in header.iter().enumerate().skip(1) {
        let value = lines.get(at)?.strip_prefix(&format!("  {name}: "))?;
        members.push(((*name).into(), value.into()));
    }
    let mut entries = Vec::new();
    for line in &lines[header.len()..] {
        entries.push(entry(line)?);
    }
    members.push((holder.into(), Json::Object(entries)));
    Some(Json::Object(members))
}

/// An entry line, split at the one `: ` that JSON follows as `toonui.content.value` writes it.
fn entry(line: &str) -> Option<(JsonString, Json)> {
    let line = line.strip_prefix("  ")?;
    let mut found = None;
    for (at, separator) in line.match_indices(": ") {
        let (name, text) = (&line[..at], &line[at + separator.len()..]);
        match parse(text) {
            Ok(value) if json_text(&value) == text => {
                // A line never has two such places.
                if found.is_some() {
                    return None;
                }
                found = Some((name.into(), value));
            }
            _ => {}
        }
    }
    found
}
