//! Reading a payload back from its content, which ToonUI itself cannot do (`toonui.content.recoverable`).

use std::fmt;

use super::javascript::{ordered, stringify};
use super::payload::{Kind, Payload};
use genui_json::{self as json, Json, JsonString};

/// Returns the payload with this content: kind, header fields and entries (`toonui.content.recoverable`).
///
/// Members that the content omits are missing (`toonui.content.left-out`), except the `source` of a submit, which is
/// `form`. A reply without entries has the context `{}`.
///
/// # Errors
///
/// Returns an error if no payload without a LF in its raw fields has this content. The error contains the kind of the
/// problem, and the line.
///
/// # Examples
///
/// ```
/// use genui_toonui::{ContentErrorKind, read_content};
///
/// let header = "ui_submit:\n  eventId: e1\n  intent: Book\n  formTitle: Table";
/// let payload = read_content(&format!("{header}\n  guests: 2"))?;
/// assert_eq!(payload.get("values").unwrap().to_compact(), "{\"guests\":2}");
///
/// let error = read_content(&format!("{header}\n  guests: 2.0")).unwrap_err();
/// assert_eq!((error.kind(), error.line()), (ContentErrorKind::ValueText, 5));
/// # Ok::<(), genui_toonui::ContentError>(())
/// ```
pub fn read_content(text: &str) -> Result<Json, ContentError> {
    let mut lines = text.split('\n').enumerate().map(|(index, line)| (index + 1, line));
    let (_, first) = lines.next().expect("a text has a first line");
    let Some(kind) = Kind::ALL.into_iter().find(|kind| first.strip_suffix(':') == Some(kind.name())) else {
        return Err(ContentError::new(ContentErrorKind::NoContent, 1, "expected `ui_reply:` or `ui_submit:`"));
    };
    let mut members: Vec<(JsonString, Json)> = vec![("kind".into(), kind.name().into())];
    let mut last = 1;
    for name in kind.header() {
        last += 1;
        let value = lines.next().and_then(|(_, line)| line.strip_prefix("  ")?.strip_prefix(name)?.strip_prefix(": "));
        let Some(value) = value else {
            return Err(ContentError::new(ContentErrorKind::HeaderLine, last, &format!("expected `  {name}: `")));
        };
        members.push(((*name).into(), value.into()));
    }
    if kind == Kind::Submit {
        members.push(("source".into(), "form".into()));
    }
    let entries = lines.map(|(at, line)| entry(line, at)).collect::<Result<Vec<_>, _>>()?;
    check_order(&entries, last + 1)?;
    members.push((kind.entries_in().into(), Json::Object(entries)));
    Ok(Json::Object(members))
}

/// Returns the names of a content's entries in their order, or `None` if [`read_content`] cannot read it.
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_toonui::{entry_names, submit, to_content};
///
/// let content = to_content(&submit("Book", Some(Json::object([("a", 1.into()), ("0", 2.into())]))))?;
/// assert_eq!(entry_names(&content), Some(vec!["0".to_owned(), "a".to_owned()]));
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
#[must_use]
pub fn entry_names(text: &str) -> Option<Vec<String>> {
    let payload = read_content(text).ok()?;
    let entries = Kind::ALL.into_iter().find_map(|kind| payload.get(kind.entries_in()));
    let Some(Json::Object(entries)) = entries else { return None };
    Some(entries.iter().map(|(name, _)| name.to_text().into_owned()).collect())
}

