//! The facts that the rules give about a message under check: its marker lines, and where it can be split.

use std::collections::HashSet;
use std::ops::Range;

use crate::formats::openui::open_points as points;
use crate::openui::{Line, LineKind, Mode, Options, PREFIX, Profile, trace};
use crate::rules;

pub(super) const CONTENT: &str = "]]>openui:content";

/// Messages up to this many characters are split everywhere.
const CUT_EVERYWHERE: usize = 120;

/// Longer ones are split this many characters around each marker.
const AROUND_MARKER: usize = 12;

/// However many markers there are, a message is split in no more places than this, evenly spread over them.
const MAX_CUTS: usize = 600;

/// A long message is split in fewer places, so that at most this many bytes of it are read.
pub(super) const MAX_READ: usize = 200_000;

/// A message under check.
pub(super) struct Message<'a> {
    pub(super) raw: &'a str,
    pub(super) options: Options,
    /// Where the message may be split: byte offsets between characters, from 0 to its length.
    pub(super) cuts: Vec<usize>,
    /// The lines of the whole message, as the rules read them.
    pub(super) lines: Vec<Line>,
    /// The marker lines among them.
    pub(super) markers: Vec<MarkerLine>,
}

/// A marker line of the whole message.
pub(super) struct MarkerLine {
    /// Its bytes, with its line ending.
    pub(super) span: Range<usize>,
    /// Whether it was in the middle of a line.
    pub(super) moved: bool,
}

impl<'a> Message<'a> {
    pub(super) fn new(raw: &'a str, options: Options) -> Message<'a> {
        let lines = trace(raw, Mode::Whole, &options);
        let markers = lines
            .iter()
            .filter(|line| line.kind == LineKind::Marker)
            .map(|line| MarkerLine {
                moved: line.span.start > 0 && raw.as_bytes()[line.span.start - 1] != b'\n',
                span: line.span.clone(),
            })
            .collect();
        Message { raw, options, cuts: cuts(raw), lines, markers }
    }

    /// Whether a choice is made here. A point that the profile does not leave open is never chosen.
    pub(super) fn chose(&self, rule: &str, name: &str) -> bool {
        let is_open = rules::named(rule)
            .is_some_and(|rule| rule.open_in.iter().any(|profile| profile.name() == self.options.profile.name()));
        is_open && points::chosen(&self.options.choices, rule) == Some(name)
    }

    /// Whether the chat may take the message for an envelope, at some cut at least.
    pub(super) fn may_be_envelope(&self) -> bool {
        self.options.profile == Profile::Chat && (self.raw.contains("<content") || self.raw.contains("<context"))
    }

    /// How many content marker lines the text up to a cut has whose line ending is in.
    pub(super) fn content_markers(&self, cut: usize) -> usize {
        let text = &self.raw[..cut];
        trace(text, Mode::Streaming, &self.options)
            .into_iter()
            .filter(|line| line.kind == LineKind::Marker && kind_of(&text[line.span.clone()]) == "content")
            .count()
    }

    /// Whether a line is an end line.
    pub(super) fn is_end(&self, line: &Line) -> bool {
        line.kind == LineKind::Marker && kind_of(&self.raw[line.span.clone()]) == "end"
    }

    /// Whether the text up to a cut ends in a content marker, with or without a CR, on a line that has the prefix
    /// before it. A reader that moves that marker before more arrives has a line of its own before it, until then.
    pub(super) fn may_be_moved_early(&self, cut: usize) -> bool {
        let line = last_line(&self.raw[..cut]);
        let before = line.strip_suffix('\r').unwrap_or(line).strip_suffix(CONTENT);
        self.options.profile != Profile::LineStart && before.is_some_and(|before| before.contains(PREFIX))
    }

    /// Returns the text of each marker line in a text that still contains it, without its line ending. A moved marker
    /// is also looked for on the line on which it was written. Excluded is what a right reader may show as text: a
    /// marker that ends at a CR at the very end, and one from which a line of text differs only by CRs at its end.
    pub(super) fn marker_texts(&self) -> Vec<&'a str> {
        let raw = self.raw;
        let bare = |line: &'a str| line.strip_suffix('\n').unwrap_or(line).trim_end_matches('\r');
        let text = |span: &Range<usize>| bare(&raw[span.clone()]);
        let is_text = |line: &&Line| line.kind != LineKind::Marker;
        let mut texts: HashSet<&str> = self.lines.iter().filter(is_text).map(|line| text(&line.span)).collect();
        let mut markers: Vec<Vec<&str>> = Vec::new();
        for marker in &self.markers {
            let line = &raw[marker.span.clone()];
            let as_written = marker.moved.then(|| {
                let start = raw[..marker.span.start].rfind('\n').map_or(0, |at| at + 1);
                let end = raw[start..].find('\n').map_or(raw.len(), |at| start + at);
                bare(&raw[start..end])
            });
            let looks = [Some(bare(line)), as_written].into_iter().flatten();
            if line.ends_with('\r') && !line.contains('?') {
                texts.extend(looks);
            } else {
                markers.push(looks.collect());
            }
        }
        markers.retain(|looks| !looks.iter().any(|look| texts.contains(look)));
        markers.concat()
    }

    /// Whether the last line of the text up to a cut ends in a piece of a content marker in its middle.
    pub(super) fn ends_in_piece(&self, cut: usize) -> bool {
        let line = last_line(&self.raw[..cut]);
        (1..CONTENT.len()).any(|len| line.len() > len && line.ends_with(&CONTENT[..len]))
    }
}

/// The text after the last LF.
pub(super) fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or("")
}

/// The kind of a marker line.
fn kind_of(line: &str) -> &str {
    let kind = &line[PREFIX.len()..];
    &kind[..kind.bytes().take_while(u8::is_ascii_lowercase).count()]
}

fn cuts(raw: &str) -> Vec<usize> {
    let all: Vec<usize> = raw.char_indices().map(|(at, _)| at).chain([raw.len()]).collect();
    if all.len() <= CUT_EVERYWHERE + 1 {
        return all;
    }
    let mut near: Vec<usize> = Vec::new();
    for (start, _) in raw.match_indices(PREFIX) {
        let marker = start..start + CONTENT.len();
        let from = all.partition_point(|at| *at < marker.start).saturating_sub(AROUND_MARKER);
        let to = (all.partition_point(|at| *at < marker.end) + AROUND_MARKER).min(all.len() - 1);
        near.extend(&all[from..=to]);
    }
    near.extend([0, raw.len()]);
    near.sort_unstable();
    near.dedup();
    let step = near.len().div_ceil(MAX_CUTS.min(MAX_READ / raw.len().max(1)).max(2));
    near.into_iter().step_by(step.max(1)).chain([raw.len()]).collect()
}
