//! The kind of each line of a message, and the rule that decides it, as the reader found them.

use std::ops::Range;

use super::choices::{SeveralContexts, StaleEnd};
use super::hold::{Held, held};
use super::legacy::Envelope;
use super::marker::{Ending, Kind, Marker};
use super::names::names;
use super::options::Options;
use super::read::{Arrival, Observe, last_line, read};
use super::sections::Section;
use super::{ContextValue, Message, PREFIX, Profile};

/// Whether a message is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The message is complete.
    #[default]
    Whole,
    /// More may arrive.
    Streaming,
}

/// A line of a message. A content marker that is moved starts a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Its number in the text, from 1. A moved content marker has the number of the line in which it was.
    pub number: usize,
    /// Its byte offsets in the text, start inclusive, end exclusive, line ending included.
    pub span: Range<usize>,
    /// Its kind.
    pub kind: LineKind,
    /// The id of the rule that decides the kind.
    pub rule: &'static str,
}

/// The kind of a line. The names are the variants in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A marker line.
    Marker,
    /// Part of the content.
    Content,
    /// Part of the context.
    Context,
    /// Part of a section that is ignored.
    Ignored,
    /// Held back while the message is streaming.
    Held,
    /// Part of a legacy envelope.
    Envelope,
}

names!(LineKind {
    Marker = "marker",
    Content = "content",
    Context = "context",
    Ignored = "ignored",
    Held = "held",
    Envelope = "envelope",
});

/// Reads a message and returns the kind of each line, with the rule that decides it.
///
/// The lines cover the message without a gap; an empty message has none. [`analyze`](super::analyze()) returns more
/// about each line.
///
/// # Examples
///
/// ```
/// use genui_openui::{LineKind, Mode, Options, trace};
///
/// let lines = trace("Hi\n]]>openui:end", Mode::Whole, &Options::default());
/// assert_eq!((lines[0].kind, lines[0].rule), (LineKind::Content, "openui.read.leading-text"));
/// assert_eq!((lines[1].kind, lines[1].rule), (LineKind::Marker, "openui.read.end"));
/// assert_eq!((lines[1].number, lines[1].span.clone()), (2, 3..16));
/// ```
#[must_use]
pub fn trace(raw: &str, mode: Mode, options: &Options) -> Vec<Line> {
    let mut lines = Vec::new();
    Reading::of(raw, mode, options).each_line(|line, _| lines.push(line));
    lines
}

/// A message that was read, and the steps of its reader.
pub(crate) struct Reading<'a> {
    pub(crate) raw: &'a str,
    pub(crate) options: Options,
    pub(crate) mode: Mode,
    pub(crate) message: Message<'a>,
    /// The marker lines in their order, each with the section that it opens or leaves open.
    pub(crate) markers: Vec<(Marker, Section)>,
    /// The state of the text as an envelope, whether or not it is one.
    pub(crate) envelope: Option<Envelope>,
    pub(crate) held: Option<Held>,
    /// The winning content marker, as an index into the markers.
    pub(crate) winner: Option<usize>,
    /// The context marker that counts.
    pub(crate) context: Option<usize>,
    /// The rule that decides that context. It is found once, because the context has to be decoded.
    pub(crate) context_rule: &'static str,
}

/// The place of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinePosition {
    /// The marker line with this index.
    Marker(usize),
    /// Within a body.
    Body(TextSpan),
    /// Within an envelope.
    Envelope,
    /// Within the part that is held back.
    Held,
}

/// A line of the text between two marker lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSpan {
    /// The marker that opened the section; `None` for the leading text.
    pub(crate) opened: Option<usize>,
    /// Whether the section contains an end line before it.
    pub(crate) ended: bool,
    /// The marker after this text.
    pub(crate) next: Option<usize>,
    /// Whether this is its last line.
    pub(crate) is_last: bool,
    /// The rule that decides a line without a prefix here.
    pub(crate) rule: &'static str,
}