/// Returns the payload that [`read_content`] returns for the content of this payload, or `None` if the payload cannot be
/// recovered.
///
/// It cannot if it has no content, if a raw field is not a string or contains a LF, or if the entries are not those of an
/// object (`toonui.content.recoverable`).
///
/// # Examples
///
/// ```
/// use genui_toonui::{read_content, recoverable, submit, to_content};
///
/// let payload = submit("Book", None);
/// assert_eq!(recoverable(&payload), read_content(&to_content(&payload)?).ok());
/// assert_eq!(recoverable(&submit("two\nlines", None)), None);
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
#[must_use]
pub fn recoverable(payload: &Json) -> Option<Json> {
    let Payload { json: payload, kind } = Payload::new(payload).ok()?;
    let raw = |text: &JsonString| text.as_str().is_some_and(|text| !text.contains('\n'));
    let mut members: Vec<(JsonString, Json)> = vec![("kind".into(), kind.name().into())];
    for name in kind.header() {
        let Some(Json::String(value)) =
            payload.get(name).filter(|value| matches!(value, Json::String(text) if raw(text)))
        else {
            return None;
        };
        members.push(((*name).into(), Json::String(value.clone())));
    }
    if kind == Kind::Submit {
        members.push(("source".into(), "form".into()));
    }
    let entries = match payload.get(kind.entries_in()) {
        None | Some(Json::Null) => &[][..],
        Some(Json::Object(entries)) if entries.iter().all(|(name, _)| raw(name)) => entries,
        Some(_) => return None,
    };
    let entries = ordered(entries).into_iter().map(|(name, value)| Some((name.clone(), printed(value)?)));
    members.push((kind.entries_in().into(), Json::Object(entries.collect::<Option<_>>()?)));
    Some(Json::Object(members))
}

/// Returns a value as its text represents it: numbers as doubles, members in JavaScript's order.
fn printed(value: &Json) -> Option<Json> {
    json::parse(&stringify(value)).ok()
}

fn entry(line: &str, at: usize) -> Result<(JsonString, Json), ContentError> {
    let no_entry = || {
        let expected = "expected two spaces, a name, `: ` and JSON without white space";
        ContentError::new(ContentErrorKind::EntryLine, at, expected)
    };
    let entry = line.strip_prefix("  ").ok_or_else(no_entry)?;
    let split = value_start(entry).ok_or_else(no_entry)?;
    let (name, text) = (&entry[..split - SEPARATOR.len()], &entry[split..]);
    let value = json::parse(text).map_err(|_| no_entry())?;
    if stringify(&value) == text {
        Ok((name.into(), value))
    } else {
        let expected = format!("expected `{}`, as JavaScript writes that value", stringify(&value));
        Err(ContentError::new(ContentErrorKind::ValueText, at, &expected))
    }
}

const SEPARATOR: &str = ": ";

/// Returns the start of the value of an entry: after the only separator that compact JSON can follow.
///
/// Of two separators, the later one is either outside a string of the text after the earlier one, which is then not
/// compact, or within a string, which is then not closed for the later one. So at most one passes, and checking all
/// takes time in proportion to the line.
fn value_start(entry: &str) -> Option<usize> {
    let starts = entry.match_indices(SEPARATOR).map(|(at, _)| at + SEPARATOR.len());
    starts.into_iter().find(|start| may_be_compact(&entry[*start..]))
}

/// Returns whether all white space and every backslash of a text is within strings, and each string is closed.
fn may_be_compact(text: &str) -> bool {
    let mut in_string = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => {
                bytes.next();
            }
            b' ' | b'\t' | b'\r' | b'\\' if !in_string => return false,
            _ => {}
        }
    }
    !in_string && !text.is_empty()
}

/// Checks that the entries are in JavaScript's order, each name once. Other entries were forged.
fn check_order(entries: &[(JsonString, Json)], first_line: usize) -> Result<(), ContentError> {
    let kept = ordered(entries);
    let wrong =
        entries.iter().enumerate().find(|(index, (name, _))| kept.get(*index).is_none_or(|(at, _)| *at != name));
    match wrong {
        None => Ok(()),
        Some((index, _)) => {
            let expected = "expected names in JavaScript's order, each once; a line break in a raw field forged this one, \
                            or one above";
            Err(ContentError::new(ContentErrorKind::EntryOrder, first_line + index, expected))
        }
    }
}

/// The error of a text that is not the content of a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentError {
    kind: ContentErrorKind,
    line: usize,
    message: String,
}

