//! Mutants that find the body of a section wrongly.

use super::Fault::Read;
use super::mangling::{composed, unfenced};
use super::reference::ReferenceReader;
use super::reference::SourceLine;
use super::{Mutant, mutant};
use crate::formats::openui::wire::ParseResult;
use crate::openui::{LineKind, PREFIX};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.section.body",
        "text-trimmed",
        "The content is trimmed.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if raw.contains(PREFIX) {
                result.content = result.content.trim().to_owned();
            }
            result
        }),
    ),
    mutant(
        "openui.section.body",
        "leading-blank-lines-skipped",
        "Blank lines after a marker line count as part of it.",
        Read(|right, raw, streaming| {
            let mut behind_marker = false;
            right.read_changed(raw, streaming, |_, piece| {
                if behind_marker && is_blank(piece) {
                    return None;
                }
                behind_marker = piece.kind == LineKind::Marker;
                Some(piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.section.body",
        "byte-order-marks-removed",
        "Byte order marks are removed from the content.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.content = result.content.replace('\u{feff}', "");
            result
        }),
    ),
    mutant(
        "openui.section.body",
        "body-is-one-line",
        "A body is only the line after its marker, as in a pattern without the flag for all lines.",
        Read(|right, raw, streaming| {
            let mut lines = 0;
            right.read_changed(raw, streaming, |_, piece| {
                lines = if piece.kind == LineKind::Marker { 0 } else { lines + 1 };
                (lines <= 1 || !raw.contains(PREFIX)).then(|| piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.section.line-ending-before-marker",
        "line-ending-before-marker-kept",
        "The line ending before a marker line stays in the body.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            right.read_changed(raw, streaming, |at, piece| {
                let ends = ends_a_body(&pieces, at) && piece.text.ends_with('\n');
                Some(if ends { format!("{}\n", piece.text) } else { piece.text.to_owned() })
            })
        }),
    ),
    mutant(
        "openui.section.line-ending-before-marker",
        "all-line-endings-before-marker-taken",
        "Every line ending before a marker line is removed from the body, and blank lines with it.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            right.read_changed(raw, streaming, |at, piece| {
                let rest = pieces[at..].iter().find(|piece| !is_blank(piece));
                let takes = is_blank(piece) && rest.is_some_and(|next| next.kind == LineKind::Marker);
                let is_first = at == 0 || pieces[at - 1].kind == LineKind::Marker;
                (!takes || is_first).then(|| piece.text.to_owned())
            })
        }),
    ),
    mutant(
        "openui.section.line-ending-before-marker",
        "line-ending-taken-twice-over-an-end-line",
        "A body that is followed by an end line and then another marker loses a line ending for each of them.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            right.read_changed(raw, streaming, |at, piece| {
                let next = |by: usize| pieces.get(at + by).and_then(SourceLine::marker);
                let twice = piece.kind != LineKind::Marker && next(1) == Some("end") && next(2).is_some();
                let shorter = piece.text.strip_suffix('\n').filter(|_| twice);
                let shorter = shorter.map(|text| text.strip_suffix('\r').unwrap_or(text));
                // A blank line is removed with its ending; for any other line the second ending is that of the line
                // before.
                match shorter {
                    Some("") => None,
                    Some(text) if text.ends_with('\r') => Some(format!("{}\n", text.trim_end_matches('\r'))),
                    _ => Some(piece.text.to_owned()),
                }
            })
        }),
    ),
    mutant(
        "openui.section.line-ending-before-marker",
        "cr-before-marker-left",
        "Of a CRLF before a marker line only the LF is removed.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            right.read_changed(raw, streaming, |at, piece| {
                let body = piece.text.strip_suffix("\r\n").filter(|_| ends_a_body(&pieces, at));
                Some(body.map_or_else(|| piece.text.to_owned(), |body| format!("{body}\r\r\n")))
            })
        }),
    ),
    mutant(
        "openui.section.end-of-message",
        "final-line-ending-trimmed",
        "A line ending at the end of the message is not part of the body.",
        Read(|right, raw, streaming| {
            let shorter = raw.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
            let ends_in_body = right.lines(raw).last().is_some_and(|piece| piece.kind != LineKind::Marker);
            right.read(shorter.filter(|_| !streaming && ends_in_body).unwrap_or(raw), streaming)
        }),
    ),
    mutant(
        "openui.section.end-of-message",
        "last-line-without-a-line-feed-lost",
        "Lines are read up to their LF, and the text after the last one is lost.",
        Read(|right, raw, streaming| {
            let last = right.lines(raw).last().cloned();
            let lost = last.filter(|piece| piece.kind != LineKind::Marker && !piece.text.ends_with('\n'));
            let kept = lost.map_or(raw.len(), |piece| raw.len() - piece.text.len());
            if streaming || !raw.contains(PREFIX) {
                right.read(raw, streaming)
            } else {
                right.read(&raw[..kept], false)
            }
        }),
    ),
    mutant(
        "openui.section.empty",
        "marker-at-the-end-is-text",
        "A marker line needs a LF: at the end of the message it is text.",
        Read(|right, raw, streaming| {
            let line = raw.rfind('\n').map_or(0, |at| at + 1);
            right.read_masked(raw, streaming, |at| !streaming && at == line)
        }),
    ),
    mutant(
        "openui.section.empty",
        "empty-content-section-skipped",
        "An empty content section is ignored.",
        Read(|right, raw, streaming| {
            let pieces = right.lines(raw);
            let is_empty = |at: usize| pieces.get(at + 1).is_none_or(|next| next.kind == LineKind::Marker);
            let content = |piece: &SourceLine<'_>| piece.marker() == Some("content");
            right.read_changed(raw, streaming, |at, piece| {
                let empty = content(piece) && is_empty(at) && pieces.iter().filter(|piece| content(piece)).count() > 1;
                Some(if empty { piece.renamed("zz") } else { piece.text.to_owned() })
            })
        }),
    ),
    mutant(
        "openui.section.crlf",
        "crlf-to-lf",
        "Every CRLF becomes LF before reading.",
        Read(|right, raw, streaming| right.read(&raw.replace("\r\n", "\n"), streaming)),
    ),
    mutant(
        "openui.section.crlf",
        "crlf-ends-no-marker",
        "A marker line ends with LF alone: with a CR before the LF, it is text.",
        Read(|right, raw, streaming| {
            right.read_masked(raw, streaming, |at| {
                let line = &raw[at..raw[at..].find('\n').map_or(raw.len(), |end| at + end + 1)];
                line.ends_with("\r\n") && !line.contains('?')
            })
        }),
    ),
    mutant(
        "openui.section.body",
        "content-composed-when-read",
        "Letters and accents of the content are composed (NFC).",
        Read(|right, raw, streaming| section_changed(right, raw, streaming, composed)),
    ),
    mutant(
        "openui.section.body",
        "fence-around-the-content-removed",
        "A code fence around the whole content is removed.",
        Read(|right, raw, streaming| section_changed(right, raw, streaming, unfenced)),
    ),
];

/// Reads a message, and changes the content that a content section has.
fn section_changed(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl Fn(&str) -> String,
) -> ParseResult {
    let mut result = right.read(raw, streaming);
    if raw.contains("]]>openui:content") {
        result.content = change(&result.content);
    }
    result
}

/// Whether a line is the last one of a body before a marker line.
fn ends_a_body(pieces: &[SourceLine<'_>], at: usize) -> bool {
    let is_marker = |at: usize| pieces.get(at).map(|piece| piece.kind == LineKind::Marker);
    is_marker(at) == Some(false) && is_marker(at + 1) == Some(true)
}

/// Whether a line of a body is blank.
fn is_blank(piece: &SourceLine<'_>) -> bool {
    piece.kind != LineKind::Marker && piece.text.trim_end_matches(['\r', '\n']).is_empty()
}
