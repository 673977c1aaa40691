//! The analysis of a message: for each line its kind, section, attributes and every rule that decides something about
//! it. It is made from what the reader did, not from a second reading.

mod facts;

use std::fmt;

use super::attributes::AttributePair;
use super::trace::Reading;
use super::{Line, Message, Mode, Options};
use facts::Facts;

/// The message as it was read, and the analysis of its lines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Analysis<'a> {
    /// Its lines, as [`trace`](super::trace()) returns them.
    pub lines: Vec<LineAnalysis<'a>>,
    /// The message.
    pub message: Message<'a>,
    /// The id of the rule that decides its content. (An empty message has no line that could name it.)
    pub content_rule: &'static str,
    /// The id of the rule that decides its context, or that there is none.
    pub context_rule: &'static str,
    /// The id of the rule that decides its `end`.
    pub end_rule: &'static str,
}

/// Everything that is known about a line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LineAnalysis<'a> {
    /// Its place, its kind, and the rule that decides it.
    pub line: Line,
    /// The ids of further rules that decide something about it, each once.
    pub also: Vec<&'static str>,
    /// The section that it opens or belongs to. `None` within a legacy envelope and for a line that is held back.
    pub section: Option<SectionName>,
    /// Whether it is text or a marker line, with details.
    pub role: LineRole<'a>,
}

/// Whether a line is text or a marker line.
#[derive(Clone, Debug)]
pub enum LineRole<'a> {
    /// Text. If the line contains [`PREFIX`](super::PREFIX), the id of the rule by which it is no marker line.
    Text(Option<&'static str>),
    /// A marker line.
    Marker(Box<MarkerAnalysis<'a>>),
}

/// The details of a marker line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MarkerAnalysis<'a> {
    /// What it opens, and whether that counts.
    pub effect: Effect,
    /// Whether it was in the middle of a line and has been moved onto its own.
    pub moved: bool,
    /// Its attributes in their order, decoded. They are those of the message if the effect is [`Effect::Content`].
    pub attributes: Vec<AttributePair<'a>>,
}

/// The effect of a marker line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It opens the winning content.
    Content,
    /// It opens a content that a later one replaces.
    ShadowedContent,
    /// It opens the context that counts.
    Context,
    /// It opens a context that is ignored by the rule with this id.
    DroppedContext(&'static str),
    /// It is an end line.
    End,
    /// It is an end line before the winning content.
    StaleEnd,
    /// It opens a section of an unknown kind.
    Unknown,
}

/// A section of a message: its kind, and its number among those of this kind. `Display` writes it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionName {
    /// Its kind.
    pub kind: SectionKind,
    /// Its ordinal among sections of the same kind, from 1.
    pub number: usize,
}

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// The text before the first section.
    Leading,
    /// A content section.
    Content,
    /// A context section.
    Context,
    /// A section of an unknown kind.
    Unknown,
}

impl fmt::Display for SectionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            SectionKind::Leading => return f.write_str("the leading text"),
            SectionKind::Content => "content",
            SectionKind::Context => "context",
            SectionKind::Unknown => "unknown",
        };
        let ending = match (self.number % 10, self.number % 100) {
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        write!(f, "the {}{ending} {kind} section", self.number)
    }
}

/// Reads a message and returns everything that is known about each of its lines.
///
/// It takes several times as long as [`trace`](super::trace()), still in proportion to the length. The lines cover the
/// message without a gap.
///
/// # Examples
///
/// ```
/// use genui_openui::{Effect, LineRole, Mode, Options, analyze};
///
/// let stored = "]]>openui:content\nold\n]]>openui:content\nnew";
/// let analysis = analyze(stored, Mode::Whole, &Options::default());
/// assert_eq!(analysis.message.content, "new");
///
/// let first = &analysis.lines[0];
/// let LineRole::Marker(marker) = &first.role else { unreachable!() };
/// assert_eq!(marker.effect, Effect::ShadowedContent);
/// assert!(first.also.contains(&"openui.read.last-content-wins"));
/// ```
#[must_use]
pub fn analyze<'a>(raw: &'a str, mode: Mode, options: &Options) -> Analysis<'a> {
    let reading = Reading::of(raw, mode, options);
    let facts = Facts::of(&reading);
    let mut lines = Vec::new();
    reading.each_line(|line, position| lines.push(facts.line(line, position)));
    let (content_rule, context_rule, end_rule) = facts.message_rules();
    Analysis { lines, message: reading.message, content_rule, context_rule, end_rule }
}