/// The kind of a [`ContentError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContentErrorKind {
    /// The first line is not that of a content.
    NoContent,
    /// A header line is missing, or another line is in its place.
    HeaderLine,
    /// A line after the header is not an entry: a raw field had a LF.
    EntryLine,
    /// A value is not written as JavaScript writes it.
    ValueText,
    /// A name is repeated, or not in its place.
    EntryOrder,
}

impl ContentError {
    fn new(kind: ContentErrorKind, line: usize, message: &str) -> ContentError {
        ContentError { kind, line, message: message.to_owned() }
    }

    /// Returns the kind of the problem.
    #[must_use]
    pub fn kind(&self) -> ContentErrorKind {
        self.kind
    }

    /// Returns the number of the line, from 1. If the text is too short, it is that of the missing line.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ContentError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn submit(entries: &str) -> String {
        format!("ui_submit:\n  eventId: s\n  intent: i\n  formTitle: t{entries}")
    }

    #[test]
    fn a_name_may_look_like_a_value_and_a_value_like_a_name() {
        for (line, name, value) in [
            ("  a: b: 1", "a: b", "1"),
            ("  a: \"x: 1\"", "a", "\"x: 1\""),
            ("  a: \"x: 1", "a: \"x", "1"),
            ("  : \"\"", "", "\"\""),
            ("  : : []", ": ", "[]"),
            ("  1: 2: {\"a: b\":\": \"}", "1: 2", "{\"a: b\":\": \"}"),
            ("  \\: \"\\\": 1\"", "\\", "\"\\\": 1\""),
        ] {
            let payload = read_content(&submit(&format!("\n{line}"))).unwrap_or_else(|error| panic!("{line}: {error}"));
            let values = payload.get("values").map(Json::to_compact);
            assert_eq!(
                values,
                Some(Json::object([(name, json::parse(value).expect("is JSON"))]).to_compact()),
                "{line}"
            );
        }
    }

    #[test]
    fn errors_name_the_kind_and_the_line() {
        for (text, kind, line) in [
            (String::new(), ContentErrorKind::NoContent, 1),
            ("ui_poll:".to_owned(), ContentErrorKind::NoContent, 1),
            ("ui_submit".to_owned(), ContentErrorKind::NoContent, 1),
            ("ui_reply:\n  eventId: e\n  value: v".to_owned(), ContentErrorKind::HeaderLine, 4),
            ("ui_submit:\n  eventId: e\n  formTitle: f\n  intent: i".to_owned(), ContentErrorKind::HeaderLine, 3),
            (submit("\n"), ContentErrorKind::EntryLine, 5),
            (submit("\n  a: 1\n b: 2"), ContentErrorKind::EntryLine, 6),
            (submit("\n  a: x"), ContentErrorKind::EntryLine, 5),
            (submit("\n  a: [1, 2]"), ContentErrorKind::EntryLine, 5),
            (submit("\n  a: 1.0"), ContentErrorKind::ValueText, 5),
            (submit("\n  a: \"\\u00e9\""), ContentErrorKind::ValueText, 5),
            (submit("\n  a: {\"b\":1,\"0\":2}"), ContentErrorKind::ValueText, 5),
            (submit("\n  a: 1\n  a: 2"), ContentErrorKind::EntryOrder, 6),
            (submit("\n  a: 1\n  0: 2"), ContentErrorKind::EntryOrder, 5),
        ] {
            let error = read_content(&text).expect_err(&text);
            assert_eq!((error.kind(), error.line()), (kind, line), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_long_line_of_separators_takes_linear_time() {
        // In quadratic time this would take minutes.
        const TIMES: usize = 1_000_000;
        for piece in [": ", ": \"", ": [", ": ,\"", "\": ", ": {\""] {
            let text = submit(&format!("\n  {}", piece.repeat(TIMES)));
            if let Ok(payload) = read_content(&text) {
                assert_eq!(crate::to_content(&payload), Ok(text), "{piece}");
            }
            let text = submit(&format!("\n  {}: 1", piece.repeat(TIMES)));
            assert!(read_content(&text).is_ok());
        }
    }
}
