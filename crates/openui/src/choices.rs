//! The open points of OpenUI stored messages: the documents are silent there, and an implementation makes a choice.
//!
//! The first choice of each is the default. Each type names the rule of its point.

/// A choice for each open point. [`Default`] makes the first choice of each.
///
/// # Examples
///
/// ```
/// use genui_openui::choices::{Choices, DuplicateAttribute};
/// use genui_openui::{Options, parse};
///
/// let choices = Choices { duplicate_attribute: DuplicateAttribute::First, ..Choices::default() };
/// let message = parse("]]>openui:content?a=1&a=2", &Options { choices, ..Options::default() });
/// assert_eq!(message.attributes.decode(), [("a".into(), "1".into())]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// What a CR leaves that ends the message directly after a marker at the start of a line.
    pub cr_at_end: CrAtEnd,
    /// What a CR leaves that ends the message directly after a content marker within a line.
    pub mid_line_cr_at_end: MidLineCrAtEnd,
    /// Which of several contexts after the winning content counts.
    pub several_contexts: SeveralContexts,
    /// Whether an end line before the winning content counts.
    pub stale_end: StaleEnd,
    /// What an empty context reads as.
    pub empty_context: EmptyContext,
    /// How exactly the numbers of a context are read and written.
    pub numbers: Numbers,
    /// Which value counts of an attribute name that occurs twice.
    pub duplicate_attribute: DuplicateAttribute,
    /// What happens to an attribute with an empty name.
    pub empty_name: EmptyName,
    /// Whether a last line is held back that starts with the prefix and can no longer become a marker line.
    pub hold_impossible: HoldImpossible,
    /// Whether the beginning of a content marker at the end of a line of text is shown.
    pub mid_line_partial: MidLinePartial,
    /// What a writer does with a marker line in its input.
    pub forged_marker: ForgedMarker,
    /// What a writer does with any other input that does not read back.
    pub not_writable: NotWritable,
    /// How a context that is not JSON follows a user's message in the text for the model.
    pub text_context: TextContext,
    /// How a turn with an empty message begins.
    pub empty_message: EmptyMessage,
    /// What is shown while a legacy envelope is not closed.
    pub legacy_streaming: LegacyStreaming,
}

/// What a CR leaves that ends the message directly after a marker at the start of a line.
///
/// This is the open point `openui.marker.cr-at-end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrAtEnd {
    /// The marker counts; the CR belongs to its line ending.
    #[default]
    Marker,
    /// The line is ordinary text.
    Text,
}

/// What a CR leaves that ends the message directly after a content marker within a line.
///
/// This is the open point `openui.marker.mid-line-cr-at-end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MidLineCrAtEnd {
    /// The marker is ordinary text.
    #[default]
    Text,
    /// The marker counts; the CR belongs to its line ending.
    Marker,
}

/// Which of several contexts after the winning content counts.
///
/// This is the open point `openui.read.several-contexts`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeveralContexts {
    /// The last one.
    #[default]
    Last,
    /// The first one.
    First,
}

/// Whether an end line before the winning content counts.
///
/// This is the open point `openui.read.stale-end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaleEnd {
    /// The message has an end.
    #[default]
    Counts,
    /// Only an end line after the winning content counts.
    Ignored,
}

/// What an empty context reads as.
///
/// This is the open point `openui.context.empty`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyContext {
    /// The empty string.
    #[default]
    EmptyString,
    /// No context.
    Absent,
}

/// How exactly the numbers of a context are read and written.
///
/// This is the open point `openui.context.numbers`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Digit for digit.
    #[default]
    Exact,
    /// As double-precision numbers.
    Double,
    /// Whole numbers exactly, all others as double-precision numbers.
    ExactIntegers,
    /// Whole numbers of 64 bits exactly, all others as double-precision numbers.
    Integers64Bit,
}

/// Which value counts of an attribute name that occurs twice.
///
/// This is the open point `openui.attributes.duplicate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateAttribute {
    /// The last value.
    #[default]
    Last,
    /// The first value.
    First,
}

/// What happens to an attribute with an empty name.
///
/// This is the open point `openui.attributes.empty-name`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyName {
    /// It is dropped.
    #[default]
    Dropped,
    /// It is kept under the empty name.
    Kept,
}

/// Whether a last line is held back that starts with the prefix and can no longer become a marker line.
///
/// This is the open point `openui.stream.hold-impossible`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HoldImpossible {
    /// It is held back.
    #[default]
    Held,
    /// It is shown.
    Shown,
}

/// Whether the beginning of a content marker at the end of a line of text is shown.
///
/// This is the open point `openui.stream.mid-line-partial`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MidLinePartial {
    /// It is shown.
    #[default]
    Shown,
    /// It is held back.
    Held,
}

/// What a writer does with a marker line in its input.
///
/// This is the open point `openui.build.forged-marker`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForgedMarker {
    /// It refuses the input.
    #[default]
    Refused,
    /// It writes the input unchanged.
    Written,
}

/// What a writer does with any other input that does not read back.
///
/// This is the open point `openui.build.not-writable`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotWritable {
    /// It refuses the input.
    #[default]
    Refused,
    /// It writes the input unchanged.
    Written,
}

/// How a context that is not JSON follows a user's message in the text for the model.
///
/// This is the open point `openui.model.text-context`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextContext {
    /// As it is.
    #[default]
    Text,
    /// As a JSON string.
    JsonString,
}

/// How a turn with an empty message begins.
///
/// This is the open point `openui.event.empty-message`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyMessage {
    /// With a content marker and an empty body.
    #[default]
    ContentLine,
    /// With the context marker.
    NoContentLine,
}

/// What is shown while a legacy envelope is not closed.
///
/// This is the open point `openui.legacy.streaming`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LegacyStreaming {
    /// The text as it arrives.
    #[default]
    Raw,
    /// Nothing that may belong to the envelope.
    Held,
}
