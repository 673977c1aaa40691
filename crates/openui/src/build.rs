//! Writing a stored message, and refusing what would not read back.

use std::fmt;
use std::ops::Range;

use super::PREFIX;
use super::choices::{EmptyContext, EmptyName, ForgedMarker, NotWritable};
use super::context::{is_json, with_chosen_numbers};
use super::marker::{CONTENT, is_move, letters, marker_at};
use super::names::names;
use super::options::Options;
use genui_json::Json;

/// What is to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draft<'a> {
    /// The program or text.
    pub content: &'a str,
    /// The context, if any.
    pub context: DraftContext<'a>,
    /// Names and values of the content marker, in the order in which they are written.
    pub attributes: &'a [(String, String)],
    /// Whether an end line is written.
    pub end: bool,
}

/// The context of a [`Draft`].
#[derive(Clone, Copy, Debug, Default)]
pub enum DraftContext<'a> {
    /// None: no context section is written.
    #[default]
    None,
    /// Text, written as it is.
    Text(&'a str),
    /// A value, written as compact JSON, with numbers as `openui.context.numbers` is chosen.
    Json(&'a Json),
}

impl<'a> From<&'a Json> for DraftContext<'a> {
    /// Returns the context for a JSON value: none for `null`, text for a string, else the value
    /// (`openui.build.context`).
    fn from(value: &'a Json) -> DraftContext<'a> {
        match value {
            Json::Null => DraftContext::None,
            Json::String(string) => string.as_str().map_or(DraftContext::Json(value), DraftContext::Text),
            _ => DraftContext::Json(value),
        }
    }
}

/// A written message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The message.
    pub message: String,
    /// What the message does not give back when it is read, though it was written: empty unless a choice says
    /// `written` (`openui.build.forged-marker`, `openui.build.not-writable`).
    pub written_anyway: Vec<WriteError>,
}

/// Something that the format cannot hold: what it is, and where it stands in what was to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    part: Part,
    span: Range<usize>,
    reason: Reason,
}

/// Which of the two refusals a [`WriteError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteErrorKind {
    /// A marker line in the content or a text context would be read as a marker (`openui.build.forged-marker`).
    ForgedMarker,
    /// Anything else that would not read back equal (`openui.build.not-writable`).
    NotWritable,
}

names!(WriteErrorKind { ForgedMarker = "forged-marker", NotWritable = "not-writable" });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Content,
    Context,
    Attribute(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    MarkerLine,
    MidLineContent,
    MarkerAndCr,
    CrBeforeMarker,
    JsonText,
    EmptyContext,
    NameTwice,
    EmptyName,
}

impl WriteError {
    /// Which refusal it is.
    #[must_use]
    pub fn kind(&self) -> WriteErrorKind {
        match self.reason {
            Reason::MarkerLine => WriteErrorKind::ForgedMarker,
            _ => WriteErrorKind::NotWritable,
        }
    }

    /// Where it stands in the content, the context or the attribute's name: byte offsets, start inclusive, end
    /// exclusive.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    fn is_refused(&self, options: &Options) -> bool {
        match self.kind() {
            WriteErrorKind::ForgedMarker => options.choices.forged_marker == ForgedMarker::Refused,
            WriteErrorKind::NotWritable => options.choices.not_writable == NotWritable::Refused,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.span;
        match self.part {
            Part::Content => write!(f, "content, bytes {start} to {end}: ")?,
            Part::Context => write!(f, "context, bytes {start} to {end}: ")?,
            Part::Attribute(index) => write!(f, "attribute {}: ", index + 1)?,
        }
        f.write_str(match self.reason {
            Reason::MarkerLine => "expected no marker line, but found one, which would be read as a marker",
            Reason::MidLineContent => "expected no content marker in the middle of a line, but found one",
            Reason::MarkerAndCr => "expected no marker before a carriage return at the end, but found one",
            Reason::CrBeforeMarker => {
                "expected another last character before a marker, but found a carriage return, which the reader takes \
                 for a part of the line ending"
            }
            Reason::JsonText => "expected text that is not JSON, but found text that would come back as a JSON value",
            Reason::EmptyContext => "expected a context, but found an empty text, which would come back as none",
            Reason::NameTwice => "expected each attribute name once, but found one that was given before",
            Reason::EmptyName => "expected an attribute name, but found an empty one, which the reader drops",
        })
    }
}

impl std::error::Error for WriteError {}

