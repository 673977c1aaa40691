//! Reading a message chunk by chunk.

use super::hold::{LastLine, held};
use super::legacy::Envelope;
use super::marker::{CONTENT, is_move, letters, marker_at};
use super::read::{Arrival, read};
use super::sections::{Sections, Stop};
use super::{Message, Options, PREFIX, Profile};

/// Chunks below this length are looked at byte by byte: to set up a search would cost more.
const SHORT: usize = 16;

/// Reads a message that arrives in chunks. Taking in chunks and looking at the message after each of them costs
/// time in proportion to the text, however it is cut; the text is kept once, and a body with text behind an
/// end line a second time.
///
/// # Example
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
    /// In the chat, what is known of the text as an envelope, until the prefix is found.
    envelope: Option<Envelope>,
}

impl StreamReader {
    /// A reader to which nothing has come yet.
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

    /// Takes in the next chunk, which may be empty.
    pub fn push(&mut self, chunk: &str) {
        let from = self.raw.len();
        self.raw.push_str(chunk);
        // A line turns out to be what it is at its LF; a moved content marker, at its `?` or LF.
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

    /// The message as it shows now, while more may come.
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

    /// The message, now that nothing more comes. Reads the text again.
    #[must_use]
    pub fn whole(&self) -> Message<'_> {
        read(&self.raw, Arrival::Whole, &self.options, &mut ())
    }

    #[inline]
    fn look_at(&mut self, byte: u8, at: usize) {
        match byte {
            b'\n' => self.line_feed(at),
            // A content marker in front of a `?` is one now, if it stands in the middle of a line.
            b'?' => self.moved_marker_before(at),
            _ => {}
        }
    }

    /// The line that ends with the LF at `at` is what it is now.
    fn line_feed(&mut self, at: usize) {
        let line_feed_at = if self.raw[self.line.start..at].ends_with('\r') { at - 1 } else { at };
        self.moved_marker_before(line_feed_at);
        self.marker_line();
        self.start_line(at + 1, false);
    }

    /// Starts a line at the content marker that ends at `end`, where it is one that moves.
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

    /// Takes in the line that has just ended, where it is a marker line.
    fn marker_line(&mut self) {
        if let Some(marker) = marker_at(&self.raw, self.line.start, self.line.moved, &self.options) {
            self.sections.marker(&self.raw, &marker, &self.options);
        }
    }

    fn start_line(&mut self, start: usize, moved: bool) {
        self.line = LastLine { start, moved, kind_end: start };
    }

    /// Keeps the end of the kind's letters on a last line that starts with the prefix.
    fn follow_kind(&mut self) {
        if self.raw[self.line.start..].starts_with(PREFIX) {
            let from = self.line.kind_end.max(self.line.start + PREFIX.len());
            self.line.kind_end = from + letters(&self.raw.as_bytes()[from..]);
        }
    }
}
