//! The analysis of a message: for each line its kind, section, attributes and every rule that decides something about
//! it. It is made from what the reader did, not from a second reading.

mod facts;

use std::fmt;

use super::attributes::AttributePair;
use super::trace::Reading;
use super::{Line, Message, Mode, Options};
use facts::Facts;

/// What was read of a message, and how.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// Its lines, as [`trace`](super::trace()) gives them.
    pub lines: Vec<LineAnalysis<'a>>,
    /// The message.
    pub message: Message<'a>,
    /// The id of the rule by which its content is what it is; for an empty message no line says so.
    pub content_rule: &'static str,
    /// The id of the rule by which its context is what it is, or absent.
    pub context_rule: &'static str,
    /// The id of the rule by which its `end` is true or false.
    pub end_rule: &'static str,
}

/// All that is said of a line.
#[derive(Clone, Debug)]
pub struct LineAnalysis<'a> {
    /// What it is, and the rule that says so.
    pub line: Line,
    /// The ids of further rules that decide something about it, each once.
    pub also: Vec<&'static str>,
    /// The section that it opens or stands in; `None` in an envelope and in what is held back, which have none.
    pub section: Option<SectionName>,
    /// What more there is to say of it.
    pub role: LineRole<'a>,
}

/// What a line does.
#[derive(Clone, Debug)]
pub enum LineRole<'a> {
    /// It is text of a body. The rule is there where it holds the prefix and is no marker line: it says why not.
    Text(Option<&'static str>),
    /// It is a marker line.
    Marker(Box<MarkerAnalysis<'a>>),
}

/// A marker line.
#[derive(Clone, Debug)]
pub struct MarkerAnalysis<'a> {
    /// What it announces, and whether that counts.
    pub effect: Effect,
    /// Whether it stood in the middle of a line, from where it was moved.
    pub moved: bool,
    /// Its attributes in their order, decoded. They are the message's where the effect is [`Effect::Content`].
    pub attributes: Vec<AttributePair<'a>>,
}

/// What a marker line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It opens the content that wins.
    Content,
    /// It opens a content that is dropped for a later one.
    ShadowedContent,
    /// It opens the context that counts.
    Context,
    /// It opens a context that does not count, by this rule.
    DroppedContext(&'static str),
    /// It is an end line.
    End,
    /// It is an end line before the winning content.
    StaleEnd,
    /// It opens a section of an unknown kind.
    Unknown,
}

/// Which section of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionName {
    /// Its kind.
    pub kind: SectionKind,
    /// The how manieth of its kind it is, from 1.
    pub number: usize,
}

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// The text in front of the first section.
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

/// Reads a message and says all that there is to say of each of its lines. Takes several times as long as
/// [`trace`](super::trace()), in proportion to the length all the same.
#[must_use]
pub fn analyze<'a>(raw: &'a str, mode: Mode, options: &'a Options) -> Analysis<'a> {
    let reading = Reading::of(raw, mode, options);
    let facts = Facts::of(&reading);
    let mut lines = Vec::new();
    reading.each_line(|line, position| lines.push(facts.line(line, position)));
    let (content_rule, context_rule, end_rule) = facts.message_rules();
    Analysis { lines, message: reading.message, content_rule, context_rule, end_rule }
}
