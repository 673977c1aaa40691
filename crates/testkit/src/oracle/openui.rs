//! The oracle: an independent and slow implementation of the reading rules, which splits the message into lines and
//! looks at each. It shares no code with [`genui_openui`]'s reader, so that the two can disagree.

mod attributes;
mod envelope;
mod numbers;

pub use attributes::{attributes, pairs};
pub use numbers::{context, with_numbers};

use genui_openui::choices::{CrAtEnd, HoldImpossible, MidLineCrAtEnd, MidLinePartial, SeveralContexts, StaleEnd};
use genui_openui::{Mode, Options, PREFIX, Profile};

/// The result of reading by the rules, with sections as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The content.
    pub content: String,
    /// The text of the context that counts; `None` if there is none.
    pub context: Option<String>,
    /// The text of the winning content marker's attributes.
    pub attributes: String,
    /// Whether there is an end line that counts.
    pub end: bool,
}

const CONTENT: &str = "]]>openui:content";

/// A line and its line ending: nothing, LF or CRLF.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    ending: &'static str,
    moved: bool,
}

/// Reads a message as the rules say.
#[must_use]
pub fn read(raw: &str, mode: Mode, options: &Options) -> Reading {
    let mut lines = lines(raw, mode, options);
    let last_line = |lines: &[Line]| lines.last().map_or(0, |line| line.text.len());
    let came = last_line(&lines);
    let held = mode == Mode::Streaming && hold(&mut lines, options);
    // `openui.legacy.prefix-first`
    if options.profile == Profile::Chat && !held && !raw.contains(PREFIX) {
        return envelope::read(raw, came - last_line(&lines), mode, options);
    }
    sections(&lines, held, options)
}

/// `openui.marker.mid-line-content`: places are found in the message as it came, a LF is inserted before each, then
/// lines are read.
fn lines(raw: &str, mode: Mode, options: &Options) -> Vec<Line> {
    let is_place = |at: usize| {
        let after = &raw[at + CONTENT.len()..];
        options.profile != Profile::LineStart
            && !raw[..at].is_empty()
            && !raw[..at].ends_with('\n')
            && (after.starts_with(['?', '\n'])
                || after.starts_with("\r\n")
                || (mode == Mode::Whole && after.is_empty())
                || (mode == Mode::Whole
                    && after == "\r"
                    && options.choices.mid_line_cr_at_end == MidLineCrAtEnd::Marker))
    };
    let places: Vec<usize> = raw.match_indices(CONTENT).map(|(at, _)| at).filter(|at| is_place(*at)).collect();
    let mut lines = Vec::new();
    let mut from = 0;
    for cut in places.iter().copied().chain([raw.len()]) {
        let last_is_moved = from > 0;
        let mut moved = last_is_moved;
        let mut rest = &raw[from..cut];
        while let Some((text, after)) = rest.split_once('\n') {
            lines.push(line(text, true, moved));
            moved = false;
            rest = after;
        }
        // A LF is inserted at every cut but the end of the message.
        lines.push(line(rest, cut < raw.len() || places.contains(&cut), moved));
        from = cut;
    }
    lines
}

fn line(text: &str, line_feed: bool, moved: bool) -> Line {
    match text.strip_suffix('\r') {
        Some(text) if line_feed => Line { text: text.to_owned(), ending: "\r\n", moved },
        _ => Line { text: text.to_owned(), ending: if line_feed { "\n" } else { "" }, moved },
    }
}

/// `openui.marker.grammar`: the kind and the attributes of a marker line.
fn marker(line: &Line, options: &Options) -> Option<(String, String)> {
    let after = line.text.strip_prefix(PREFIX)?;
    let kind: String = after.chars().take_while(char::is_ascii_lowercase).collect();
    let rest = &after[kind.len()..];
    let marker_ends_in_cr = if line.moved {
        options.choices.mid_line_cr_at_end == MidLineCrAtEnd::Marker
    } else {
        options.choices.cr_at_end == CrAtEnd::Marker
    };
    let ends = rest.is_empty() || (rest == "\r" && line.ending.is_empty() && marker_ends_in_cr);
    match rest.strip_prefix('?') {
        _ if kind.is_empty() => None,
        Some(attributes) => Some((kind, attributes.to_owned())),
        None => ends.then(|| (kind, String::new())),
    }
}

