//! From marker lines to a message: the winning section and its body. The reader of whole messages and the stream reader
//! share this state. They differ in how they find the markers.

use std::borrow::Cow;
use std::ops::Range;

use super::choices::{SeveralContexts, StaleEnd};
use super::marker::{Kind, Marker};
use super::options::Options;
use super::{Attributes, Context, Message};

/// The current section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Before the first marker line other than an end line.
    Leading,
    Content,
    Context,
    /// A section of an unknown kind, or a context that does not count.
    Skipped,
}

/// What follows a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A marker line at the start of a line: the line ending before it is no part of the body.
    Line,
    /// A content marker that is moved: with the LF before it, a CR there is part of the line ending.
    Move,
    /// A part of a content marker that is held back: nothing before it is removed.
    Piece,
    /// The end of the message: nothing is removed.
    Message,
}

/// The sections read so far. All offsets are into the message, which the caller passes with each step.
#[derive(Clone, Debug)]
pub(crate) struct Sections {
    section: Section,
    /// The body of the current section.
    open: Body,
    content: Option<Body>,
    context: Option<Body>,
    attributes: Range<usize>,
    end: bool,
}

impl Sections {
    pub(crate) fn new() -> Sections {
        Sections {
            section: Section::Leading,
            open: Body::starting_at(0),
            content: None,
            context: None,
            attributes: 0..0,
            end: false,
        }
    }

    pub(crate) fn section(&self) -> Section {
        self.section
    }

    /// Adds the next marker line.
    pub(crate) fn marker(&mut self, raw: &str, marker: &Marker, options: &Options) {
        let stop = if marker.moved { Stop::Move } else { Stop::Line };
        let lines = self.open.lines_before(raw, marker.start, stop);
        if marker.kind == Kind::End {
            // The body continues after an end line (`openui.read.text-after-end`), and so does a skipped section.
            self.end = true;
            if self.section != Section::Skipped {
                self.open.append(raw, lines);
            }
            self.open.start = marker.next;
            return;
        }
        if matches!(self.section, Section::Leading | Section::Content | Section::Context) {
            self.open.append(raw, lines);
            let body = std::mem::replace(&mut self.open, Body::starting_at(0));
            self.keep(body);
        }
        self.open = Body::starting_at(marker.next);
        self.section = match marker.kind {
            Kind::Content => {
                self.content = None;
                self.context = None;
                self.attributes = marker.attributes.clone().unwrap_or(0..0);
                if options.choices.stale_end == StaleEnd::Ignored {
                    self.end = false;
                }
                Section::Content
            }
            Kind::Context if self.context.is_some() && options.choices.several_contexts == SeveralContexts::First => {
                Section::Skipped
            }
            Kind::Context => Section::Context,
            Kind::Unknown | Kind::End => Section::Skipped,
        };
    }

    fn keep(&mut self, body: Body) {
        match self.section {
            // Leading text counts only if no content marker follows (`openui.read.leading-text`).
            Section::Leading | Section::Content => self.content = Some(body),
            Section::Context => self.context = Some(body),
            Section::Skipped => {}
        }
    }

    /// Returns the message if nothing follows: the text, or the part that is shown, ends at `at`.
    pub(crate) fn finish<'a>(mut self, raw: &'a str, at: usize, stop: Stop, options: &Options) -> Message<'a> {
        let lines = self.open.lines_before(raw, at, stop);
        self.open.append(raw, lines);
        let body = std::mem::replace(&mut self.open, Body::starting_at(0));
        self.keep(body);
        let context = self.context.take().map(|body| body.into_text(raw));
        let content = self.content.take().map_or(Cow::Borrowed(""), |body| body.into_text(raw));
        self.message(raw, content, context, options)
    }

    /// Returns the message as it is shown when the text up to `at` has arrived, borrowed from this state. Joined bodies
    /// grow with the text, so that each call costs time in proportion to the new text.
    pub(crate) fn look<'a>(&'a mut self, raw: &'a str, at: usize, stop: Stop, options: &Options) -> Message<'a> {
        let lines = self.open.lines_before(raw, at, stop);
        if self.section != Section::Skipped {
            self.open.grow(raw);
        }
        let open = |lines| self.open.text_with(raw, lines);
        let closed = |body: &'a Option<Body>| body.as_ref().map(|body| body.text(raw));
        let (content, context) = match self.section {
            Section::Leading | Section::Content => (Some(open(lines)), closed(&self.context)),
            Section::Context => (closed(&self.content), Some(open(lines))),
            Section::Skipped => (closed(&self.content), closed(&self.context)),
        };
        let content = Cow::Borrowed(content.unwrap_or(""));
        self.message(raw, content, context.map(Cow::Borrowed), options)
    }

    fn message<'a>(
        &self,
        raw: &'a str,
        content: Cow<'a, str>,
        context: Option<Cow<'a, str>>,
        options: &Options,
    ) -> Message<'a> {
        let context = Context::of(context, options);
        let attributes = Attributes::new(&raw[self.attributes.clone()], options.choices);
        Message { content, context, attributes, end: self.end }
    }
}

