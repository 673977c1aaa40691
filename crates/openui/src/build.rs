//! Writing a stored message, and refusing input that would not read back equal.

use std::fmt;
use std::ops::Range;

use super::PREFIX;
use super::choices::{EmptyContext, EmptyName, ForgedMarker, NotWritable};
use super::context::{is_json, with_chosen_numbers};
use super::marker::{CONTENT, is_move, letters, marker_at};
use super::names::names;
use super::options::Options;
use genui_json::Json;

/// The input of [`build`]: what to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draft<'a> {
    /// The program or text.
    pub content: &'a str,
    /// The context.
    pub context: DraftContext<'a>,
    /// Names and values of the content marker, in the order in which they are written.
    pub attributes: &'a [(String, String)],
    /// Whether to write an end line.
    pub end: bool,
}

/// The context of a [`Draft`].
///
/// `DraftContext::from(&json)` is the usual way to make one.
#[derive(Clone, Copy, Debug, Default)]
pub enum DraftContext<'a> {
    /// No context section is written.
    #[default]
    None,
    /// A text, written unchanged.
    Text(&'a str),
    /// A value, written as compact JSON. The choice for `openui.context.numbers` decides about its numbers.
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

/// The result of [`build`] and [`from_event`](super::from_event).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Built {
    /// The message.
    pub message: String,
    /// The input that was written though it does not read back equal. Empty unless a choice is `Written`
    /// (`openui.build.forged-marker`, `openui.build.not-writable`).
    pub written_anyway: Vec<WriteError>,
}

/// The error of input that the format cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    part: Part,
    span: Range<usize>,
    reason: Reason,
}

/// The kind of a [`WriteError`]. The names are those of refusals in the adapter protocol: `forged-marker`,
/// `not-writable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteErrorKind {
    /// The content or a text context contains a marker line (`openui.build.forged-marker`).
    ForgedMarker,
    /// The input would not read back equal for another reason (`openui.build.not-writable`).
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
    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> WriteErrorKind {
        match self.reason {
            Reason::MarkerLine => WriteErrorKind::ForgedMarker,
            _ => WriteErrorKind::NotWritable,
        }
    }

    /// Returns the place in the content, the context or the attribute's name: byte offsets, start inclusive, end
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

/// Writes a stored message (`openui.build.layout`, `openui.build.context`, `openui.build.attributes`).
///
/// # Errors
///
/// Returns an error if the message would not read back equal (`openui.build.round-trip`): of the kind `ForgedMarker` by
/// `openui.build.forged-marker`, else `NotWritable` by `openui.build.not-writable`. A marker line is reported before
/// every other problem. Of several problems of a kind the first is reported, in the order of content, context and
/// attributes.
///
/// With the choice [`ForgedMarker::Written`] or [`NotWritable::Written`] these problems are no error:
/// [`Built::written_anyway`] lists them.
///
/// # Examples
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

/// Appends a context section to a message.
pub(crate) fn push_context(message: &mut String, context: &str) {
    message.push_str("\n]]>openui:context\n");
    message.push_str(context);
}

/// Returns compact JSON in which no string contains a content marker with attributes. Such a marker would be moved onto
/// a line of its own and win (`openui.build.json-context`). JSON on one line can contain no other marker.
pub(crate) fn unforgeable_json(value: &Json) -> String {
    value.to_compact().replace("]]>openui:content?", "]]>openui:content\\u003f")
}

/// Returns all problems, in the order of content, context and attributes.
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

/// Finds the parts of a body that would not be read as text. The functions of the reader decide about each marker.
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
            // In a context that ends the message, the choice for `openui.marker.cr-at-end` decides.
            let is_marker = marker_at(text, at, false, options).is_some();
            if part == Part::Content || is_marker {
                problem(Reason::MarkerAndCr);
            }
        } else if marker_at(text, at, false, options).is_some_and(|marker| marker.is_marker_without_moves()) {
            problem(Reason::MarkerLine);
        }
    }
    if marker_follows && text.ends_with('\r') {
        found.push(WriteError { part, span: text.len() - 1..text.len(), reason: Reason::CrBeforeMarker });
    }
}
