//! The legacy envelope of the chat: `<content>...</content><context>...</context>`.

use std::ops::Range;

use super::choices::LegacyStreaming;
use super::{Context, Message, Options};
use std::borrow::Cow;

const CONTENT_TAG: &str = "<content";
const CONTENT_CLOSE: &str = "</content>";
const CONTEXT_OPEN: &str = "<context>";
const CONTEXT_CLOSE: &str = "</context>";

/// The state of reading a text that may be an envelope. It grows with the text, so that each chunk of a stream costs
/// time in proportion to its length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    /// The number of bytes read so far.
    seen: usize,
    /// The end of the white space at the start.
    lead: Option<usize>,
    /// The content tag at the start.
    tag: Tag,
    /// The first `<context>`, and the end of the text before it without white space.
    context: Option<(usize, usize)>,
    /// The start of the white space at the end.
    trimmed: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tag {
    /// Not decided yet.
    #[default]
    Unknown,
    /// The tag has started; its first `searched` bytes do not contain its end.
    Open { searched: usize },
    /// The tag ends here.
    Ends(usize),
    /// The text does not start with the tag.
    None,
}

impl Envelope {
    /// Returns the number of bytes read so far.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }

    /// Reads the text that has arrived since the last call. `raw` is the whole text.
    pub(crate) fn advance(&mut self, raw: &str) {
        let bytes = raw.as_bytes();
        let new_end = self.seen + trimmed(&bytes[self.seen..]);
        if new_end > self.seen {
            self.trimmed = new_end;
        }
        if self.lead.is_none() {
            self.lead = bytes[self.seen..].iter().position(|byte| !is_space(*byte)).map(|at| self.seen + at);
        }
        if let Some(lead) = self.lead {
            self.advance_tag(bytes, lead);
        }
        if self.context.is_none() {
            let from = self.seen.saturating_sub(CONTEXT_OPEN.len() - 1);
            self.context = memchr::memmem::find(&bytes[from..], CONTEXT_OPEN.as_bytes())
                .map(|at| (from + at, trimmed(&bytes[..from + at])));
        }
        self.seen = raw.len();
    }

    fn advance_tag(&mut self, bytes: &[u8], lead: usize) {
        if self.tag == Tag::Unknown {
            self.tag = match bytes[lead..].strip_prefix(CONTENT_TAG.as_bytes()) {
                Some([b'>', ..]) => Tag::Ends(lead + CONTENT_TAG.len() + 1),
                Some([byte, ..]) if is_space(*byte) => Tag::Open { searched: lead + CONTENT_TAG.len() + 1 },
                Some([]) => Tag::Unknown,
                None if CONTENT_TAG.as_bytes().starts_with(&bytes[lead..]) => Tag::Unknown,
                Some(_) | None => Tag::None,
            };
        }
        if let Tag::Open { searched } = self.tag {
            self.tag = match memchr::memchr(b'>', &bytes[searched..]) {
                Some(at) => Tag::Ends(searched + at + 1),
                None => Tag::Open { searched: bytes.len() },
            };
        }
    }

    /// Returns the content and the context of a closed envelope, or `None` if the text is not one.
    pub(crate) fn closed(&self, raw: &str) -> Option<(Range<usize>, Option<Range<usize>>)> {
        let text = &raw[..self.trimmed];
        let context = self.context.and_then(|(open, rest)| {
            let start = open + CONTEXT_OPEN.len();
            let end = text.strip_suffix(CONTEXT_CLOSE)?.len();
            (start <= end).then_some((start..end, rest))
        });
        let rest = context.as_ref().map_or(text.len(), |(_, rest)| *rest);
        let content = match self.tag {
            Tag::Ends(start) => {
                raw[..rest].strip_suffix(CONTENT_CLOSE).filter(|body| start <= body.len()).map(|body| start..body.len())
            }
            _ => None,
        };
        match (content, context) {
            (Some(content), context) => Some((content, context.map(|(context, _)| context))),
            (None, Some((context, rest))) => Some((0..rest, Some(context))),
            (None, None) => None,
        }
    }

