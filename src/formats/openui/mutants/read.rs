//! Mutants that choose the wrong section.

use super::Fault::Read;
use super::mangling::{entities_decoded, unmarked, without_comments};
use super::reference::{ReferenceReader, SourceLine, attributes_of, context_of};
use super::{Mutant, mutant};
use crate::json::Json;
use crate::openui::{LineKind, PREFIX};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.read.last-content-wins",
        "first-content-wins",
        "The first content section counts: a retry is never seen.",
        Read(|right, raw, streaming| {
            let mut seen = false;
            right.read_changed(raw, streaming, |_, piece| {
                let again = piece.marker() == Some("content") && std::mem::replace(&mut seen, true);
                Some(if again { piece.renamed("zz") } else { piece.text.to_owned() })
            })
        }),
    ),
    mutant(
        "openui.read.last-content-wins",
        "contents-joined",
        "All content sections are joined.",
        Read(|right, raw, streaming| {
            let mut seen = false;
            right.read_changed(raw, streaming, |_, piece| {
                let again = piece.marker() == Some("content") && std::mem::replace(&mut seen, true);
                (!again).then(|| piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.read.context-before-content",
        "context-before-content-counts",
        "A context counts although a later content section follows: form values of a failed attempt are returned.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if result.context == Json::Null {
                result.context = last_context(&right.lines(raw)).map_or(Json::Null, |text| context_of(&text));
            }
            result
        }),
    ),
    mutant(
        "openui.read.leading-text",
        "leading-text-beside-content",
        "Text before the first marker is shown before the content too.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let pieces = right.lines(raw);
            if pieces.iter().any(|piece| piece.marker() == Some("content")) {
                let leading = pieces.iter().take_while(|piece| piece.kind != LineKind::Marker);
                result.content = leading.map(|piece| piece.text).chain([&result.content[..]]).collect();
            }
            result
        }),
    ),
    mutant(
        "openui.read.leading-text",
        "leading-text-dropped",
        "Once there is any marker, a message without a content marker has no content.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let pieces = right.lines(raw);
            let has = |kind: &str| pieces.iter().any(|piece| piece.marker() == Some(kind));
            if !has("content") && pieces.iter().any(|piece| piece.kind == LineKind::Marker) {
                result.content.clear();
            }
            result
        }),
    ),
    mutant(
        "openui.read.unknown-kind",
        "unknown-sections-shown",
        "The marker line of an unknown kind is ignored, but its body is shown.",
        Read(|right, raw, streaming| {
            right.read_changed(raw, streaming, |_, piece| (!piece.is_unknown()).then(|| piece.text.to_owned()))
        }),
    ),
    mutant(
        "openui.read.unknown-kind",
        "unknown-markers-are-text",
        "Only the kinds content, context and end make markers; any other line is text.",
        Read(|right, raw, streaming| {
            let unknown: Vec<usize> = unknown_markers(right, raw);
            right.read_masked(raw, streaming, |at| unknown.contains(&at))
        }),
    ),
    mutant(
        "openui.read.unknown-kind",
        "unknown-section-ends-at-an-end-line",
        "An end line closes an unknown section, and the text after it is shown again.",
        Read(|right, raw, streaming| {
            let mut in_unknown = false;
            right.read_changed(raw, streaming, |_, piece| {
                if let Some(kind) = piece.marker() {
                    let closes = in_unknown && kind == "end";
                    in_unknown = piece.is_unknown();
                    return (closes || !in_unknown).then(|| piece.text.to_owned());
                }
                (!in_unknown).then(|| piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.read.plain-text",
        "plain-text-trimmed",
        "A message without markers is trimmed.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if !raw.contains(PREFIX) {
                result.content = result.content.trim().to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.read.plain-text",
        "prefix-without-a-marker-is-no-plain-text",
        "A message that contains the prefix is searched for markers, and without one it has no content.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if raw.contains(PREFIX) && right.lines(raw).iter().all(|piece| piece.kind != LineKind::Marker) {
                result.content.clear();
            }
            result
        }),
    ),
    mutant(
        "openui.read.plain-text",
        "text-without-markers-is-no-content",
        "Without a marker there is no content.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if !raw.contains(PREFIX) && result.content == raw {
                result.content.clear();
            }
            result
        }),
    ),
    mutant(
        "openui.read.end",
        "end-only-as-the-last-line",
        "Only the last line decides whether there is an end.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.end &= right.lines(raw).last().is_some_and(|piece| piece.marker() == Some("end"));
            result
        }),
    ),
    mutant(
        "openui.read.end",
        "end-found-anywhere",
        "The end is true as soon as `]]>openui:end` is anywhere in the message.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.end |= raw.contains("]]>openui:end");
            result
        }),
    ),
    mutant(
        "openui.read.end",
        "end-always-false",
        "No end line sets the end.",
        Read(|right, raw, streaming| crate::formats::openui::wire::ParseResult {
            end: false,
            ..right.read(raw, streaming)
        }),
    ),
    mutant(
        "openui.read.end",
        "end-with-attributes-ignored",
        "An end line with attributes does not count.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let bare = |piece: &SourceLine<'_>| piece.marker() == Some("end") && attributes_of(piece.text).is_none();
            result.end &= right.lines(raw).iter().any(bare);
            result
        }),
    ),
    mutant(
        "openui.read.final-line-ending",
        "final-line-ending-of-an-end-line-kept",
        "The line ending after a last end line becomes part of the content.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let last = right.lines(raw).last().cloned();
            if last.is_some_and(|piece| piece.marker() == Some("end") && piece.text.ends_with('\n')) {
                result.content.push('\n');
            }
            result
        }),
    ),
    mutant(
        "openui.read.text-after-end",
        "text-after-end-dropped",
        "Text after an end line is ignored, up to the next marker line.",
        Read(|right, raw, streaming| {
            let mut ended = false;
            right.read_changed(raw, streaming, |_, piece| {
                if let Some(kind) = piece.marker() {
                    ended = kind == "end";
                    return Some(piece.text.to_owned());
                }
                (!ended).then(|| piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.read.text-after-end",
        "end-line-leaves-a-blank-line",
        "An end line is emptied, but its line ending stays.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            let mut result = right.read_changed(raw, streaming, |at, piece| {
                let more = pieces.get(at + 1).is_some_and(|next| next.kind != LineKind::Marker);
                let emptied = piece.marker() == Some("end") && more;
                Some(if emptied { format!("{}\n", piece.text) } else { piece.text.to_owned() })
            });
            result.end = right.read(raw, streaming).end;
            result
        }),
    ),
    mutant(
        "openui.read.several-contexts",
        "contexts-joined",
        "The context starts at the first context marker and continues over the others.",
        Read(|right, raw, streaming| {
            let mut seen = false;
            right.read_changed(raw, streaming, |_, piece| {
                match piece.marker() {
                    Some("context") if std::mem::replace(&mut seen, true) => return None,
                    Some("content") => seen = false,
                    _ => {}
                }
                Some(piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.read.several-contexts",
        "last-context-with-something-in-it",
        "Of several contexts the last one that is neither empty nor null counts.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if matches!(&result.context, Json::Null) || result.context.as_str() == Some("") {
                let bodies = contexts_behind_content(&right.lines(raw));
                let full = bodies.iter().rev().map(|text| context_of(text));
                let mut full = full.filter(|context| *context != Json::Null && context.as_str() != Some(""));
                result.context = full.next().unwrap_or(result.context);
            }
            result
        }),
    ),
    mutant(
        "openui.read.stale-end",
        "stale-end-reset-by-attributes",
        "An end line counts until a content marker with attributes comes; one without them leaves it.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.end = false;
            for piece in right.lines(raw) {
                match piece.marker() {
                    Some("end") => result.end = true,
                    Some("content") if attributes_of(piece.text).is_some() => result.end = false,
                    _ => {}
                }
            }
            result
        }),
    ),
    mutant(
        "openui.read.display",
        "context-shown-in-the-content",
        "The context is right, but stays in the shown text.",
        Read(|right, raw, streaming| {
            let shown = right.read_changed(raw, streaming, |_, piece| {
                Some(if piece.marker() == Some("context") { format!(" {}", piece.text) } else { piece.text.to_owned() })
            });
            let content = shown.content.replace("\n ]]>openui:context", "\n]]>openui:context");
            crate::formats::openui::wire::ParseResult { content, ..right.read(raw, streaming) }
        }),
    ),
    mutant(
        "openui.read.display",
        "marker-line-shown",
        "The shown text starts with the content's marker line.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let pieces = right.lines(raw);
            if let Some(marker) = pieces.iter().rev().find(|piece| piece.marker() == Some("content")) {
                result.content.insert_str(0, marker.text);
            }
            result
        }),
    ),
    mutant(
        "openui.read.plain-text",
        "entities-decoded-in-plain-text",
        "Entities such as `&amp;` are decoded in a message without markers.",
        Read(|right, raw, streaming| plain_changed(right, raw, streaming, entities_decoded)),
    ),
    mutant(
        "openui.read.plain-text",
        "comments-removed-from-plain-text",
        "A message without markers is shown as HTML, and its comments are lost.",
        Read(|right, raw, streaming| plain_changed(right, raw, streaming, without_comments)),
    ),
    mutant(
        "openui.read.plain-text",
        "plain-text-without-its-mark",
        "A byte order mark at the start of a message without markers is dropped.",
        Read(|right, raw, streaming| plain_changed(right, raw, streaming, unmarked)),
    ),
];

