//! The part of the last line that is held back while a message streams.

use super::choices::MidLinePartial;
use super::marker::{CONTENT, PREFIX};
use super::options::Options;
use super::sections::Stop;

/// The last line of a message that is still arriving: not empty, and without a LF.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastLine {
    /// Its start, after every move of a content marker that is certain by now.
    pub(crate) start: usize,
    /// Whether it starts with a moved content marker.
    pub(crate) moved: bool,
    /// The end of the letters after the prefix. Used only if the line starts with the prefix.
    pub(crate) kind_end: usize,
}

/// The part that is held back: everything from `at` on, as if a marker line of an unknown kind started there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) at: usize,
    pub(crate) stop: Stop,
    pub(crate) rule: &'static str,
}

/// Returns the part of `line` that is held back, or `None` if all of it is shown. Takes constant time.
pub(crate) fn held(raw: &str, line: &LastLine, options: &Options) -> Option<Held> {
    let text = &raw[line.start..];
    if text.is_empty() {
        return None;
    }
    // Most lines neither start nor end like a marker. This check keeps reading a stream cheap.
    let (first, last) = (text.as_bytes()[0], text.as_bytes()[text.len() - 1]);
    let piece_matters = options.choices.mid_line_partial == MidLinePartial::Held;
    if first != b']' && !matches!(last, b't' | b'\r') && !piece_matters {
        return None;
    }
    let moves = options.profile.moves_content_markers();
    let stop = if line.moved { Stop::Move } else { Stop::Line };
    let whole_line = |rule| Some(Held { at: line.start, stop, rule });
    if PREFIX.starts_with(text) {
        return whole_line("openui.stream.hold-prefix");
    }
    let complete = complete_content_marker(text).filter(|_| moves);
    if text.starts_with(PREFIX) {
        let after_kind = &raw[line.kind_end..];
        let has_kind = line.kind_end > line.start + PREFIX.len();
        if has_kind && (matches!(after_kind, "" | "\r") || after_kind.starts_with('?')) {
            return whole_line("openui.stream.hold-marker");
        }
        if complete.is_some_and(|at| is_marker_line_before(text, at, line)) {
            return whole_line("openui.stream.mid-line-complete");
        }
        if has_kind && moves && begins_content_marker(after_kind) {
            return whole_line("openui.stream.hold-marker");
        }
        if options.holds_impossible() {
            return whole_line("openui.stream.hold-impossible");
        }
    }
    if let Some(at) = complete {
        return Some(Held { at: line.start + at, stop: Stop::Move, rule: "openui.stream.mid-line-complete" });
    }
    if moves && piece_matters {
        let piece = (1..CONTENT.len()).rev().find(|len| text.len() > *len && text.ends_with(&CONTENT[..*len]))?;
        return Some(Held { at: raw.len() - piece, stop: Stop::Piece, rule: "openui.stream.mid-line-partial" });
    }
    None
}

/// Returns the start of the content marker that ends `text`, with or without a CR, in the middle of the line.
fn complete_content_marker(text: &str) -> Option<usize> {
    let before = text.strip_suffix('\r').unwrap_or(text).strip_suffix(CONTENT)?;
    (!before.is_empty()).then_some(before.len())
}

/// Returns whether the text of the line before `at`, which starts with the prefix, is a marker line when a LF follows
/// it. A bare prefix is none and, before another marker, can no longer become one.
fn is_marker_line_before(text: &str, at: usize, line: &LastLine) -> bool {
    let kind_end = line.kind_end - line.start;
    let before = &text[..at];
    kind_end > PREFIX.len() && before.strip_suffix('\r').unwrap_or(before).len() == kind_end
}

/// Returns whether this is the beginning of a content marker, possibly after the CR of the line ending that its move
/// would complete.
fn begins_content_marker(text: &str) -> bool {
    CONTENT.starts_with(text.strip_prefix('\r').unwrap_or(text))
}
