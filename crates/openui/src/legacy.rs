//! The older envelope of the chat: `<content>...</content><context>...</context>`.

use std::ops::Range;

use super::choices::LegacyStreaming;
use super::{Context, Message, Options};
use std::borrow::Cow;

const CONTENT_TAG: &str = "<content";
const CONTENT_CLOSE: &str = "</content>";
const CONTEXT_OPEN: &str = "<context>";
const CONTEXT_CLOSE: &str = "</context>";

/// What has been learned of a text that may be an envelope. It grows with the text, so that a stream can be
/// looked at after each chunk at a cost in proportion to the chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Envelope {
    /// How much of the text has been taken in.
    seen: usize,
    /// Where white space at the start ends.
    lead: Option<usize>,
    /// Where the content tag at the start ends, once it is known to be one.
    tag: Tag,
    /// The first `<context>`, and where the text before it ends, white space aside.
    context: Option<(usize, usize)>,
    /// Where white space at the end starts.
    trimmed: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tag {
    /// There is nothing to tell by yet; `usize` bytes of the text have been searched for its end.
    #[default]
    Unknown,
    Open {
        searched: usize,
    },
    Ends(usize),
    None,
}

impl Envelope {
    /// How much of the text has been taken in.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }

    /// Takes in what has come since the last call. `raw` is the whole text.
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

    /// The content and the context of an envelope that is closed; `None` where the text is none.
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

    /// The rule by which an envelope was taken; `None` where there is none.
    pub(crate) fn rule(&self, raw: &str) -> Option<&'static str> {
        self.closed(raw).map(|(content, context)| match (content.start, context) {
            (0, _) => "openui.legacy.context-only",
            (_, None) => "openui.legacy.content-only",
            (_, Some(_)) => "openui.legacy.envelope",
        })
    }

    /// The ids of the rules beside [`Envelope::rule`] that decide something about a line of a closed envelope: about
    /// attributes of its tag, about white space around its pairs, and about tags inside them.
    pub(crate) fn line_rules(&self, raw: &str, line: &Range<usize>) -> Vec<&'static str> {
        let mut rules = Vec::new();
        let Some((content, context)) = self.closed(raw) else { return rules };
        let touches = |place: Range<usize>| place.start < line.end && line.start < place.end;
        let holds = |place: &Range<usize>, tag| {
            let (from, to) = (place.start.max(line.start), place.end.min(line.end));
            from < to && raw[from..to].contains(tag)
        };
        let lead = self.lead.unwrap_or(0);
        let has_content_pair = content.start > 0;
        if has_content_pair && content.start - lead > CONTENT_TAG.len() + 1 && touches(lead..content.start) {
            rules.push("openui.legacy.attributes");
        }
        let behind_content = if has_content_pair { content.end + CONTENT_CLOSE.len() } else { content.end };
        let before_context = context.as_ref().map_or(self.trimmed, |context| context.start - CONTEXT_OPEN.len());
        let is_extent = touches(0..lead)
            || touches(self.trimmed..raw.len())
            || touches(behind_content..before_context)
            || holds(&content, CONTENT_CLOSE)
            || (!has_content_pair && holds(&content, CONTENT_TAG))
            || context.is_some_and(|context| holds(&context, CONTEXT_OPEN) || holds(&context, CONTEXT_CLOSE));
        if is_extent {
            rules.push("openui.legacy.extent");
        }
        rules
    }

    /// Whether the text begins as an envelope does, or has a context tag in it.
    pub(crate) fn has_a_tag(&self) -> bool {
        matches!(self.tag, Tag::Open { .. } | Tag::Ends(_)) || self.context.is_some()
    }

    /// Whether the text begins like a content tag and goes on as none, so that what may stand in a tag decides.
    pub(crate) fn has_a_longer_tag(&self, raw: &str) -> bool {
        self.tag == Tag::None && self.lead.is_some_and(|lead| raw[lead..].starts_with(CONTENT_TAG))
    }

    /// How much of a text that is no closed envelope shows while it streams (`openui.legacy.streaming`).
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

    /// The message that the envelope holds, or the text up to `at` as plain content.
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

/// The length without white space at the end.
fn trimmed(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1)
}

/// ASCII white space; what other white space does is left free (`openui.legacy.extent`).
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