impl Observe for Reading<'_> {
    fn marker(&mut self, marker: &Marker, section: Section) {
        self.markers.push((marker.clone(), section));
    }

    fn envelope(&mut self, envelope: &Envelope, _: &str) {
        self.envelope = Some(envelope.clone());
    }
}

impl<'a> Reading<'a> {
    pub(crate) fn of(raw: &'a str, mode: Mode, options: &Options) -> Reading<'a> {
        let (held, arrival) = match mode {
            Mode::Whole => (None, Arrival::Whole),
            Mode::Streaming => {
                let held = held(raw, &last_line(raw, options), options);
                (held, Arrival::Streaming(held))
            }
        };
        let message = Message::default();
        let markers = Vec::new();
        let mut reading = Reading {
            raw,
            options: *options,
            mode,
            message,
            markers,
            envelope: None,
            held,
            winner: None,
            context: None,
            context_rule: "",
        };
        reading.message = read(raw, arrival, options, &mut reading);
        reading.winner = reading.markers.iter().rposition(|(marker, _)| marker.kind == Kind::Content);
        reading.context = match options.choices.several_contexts {
            SeveralContexts::First => reading.contexts().next(),
            SeveralContexts::Last => reading.contexts().next_back(),
        };
        if reading.context.is_some() {
            reading.context_rule = context_rule(&reading.message);
        }
        reading
    }

    /// Returns the context markers after the winning content.
    pub(crate) fn contexts(&self) -> impl DoubleEndedIterator<Item = usize> {
        let is_after = |at: &usize| self.winner.is_none_or(|winner| *at > winner);
        (0..self.markers.len()).filter(|at| self.markers[*at].0.kind == Kind::Context).filter(is_after)
    }

    /// Returns the rule by which the text is an envelope, or `None` if it is not one.
    pub(crate) fn envelope_rule(&self) -> Option<&'static str> {
        self.envelope.as_ref().and_then(|envelope| envelope.rule(self.raw))
    }

    /// Calls `take` with each line in its order, and with its place.
    pub(crate) fn each_line(&self, mut take: impl FnMut(Line, LinePosition)) {
        let mut number = 1;
        let mut take = |span: Range<usize>, kind, rule, position| {
            let ends = self.raw[span.clone()].ends_with('\n');
            take(Line { number, span, kind, rule }, position);
            number += usize::from(ends);
        };
        let at = self.held.map_or(self.raw.len(), |held| held.at);
        if let Some(rule) = self.envelope_rule() {
            split_lines(self.raw, 0..self.raw.len(), |span, _| {
                take(span, LineKind::Envelope, rule, LinePosition::Envelope)
            });
        } else {
            // An envelope that is not closed yet may be held back from a place within a line.
            let shown = match (&self.envelope, self.mode) {
                (Some(envelope), Mode::Streaming) => envelope.shown(self.raw, &self.options).min(at),
                _ => at,
            };
            self.sections(shown, &mut take);
            let rule = "openui.legacy.streaming";
            split_lines(self.raw, shown..at, |span, _| take(span, LineKind::Held, rule, LinePosition::Held));
        }
        if let Some(held) = self.held {
            split_lines(self.raw, at..self.raw.len(), |span, _| {
                take(span, LineKind::Held, held.rule, LinePosition::Held)
            });
        }
    }