/// Removes the text that is held back from the last line. Returns whether there is now a held line.
fn hold(lines: &mut Vec<Line>, options: &Options) -> bool {
    let last = lines.pop().expect("a message has at least one line");
    let moves = options.profile != Profile::LineStart;
    let text = last.text.as_str();
    if text.is_empty() {
        lines.push(last);
        return false;
    }
    // The line is a marker line, a prefix of one, or either of these followed by a CR.
    let could_be_marker = |text: &str| {
        let after = text.strip_prefix(PREFIX);
        let kind_and_rest = after.map(|after| after.trim_start_matches(|letter: char| letter.is_ascii_lowercase()));
        PREFIX.starts_with(text)
            || kind_and_rest
                .is_some_and(|rest| rest.is_empty() || (after != Some(rest) && (rest == "\r" || rest.starts_with('?'))))
    };
    if could_be_marker(text) {
        return true;
    }
    let without_cr = text.strip_suffix('\r').unwrap_or(text);
    let before_complete = without_cr.strip_suffix(CONTENT).filter(|before| moves && !before.is_empty());
    let pieces = || (1..CONTENT.len()).rev().filter_map(|len| text.strip_suffix(&CONTENT[..len]));
    let before_piece = pieces().find(|before| moves && !before.is_empty());
    if text.starts_with(PREFIX) {
        let held = options.profile == Profile::LineStart || options.choices.hold_impossible == HoldImpossible::Held;
        // If a content marker at the end of the line may be moved, the line may still become a marker line. A shorter
        // piece can allow it where the longest one leaves no marker line.
        let through_move = |before: &str| before.len() > PREFIX.len() && could_be_marker(before);
        if held || before_complete.is_some_and(through_move) || (moves && pieces().any(through_move)) {
            return true;
        }
    }
    if let Some(before) = before_complete {
        let before = before.strip_suffix('\r').unwrap_or(before).to_owned();
        lines.push(Line { text: before, ending: "\n", ..last });
        return true;
    }
    if options.choices.mid_line_partial == MidLinePartial::Held
        && let Some(before) = before_piece
    {
        lines.push(Line { text: before.to_owned(), ..last });
        return false;
    }
    lines.push(last);
    false
}

struct Section {
    kind: String,
    attributes: String,
    body: String,
    /// End lines before this section's marker.
    ends_before: usize,
}

fn sections(lines: &[Line], held: bool, options: &Options) -> Reading {
    let mut sections =
        vec![Section { kind: "leading".into(), attributes: String::new(), body: String::new(), ends_before: 0 }];
    let mut ends = 0;
    // The text before the next line of the section: the last line's ending, or one LF for the end lines between.
    let mut between: Option<&str> = None;
    for (index, line) in lines.iter().enumerate() {
        let section = sections.last_mut().expect("there is always the leading section");
        match marker(line, options) {
            Some((kind, _)) if kind == "end" => {
                ends += 1;
                between = between.map(|_| "\n");
            }
            Some((kind, attributes)) => {
                sections.push(Section { kind, attributes, body: String::new(), ends_before: ends });
                between = None;
            }
            None => {
                let last = index + 1 == lines.len() && !held;
                let behind_end = index > 0 && marker(&lines[index - 1], options).is_some_and(|(kind, _)| kind == "end");
                if last && line.text.is_empty() && behind_end {
                    // `openui.read.final-line-ending`
                    continue;
                }
                section.body.push_str(between.unwrap_or(""));
                section.body.push_str(&line.text);
                between = Some(line.ending);
            }
        }
    }
    let winner = sections.iter().rposition(|section| section.kind == "content");
    let contexts: Vec<&Section> =
        sections[winner.unwrap_or(0)..].iter().filter(|section| section.kind == "context").collect();
    let context =
        if options.choices.several_contexts == SeveralContexts::Last { contexts.last() } else { contexts.first() };
    let content = &sections[winner.unwrap_or(0)];
    let stale = if options.choices.stale_end == StaleEnd::Ignored { content.ends_before } else { 0 };
    Reading {
        content: content.body.clone(),
        context: context.map(|section| section.body.clone()),
        attributes: content.attributes.clone(),
        end: ends > stale,
    }
}
