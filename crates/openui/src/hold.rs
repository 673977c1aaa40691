//! While a message streams: what is held back of its last line.

use super::choices::MidLinePartial;
use super::marker::{CONTENT, PREFIX};
use super::options::Options;
use super::sections::Stop;

/// The last line of a message that is still arriving: not empty, and without a LF.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastLine {
    /// Its start, after every move that is sure by now.
    pub(crate) start: usize,
    /// Whether it starts with a moved content marker.
    pub(crate) moved: bool,
    /// Where the letters behind the prefix end. Looked at only when the line starts with the prefix.
    pub(crate) kind_end: usize,
}

/// What is held back: everything from `at` on, as though a marker line of an unknown kind stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) at: usize,
    pub(crate) stop: Stop,
    pub(crate) rule: &'static str,
}

/// What is held back of `line`; `None` where all of it shows. Takes constant time.
pub(crate) fn held(raw: &str, line: &LastLine, options: &Options) -> Option<Held> {
    let text = &raw[line.start..];
    if text.is_empty() {
        return None;
    }
    // What most lines are: nothing that could be, or end in, a marker. This keeps a look at a stream cheap.
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
        let behind_kind = &raw[line.kind_end..];
        let has_kind = line.kind_end > line.start + PREFIX.len();
        if has_kind && (matches!(behind_kind, "" | "\r") || behind_kind.starts_with('?')) {
            return whole_line("openui.stream.hold-marker");
        }
        if complete.is_some_and(|at| is_marker_line_before(text, at, line)) {
            return whole_line("openui.stream.mid-line-complete");
        }
        if has_kind && moves && begins_content_marker(behind_kind) {
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

/// Where in `text` the content marker starts that ends it, with or without a CR, in the middle of the line.
fn complete_content_marker(text: &str) -> Option<usize> {
    let before = text.strip_suffix('\r').unwrap_or(text).strip_suffix(CONTENT)?;
    (!before.is_empty()).then_some(before.len())
}

/// Whether the text of the line before `at`, which starts with the prefix, is a marker line once a LF is put
/// behind it. A bare prefix is none, and with a marker behind it can no longer become one.
fn is_marker_line_before(text: &str, at: usize, line: &LastLine) -> bool {
    let kind_end = line.kind_end - line.start;
    let before = &text[..at];
    kind_end > PREFIX.len() && before.strip_suffix('\r').unwrap_or(before).len() == kind_end
}

/// Whether this is a piece of a content marker, on its own or behind the CR of the line ending that its move
/// would bring.
fn begins_content_marker(text: &str) -> bool {
    CONTENT.starts_with(text.strip_prefix('\r').unwrap_or(text))
}
