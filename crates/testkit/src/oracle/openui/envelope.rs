//! The oracle for the rules `openui.legacy.*`: the text is taken apart from the outside in, and fails at the first step
//! that the rule does not allow.

use super::Reading;
use genui_openui::choices::LegacyStreaming;
use genui_openui::{Mode, Options};

/// `openui.legacy.extent` lists these.
const WHITE_SPACE: &[char] = &[' ', '\t', '\n', '\r', '\u{b}', '\u{c}'];

/// Reads a text of the chat that contains no prefix and no text that counts as one. `piece` is the text that is held
/// back at its end: a piece of a content marker. The envelope is looked for with it, and the shown text ends before it
/// (`openui.stream.mid-line-partial`).
pub(super) fn read(raw: &str, piece: usize, mode: Mode, options: &Options) -> Reading {
    let reading = |content: &str, context: Option<&str>| Reading {
        content: content.to_owned(),
        context: context.map(str::to_owned),
        attributes: String::new(),
        end: false,
    };
    if let Some((content, context)) = closed(raw) {
        return reading(content, context);
    }
    if mode == Mode::Streaming && options.choices.legacy_streaming == LegacyStreaming::Held {
        if behind_content_tag(raw.trim_start_matches(WHITE_SPACE)).is_some() {
            return reading("", None);
        }
        if let Some((before, _)) = raw.split_once("<context>") {
            return reading(before.trim_end_matches(WHITE_SPACE), None);
        }
    }
    reading(&raw[..raw.len() - piece], None)
}

/// Returns content and context of a message that is an envelope.
fn closed(raw: &str) -> Option<(&str, Option<&str>)> {
    let (rest, context) = match take_context(raw) {
        Some((rest, context)) => (rest, Some(context)),
        None => (raw, None),
    };
    match content_pair(rest) {
        Some(content) => Some((content, context)),
        // Text and a context are an envelope; text alone is not.
        None => context.map(|context| (rest, Some(context))),
    }
}

/// Returns the text before the context, and the context: from the earliest `<context>` to the `</context>` at the end.
fn take_context(raw: &str) -> Option<(&str, &str)> {
    let (before, after) = raw.split_once("<context>")?;
    let context = after.trim_end_matches(WHITE_SPACE).strip_suffix("</context>")?;
    Some((before.trim_end_matches(WHITE_SPACE), context))
}

/// Returns the text between a content tag and the last `</content>`, with only white space around the pair.
fn content_pair(text: &str) -> Option<&str> {
    let body = behind_content_tag(text.trim_start_matches(WHITE_SPACE))?;
    let (content, after) = body.rsplit_once("</content>")?;
    after.chars().all(|character| WHITE_SPACE.contains(&character)).then_some(content)
}

/// Returns the text after a content tag at the start (`openui.legacy.attributes`): `<content`, and then `>`, or white
/// space, characters other than `>`, and `>`.
fn behind_content_tag(text: &str) -> Option<&str> {
    let after = text.strip_prefix("<content")?;
    match after.strip_prefix('>') {
        Some(body) => Some(body),
        None => Some(after.strip_prefix(WHITE_SPACE)?.split_once('>')?.1),
    }
}