    /// Returns the rule by which the text is an envelope, or `None` if it is not one.
    pub(crate) fn rule(&self, raw: &str) -> Option<&'static str> {
        self.closed(raw).map(|(content, context)| match (content.start, context) {
            (0, _) => "openui.legacy.context-only",
            (_, None) => "openui.legacy.content-only",
            (_, Some(_)) => "openui.legacy.envelope",
        })
    }

    /// Returns the ids of the rules besides [`Envelope::rule`] that decide something about a line of a closed envelope:
    /// attributes of its tag, white space around its pairs, and tags inside them.
    pub(crate) fn line_rules(&self, raw: &str, line: &Range<usize>) -> Vec<&'static str> {
        let mut rules = Vec::new();
        let Some((content, context)) = self.closed(raw) else { return rules };
        let touches = |place: Range<usize>| place.start < line.end && line.start < place.end;
        let contains = |place: &Range<usize>, tag| {
            let (from, to) = (place.start.max(line.start), place.end.min(line.end));
            from < to && raw[from..to].contains(tag)
        };
        let lead = self.lead.unwrap_or(0);
        let has_content_pair = content.start > 0;
        if has_content_pair && content.start - lead > CONTENT_TAG.len() + 1 && touches(lead..content.start) {
            rules.push("openui.legacy.attributes");
        }
        let after_content = if has_content_pair { content.end + CONTENT_CLOSE.len() } else { content.end };
        let before_context = context.as_ref().map_or(self.trimmed, |context| context.start - CONTEXT_OPEN.len());
        let is_extent = touches(0..lead)
            || touches(self.trimmed..raw.len())
            || touches(after_content..before_context)
            || contains(&content, CONTENT_CLOSE)
            || (!has_content_pair && contains(&content, CONTENT_TAG))
            || context.is_some_and(|context| contains(&context, CONTEXT_OPEN) || contains(&context, CONTEXT_CLOSE));
        if is_extent {
            rules.push("openui.legacy.extent");
        }
        rules
    }

    /// Returns whether the text begins like an envelope, or contains a context tag.
    pub(crate) fn has_a_tag(&self) -> bool {
        matches!(self.tag, Tag::Open { .. } | Tag::Ends(_)) || self.context.is_some()
    }

    /// Returns whether the text begins like a content tag and continues differently, so that the rule about attributes
    /// of the tag decides.
    pub(crate) fn has_a_longer_tag(&self, raw: &str) -> bool {
        self.tag == Tag::None && self.lead.is_some_and(|lead| raw[lead..].starts_with(CONTENT_TAG))
    }

    /// Returns how many bytes of a text that is no closed envelope are shown while it streams
    /// (`openui.legacy.streaming`).
    pub(crate) fn shown(&self, raw: &str, options: &Options) -> usize {
        if options.choices.legacy_streaming == LegacyStreaming::Raw {
            return raw.len();
        }
        match (self.tag, self.context) {
            (Tag::Ends(_), _) => 0,
            (_, Some((_, rest))) => rest,
            _ => raw.len(),
        }
    }

    /// Returns the message in the envelope, or the text up to `at` as plain content.
    pub(crate) fn message<'a>(&self, raw: &'a str, at: usize, streaming: bool, options: &Options) -> Message<'a> {
        let (content, context) = match self.closed(raw) {
            Some(parts) => parts,
            None if streaming => (0..self.shown(raw, options).min(at), None),
            None => (0..at, None),
        };
        let mut message = Message { content: Cow::Borrowed(&raw[content]), ..Message::default() };
        message.context = Context::of(context.map(|range| Cow::Borrowed(&raw[range])), options);
        message
    }
}

/// Returns the length without white space at the end.
fn trimmed(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1)
}

/// Returns whether a byte is ASCII white space. The effect of other white space is unspecified
/// (`openui.legacy.extent`).
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