    fn sections(&self, shown: usize, take: &mut impl FnMut(Range<usize>, LineKind, &'static str, LinePosition)) {
        let mut from = 0;
        // The marker that opened the section, and whether the section has had an end line.
        let mut opened: Option<usize> = None;
        let mut ended = false;
        for index in 0..=self.markers.len() {
            let next = self.markers.get(index).map(|(marker, _)| marker);
            let (kind, rule) = self.body(opened);
            let rule = if kind == LineKind::Content && ended { "openui.read.text-after-end" } else { rule };
            split_lines(self.raw, from..next.map_or(shown, |marker| marker.start), |span, is_last| {
                let body = TextSpan { opened, ended, next: next.map(|_| index), is_last, rule };
                let deciding = match (kind, look_alike(&self.raw[span.clone()], &self.options)) {
                    (LineKind::Content | LineKind::Context, Some(rule)) => rule,
                    _ => rule,
                };
                take(span, kind, deciding, LinePosition::Body(body));
            });
            if let Some(marker) = next {
                let rule = marker_rule(marker, self.is_stale(index), &self.options);
                take(marker.start..marker.next, LineKind::Marker, rule, LinePosition::Marker(index));
                from = marker.next;
                if marker.kind == Kind::End {
                    ended = true;
                } else {
                    opened = Some(index);
                    ended = false;
                }
            }
        }
    }

    /// Returns the kind of a section's body, and the rule that decides it. `None` is the leading text.
    fn body(&self, opened: Option<usize>) -> (LineKind, &'static str) {
        let winner = self.winner;
        match opened.map(|at| (at, self.markers[at].1)) {
            None if winner.is_some() => (LineKind::Ignored, "openui.read.leading-text"),
            None if self.markers.is_empty() => (LineKind::Content, "openui.read.plain-text"),
            None => (LineKind::Content, "openui.read.leading-text"),
            Some((at, Section::Content)) if Some(at) != winner => (LineKind::Ignored, "openui.read.last-content-wins"),
            Some((_, Section::Content)) => (LineKind::Content, "openui.section.body"),
            Some((at, _)) if self.markers[at].0.kind == Kind::Context => {
                if Some(at) < winner {
                    (LineKind::Ignored, "openui.read.context-before-content")
                } else if Some(at) == self.context {
                    (LineKind::Context, self.context_rule)
                } else {
                    (LineKind::Ignored, "openui.read.several-contexts")
                }
            }
            Some(_) => (LineKind::Ignored, "openui.read.unknown-kind"),
        }
    }

    /// Returns whether the marker is before the winning content.
    pub(crate) fn is_stale(&self, index: usize) -> bool {
        Some(index) < self.winner
    }
}

/// Returns the rule that decides the context that counts.
pub(crate) fn context_rule(message: &Message<'_>) -> &'static str {
    match message.context.as_ref().map(|context| (context.as_text(), context.decode())) {
        None | Some(("", _)) => "openui.context.empty",
        Some((_, ContextValue::Json(genui_json::Json::Null))) => "openui.context.absent",
        Some((_, ContextValue::Json(_))) => "openui.context.json",
        Some((_, ContextValue::Text(_))) => "openui.context.text",
    }
}

fn marker_rule(marker: &Marker, stale: bool, options: &Options) -> &'static str {
    match (marker.ending, marker.moved, marker.kind) {
        (Ending::CrAtEnd, false, _) => "openui.marker.cr-at-end",
        (Ending::CrAtEnd, true, _) => "openui.marker.mid-line-cr-at-end",
        (_, true, _) | (Ending::Move, ..) => "openui.marker.mid-line-content",
        (.., Kind::End) if stale && options.choices.stale_end == StaleEnd::Ignored => "openui.read.stale-end",
        (.., Kind::End) => "openui.read.end",
        (.., Kind::Unknown) => "openui.read.unknown-kind",
        _ => "openui.marker.grammar",
    }
}

/// Returns the rule by which a line that contains the prefix is text, or `None` if the line does not contain it.
pub(crate) fn look_alike(line: &str, options: &Options) -> Option<&'static str> {
    let at = line.find(PREFIX)?;
    let before = &line[..at];
    Some(if before.is_empty() {
        "openui.marker.grammar"
    } else if before.trim_start_matches([' ', '\t', '\u{feff}']).is_empty() || options.profile == Profile::LineStart {
        "openui.marker.line-start"
    } else if line[at + PREFIX.len()..].starts_with("content") {
        "openui.marker.mid-line-content"
    } else {
        "openui.marker.other-mid-line"
    })
}

/// Calls `take` with the span of each line in a part of a text, and whether it is the last one there.
fn split_lines(raw: &str, span: Range<usize>, mut take: impl FnMut(Range<usize>, bool)) {
    let mut start = span.start;
    for line in raw[span.clone()].split_inclusive('\n') {
        let end = start + line.len();
        take(start..end, end == span.end);
        start = end;
    }
}
