//! Mutants that recognise markers wrongly.

use super::Fault::Read;
use super::reference::{ReferenceReader, at_line_start, unused, with_strings};
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::LINE_START;
use crate::formats::openui::wire::ParseResult;
use crate::openui::{Options, PREFIX, Profile};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.marker.grammar",
        "any-tail-makes-a-marker",
        "A line that begins like a known marker is one, whatever follows: `contents`, `end2`, `content\"`.",
        Read(any_tail),
    ),
    mutant(
        "openui.marker.grammar",
        "blank-after-kind",
        "Spaces and tabs after the kind are trimmed, and the line is a marker.",
        Read(|right, raw, streaming| right.read(&map_lines(raw, |line| blank_trimmed(line, &[' ', '\t'])), streaming)),
    ),
    mutant(
        "openui.marker.grammar",
        "space-in-place-of-the-question-mark",
        "The kind ends at a space as at a `?`, and attributes follow it.",
        Read(|right, raw, streaming| {
            let opened = |line: &str| match kind_before_space(line) {
                Some(end) => format!("{}?{}", &line[..end], &line[end + 1..]),
                None => line.to_owned(),
            };
            right.read(&map_lines(raw, opened), streaming)
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "word-characters-in-the-kind",
        "A kind is any word, as in the pattern \\w+: digits, underscores and letters of other scripts too.",
        Read(|right, raw, streaming| {
            let in_word = |letter: char| letter == '_' || (letter.is_alphanumeric() && !letter.is_ascii_uppercase());
            right.read(&map_lines(raw, |line| kind_changed(line, in_word)), streaming)
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "capitals-in-the-kind",
        "The kind is compared without regard to case.",
        Read(|right, raw, streaming| {
            right.read(&map_lines(raw, |line| kind_changed(line, |letter| letter.is_ascii_uppercase())), streaming)
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "prefix-alone-is-a-marker",
        "A line with only the prefix is a marker of no kind, and hidden.",
        Read(|right, raw, streaming| {
            let complete = |line: &str| line.ends_with('\n') && line.trim_end() == PREFIX;
            right.read(
                &map_lines(raw, |line| if complete(line) { line.replace(PREFIX, "]]>openui:zz") } else { line.into() }),
                streaming,
            )
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "lines-with-the-prefix-dropped",
        "Every line of the content that contains the prefix anywhere is removed.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            let lines = result.content.split_inclusive('\n').filter(|line| !line.contains(PREFIX));
            result.content = lines.collect();
            result
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "empty-attributes-make-no-marker",
        "A `?` must be followed by something, as in the pattern \\?.+: without attributes the line is text.",
        Read(|right, raw, streaming| {
            right.read_masked(raw, streaming, |at| {
                let line = raw[at..].split('\n').next().unwrap_or("");
                at_line_start(raw, at) && line.trim_end_matches('\r').ends_with('?')
            })
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "attributes-end-at-another-question-mark",
        "The line is split at `?`, and everything after a second one is lost.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| text.split('?').next().unwrap_or("").to_owned())
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "attributes-end-at-a-space",
        "Attributes end at the first space, as in the pattern \\S*.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| text.split(' ').next().unwrap_or("").to_owned())
        }),
    ),
    mutant(
        "openui.marker.line-start",
        "indented-markers",
        "Lines are trimmed before they are parsed, so an indented marker counts.",
        Read(|right, raw, streaming| {
            right.read(&map_lines(raw, |line| trimmed_marker(line, &[' ', '\t']).to_owned()), streaming)
        }),
    ),
    mutant(
        "openui.marker.line-start",
        "first-line-is-no-line",
        "A marker needs a LF before it, so there is none at the start of the message.",
        Read(|right, raw, streaming| right.read_masked(raw, streaming, |at| at == 0)),
    ),
    mutant(
        "openui.marker.line-start",
        "invisible-characters-skipped",
        "Invisible characters before a marker are removed: zero-width ones, NUL, direction marks.",
        Read(|right, raw, streaming| {
            let unseen = ['\u{0}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{2060}'];
            right.read(&map_lines(raw, |line| trimmed_marker(line, &unseen).to_owned()), streaming)
        }),
    ),
    mutant_in(
        &[LINE_START],
        mutant(
            "openui.marker.line-start",
            "mid-line-content-moves",
            "A content marker in the middle of a line is moved, which this profile does not do.",
            Read(|right, raw, streaming| {
                right.read_with(raw, streaming, &Options { profile: Profile::Core, ..*right.options })
            }),
        ),
    ),
    mutant(
        "openui.marker.line-start",
        "byte-order-mark-skipped",
        "A byte order mark at the start of the message is removed before reading.",
        Read(|right, raw, streaming| right.read(raw.strip_prefix('\u{feff}').unwrap_or(raw), streaming)),
    ),
    mutant(
        "openui.marker.line-start",
        "unicode-line-separators",
        "Lines are split at U+2028, U+2029, U+0085, form feeds and other separators too, as some languages do.",
        Read(|right, raw, streaming| {
            let separators = ['\u{2028}', '\u{2029}', '\u{85}', '\u{c}', '\u{b}', '\u{1c}', '\u{1d}', '\u{1e}'];
            right.read(&separated(raw, |before| before.ends_with(separators)), streaming)
        }),
    ),
    mutant(
        "openui.marker.line-start",
        "lone-cr-ends-a-line",
        "A CR alone ends a line, so a marker after it counts.",
        Read(|right, raw, streaming| right.read(&separated(raw, |before| before.ends_with('\r')), streaming)),
    ),
    mutant(
        "openui.marker.mid-line-content",
        "mid-line-content-is-text",
        "A content marker counts only at the start of a line: a retry after a failed attempt on the same line is lost.",
        Read(|right, raw, streaming| {
            let options = Options { profile: Profile::LineStart, ..*right.options };
            if raw.contains(PREFIX) { right.read_with(raw, streaming, &options) } else { right.read(raw, streaming) }
        }),
    ),
    mutant(
        "openui.marker.mid-line-content",
        "mid-line-only-with-attributes",
        "In the middle of a line only `]]>openui:content?` counts, not the marker without attributes.",
        Read(|right, raw, streaming| {
            right.read_masked(raw, streaming, |at| {
                !at_line_start(raw, at)
                    && raw[at..].strip_prefix("]]>openui:content").is_some_and(|rest| !rest.starts_with('?'))
            })
        }),
    ),
    mutant(
        "openui.marker.mid-line-content",
        "mid-line-with-any-tail",
        "In the middle of a line `]]>openui:content` is a marker whatever follows, even a quotation mark.",
        Read(|right, raw, streaming| {
            let marker = "]]>openui:content";
            let mut changed = String::new();
            let mut from = 0;
            for (at, _) in raw.match_indices(marker).filter(|(at, _)| !at_line_start(raw, *at)) {
                let after = &raw[at + marker.len()..];
                if !after.is_empty() && !after.starts_with(['?', '\n', '\r']) && at >= from {
                    let line = after.find('\n').unwrap_or(after.len());
                    changed.push_str(&raw[from..at]);
                    changed.push('\n');
                    changed.push_str(marker);
                    from = at + marker.len() + line;
                }
            }
            changed.push_str(&raw[from..]);
            right.read(&changed, streaming)
        }),
    ),
    mutant(
        "openui.marker.mid-line-content",
        "content-in-attributes-stays",
        "A content marker inside the attributes of another marker is part of them.",
        Read(|right, raw, streaming| {
            right.read_masked(raw, streaming, |at| {
                let line = &raw[raw[..at].rfind('\n').map_or(0, |at| at + 1)..at];
                line.starts_with(PREFIX) && line.contains('?')
            })
        }),
    ),
    mutant(
        "openui.marker.other-mid-line",
        "markers-anywhere",
        "Markers are found by a search for the prefix, anywhere on a line.",
        Read(|right, raw, streaming| {
            let starts_marker = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_lowercase());
            let mut changed = String::new();
            for (index, part) in raw.split(PREFIX).enumerate() {
                if index > 0 {
                    if !changed.is_empty() && !changed.ends_with('\n') && starts_marker(part) {
                        changed.push('\n');
                    }
                    changed.push_str(PREFIX);
                }
                changed.push_str(part);
            }
            right.read(&changed, streaming)
        }),
    ),
    mutant(
        "openui.marker.other-mid-line",
        "end-stripped-anywhere",
        "`]]>openui:end` is removed anywhere, and sets the end.",
        Read(|right, raw, streaming| {
            let end = "]]>openui:end";
            let mut changed = String::new();
            let mut from = 0;
            for (at, _) in raw.match_indices(end).filter(|(at, _)| !at_line_start(raw, *at)) {
                changed.push_str(&raw[from..at]);
                from = at + end.len();
            }
            changed.push_str(&raw[from..]);
            let mut result = right.read(&changed, streaming);
            result.end |= from > 0;
            result
        }),
    ),
    mutant(
        "openui.marker.cr-at-end",
        "cr-at-the-end-lost",
        "A marker with a CR at the end of the message is text, but the CR is trimmed.",
        Read(|right, raw, streaming| {
            let line = raw.rsplit('\n').next().unwrap_or("");
            cr_lost(right, raw, streaming, line.starts_with(PREFIX))
        }),
    ),
    mutant(
        "openui.marker.mid-line-cr-at-end",
        "mid-line-cr-at-the-end-lost",
        "A content marker in the middle of the last line with a CR after it is text, but the CR is trimmed.",
        Read(|right, raw, streaming| {
            let line = raw.rsplit('\n').next().unwrap_or("");
            cr_lost(right, raw, streaming, !line.starts_with(PREFIX) && line.ends_with("]]>openui:content\r"))
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "points-in-the-kind",
        "A kind may have points, hyphens and colons, as `content.v2` or `ns:x`.",
        Read(|right, raw, streaming| {
            let in_name = |letter: char| ".-:".contains(letter);
            right.read(&map_lines(raw, |line| kind_changed(line, in_name)), streaming)
        }),
    ),
    mutant(
        "openui.marker.grammar",
        "any-white-space-behind-the-kind",
        "White space of any kind behind a marker is trimmed, such as U+000B and U+00A0.",
        Read(|right, raw, streaming| {
            right.read(
                &map_lines(raw, |line| blank_trimmed(line, &['\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2028}'])),
                streaming,
            )
        }),
    ),
];

fn map_lines(raw: &str, change: impl Fn(&str) -> String) -> String {
    raw.split_inclusive('\n').map(change).collect()
}

/// A line and its line ending.
fn ending(line: &str) -> (&str, &str) {
    let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
    line.split_at(body.len())
}

fn any_tail(right: &ReferenceReader<'_>, raw: &str, streaming: bool) -> ParseResult {
    let cut = |line: &str| {
        let (body, ending) = ending(line);
        for marker in ["]]>openui:content", "]]>openui:context", "]]>openui:end"] {
            let tail = body.strip_prefix(marker).unwrap_or("");
            if !tail.is_empty() && !tail.starts_with('?') {
                return format!("{marker}{ending}");
            }
        }
        line.to_owned()
    };
    right.read(&map_lines(raw, cut), streaming)
}

fn blank_trimmed(line: &str, blanks: &[char]) -> String {
    let (body, ending) = ending(line);
    let trimmed = body.trim_end_matches(blanks);
    let kind = trimmed.strip_prefix(PREFIX).unwrap_or("");
    if !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase()) {
        format!("{trimmed}{ending}")
    } else {
        line.to_owned()
    }
}

/// Returns where the kind ends in a line that starts with the prefix, a kind and a space.
fn kind_before_space(line: &str) -> Option<usize> {
    let kind = line.strip_prefix(PREFIX)?;
    let letters = kind.bytes().take_while(u8::is_ascii_lowercase).count();
    (letters > 0 && kind[letters..].starts_with(' ')).then_some(PREFIX.len() + letters)
}

/// Returns a marker line whose kind has characters of another class, with these turned into lower-case letters.
fn kind_changed(line: &str, other: impl Fn(char) -> bool) -> String {
    let Some(rest) = line.strip_prefix(PREFIX) else { return line.to_owned() };
    let kind = rest.find(|letter: char| !letter.is_ascii_lowercase() && !other(letter)).unwrap_or(rest.len());
    let small = |letter: char| if letter.is_ascii_alphabetic() { letter.to_ascii_lowercase() } else { 'z' };
    format!("{PREFIX}{}{}", rest[..kind].chars().map(small).collect::<String>(), &rest[kind..])
}

fn trimmed_marker<'l>(line: &'l str, white: &[char]) -> &'l str {
    let trimmed = line.trim_start_matches(white);
    if trimmed.starts_with(PREFIX) { trimmed } else { line }
}

/// Returns the message with a LF before each prefix that follows a text which `is_separator` takes for a line ending.
fn separated(raw: &str, is_separator: impl Fn(&str) -> bool) -> String {
    let mut changed = String::new();
    for (index, part) in raw.split(PREFIX).enumerate() {
        if index > 0 {
            if is_separator(&changed) {
                changed.push('\n');
            }
            changed.push_str(PREFIX);
        }
        changed.push_str(part);
    }
    changed
}

/// Reads a message whose last line is a marker followed by a CR as text, without the CR.
fn cr_lost(right: &ReferenceReader<'_>, raw: &str, streaming: bool, applies: bool) -> ParseResult {
    let Some(line) = raw.strip_suffix('\r').filter(|_| applies && !streaming) else {
        return right.read(raw, streaming);
    };
    let from = line.rfind(PREFIX).unwrap_or(0);
    if line[from..].contains('?') || !line[from + PREFIX.len()..].bytes().all(|byte| byte.is_ascii_lowercase()) {
        return right.read(raw, streaming);
    }
    let mask = unused(raw).to_string();
    let back = |text: &str| text.replace(&mask, PREFIX);
    let mut result = right.read(&format!("{}{mask}{}", &line[..from], &line[from + PREFIX.len()..]), streaming);
    result.content = back(&result.content);
    result.context = with_strings(result.context, &back);
    result
}
