//! Reading a whole message: one search for the prefix, then a check of the text around each match.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::hold::{Held, LastLine, held};
use super::legacy::Envelope;
use super::marker::{CONTENT, Marker, is_move, letters, marker_at};
use super::sections::{Section, Sections, Stop};
use super::{Message, Options, PREFIX, Profile};

static FIND_PREFIX: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(PREFIX));

/// Parses a whole stored message. Every text is a message, so this never fails.
///
/// Time and memory are in proportion to the length. For a message that is still arriving, prefer [`parse_streaming`] or
/// a [`StreamReader`](super::StreamReader).
///
/// The rules are `openui.marker.*`, `openui.section.*` and `openui.read.*`; in the profile `chat` also
/// `openui.legacy.*`.
///
/// # Examples
///
/// ```
/// use genui_openui::{Options, parse};
///
/// let stored = "]]>openui:content?library=support%401.2.0\nroot = Card([title])\n]]>openui:end";
/// let message = parse(stored, &Options::default());
/// assert_eq!(message.content, "root = Card([title])");
/// assert_eq!(message.attributes.decode(), [("library".into(), "support@1.2.0".into())]);
/// assert!(message.end);
/// ```
#[must_use]
pub fn parse<'a>(raw: &'a str, options: &Options) -> Message<'a> {
    read(raw, Arrival::Whole, options, &mut ())
}

/// Parses the text so far of a message that is still arriving.
///
/// A last line that is a marker line, or can still become one, is held back (rules `openui.stream.hold-prefix`,
/// `openui.stream.hold-marker` and others). To read after each chunk, prefer a [`StreamReader`](super::StreamReader):
/// this function reads the whole text each time.
///
/// # Examples
///
/// ```
/// use genui_openui::{Options, parse_streaming};
///
/// let message = parse_streaming("root = Card([title])\n]]>openui:e", &Options::default());
/// assert_eq!(message.content, "root = Card([title])");
/// ```
#[must_use]
pub fn parse_streaming<'a>(raw: &'a str, options: &Options) -> Message<'a> {
    let line = last_line(raw, options);
    read(raw, Arrival::Streaming(held(raw, &line, options)), options, &mut ())
}

/// Whether the text is complete and, if not, the part that is held back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival {
    Whole,
    Streaming(Option<Held>),
}

/// Receives what the reader finds, in the order of the text.
pub(crate) trait Observe {
    /// Receives a marker line, and the section that it opens or, for an end line, leaves open.
    fn marker(&mut self, _marker: &Marker, _section: Section) {}
    /// Receives the state of an envelope: the text does not contain the prefix.
    fn envelope(&mut self, _envelope: &Envelope, _raw: &str) {}
}

impl Observe for () {}

pub(crate) fn read<'a>(raw: &'a str, arrival: Arrival, options: &Options, observer: &mut impl Observe) -> Message<'a> {
    let bytes = raw.as_bytes();
    let held = match arrival {
        Arrival::Whole => None,
        Arrival::Streaming(held) => held,
    };
    let (at, stop) = held.map_or((raw.len(), Stop::Message), |held| (held.at, held.stop));
    let mut sections = Sections::new();
    // A line that is held back counts as a marker line; a part of a marker does not.
    let mut has_prefix = stop != Stop::Message && stop != Stop::Piece;
    let mut from = 0;
    while let Some(found) = FIND_PREFIX.find(&bytes[from..]).map(|found| from + found) {
        has_prefix = true;
        if found >= at {
            break;
        }
        let at_line_start = found == 0 || bytes[found - 1] == b'\n';
        let marker = if at_line_start || is_move(raw, found, options) {
            marker_at(raw, found, !at_line_start, options)
        } else {
            None
        };
        from = found + PREFIX.len();
        if let Some(marker) = marker {
            sections.marker(raw, &marker, options);
            observer.marker(&marker, sections.section());
            from = marker.next;
        }
    }
    if !has_prefix && options.profile == Profile::Chat {
        let mut envelope = Envelope::default();
        envelope.advance(raw);
        observer.envelope(&envelope, raw);
        return envelope.message(raw, at, matches!(arrival, Arrival::Streaming(_)), options);
    }
    sections.finish(raw, at, stop, options)
}

/// Returns the last line, after every move that is certain while more text may arrive. A content marker in the middle
/// of a line is one only when `?` or a line ending follows it.
pub(crate) fn last_line(raw: &str, options: &Options) -> LastLine {
    let bytes = raw.as_bytes();
    let mut start = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    let mut moved = false;
    let line = start;
    for found in memchr::memmem::find_iter(&bytes[line..], CONTENT).map(|at| line + at) {
        if bytes.get(found + CONTENT.len()) == Some(&b'?') && is_move(raw, found, options) {
            start = found;
            moved = true;
        }
    }
    let kind_start = (start + PREFIX.len()).min(raw.len());
    LastLine { start, moved, kind_end: kind_start + letters(&bytes[kind_start..]) }
}
