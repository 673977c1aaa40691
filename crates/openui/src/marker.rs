//! Marker lines: their places and their parts.

use std::ops::Range;

use super::choices::{CrAtEnd, MidLineCrAtEnd};
use super::options::Options;

/// The text with which every marker starts (`openui.marker.grammar`).
pub const PREFIX: &str = "]]>openui:";

/// The content marker, which a retry may write in the middle of a line (`openui.marker.mid-line-content`).
pub(crate) const CONTENT: &str = "]]>openui:content";

/// The kind of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Content,
    Context,
    End,
    Unknown,
}

/// How a marker line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A LF or CRLF.
    LineFeed,
    /// The content marker after it is moved onto a line of its own.
    Move,
    /// The end of the message.
    Message,
    /// A CR that ends the message.
    CrAtEnd,
}

/// A marker line: byte offsets into the message, start inclusive, end exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) start: usize,
    pub(crate) kind: Kind,
    /// The text between `?` and the line ending. `None` without a `?`.
    pub(crate) attributes: Option<Range<usize>>,
    pub(crate) ending: Ending,
    /// The start of the next line.
    pub(crate) next: usize,
    /// Whether the marker was in the middle of a line and has been moved.
    pub(crate) moved: bool,
}

impl Marker {
    /// Returns whether the line is a marker line even if no content marker is moved.
    pub(crate) fn is_marker_without_moves(&self) -> bool {
        self.ending != Ending::Move || self.attributes.is_some()
    }
}

/// Returns the marker line at `start`, or `None` if the line is ordinary text (`openui.marker.grammar`). `start` is the
/// start of a line, or a place for which [`is_move`] is true.
pub(crate) fn marker_at(raw: &str, start: usize, moved: bool, options: &Options) -> Option<Marker> {
    let bytes = raw.as_bytes();
    let kind_start = start + PREFIX.len();
    let kind_end = kind_start + letters(bytes.get(kind_start..)?);
    if kind_end == kind_start || !bytes[start..].starts_with(PREFIX.as_bytes()) {
        return None;
    }
    let kind = match &bytes[kind_start..kind_end] {
        b"content" => Kind::Content,
        b"context" => Kind::Context,
        b"end" => Kind::End,
        _ => Kind::Unknown,
    };
    let marker = |attributes, ending, next| Some(Marker { start, kind, attributes, ending, next, moved });
    let cr_ends_marker = if moved {
        options.choices.mid_line_cr_at_end == MidLineCrAtEnd::Marker
    } else {
        options.choices.cr_at_end == CrAtEnd::Marker
    };
    match &bytes[kind_end..] {
        [] => marker(None, Ending::Message, kind_end),
        [b'\n', ..] => marker(None, Ending::LineFeed, kind_end + 1),
        [b'\r', b'\n', ..] => marker(None, Ending::LineFeed, kind_end + 2),
        [b'\r'] if cr_ends_marker => marker(None, Ending::CrAtEnd, kind_end + 1),
        [b'\r', b']', ..] if is_move(raw, kind_end + 1, options) => marker(None, Ending::Move, kind_end + 1),
        [b']', ..] if is_move(raw, kind_end, options) => marker(None, Ending::Move, kind_end),
        [b'?', ..] => {
            let from = kind_end + 1;
            let (end, next_move) = attributes_end(raw, from, options);
            // A CR is part of the attributes unless a line feed, the line's own or a moved one's, follows it.
            let has_line_feed = next_move || end < raw.len();
            let cr = has_line_feed && end > from && bytes[end - 1] == b'\r';
            let attributes = Some(from..end - usize::from(cr));
            if next_move {
                marker(attributes, Ending::Move, end)
            } else if has_line_feed {
                marker(attributes, Ending::LineFeed, end + 1)
            } else {
                marker(attributes, Ending::Message, end)
            }
        }
        _ => None,
    }
}

/// Returns the end of the attributes that start at `from`: at a LF, at a content marker that is moved (`true`), or at
/// the end of the message. The search stops there, so that many markers on one line take linear time.
fn attributes_end(raw: &str, from: usize, options: &Options) -> (usize, bool) {
    for at in memchr::memchr2_iter(b'\n', b']', &raw.as_bytes()[from..]).map(|at| from + at) {
        if raw.as_bytes()[at] == b'\n' {
            return (at, false);
        }
        if is_move(raw, at, options) {
            return (at, true);
        }
    }
    (raw.len(), false)
}

/// Returns whether the content marker at `at` is in the middle of a line and is moved onto its own
/// (`openui.marker.mid-line-content`). The message before any move decides.
pub(crate) fn is_move(raw: &str, at: usize, options: &Options) -> bool {
    let bytes = raw.as_bytes();
    options.profile.moves_content_markers()
        && at > 0
        && bytes[at - 1] != b'\n'
        && bytes[at..].starts_with(CONTENT.as_bytes())
        && match &bytes[at + CONTENT.len()..] {
            [] | [b'?' | b'\n', ..] | [b'\r', b'\n', ..] => true,
            [b'\r'] => options.choices.mid_line_cr_at_end == MidLineCrAtEnd::Marker,
            _ => false,
        }
}

/// Returns the number of letters a-z at the start.
pub(crate) fn letters(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}
