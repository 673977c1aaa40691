//! Reading a content back (`toonui.content.recoverable`).

use genui_json::{Json, JsonString, parse};

use super::is_reply;
use super::javascript::{entries, json_text};

const REPLY: [&str; 5] = ["kind", "eventId", "value", "source", "component"];
const SUBMIT: [&str; 4] = ["kind", "eventId", "intent", "formTitle"];

/// The members that the header lines of a payload's content are made of, in their order.
#[must_use]
pub fn header_lines(payload: &Json) -> &'static [&'static str] {
    if is_reply(payload) { &REPLY } else { &SUBMIT }
}

/// The member whose entries follow the header.
fn holder(header: &[&str]) -> &'static str {
    if *header == REPLY { "context" } else { "values" }
}

/// Whether every raw field is a string without a LF, so that the payload must be recoverable.
#[must_use]
pub fn is_recoverable(payload: &Json) -> bool {
    let header = header_lines(payload);
    let fits = |string: &JsonString| string.as_str().is_some_and(|text| !text.contains('\n'));
    let member_fits = |name: &&str| matches!(payload.get(name), Some(Json::String(string)) if fits(string));
    header[1..].iter().all(member_fits) && entries(payload.get(holder(header))).iter().all(|(name, _)| fits(name))
}

/// Reads a content: the header by position, and each further line as an entry. `None` if it is no content.
///
/// The payload has no omitted member, and the kind is that of the first line.
#[must_use]
pub fn read_back(content: &str) -> Option<Json> {
    let lines: Vec<&str> = content.split('\n').collect();
    let header: &[&str] = match lines[0] {
        "ui_reply:" => &REPLY,
        "ui_submit:" => &SUBMIT,
        _ => return None,
    };
    if lines.len() < header.len() {
        return None;
    }
    let mut members = vec![(JsonString::from("kind"), lines[0].trim_end_matches(':').into())];
    for (line, name) in lines.iter().zip(header).skip(1) {
        let value = line.strip_prefix(&format!("  {name}: "))?;
        members.push((JsonString::from(*name), value.into()));
    }
    let entries: Option<Vec<_>> = lines[header.len()..].iter().map(|line| entry(line)).collect();
    members.push((JsonString::from(holder(header)), Json::Object(entries?)));
    Some(Json::Object(members))
}

/// An entry line, split at the one `: ` that JSON follows as `toonui.content.value` writes it.
fn entry(line: &str) -> Option<(JsonString, Json)> {
    let line = line.strip_prefix("  ")?;
    let split = |(at, separator): (usize, &str)| {
        let (name, text) = (&line[..at], &line[at + separator.len()..]);
        let value = parse(text).ok()?;
        (json_text(&value) == text).then(|| (JsonString::from(name), value))
    };
    let mut places = line.match_indices(": ").filter_map(split);
    let found = places.next()?;
    // A line never has two such places.
    places.next().is_none().then_some(found)
}
