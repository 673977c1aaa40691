//! The checks. Each asks what it needs and gives `None` while an answer is missing; it asks everything before it
//! judges anything, so that one round usually is enough.

use super::content;
use super::message::{CONTENT, Subject, last_line};
use crate::adapter::Answer;
use crate::json::{Json, JsonString};
use crate::openui::choices::{ForgedMarker, NotWritable};
use crate::openui::{CONTEXT_LABEL, Draft, DraftContext, Line, LineKind, PREFIX, build};
use crate::run::compare::difference;
use crate::run::derived::{Finding, Knowledge, Question, ask_all, departs, departs_from, result};

/// Cuttings into many chunks, for each message.
const CUTTINGS: usize = 32;

/// Chunks of such a cutting at most.
const MANY: usize = 24;

/// What shows of the text up to a cut.
fn shown(subject: &Subject<'_>, cut: usize) -> Question {
    Question::parse(&subject.raw[..cut], true)
}

pub(super) fn no_flash(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    if subject.may_be_envelope() {
        return Some(Finding::Holds);
    }
    let raw = subject.raw;
    let late = subject.chose("openui.stream.mid-line-partial", "shown");
    let mut asked = Vec::new();
    // Where the text in front may have been moved early, what showed of it is no measure.
    for marker in subject.markers.iter().filter(|marker| !subject.may_be_moved_early(marker.span.start)) {
        let start = marker.span.start;
        let line = &raw[marker.span.clone()];
        let end = start + line.strip_suffix('\n').unwrap_or(line).len();
        // A moved marker whose pieces may show is judged from its last letter on.
        let from = if marker.moved && late { start + CONTENT.len() } else { start + 1 };
        let inside: Vec<usize> = subject.cuts.iter().copied().filter(|cut| (from..=end).contains(cut)).collect();
        let whole = if marker.moved { format!("{}\0", &raw[..start]) } else { raw[..start].to_owned() };
        asked.push((marker, inside, shown(subject, start), Question::parse(&whole, false)));
    }
    ask_all(known, asked.iter().flat_map(|(_, _, shown, whole)| [shown, whole])).and(ask_all(
        known,
        &asked.iter().flat_map(|(_, inside, ..)| inside.iter().map(|cut| shown(subject, *cut))).collect::<Vec<_>>(),
    ))?;
    for (marker, inside, before, whole) in asked {
        let before = result!(known, before);
        let whole = result!(known, whole);
        let (Some(before), Some(whole)) = (content(&before), content(&whole)) else { continue };
        let whole = match whole.strip_suffix('\0') {
            Some(less) if marker.moved => less,
            _ => without_line_ending(whole),
        };
        for cut in inside {
            let question = shown(subject, cut);
            let now = result!(known, question);
            let now = content(&now).unwrap_or_default();
            if !before.starts_with(now) && !whole.starts_with(now) {
                return Some(departs(
                    question,
                    format!("nothing of the marker line shows: a beginning of {}", quoted(before)),
                    quoted(now),
                ));
            }
        }
    }
    Some(Finding::Holds)
}

pub(super) fn growth(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    if subject.may_be_envelope() {
        return Some(Finding::Holds);
    }
    let pieces_show = subject.chose("openui.stream.mid-line-partial", "shown");
    let shows_a_piece = |cut: usize| pieces_show && subject.ends_in_piece(cut);
    let is_judged = |cut: &usize| !shows_a_piece(*cut) && !subject.may_be_moved_early(*cut);
    let cuts: Vec<usize> = subject.cuts.iter().copied().filter(is_judged).collect();
    ask_all(known, &cuts.iter().map(|cut| shown(subject, *cut)).collect::<Vec<_>>())?;
    let forgets_end = subject.chose("openui.read.stale-end", "ignored");
    let mut markers = 0;
    let mut longest = String::new();
    let mut ended = false;
    for cut in cuts {
        let question = shown(subject, cut);
        let now = result!(known, question);
        let text = content(&now).unwrap_or_default();
        let markers_now = subject.content_markers(cut);
        if markers_now != markers {
            markers = markers_now;
            longest.clear();
            ended &= !forgets_end;
        }
        if !text.starts_with(longest.as_str()) {
            return Some(departs(question, format!("what showed before goes on: {}", quoted(&longest)), quoted(text)));
        }
        let end = now.get("end") == Some(&Json::Bool(true));
        if ended && !end {
            return Some(departs(question, "`end` stays true".to_owned(), "`end` is false again".to_owned()));
        }
        ended = end;
        // One line ending at the end may still turn out to belong to a marker line.
        let kept = without_line_ending(text);
        if kept.len() > longest.len() {
            longest = kept.to_owned();
        }
    }
    Some(Finding::Holds)
}

