//! What each line of a message is, and the rule that says so: the reader's own account.

use std::ops::Range;

use super::hold::held;
use super::legacy::Envelope;
use super::marker::{Ending, Kind, Marker};
use super::options::{Options, SeveralContexts, StaleEnd};
use super::read::{Arrival, Observe, last_line, read};
use super::sections::Section;
use super::{ContextValue, Message, PREFIX, Profile};

/// Whether a message is all there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All of it.
    #[default]
    Whole,
    /// More may come.
    Streaming,
}

/// A line of a message, as it was read. A content marker that is moved starts a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the message as it came, from 1: lines that end with LF.
    pub number: usize,
    /// Byte offsets into the message, start inclusive, end exclusive, with the line ending.
    pub span: Range<usize>,
    /// What it is.
    pub kind: LineKind,
    /// The id of the rule that says so.
    pub rule: &'static str,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A marker line.
    Marker,
    /// Part of the content.
    Content,
    /// Part of the context.
    Context,
    /// Part of a section that does not count.
    Ignored,
    /// Held back while the message streams.
    Held,
    /// The older envelope.
    Envelope,
}

impl LineKind {
    /// A word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LineKind::Marker => "marker",
            LineKind::Content => "content",
            LineKind::Context => "context",
            LineKind::Ignored => "ignored",
            LineKind::Held => "held",
            LineKind::Envelope => "envelope",
        }
    }
}

/// Reads a message and says what each of its lines is. The lines cover the message without a gap; an empty
/// message has none.
#[must_use]
pub fn trace(raw: &str, mode: Mode, options: &Options) -> Vec<Line> {
    let held = match mode {
        Mode::Whole => None,
        Mode::Streaming => held(raw, &last_line(raw, options), options),
    };
    let arrival = match mode {
        Mode::Whole => Arrival::Whole,
        Mode::Streaming => Arrival::Streaming(held),
    };
    let mut found = Found::default();
    let message = read(raw, arrival, options, &mut found);
    let shown = held.map_or(raw.len(), |held| held.at);
    let mut lines = Vec::new();
    if let Some(rule) = found.envelope {
        push_lines(&mut lines, raw, 0..raw.len(), |_| (LineKind::Envelope, rule));
    } else {
        found.lines(&mut lines, raw, shown, &message, options);
    }
    if let Some(held) = held {
        push_lines(&mut lines, raw, held.at..raw.len(), |_| (LineKind::Held, held.rule));
    }
    number(&mut lines, raw);
    lines
}

#[derive(Default)]
struct Found {
    markers: Vec<(Marker, Section)>,
    envelope: Option<&'static str>,
}

impl Observe for Found {
    fn marker(&mut self, marker: &Marker, section: Section) {
        self.markers.push((marker.clone(), section));
    }

    fn envelope(&mut self, envelope: &Envelope, raw: &str) {
        self.envelope = envelope.rule(raw);
    }
}

impl Found {
    fn lines(&self, lines: &mut Vec<Line>, raw: &str, shown: usize, message: &Message<'_>, options: &Options) {
        let winner = self.markers.iter().rposition(|(marker, _)| marker.kind == Kind::Content);
        let context = self.winning_context(winner, options);
        let mut from = 0;
        // The marker that opened the section, and whether an end line stood in it.
        let mut opened: Option<usize> = None;
        let mut ended = false;
        for index in 0..=self.markers.len() {
            let to = self.markers.get(index).map_or(shown, |(marker, _)| marker.start);
            let (kind, rule) = match opened.map(|at| (at, self.markers[at].1)) {
                None if winner.is_some() => (LineKind::Ignored, "openui.read.leading-text"),
                None if self.markers.is_empty() => (LineKind::Content, "openui.read.plain-text"),
                None => (LineKind::Content, "openui.read.leading-text"),
                Some((at, Section::Content)) if Some(at) != winner => {
                    (LineKind::Ignored, "openui.read.last-content-wins")
                }
                Some((_, Section::Content)) => (LineKind::Content, "openui.section.body"),
                Some((at, _)) if self.markers[at].0.kind == Kind::Context => {
                    if Some(at) < winner {
                        (LineKind::Ignored, "openui.read.context-before-content")
                    } else if Some(at) == context {
                        (LineKind::Context, context_rule(message))
                    } else {
                        (LineKind::Ignored, "openui.read.several-contexts")
                    }
                }
                Some(_) => (LineKind::Ignored, "openui.read.unknown-kind"),
            };
            let rule = if kind == LineKind::Content && ended { "openui.read.text-after-end" } else { rule };
            push_lines(lines, raw, from..to, |line| match (kind, look_alike(line, options)) {
                (LineKind::Content | LineKind::Context, Some(rule)) => (kind, rule),
                _ => (kind, rule),
            });
            if let Some((marker, _)) = self.markers.get(index) {
                let rule = marker_rule(marker, Some(index) < winner, options);
                lines.push(Line { number: 0, span: marker.start..marker.next, kind: LineKind::Marker, rule });
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

    fn winning_context(&self, winner: Option<usize>, options: &Options) -> Option<usize> {
        let mut behind = (0..self.markers.len())
            .filter(|at| self.markers[*at].0.kind == Kind::Context && winner.is_none_or(|winner| *at > winner));
        match options.choices.several_contexts {
            SeveralContexts::First => behind.next(),
            SeveralContexts::Last => behind.next_back(),
        }
    }
}

fn context_rule(message: &Message<'_>) -> &'static str {
    match message.context.as_ref().map(|context| (context.as_text(), context.decode())) {
        None | Some(("", _)) => "openui.context.empty",
        Some((_, ContextValue::Json(crate::json::Json::Null))) => "openui.context.absent",
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

/// Why a line that holds the prefix is text all the same; `None` for a line that does not hold it.
fn look_alike(line: &str, options: &Options) -> Option<&'static str> {
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

fn push_lines(lines: &mut Vec<Line>, raw: &str, span: Range<usize>, what: impl Fn(&str) -> (LineKind, &'static str)) {
    let mut start = span.start;
    for line in raw[span].split_inclusive('\n') {
        let (kind, rule) = what(line);
        lines.push(Line { number: 0, span: start..start + line.len(), kind, rule });
        start += line.len();
    }
}

fn number(lines: &mut [Line], raw: &str) {
    let mut number = 1;
    for line in lines {
        line.number = number;
        number += usize::from(raw[line.span.clone()].ends_with('\n'));
    }
}
