//! The building blocks of mutants: the reference, and ways to change a message before or after it is read.

use super::super::reference::refusal;
use crate::format::optional_value;
use crate::formats::openui::reference;
use crate::formats::openui::wire::{BuildParams, FromEventParams, ParseResult};
use crate::json::{self, Json, JsonString, Style};
use crate::openui::{ActionEvent, Draft, DraftContext, LineKind, Mode, Options, PREFIX, build, from_event, trace};
use crate::protocol::Refusal;

/// The reference.
pub(super) struct ReferenceReader<'o> {
    pub(super) options: &'o Options,
}

/// A line of a message, as the reference reads the whole message.
#[derive(Clone, Debug)]
pub(super) struct SourceLine<'a> {
    /// The text, with its line ending.
    pub(super) text: &'a str,
    pub(super) kind: LineKind,
}

impl<'a> SourceLine<'a> {
    /// The kind that a marker line announces; `None` for every other line.
    pub(super) fn marker(&self) -> Option<&'a str> {
        if self.kind != LineKind::Marker {
            return None;
        }
        let kind = self.text.strip_prefix(PREFIX)?;
        Some(&kind[..kind.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(kind.len())])
    }

    /// A marker line of a kind that the format does not know.
    pub(super) fn is_unknown(&self) -> bool {
        self.marker().is_some_and(|kind| !["content", "context", "end"].contains(&kind))
    }

    /// Returns the marker line with another kind.
    pub(super) fn renamed(&self, kind: &str) -> String {
        let old = self.marker().unwrap_or("");
        format!("{PREFIX}{kind}{}", &self.text[PREFIX.len() + old.len()..])
    }
}

impl ReferenceReader<'_> {
    pub(super) fn read(&self, raw: &str, streaming: bool) -> ParseResult {
        self.read_with(raw, streaming, self.options)
    }

    pub(super) fn read_with(&self, raw: &str, streaming: bool, options: &Options) -> ParseResult {
        reference::read(raw, streaming, options)
    }

    pub(super) fn lines<'a>(&self, raw: &'a str) -> Vec<SourceLine<'a>> {
        let lines = trace(raw, Mode::Whole, self.options).into_iter();
        lines.map(|line| SourceLine { text: &raw[line.span], kind: line.kind }).collect()
    }

    /// Reads the message after each of its lines has been changed; `None` removes a line.
    pub(super) fn read_changed<'a>(
        &self,
        raw: &'a str,
        streaming: bool,
        mut change: impl FnMut(usize, &SourceLine<'a>) -> Option<String>,
    ) -> ParseResult {
        let pieces = self.lines(raw);
        let lines = pieces.iter().enumerate().filter_map(|(at, piece)| Some((piece, change(at, piece)?)));
        let mut changed = String::with_capacity(raw.len());
        for (piece, line) in lines {
            // A content marker in the middle of a line starts a line of its own, under any other name too; under its
            // own name it is moved unchanged.
            let is_moved = piece.kind == LineKind::Marker && !changed.is_empty() && !changed.ends_with('\n');
            if is_moved && !line.starts_with("]]>openui:content") {
                changed.push('\n');
            }
            changed.push_str(&line);
        }
        self.read(&changed, streaming)
    }

    /// Reads the message as if some of its prefixes were text: those at the byte offsets for which `is_text` is true.
    pub(super) fn read_masked(&self, raw: &str, streaming: bool, is_text: impl Fn(usize) -> bool) -> ParseResult {
        let mask = unused(raw).to_string();
        let mut masked = String::with_capacity(raw.len());
        let mut from = 0;
        for (at, _) in raw.match_indices(PREFIX).filter(|(at, _)| is_text(*at)) {
            masked.push_str(&raw[from..at]);
            masked.push_str(&mask);
            from = at + PREFIX.len();
        }
        masked.push_str(&raw[from..]);
        let back = |text: &str| text.replace(&mask, PREFIX);
        let mut result = self.read(&masked, streaming);
        result.content = back(&result.content);
        result.context = with_strings(result.context, &back);
        for (name, value) in &mut result.attributes {
            (*name, *value) = (back(name), back(value));
        }
        result
    }

    /// Reads the message after the text of each content marker's attributes has been changed.
    pub(super) fn read_attributes(&self, raw: &str, streaming: bool, change: impl Fn(&str) -> String) -> ParseResult {
        self.read_changed(raw, streaming, |_, piece| {
            Some(match (piece.marker(), attributes_of(piece.text)) {
                (Some("content"), Some((marker, attributes, ending))) => {
                    format!("{marker}?{}{ending}", change(attributes))
                }
                _ => piece.text.to_owned(),
            })
        })
    }

    /// Returns the text of the context that counts, not decoded.
    pub(super) fn context_text(&self, raw: &str, streaming: bool) -> Option<String> {
        let message = if streaming {
            crate::openui::parse_streaming(raw, self.options)
        } else {
            crate::openui::parse(raw, self.options)
        };
        message.context.map(|context| context.as_text().to_owned())
    }

    pub(super) fn write(&self, writing: &BuildInput) -> Result<String, Refusal> {
        let draft = Draft {
            content: &writing.content,
            context: DraftContext::from(&writing.context),
            attributes: &writing.attributes,
            end: writing.end,
        };
        Ok(build(&draft, self.options).map_err(refusal)?.message)
    }

    pub(super) fn turn(&self, event: &Event) -> Result<String, Refusal> {
        let event =
            ActionEvent { message: &event.message, form_state: Some(&event.form_state), context: Some(&event.context) };
        Ok(from_event(&event, self.options).map_err(refusal)?.message)
    }

    pub(super) fn model_text(&self, raw: &str, is_user: bool) -> String {
        let role = if is_user { crate::openui::Role::User } else { crate::openui::Role::Assistant };
        crate::openui::model_text(raw, role, self.options)
    }
}