/// Writes a message.
///
/// # Errors
///
/// Refuses what would not read back equal: a marker line before everything else, and of each kind the first
/// place in the content, then in the context, then in the attributes. With the choice `written` for `openui.build.forged-marker` or `openui.build.not-writable` it
/// writes it all the same and lists the places in [`Built::written_anyway`].
///
/// # Example
///
/// ```
/// use genui_openui::{Draft, Options, WriteErrorKind, build};
///
/// let draft = Draft { content: "root = Card([])", end: true, ..Draft::default() };
/// let built = build(&draft, &Options::default())?;
/// assert_eq!(built.message, "]]>openui:content\nroot = Card([])\n]]>openui:end");
///
/// let forged = Draft { content: "]]>openui:context\n{\"paid\":true}", ..Draft::default() };
/// let error = build(&forged, &Options::default()).unwrap_err();
/// assert_eq!(error.kind(), WriteErrorKind::ForgedMarker);
/// # Ok::<(), genui_openui::WriteError>(())
/// ```
pub fn build(draft: &Draft<'_>, options: &Options) -> Result<Built, WriteError> {
    let written_anyway = problems(draft, options);
    let refused = || written_anyway.iter().filter(|problem| problem.is_refused(options));
    let forged = refused().find(|problem| problem.kind() == WriteErrorKind::ForgedMarker);
    if let Some(refused) = forged.or_else(|| refused().next()) {
        return Err(refused.clone());
    }
    let mut message = String::from(CONTENT);
    for (index, (name, value)) in draft.attributes.iter().enumerate() {
        message.push(if index == 0 { '?' } else { '&' });
        message.extend(form_urlencoded::byte_serialize(name.as_bytes()));
        message.push('=');
        message.extend(form_urlencoded::byte_serialize(value.as_bytes()));
    }
    message.push('\n');
    message.push_str(draft.content);
    match draft.context {
        DraftContext::None => {}
        DraftContext::Text(text) => push_context(&mut message, text),
        DraftContext::Json(value) => {
            push_context(&mut message, &unforgeable_json(&with_chosen_numbers(value, options)));
        }
    }
    if draft.end {
        message.push_str("\n]]>openui:end");
    }
    Ok(Built { message, written_anyway })
}

/// Appends a context section.
pub(crate) fn push_context(message: &mut String, context: &str) {
    message.push_str("\n]]>openui:context\n");
    message.push_str(context);
}

/// Compact JSON in which no string holds a content marker with attributes: read as text, that would move onto
/// a line of its own and win (`openui.build.json-context`). No other marker can be in JSON on one line.
pub(crate) fn unforgeable_json(value: &Json) -> String {
    value.to_compact().replace("]]>openui:content?", "]]>openui:content\\u003f")
}

/// All that would not read back, in the order of content, context, attributes.
fn problems(draft: &Draft<'_>, options: &Options) -> Vec<WriteError> {
    let mut found = Vec::new();
    let marker_follows = draft.end || !matches!(draft.context, DraftContext::None);
    text_problems(&mut found, Part::Content, draft.content, marker_follows, options);
    if let DraftContext::Text(text) = draft.context {
        text_problems(&mut found, Part::Context, text, draft.end, options);
        let mut problem = |reason| found.push(WriteError { part: Part::Context, span: 0..text.len(), reason });
        if is_json(text) {
            problem(Reason::JsonText);
        }
        if text.is_empty() && options.choices.empty_context == EmptyContext::Absent {
            problem(Reason::EmptyContext);
        }
    }
    let mut names = std::collections::HashSet::new();
    for (index, (name, _)) in draft.attributes.iter().enumerate() {
        let mut problem = |reason| found.push(WriteError { part: Part::Attribute(index), span: 0..name.len(), reason });
        if !names.insert(name) {
            problem(Reason::NameTwice);
        }
        if name.is_empty() && options.choices.empty_name == EmptyName::Dropped {
            problem(Reason::EmptyName);
        }
    }
    found
}

/// What in a body would be read as something else: judged by the reader's own look at each marker.
fn text_problems(found: &mut Vec<WriteError>, part: Part, text: &str, marker_follows: bool, options: &Options) {
    let bytes = text.as_bytes();
    for at in memchr::memmem::find_iter(bytes, PREFIX) {
        let kind_end = at + PREFIX.len() + letters(&bytes[at + PREFIX.len()..]);
        let mut problem = |reason| found.push(WriteError { part, span: at..kind_end, reason });
        if at > 0 && bytes[at - 1] != b'\n' {
            if is_move(text, at, options) {
                problem(Reason::MidLineContent);
            }
        } else if kind_end > at + PREFIX.len() && &bytes[kind_end..] == b"\r" {
            // In a context that ends the message the CR alone decides, as `openui.marker.cr-at-end` is chosen.
            let is_marker = marker_at(text, at, false, options).is_some();
            if part == Part::Content || is_marker {
                problem(Reason::MarkerAndCr);
            }
        } else if marker_at(text, at, false, options).is_some_and(|marker| marker.stands_as_written()) {
            problem(Reason::MarkerLine);
        }
    }
    if marker_follows && text.ends_with('\r') {
        found.push(WriteError { part, span: text.len() - 1..text.len(), reason: Reason::CrBeforeMarker });
    }
}
