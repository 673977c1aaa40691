//! Reading a message chunk by chunk.

use super::hold::{LastLine, held};
use super::legacy::Envelope;
use super::marker::{CONTENT, is_move, letters, marker_at};
use super::read::{Arrival, read};
use super::sections::{Sections, Stop};
use super::{Message, Options, PREFIX, Profile};

/// Chunks below this length are read byte by byte, because setting up a search costs more.
const SHORT: usize = 16;

/// Reads a message that arrives in chunks, at any split points.
///
/// Pushing all chunks and reading the message after each of them takes time in proportion to the whole text. The text
/// is stored once, and a body with text after an end line a second time.
///
/// # Examples
///
/// ```
/// use genui_openui::{Options, StreamReader};
///
/// let mut reader = StreamReader::new(Options::default());
/// reader.push("]]>openui:con");
/// assert_eq!(reader.message().content, "");
/// reader.push("tent\nroot = Card([])\n]]>open");
/// assert_eq!(reader.message().content, "root = Card([])");
/// reader.push("ui:end");
/// assert!(!reader.message().end, "an end line that is held back does not count yet");
/// assert!(reader.whole().end);
/// ```
#[derive(Clone, Debug)]
pub struct StreamReader {
    options: Options,
    raw: String,
    sections: Sections,
    line: LastLine,
    /// In the profile `chat`, the state of the text as an envelope, until the prefix is found.
    envelope: Option<Envelope>,
}

impl StreamReader {
    /// Returns a reader of an empty text.
    #[must_use]
    pub fn new(options: Options) -> StreamReader {
        StreamReader {
            options,
            raw: String::new(),
            sections: Sections::new(),
            line: LastLine { start: 0, moved: false, kind_end: 0 },
            envelope: (options.profile == Profile::Chat).then(Envelope::default),
        }
    }

    /// Adds the next chunk, which may be empty.
    pub fn push(&mut self, chunk: &str) {
        let from = self.raw.len();
        self.raw.push_str(chunk);
        // A LF decides what its line is; a `?` or LF decides whether a content marker is moved.
        if chunk.len() < SHORT {
            for (at, byte) in chunk.bytes().enumerate() {
                self.look_at(byte, from + at);
            }
        } else {
            for at in memchr::memchr2_iter(b'\n', b'?', chunk.as_bytes()) {
                self.look_at(chunk.as_bytes()[at], from + at);
            }
        }
        self.follow_kind();
    }

    /// Returns the message as it is shown now, while more may arrive: equal to
    /// [`parse_streaming`](super::parse_streaming) of the text so far.
    pub fn message(&mut self) -> Message<'_> {
        let held = held(&self.raw, &self.line, &self.options);
        if let Some(envelope) = &mut self.envelope {
            let from = envelope.seen().saturating_sub(PREFIX.len() - 1);
            if memchr::memmem::find(&self.raw.as_bytes()[from..], PREFIX.as_bytes()).is_some() {
                self.envelope = None;
            } else {
                envelope.advance(&self.raw);
            }
        }
        let (at, stop) = held.map_or((self.raw.len(), Stop::Message), |held| (held.at, held.stop));
        if let Some(envelope) = &self.envelope
            && matches!(stop, Stop::Message | Stop::Piece)
        {
            return envelope.message(&self.raw, at, true, &self.options);
        }
        self.sections.look(&self.raw, at, stop, &self.options)
    }

    /// Returns the message when nothing more arrives: equal to [`parse`](super::parse) of the text. It reads the text
    /// again.
    #[must_use]
    pub fn whole(&self) -> Message<'_> {
        read(&self.raw, Arrival::Whole, &self.options, &mut ())
    }

    #[inline]
    fn look_at(&mut self, byte: u8, at: usize) {
        match byte {
            b'\n' => self.line_feed(at),
            // This decides that a content marker before it, in the middle of a line, is moved.
            b'?' => self.moved_marker_before(at),
            _ => {}
        }
    }

    /// Ends the current line with the LF at `at`.
    fn line_feed(&mut self, at: usize) {
        let line_feed_at = if self.raw[self.line.start..at].ends_with('\r') { at - 1 } else { at };
        self.moved_marker_before(line_feed_at);
        self.marker_line();
        self.start_line(at + 1, false);
    }

    /// Starts a line at the content marker that ends at `end`, if it is moved.
    fn moved_marker_before(&mut self, end: usize) {
        let before = self.raw[self.line.start..end].strip_suffix(CONTENT);
        if let Some(place) = before.map(|before| self.line.start + before.len())
            && place > self.line.start
            && is_move(&self.raw, place, &self.options)
        {
            self.marker_line();
            self.start_line(place, true);
        }
    }

    /// Adds the line that has just ended, if it is a marker line.
    fn marker_line(&mut self) {
        if let Some(marker) = marker_at(&self.raw, self.line.start, self.line.moved, &self.options) {
            self.sections.marker(&self.raw, &marker, &self.options);
        }
    }

    fn start_line(&mut self, start: usize, moved: bool) {
        self.line = LastLine { start, moved, kind_end: start };
    }

    /// Updates the end of the kind's letters if the last line starts with the prefix.
    fn follow_kind(&mut self) {
        if self.raw[self.line.start..].starts_with(PREFIX) {
            let from = self.line.kind_end.max(self.line.start + PREFIX.len());
            self.line.kind_end = from + letters(&self.raw.as_bytes()[from..]);
        }
    }
}