/// The parts of a message to be written.
#[derive(Clone, Debug)]
pub(super) struct BuildInput {
    pub(super) content: String,
    pub(super) context: Json,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) end: bool,
    /// Whether the end was given, be it as false.
    pub(super) end_given: bool,
}

impl BuildInput {
    pub(super) fn of(params: &BuildParams) -> Result<BuildInput, Refusal> {
        Ok(BuildInput {
            content: params.content.clone(),
            context: optional_value(params.context.as_deref())?,
            attributes: params.attributes.clone().unwrap_or_default(),
            end: params.end == Some(true),
            end_given: params.end.is_some(),
        })
    }
}

/// The event of a click.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) message: String,
    pub(super) form_state: Json,
    pub(super) context: Json,
}

impl Event {
    pub(super) fn of(params: &FromEventParams) -> Result<Event, Refusal> {
        Ok(Event {
            message: params.message.clone(),
            form_state: optional_value(params.form_state.as_deref())?,
            context: optional_value(params.context.as_deref())?,
        })
    }
}

/// A marker line split at its `?`: the text before it, the attributes, the line ending.
pub(super) fn attributes_of(line: &str) -> Option<(&str, &str, &str)> {
    let (marker, rest) = line.split_once('?')?;
    let attributes = rest.strip_suffix('\n').map_or(rest, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    Some((marker, attributes, &rest[attributes.len()..]))
}

/// Whether a byte offset is at the start of a line.
pub(super) fn at_line_start(raw: &str, at: usize) -> bool {
    at == 0 || raw.as_bytes()[at - 1] == b'\n'
}

/// Returns the last line, if its LF has not arrived.
pub(super) fn last_line(raw: &str) -> &str {
    raw.rsplit('\n').next().unwrap_or("")
}

/// Returns a private character that the text does not contain.
pub(super) fn unused(text: &str) -> char {
    ('\u{f0000}'..='\u{ffffd}').find(|character| !text.contains(*character)).unwrap_or('\u{10fffd}')
}

/// Returns a value with each of its strings and names changed.
pub(super) fn with_strings(value: Json, change: &dyn Fn(&str) -> String) -> Json {
    let text = |string: JsonString| match string.as_str() {
        Some(text) => JsonString::from(change(text).as_str()),
        None => string,
    };
    match value {
        Json::String(string) => Json::String(text(string)),
        Json::Array(items) => Json::Array(items.into_iter().map(|item| with_strings(item, change)).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (text(name), with_strings(value, change))).collect())
        }
        other => other,
    }
}

/// Reads a context as the rules require.
pub(super) fn context_of(text: &str) -> Json {
    json::parse(text).unwrap_or_else(|_| Json::from(text))
}

/// One value of a form, decoded.
pub(super) fn decoded(text: &str) -> String {
    let pair = format!("x={}", text.replace('&', "%26"));
    form_urlencoded::parse(pair.as_bytes()).next().map_or_else(String::new, |(_, value)| value.into_owned())
}

/// Whether a value counts as false in most languages, other than null.
pub(super) fn is_falsy(value: &Json) -> bool {
    matches!(value.write(Style::Compact).as_str(), "0" | "false" | "\"\"")
}
