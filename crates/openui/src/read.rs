//! Reading a whole message: one search for the prefix, then a look at what stands around each place found.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::hold::{Held, LastLine, held};
use super::legacy::Envelope;
use super::marker::{CONTENT, Marker, is_move, letters, marker_at};
use super::sections::{Section, Sections, Stop};
use super::{Message, Options, PREFIX, Profile};

static FIND_PREFIX: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(PREFIX));

/// Reads a whole stored message. Any string reads; time and memory are in proportion to its length.
///
/// # Example
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

/// Reads what has come so far of a message that is still arriving: a last line that is a marker line, or can
/// still become one, is held back. To read after each chunk, prefer a [`StreamReader`](super::StreamReader).
///
/// # Example
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

/// Whether the text is all there, and if not, what of it is held back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival {
    Whole,
    Streaming(Option<Held>),
}

/// Told what the reader finds, in the order of the text.
pub(crate) trait Observe {
    /// A marker line, and the section that it opens or, for an end line, leaves open.
    fn marker(&mut self, _marker: &Marker, _section: Section) {}
    /// No marker line and no prefix anywhere: the text is read as an envelope may be.
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
    // A held line counts as a marker line; a held piece of a marker is no line of its own.
    let mut holds_prefix = stop != Stop::Message && stop != Stop::Piece;
    let mut from = 0;
    while let Some(found) = FIND_PREFIX.find(&bytes[from..]).map(|found| from + found) {
        holds_prefix = true;
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
    if !holds_prefix && options.profile == Profile::Chat {
        let mut envelope = Envelope::default();
        envelope.advance(raw);
        observer.envelope(&envelope, raw);
        return envelope.message(raw, at, matches!(arrival, Arrival::Streaming(_)), options);
    }
    sections.finish(raw, at, stop, options)
}

/// The last line, after every move that is sure while the text may go on: a content marker in the middle of a
/// line is one only once `?` or a line ending has come.
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