/// Reads a message, and changes the content of one without markers and envelope.
fn plain_changed(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl Fn(&str) -> String,
) -> crate::formats::openui::wire::ParseResult {
    let mut result = right.read(raw, streaming);
    if !raw.contains(PREFIX) && raw.starts_with(&result.content) {
        result.content = change(&result.content);
    }
    result
}

/// Returns the body of the last context section of a message, wherever it is.
fn last_context(pieces: &[SourceLine<'_>]) -> Option<String> {
    let at = pieces.iter().rposition(|piece| piece.marker() == Some("context"))?;
    Some(body(&pieces[at + 1..]))
}

/// Returns the bodies of the context sections after the winning content.
fn contexts_behind_content(pieces: &[SourceLine<'_>]) -> Vec<String> {
    let from = pieces.iter().rposition(|piece| piece.marker() == Some("content")).map_or(0, |at| at + 1);
    let contexts = (from..pieces.len()).filter(|at| pieces[*at].marker() == Some("context"));
    contexts.map(|at| body(&pieces[at + 1..])).collect()
}

/// Returns the lines up to the next marker line, without the line ending before it.
fn body(pieces: &[SourceLine<'_>]) -> String {
    let lines = pieces.iter().take_while(|piece| piece.kind != LineKind::Marker);
    let mut body: String = lines.clone().map(|piece| piece.text).collect();
    if lines.count() < pieces.len() && body.ends_with('\n') {
        body.pop();
        if body.ends_with('\r') {
            body.pop();
        }
    }
    body
}

fn unknown_markers(right: &ReferenceReader<'_>, raw: &str) -> Vec<usize> {
    let mut at = 0;
    let mut found = Vec::new();
    for piece in right.lines(raw) {
        if piece.is_unknown() {
            found.push(at);
        }
        at += piece.text.len();
    }
    found
}