/// The lines of a section: those before its last end line, joined, and the start of the rest.
#[derive(Clone, Debug)]
struct Body {
    closed: Closed,
    start: usize,
}

/// The lines before the last end line in a section.
#[derive(Clone, Debug)]
enum Closed {
    None,
    One(Range<usize>),
    /// Several parts, joined by one LF each. They are the first `len` bytes of `text`. After them come an LF and the
    /// text that has arrived since, so that a stream can be read cheaply.
    Joined {
        text: String,
        len: usize,
    },
}

impl Body {
    fn starting_at(start: usize) -> Body {
        Body { closed: Closed::None, start }
    }

    /// Returns the lines between the start and `at`, or `None` if there are none. A single empty line between an end
    /// line and the end of the message does not count (`openui.read.final-line-ending`).
    fn lines_before(&self, raw: &str, at: usize, stop: Stop) -> Option<Range<usize>> {
        if at <= self.start {
            return None;
        }
        let bytes = raw.as_bytes();
        let mut end = at;
        if stop == Stop::Line {
            // A marker line that is not moved always follows a LF.
            end -= 1;
        }
        if matches!(stop, Stop::Line | Stop::Move) && end > self.start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        Some(self.start..end)
    }

    /// Adds lines to the closed ones, and removes the text that [`Body::grow`] has added.
    fn append(&mut self, raw: &str, lines: Option<Range<usize>>) {
        if let Closed::Joined { text, len } = &mut self.closed {
            text.truncate(*len);
        }
        let Some(lines) = lines else { return };
        match &mut self.closed {
            Closed::None => self.closed = Closed::One(lines),
            Closed::One(first) => {
                let mut text = raw[first.clone()].to_owned();
                text.push('\n');
                text.push_str(&raw[lines]);
                let len = text.len();
                self.closed = Closed::Joined { text, len };
            }
            Closed::Joined { text, len } => {
                text.push('\n');
                text.push_str(&raw[lines]);
                *len = text.len();
            }
        }
    }

    /// Adds everything from the start of the open lines to the end of `raw` to the closed lines.
    fn grow(&mut self, raw: &str) {
        if let Closed::One(first) = &self.closed
            && self.start < raw.len()
        {
            let text = raw[first.clone()].to_owned();
            let len = text.len();
            self.closed = Closed::Joined { text, len };
        }
        if let Closed::Joined { text, len } = &mut self.closed
            && self.start < raw.len()
        {
            if text.len() == *len {
                text.push('\n');
            }
            let there = text.len() - *len - 1;
            text.push_str(&raw[self.start + there..]);
        }
    }

    /// Returns the text of the closed lines.
    fn text<'a>(&'a self, raw: &'a str) -> &'a str {
        self.text_with(raw, None)
    }

    /// Returns the text of the closed lines and of these lines, which [`Body::grow`] has added.
    fn text_with<'a>(&'a self, raw: &'a str, lines: Option<Range<usize>>) -> &'a str {
        match (&self.closed, lines) {
            (Closed::None, None) => "",
            (Closed::None, Some(lines)) => &raw[lines],
            (Closed::One(first), _) => &raw[first.clone()],
            (Closed::Joined { text, len }, None) => &text[..*len],
            (Closed::Joined { text, len }, Some(lines)) => &text[..*len + 1 + lines.len()],
        }
    }

    fn into_text(self, raw: &str) -> Cow<'_, str> {
        match self.closed {
            Closed::None => Cow::Borrowed(""),
            Closed::One(first) => Cow::Borrowed(&raw[first]),
            Closed::Joined { text, .. } => Cow::Owned(text),
        }
    }
}