pub(super) fn settle(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    if subject.may_be_envelope() && subject.chose("openui.legacy.streaming", "held") {
        return Some(Finding::Holds);
    }
    let is_settled = |cut: &usize| {
        let line = last_line(&subject.raw[..*cut]);
        !line.starts_with(PREFIX)
            && !PREFIX.starts_with(line)
            && !line.contains(CONTENT)
            && !subject.ends_in_piece(*cut)
    };
    let cuts: Vec<usize> = subject.cuts.iter().copied().filter(is_settled).collect();
    let whole = |cut: usize| Question::parse(&subject.raw[..cut], false);
    ask_all(known, &cuts.iter().flat_map(|cut| [shown(subject, *cut), whole(*cut)]).collect::<Vec<_>>())?;
    for cut in cuts {
        let question = shown(subject, cut);
        let whole = result!(known, whole(cut));
        let now = result!(known, question);
        if difference(question.method, subject.options.profile, &[], &whole, &now).is_some() {
            return Some(departs(question, format!("what whole reading gives: {}", whole.to_ascii()), now.to_ascii()));
        }
    }
    Some(Finding::Holds)
}

pub(super) fn chunks(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let inner: Vec<usize> = subject.cuts.iter().copied().filter(|cut| (1..subject.raw.len()).contains(cut)).collect();
    let mut cuttings: Vec<Vec<usize>> = inner.iter().map(|cut| vec![*cut]).collect();
    // The same cuttings for the same message, on every machine.
    let mut seed = subject
        .raw
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |seed, byte| (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    for _ in 0..CUTTINGS.min(inner.len()) {
        let many = 2 + usize::try_from(next(&mut seed) % MANY as u64).unwrap_or(0);
        let mut cutting: Vec<usize> =
            (0..many).map(|_| inner[usize::try_from(next(&mut seed) % inner.len() as u64).unwrap_or(0)]).collect();
        cutting.sort_unstable();
        cuttings.push(cutting);
    }
    let asked: Vec<(Vec<usize>, Question)> = cuttings
        .into_iter()
        .map(|mut ends| {
            ends.push(subject.raw.len());
            let starts = [0].into_iter().chain(ends.iter().copied());
            let chunks = starts.zip(&ends).map(|(from, to)| &subject.raw[from..*to]);
            let question = Question::stream(chunks);
            (ends, question)
        })
        .collect();
    let whole = Question::parse(subject.raw, false);
    ask_all(known, asked.iter().map(|(_, question)| question).chain([&whole]))
        .and(ask_all(known, &subject.cuts.iter().map(|cut| shown(subject, *cut)).collect::<Vec<_>>()))?;
    let whole = result!(known, whole);
    let same = |left: &Json, right: &Json| {
        difference(crate::protocol::Method::OpenuiParse, subject.options.profile, &[], left, right).is_none()
    };
    for (ends, question) in asked {
        let streamed = result!(known, question);
        let Some(Json::Array(snapshots)) = streamed.get("snapshots").cloned() else {
            return Some(departs(question, "a list of snapshots".to_owned(), streamed.to_ascii()));
        };
        if snapshots.len() != ends.len() {
            return Some(departs(question, format!("{} snapshots", ends.len()), format!("{}", snapshots.len())));
        }
        for (at, (end, snapshot)) in ends.iter().zip(&snapshots).enumerate() {
            let alone = result!(known, shown(subject, *end));
            if !same(&alone, snapshot) {
                let expected = format!("behind chunk {}, what its text gives alone: {}", at + 1, alone.to_ascii());
                return Some(departs(question, expected, snapshot.to_ascii()));
            }
        }
        match streamed.get("final") {
            Some(last) if same(&whole, last) => {}
            last => {
                let found = last.map_or_else(|| "nothing".to_owned(), Json::to_ascii);
                return Some(departs(
                    question,
                    format!("in the end, what the whole gives: {}", whole.to_ascii()),
                    found,
                ));
            }
        }
    }
    Some(Finding::Holds)
}

pub(super) fn line_endings(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let is_behind_end = |pair: &[Line]| subject.is_end(&pair[0]) && pair[1].kind != LineKind::Marker;
    let line_behind_end = subject.lines.windows(2).any(is_behind_end);
    if subject.raw.contains('\r') || !subject.raw.contains('\n') || line_behind_end {
        return Some(Finding::Holds);
    }
    let (lf, crlf) = (Question::parse(subject.raw, false), Question::parse(&subject.raw.replace('\n', "\r\n"), false));
    ask_all(known, [&lf, &crlf])?;
    let plain = result!(known, lf);
    let found = result!(known, crlf);
    // A context that is text changes with its line endings; one that is JSON does not, and may be a string too.
    let with_crlf = |names: &[&str]| {
        let mut expected = plain.clone();
        if let Json::Object(members) = &mut expected {
            for (_, value) in
                members.iter_mut().filter(|(name, _)| name.as_str().is_some_and(|name| names.contains(&name)))
            {
                if let Json::String(JsonString::Unicode(text)) = value {
                    *text = text.replace('\n', "\r\n");
                }
            }
        }
        expected
    };
    let fits = |expected: &Json| difference(crlf.method, subject.options.profile, &[], expected, &found).is_none();
    let expected = with_crlf(&["content", "context"]);
    if fits(&expected) || fits(&with_crlf(&["content"])) {
        return Some(Finding::Holds);
    }
    Some(departs(crlf, format!("as with LF, with CRLF in the bodies: {}", expected.to_ascii()), found.to_ascii()))
}

pub(super) fn unknown_section(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let raw = subject.raw;
    let ends_behind_end = raw.ends_with('\n') && subject.lines.last().is_some_and(|line| subject.is_end(line));
    let is_envelope = subject.lines.first().is_some_and(|line| line.kind == LineKind::Envelope);
    if raw.ends_with('\r') || ends_behind_end || is_envelope {
        return Some(Finding::Holds);
    }
    let (alone, with) =
        (Question::parse(raw, false), Question::parse(&format!("{raw}\n{PREFIX}zz\nnobody reads this"), false));
    ask_all(known, [&alone, &with])?;
    let expected = result!(known, alone);
    // A text without the prefix that does not come back as it is has been read as an envelope, and the section behind
    // it makes it none. Which envelopes there are is for the rules about them.
    let is_plain = |result: &Json| {
        let plain = Json::object([("content", Json::from(raw))]);
        difference(with.method, subject.options.profile, &[], &plain, result).is_none()
    };
    if !raw.contains(PREFIX) && !is_plain(&expected) {
        return Some(Finding::Holds);
    }
    let found = result!(known, with);
    if difference(with.method, subject.options.profile, &[], &expected, &found).is_some() {
        return Some(departs(
            with,
            format!("as without the unknown section: {}", expected.to_ascii()),
            found.to_ascii(),
        ));
    }
    Some(Finding::Holds)
}

pub(super) fn rewrite(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let read = result!(known, Question::parse(subject.raw, false));
    let (Some(text), null) = (content(&read), Json::Null) else { return Some(Finding::Holds) };
    let context = read.get("context").unwrap_or(&null);
    let attributes: &[(JsonString, Json)] = match read.get("attributes") {
        Some(Json::Object(members)) => members,
        _ => &[],
    };
    let end = read.get("end") == Some(&Json::Bool(true));
    if !is_writable(subject, text, context, attributes, end) {
        return Some(Finding::Holds);
    }
    let question = Question::build(text, context, attributes, end);
    let forgeable =
        matches!(context, Json::Object(_) | Json::Array(_)) && context.to_compact().contains("]]>openui:content?");
    let rule = forgeable.then_some("openui.build.json-context");
    let written = match known.answer(&question)? {
        Answer::Refusal { kind, message } => {
            let found = format!("the refusal {kind}: {message}");
            return Some(departs_from(rule, question, "a message, since all of it can be written".to_owned(), found));
        }
        _ => result!(known, question),
    };
    let Some(message) = written.get("message").and_then(Json::as_str) else {
        return Some(departs_from(rule, question, "a message".to_owned(), written.to_ascii()));
    };
    let again = Question::parse(message, false);
    let found = result!(known, again);
    if difference(again.method, subject.options.profile, &[], &read, &found).is_some() {
        return Some(departs_from(rule, again, format!("what was written: {}", read.to_ascii()), found.to_ascii()));
    }
    Some(Finding::Holds)
}

pub(super) fn model_markers(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let markers = subject.marker_texts();
    if markers.is_empty() {
        return Some(Finding::Holds);
    }
    let asked = ["assistant", "user"].map(|role| Question::model_text(subject.raw, role));
    ask_all(known, &asked)?;
    let label = CONTEXT_LABEL.trim_start();
    for question in asked {
        let found = result!(known, question);
        let text = found.get("text").and_then(Json::as_str).unwrap_or_default();
        let is_marker = |line: &&str| markers.contains(&line.trim_end_matches('\r'));
        // What follows the label is a context, and begins no line.
        if let Some(line) = text.split('\n').filter(|line| !line.starts_with(label)).find(is_marker) {
            return Some(departs(question, "no marker line of the message".to_owned(), quoted(line)));
        }
    }
    Some(Finding::Holds)
}

pub(super) fn model_content(subject: &Subject<'_>, known: &mut Knowledge) -> Option<Finding> {
    let (read, question) = (Question::parse(subject.raw, false), Question::model_text(subject.raw, "assistant"));
    ask_all(known, [&read, &question])?;
    let read = result!(known, read);
    let found = result!(known, question);
    let (Some(expected), Some(text)) = (content(&read), found.get("text").and_then(Json::as_str)) else {
        return Some(Finding::Holds);
    };
    if text != expected {
        return Some(departs(question, format!("the content that is read: {}", quoted(expected)), quoted(text)));
    }
    Some(Finding::Holds)
}

/// Whether the format holds all of this. The suite decides, not the implementation's refusal.
fn is_writable(
    subject: &Subject<'_>,
    text: &str,
    context: &Json,
    attributes: &[(JsonString, Json)],
    end: bool,
) -> bool {
    let pairs: Option<Vec<(String, String)>> =
        attributes.iter().map(|(name, value)| Some((name.as_str()?.to_owned(), value.as_str()?.to_owned()))).collect();
    // A text with a lone surrogate is no text of a message.
    let is_text = !matches!(context, Json::String(JsonString::Surrogates(_)));
    let Some(pairs) = pairs.filter(|_| is_text) else { return false };
    let mut options = *subject.options;
    options.choices.forged_marker = ForgedMarker::Refused;
    options.choices.not_writable = NotWritable::Refused;
    let draft = Draft { content: text, context: DraftContext::of(context), attributes: &pairs, end };
    build(&draft, &options).is_ok()
}

fn without_line_ending(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => text.strip_suffix('\r').unwrap_or(text),
    }
}

fn quoted(text: &str) -> String {
    Json::from(text).to_ascii()
}

/// A xorshift generator: cuttings need no more than to differ.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}
