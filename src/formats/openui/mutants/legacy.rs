//! Mutants that read the older envelope wrongly.

use super::Fault::Read;
use super::reference::{ReferenceReader, context_of, unused, with_strings};
use super::{Mutant, mutant};
use crate::formats::openui::wire::ParseResult;
use crate::json::Json;
use crate::openui::{Options, PREFIX, Profile};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.legacy.envelope",
        "envelope-unknown",
        "The older envelope is plain text.",
        Read(
            |right, raw, streaming| {
                if has_both(raw) { plain(right, raw, streaming) } else { right.read(raw, streaming) }
            },
        ),
    ),
    mutant(
        "openui.legacy.envelope",
        "envelope-context-not-parsed",
        "The context of the envelope is returned as text.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if has_both(raw) && !raw.contains(PREFIX) {
                result.context = right.context_text(raw, streaming).map_or(Json::Null, Json::from);
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.content-only",
        "envelope-needs-a-context",
        "Content tags without a context are plain text.",
        Read(|right, raw, streaming| {
            let alone = raw.contains("<content") && !raw.contains("<context>");
            if alone { plain(right, raw, streaming) } else { right.read(raw, streaming) }
        }),
    ),
    mutant(
        "openui.legacy.attributes",
        "content-tag-without-attributes",
        "Only `<content>` is the tag; one with attributes is text.",
        Read(|right, raw, streaming| {
            let has = raw.trim_start().strip_prefix("<content").is_some_and(|rest| rest.starts_with([' ', '\t', '\n']));
            if has { plain(right, raw, streaming) } else { right.read(raw, streaming) }
        }),
    ),
    mutant(
        "openui.legacy.attributes",
        "content-tag-by-its-beginning",
        "Every tag whose name begins with `content` is the content tag.",
        Read(|right, raw, streaming| {
            let trimmed = raw.trim_start();
            let longer = trimmed.strip_prefix("<content").filter(|rest| rest.starts_with(['-', '_', 's', 'e']));
            match longer.and_then(|rest| rest.split_once('>')) {
                Some((_, rest)) if !raw.contains(PREFIX) => right.read(&format!("<content>{rest}"), streaming),
                _ => right.read(raw, streaming),
            }
        }),
    ),
    mutant(
        "openui.legacy.attributes",
        "tag-attributes-come-back",
        "The attributes of the content tag are returned as attributes.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let tag = raw.trim_start().strip_prefix("<content ").and_then(|rest| rest.split_once('>'));
            if let Some((attributes, _)) = tag.filter(|_| !result.content.contains("<content")) {
                let pairs = attributes.split_whitespace().filter_map(|pair| pair.split_once('='));
                result.attributes =
                    pairs.map(|(name, value)| (name.to_owned(), value.trim_matches('"').to_owned())).collect();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.context-only",
        "context-needs-content-tags",
        "A context after text without content tags is part of the text.",
        Read(
            |right, raw, streaming| {
                if raw.contains("<content") { right.read(raw, streaming) } else { plain(right, raw, streaming) }
            },
        ),
    ),
    mutant(
        "openui.legacy.extent",
        "first-closing-content-tag",
        "The content ends at the first `</content>`.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if raw.trim_start().starts_with("<content") && result.content.len() < raw.len() && !raw.contains(PREFIX) {
                let kept = result.content.find("</content>").unwrap_or(result.content.len());
                result.content.truncate(kept);
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.extent",
        "last-opening-context-tag",
        "The context begins at the last `<context>`.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let text = right.context_text(raw, streaming).filter(|_| !raw.contains(PREFIX));
            if let Some((_, inner)) = text.as_deref().and_then(|text| text.rsplit_once("<context>")) {
                result.context = context_of(inner);
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.extent",
        "no-white-space-around-the-tags",
        "The envelope must start with the first character and end with the last.",
        Read(
            |right, raw, streaming| {
                if raw.trim() == raw { right.read(raw, streaming) } else { plain(right, raw, streaming) }
            },
        ),
    ),
    mutant(
        "openui.legacy.extent",
        "text-around-the-content-lost",
        "Content tags count anywhere, and text around them is lost.",
        Read(|right, raw, streaming| {
            let inner = raw.find("<content>").zip(raw.rfind("</content>"));
            match inner.filter(|(from, to)| from < to && !raw.contains(PREFIX) && !streaming) {
                Some((from, to)) => {
                    let mut result = right.read(raw, false);
                    result.content = raw[from + "<content>".len()..to].to_owned();
                    result
                }
                None => right.read(raw, streaming),
            }
        }),
    ),
    mutant(
        "openui.legacy.prefix-first",
        "envelope-although-the-prefix-is-there",
        "The envelope is tried first, even if the message contains the prefix.",
        Read(|right, raw, streaming| {
            let mask = unused(raw).to_string();
            let envelope = right.read(&raw.replace(PREFIX, &mask), streaming);
            if envelope.content == raw.replace(PREFIX, &mask) {
                return right.read(raw, streaming);
            }
            let back = |text: &str| text.replace(&mask, PREFIX);
            let context = with_strings(envelope.context, &back);
            ParseResult { content: back(&envelope.content), context, ..right.read("", streaming) }
        }),
    ),
    mutant(
        "openui.legacy.streaming",
        "tags-stripped-while-streaming",
        "While the envelope is open, the text between its tags is shown already.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let open = streaming && result.content == raw && !raw.contains(PREFIX);
            if let Some(inner) = raw.trim_start().strip_prefix("<content>").filter(|_| open) {
                result.content = inner.to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.core",
        "envelope-in-every-profile",
        "The older envelope is also read outside of the profile chat.",
        Read(|right, raw, streaming| {
            let options = Options { profile: Profile::Chat, ..*right.options };
            if raw.contains(PREFIX) { right.read(raw, streaming) } else { right.read_with(raw, streaming, &options) }
        }),
    ),
];

fn has_both(raw: &str) -> bool {
    raw.contains("<content") && raw.contains("<context>")
}

/// Reads a message as if there were no envelope.
fn plain(right: &ReferenceReader<'_>, raw: &str, streaming: bool) -> ParseResult {
    right.read_with(raw, streaming, &Options { profile: Profile::Core, ..*right.options })
}
