//! Mutants that show the wrong text while a message arrives.

use std::collections::BTreeSet;

use super::Fault::{Parse, Read, Stream};
use super::mangling::unmarked;
use super::reference::{ReferenceReader, at_line_start, last_line};
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::LINE_START;
use crate::formats::openui::wire::ParseResult;
use crate::openui::PREFIX;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.stream.hold-prefix",
        "only-whole-prefixes-held",
        "A piece of the prefix shows until the prefix is whole.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let piece = !line.is_empty() && PREFIX.starts_with(line) && line != PREFIX;
            right.read(raw, streaming && !piece)
        }),
    ),
    mutant(
        "openui.stream.hold-prefix",
        "held-line-leaves-its-line-ending",
        "A line is held back, but not the line ending before it.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let mut result = right.read(raw, streaming);
            let before = &raw[..raw.len() - line.len()];
            if streaming && !line.is_empty() && PREFIX.starts_with(line) && before.ends_with('\n') {
                result.content = right.read(before, true).content;
            }
            result
        }),
    ),
    mutant_in(
        &[LINE_START],
        mutant(
            "openui.stream.hold-prefix",
            "piece-of-the-prefix-held-anywhere",
            "A piece of the prefix is held back anywhere on the last line, even the bracket of a list.",
            Read(|right, raw, streaming| {
                let piece = (1..=PREFIX.len()).rev().find(|len| raw.ends_with(&PREFIX[..*len]));
                let held = piece.filter(|len| streaming && last_line(raw).len() > *len).unwrap_or(0);
                right.read(&raw[..raw.len() - held], streaming)
            }),
        ),
    ),
    mutant(
        "openui.stream.hold-marker",
        "marker-held-anywhere",
        "Text that looks like a marker at the end is held back anywhere on its line.",
        Read(|right, raw, streaming| {
            let line = last_line(raw).trim_end_matches('\r');
            let at =
                line.rfind(PREFIX).filter(|at| streaming && *at > 0).map(|at| raw.len() - last_line(raw).len() + at);
            let only_kind = |at: usize| {
                raw[at + PREFIX.len()..].trim_end_matches('\r').bytes().all(|byte| byte.is_ascii_lowercase())
            };
            right.read(&raw[..at.filter(|at| only_kind(*at)).unwrap_or(raw.len())], streaming)
        }),
    ),
    mutant(
        "openui.stream.hold-marker",
        "only-short-prefixes-held",
        "A line is held while it is a piece of the prefix, and shows once the kind begins.",
        Read(|right, raw, streaming| shown_if(right, raw, streaming, |line| line.len() > PREFIX.len())),
    ),
    mutant(
        "openui.stream.hold-marker",
        "only-known-kinds-held",
        "A line that starts with no known kind shows, although it may be a marker of another.",
        Read(|right, raw, streaming| {
            shown_if(right, raw, streaming, |line| {
                let kind = line.strip_prefix(PREFIX).unwrap_or("");
                !kind.is_empty()
                    && kind.bytes().all(|byte| byte.is_ascii_lowercase())
                    && !["content", "context", "end"].iter().any(|known| known.starts_with(kind))
            })
        }),
    ),
    mutant(
        "openui.stream.hold-marker",
        "attributes-show-while-they-arrive",
        "A marker line shows from its `?` on, until its line ending.",
        Read(|right, raw, streaming| shown_if(right, raw, streaming, |line| line.contains('?'))),
    ),
    mutant(
        "openui.stream.hold-marker",
        "marker-counts-before-its-line-feed",
        "A marker line counts as soon as its kind is known: the end is true, a new content wins.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let kind = line.strip_prefix(PREFIX).unwrap_or("");
            let counts = ["content", "context", "end"].contains(&kind);
            right.read(raw, streaming && !counts)
        }),
    ),
    mutant(
        "openui.stream.hold-impossible",
        "prefix-held-and-the-rest-shown",
        "Once a line can no longer be a marker, its prefix is held, and the rest shows.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let after = line.strip_prefix(PREFIX).unwrap_or("");
            let mut result = right.read(raw, streaming);
            if streaming && after.starts_with(|letter: char| !letter.is_ascii_lowercase()) {
                result.content = right.read(&format!("{}{after}", &raw[..raw.len() - line.len()]), true).content;
            }
            result
        }),
    ),
    mutant(
        "openui.stream.mid-line-complete",
        "mid-line-marker-shows-until-its-line-ending",
        "A content marker in the middle of the last line shows until its `?` or its line ending comes.",
        Read(|right, raw, streaming| {
            let ends = ends_in_mid_line_content(raw);
            right.read_masked(raw, streaming, |at| streaming && ends == Some(at))
        }),
    ),
    mutant(
        "openui.stream.mid-line-complete",
        "mid-line-marker-wins-at-once",
        "A content marker in the middle of the last line counts before its `?` or its line ending.",
        Read(|right, raw, streaming| {
            let ends = ends_in_mid_line_content(raw).is_some() && !raw.ends_with('\r');
            right.read(raw, streaming && !ends)
        }),
    ),
    mutant(
        "openui.stream.mid-line-partial",
        "whole-line-held-for-a-piece",
        "A line that ends in a piece of a content marker is held back whole.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let marker = "]]>openui:content";
            let piece = (1..marker.len()).any(|len| line.len() > len && line.ends_with(&marker[..len]));
            let kept = if streaming && piece && !line.starts_with(PREFIX) { raw.len() - line.len() } else { raw.len() };
            right.read(&raw[..kept], streaming)
        }),
    ),
    mutant(
        "openui.stream.release",
        "held-until-the-next-line-begins",
        "A line that was held shows only once something follows its LF.",
        Read(|right, raw, streaming| {
            let before = raw.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
            let held = before.filter(|text| streaming && last_line(text).starts_with(PREFIX));
            right.read(held.unwrap_or(raw), streaming)
        }),
    ),
    mutant(
        "openui.stream.only-when-streaming",
        "cut-marker-trimmed-after-the-end",
        "Text that looks like the start of a marker is removed from the end of a complete message.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let piece = !line.is_empty() && line != PREFIX && PREFIX.starts_with(line);
            right.read(raw, streaming || piece)
        }),
    ),
    mutant(
        "openui.stream.only-when-streaming",
        "last-bracket-trimmed-after-the-end",
        "Trailing `]` and `]]` are removed from the content, anywhere on their line.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if !streaming {
                let piece = (1..PREFIX.len()).rev().find(|len| raw.ends_with(&PREFIX[..*len]));
                let kept = piece.and_then(|len| result.content.strip_suffix(&PREFIX[..len])).map(str::len);
                result.content.truncate(kept.unwrap_or(result.content.len()));
            }
            result
        }),
    ),
    mutant(
        "openui.stream.no-flash",
        "attributes-flash",
        "The marker of a new content section shows while its attributes arrive.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let mut result = right.read(raw, streaming);
            if streaming && line.starts_with("]]>openui:content?") {
                result.content.push_str(line);
            }
            result
        }),
    ),
    mutant(
        "openui.stream.growth",
        "nothing-shows-while-something-is-held",
        "While a line is held, all text that has shown before is removed.",
        Read(|right, raw, streaming| {
            let line = last_line(raw);
            let mut result = right.read(raw, streaming);
            if streaming && !line.is_empty() && PREFIX.starts_with(line) {
                result.content.clear();
            }
            result
        }),
    ),
    mutant(
        "openui.stream.settle",
        "nothing-shows-until-the-end",
        "While a message arrives, nothing shows at all.",
        Read(|right, raw, streaming| if streaming { right.read("", true) } else { right.read(raw, false) }),
    ),
    mutant(
        "openui.stream.settle",
        "only-whole-lines-show",
        "A line shows once its LF has come.",
        Read(|right, raw, streaming| {
            let kept = if streaming { raw.rfind('\n').map_or(0, |at| at + 1) } else { raw.len() };
            right.read(&raw[..kept], streaming)
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "marker-split-over-three-chunks-lost",
        "Only the end of one chunk is kept to complete a marker, so the middle of a marker in a chunk of its own is lost.",
        Stream(|right, chunks| {
            stream(right, chunks, |text, chunk| {
                let middle = !chunk.is_empty() && !chunk.contains('\n') && PREFIX[1..].contains(chunk);
                if middle
                    && !last_line(text).is_empty()
                    && PREFIX.starts_with(last_line(text))
                    && !chunk.starts_with(']')
                {
                    String::new()
                } else {
                    chunk.to_owned()
                }
            })
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "chunk-that-ends-one-marker-and-begins-another",
        "The rest of a chunk that ends a marker line counts as text, though another marker starts in it.",
        Stream(|right, chunks| {
            stream(right, chunks, |text, chunk| {
                let pending = last_line(text).starts_with(PREFIX);
                match chunk.split_once('\n') {
                    Some((line, rest)) if pending && !rest.is_empty() && PREFIX.starts_with(rest) => {
                        format!("{line}\n ")
                    }
                    _ => chunk.to_owned(),
                }
            })
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "empty-chunk-ends-the-stream",
        "An empty chunk counts as the end of the stream.",
        Stream(|right, chunks| {
            let end = chunks.iter().position(String::is_empty).unwrap_or(chunks.len());
            let (mut snapshots, whole) = stream(right, &chunks[..end], |_, chunk| chunk.to_owned());
            snapshots.resize(chunks.len(), whole.clone());
            (snapshots, whole)
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "cr-and-lf-in-two-chunks",
        "A CR at the end of a chunk counts as a line ending, and the LF that follows as another.",
        Stream(|right, chunks| {
            stream(right, chunks, |_, chunk| match chunk.strip_suffix('\r') {
                Some(line) => format!("{line}\n"),
                None => chunk.to_owned(),
            })
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "byte-order-mark-of-a-chunk-dropped",
        "A decoder is made for each chunk, and drops a byte order mark at its start.",
        Stream(|right, chunks| {
            stream(right, chunks, |text, chunk| if text.is_empty() { chunk.to_owned() } else { unmarked(chunk) })
        }),
    ),
    mutant(
        "openui.stream.chunks",
        "marker-in-four-pieces-is-text",
        "A marker is put together from three pieces at most. One in more pieces is text.",
        Stream(|right, chunks| {
            let mut text = String::new();
            let mut ends = Vec::new();
            let snapshots = chunks
                .iter()
                .map(|chunk| {
                    text.push_str(chunk);
                    ends.push(text.len());
                    in_few_pieces(right, &text, &ends, true)
                })
                .collect();
            (snapshots, in_few_pieces(right, &text, &ends, false))
        }),
    ),
    mutant(
        "openui.stream.only-when-streaming",
        "last-cr-lost-in-the-final",
        "A CR that ends the last chunk is kept back for a LF, and is lost in the final answer.",
        Stream(|right, chunks| {
            let (snapshots, mut whole) = stream(right, chunks, |_, chunk| chunk.to_owned());
            if chunks.concat().ends_with('\r') && whole.content.ends_with('\r') {
                whole.content.pop();
            }
            (snapshots, whole)
        }),
    ),
    mutant(
        "openui.attributes.winner",
        "old-attributes-stay-in-a-stream",
        "Attributes of an earlier snapshot stay when a new content section has none.",
        Stream(|right, chunks| {
            let (mut snapshots, mut whole) = stream(right, chunks, |_, chunk| chunk.to_owned());
            let mut last = Vec::new();
            for result in snapshots.iter_mut().chain([&mut whole]) {
                if result.attributes.is_empty() {
                    result.attributes.clone_from(&last);
                }
                last.clone_from(&result.attributes);
            }
            (snapshots, whole)
        }),
    ),
    mutant(
        "openui.stream.only-when-streaming",
        "final-is-the-last-snapshot",
        "The final answer is the last snapshot, and what is held then is lost.",
        Stream(|right, chunks| {
            let (snapshots, whole) = stream(right, chunks, |_, chunk| chunk.to_owned());
            let last = snapshots.last().cloned().unwrap_or(whole);
            (snapshots, last)
        }),
    ),
    mutant(
        "openui.stream.only-when-streaming",
        "streaming-of-false-counts-as-true",
        "It only matters whether `streaming` is given: false holds text back too.",
        Parse(|right, params| right.read(&params.raw, params.streaming.is_some())),
    ),
];

/// Shows the last line as text if `shows` is true of it.
fn shown_if(right: &ReferenceReader<'_>, raw: &str, streaming: bool, shows: impl Fn(&str) -> bool) -> ParseResult {
    let line = last_line(raw);
    let start = raw.len() - line.len();
    let shown = streaming && line.starts_with(PREFIX) && shows(line);
    right.read_masked(raw, streaming, |at| shown && at == start)
}

/// Returns where a content marker starts in the middle of the last line, if it ends the text or only a last CR follows.
fn ends_in_mid_line_content(raw: &str) -> Option<usize> {
    let marker = "]]>openui:content";
    let at = raw.strip_suffix('\r').unwrap_or(raw).strip_suffix(marker)?.len();
    (at > 0 && raw.as_bytes()[at - 1] != b'\n').then_some(at)
}

/// Reads the text as if each marker that came in more than three chunks were text. The chunks end at these offsets.
fn in_few_pieces(right: &ReferenceReader<'_>, raw: &str, ends: &[usize], streaming: bool) -> ParseResult {
    right.read_masked(raw, streaming, |at| {
        let line = raw[at..].find('\n').map_or(raw.len(), |len| at + len);
        let cuts = ends.iter().filter(|end| (at + 1..line).contains(*end)).collect::<BTreeSet<_>>();
        at_line_start(raw, at) && cuts.len() > 2
    })
}

/// Reads a stream whose chunks are each changed, with the text before them at hand.
fn stream(
    right: &ReferenceReader<'_>,
    chunks: &[String],
    change: impl Fn(&str, &str) -> String,
) -> (Vec<ParseResult>, ParseResult) {
    let mut text = String::new();
    let mut snapshot = |chunk: &String| {
        text.push_str(&change(&text, chunk));
        right.read(&text, true)
    };
    let snapshots = chunks.iter().map(&mut snapshot).collect();
    (snapshots, right.read(&text, false))
}
