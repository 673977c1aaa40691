//! Mutants that read the older envelope wrongly.

use super::Fault::Read;
use super::mangling::{entities_decoded, with_texts};
use super::reference::{ReferenceReader, context_of, unused, with_strings};
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::wire::ParseResult;
use crate::formats::openui::{CORE, LINE_START};
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
    mutant(
        "openui.legacy.extent",
        "open-content-reaches-to-the-context",
        "Content whose tag is not closed reaches to the context.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let open = result.content.trim_start().strip_prefix("<content>");
            if let Some(inner) =
                open.filter(|inner| has_both(raw) && !raw.contains(PREFIX) && !inner.contains("</content>"))
            {
                result.content = inner.to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.extent",
        "start-of-text-before-a-context-trimmed",
        "White space at the start of a text before a context is trimmed.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if raw.contains("<context>") && result.content != raw && !raw.contains("<content") && !raw.contains(PREFIX)
            {
                result.content = result.content.trim_start().to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.envelope",
        "entities-in-the-envelope-decoded",
        "The envelope is read as XML: entities in its content and context are decoded.",
        Read(|right, raw, streaming| envelope_changed(right, raw, streaming, entities_decoded)),
    ),
    mutant(
        "openui.legacy.envelope",
        "section-of-character-data-opened",
        "The envelope is read as XML: `<![CDATA[` and `]]>` are removed.",
        Read(|right, raw, streaming| {
            envelope_changed(right, raw, streaming, |text| {
                let inner = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
                inner.unwrap_or(text).to_owned()
            })
        }),
    ),
    mutant(
        "openui.legacy.envelope",
        "envelope-content-trimmed",
        "The content of the envelope is trimmed.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if is_envelope(raw, &result) {
                result.content = result.content.trim().to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.attributes",
        "angle-bracket-in-quotes-ends-no-tag",
        "The content tag ends at the first `>` that is not in quotation marks.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let tag = raw.trim_start().split('>').next().unwrap_or("");
            let open = is_envelope(raw, &result) && tag.matches('"').count() % 2 == 1;
            if let Some((_, rest)) = result.content.split_once("\">").filter(|_| open) {
                result.content = rest.to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.legacy.attributes",
        "context-tag-with-attributes",
        "A context tag with attributes is a context tag.",
        Read(|right, raw, streaming| {
            let tagged = raw.find("<context ").and_then(|at| Some((at, at + raw[at..].find('>')?)));
            match tagged.filter(|_| !raw.contains(PREFIX)) {
                Some((from, to)) => right.read(&format!("{}<context{}", &raw[..from], &raw[to..]), streaming),
                None => right.read(raw, streaming),
            }
        }),
    ),
    mutant_in(
        &[CORE, LINE_START],
        mutant(
            "openui.legacy.core",
            "content-tags-dropped",
            "Content tags around the whole message are dropped outside of the profile chat.",
            Read(|right, raw, streaming| {
                let mut result = right.read(raw, streaming);
                let inner = result.content.strip_prefix("<content>").and_then(|text| text.strip_suffix("</content>"));
                if let Some(inner) = inner.map(str::to_owned) {
                    result.content = inner;
                }
                result
            }),
        ),
    ),
];

/// Whether a message was read as an envelope with a content tag.
fn is_envelope(raw: &str, result: &ParseResult) -> bool {
    let has_tag = raw.trim_start().starts_with("<content") && !raw.contains(PREFIX);
    has_tag && !result.content.trim_start().starts_with("<content") && result.content.len() < raw.len()
}

/// Reads a message, and changes the texts of an envelope.
fn envelope_changed(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl Fn(&str) -> String,
) -> ParseResult {
    let mut result = right.read(raw, streaming);
    if is_envelope(raw, &result) {
        result.content = change(&result.content);
        result.context = with_texts(result.context, &change);
    }
    result
}

fn has_both(raw: &str) -> bool {
    raw.contains("<content") && raw.contains("<context>")
}

/// Reads a message as if there were no envelope.
fn plain(right: &ReferenceReader<'_>, raw: &str, streaming: bool) -> ParseResult {
    right.read_with(raw, streaming, &Options { profile: Profile::Core, ..*right.options })
}
