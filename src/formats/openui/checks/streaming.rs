//! The checks on how a message reads while it arrives. A check requests everything before it judges anything, so that one
//! round usually is enough.

use super::message::{CONTENT, MAX_READ, Message, last_line};
use super::{content, quoted, requests, same_reading, without_line_ending};
use crate::checks::{Answers, CheckOutcome, Request, check_failure, result};
use crate::json::Json;
use crate::openui::PREFIX;

/// Cuttings into many chunks, for each message. A long one has fewer, so that at most `MAX_READ` bytes of it are read.
const CUTTINGS: usize = 8;

/// Chunks of such a cutting at most.
const MANY: usize = 24;

/// Cuts of a cutting that are far from each other.
const FAR: usize = 4;

/// What shows of the text up to a cut.
fn shown(message: &Message<'_>, cut: usize) -> Request {
    requests::parse(&message.raw[..cut], true)
}

pub(super) fn no_flash(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    if message.may_be_envelope() {
        return Some(CheckOutcome::Holds);
    }
    let raw = message.raw;
    let late = message.chose("openui.stream.mid-line-partial", "shown");
    let mut asked = Vec::new();
    // If a marker before it may have been moved early, the content that showed then is not comparable.
    for marker in message.markers.iter().filter(|marker| !message.may_be_moved_early(marker.span.start)) {
        let start = marker.span.start;
        let line = &raw[marker.span.clone()];
        let end = start + line.strip_suffix('\n').unwrap_or(line).len();
        // A moved marker whose pieces may show is judged from its last letter on.
        let from = if marker.moved && late { start + CONTENT.len() } else { start + 1 };
        let inside: Vec<usize> = message.cuts.iter().copied().filter(|cut| (from..=end).contains(cut)).collect();
        let whole = if marker.moved { format!("{}\0", &raw[..start]) } else { raw[..start].to_owned() };
        asked.push((marker, inside, shown(message, start), requests::parse(&whole, false)));
    }
    answers.request_all(asked.iter().flat_map(|(_, _, shown, whole)| [shown, whole])).and(answers.request_all(
        &asked.iter().flat_map(|(_, inside, ..)| inside.iter().map(|cut| shown(message, *cut))).collect::<Vec<_>>(),
    ))?;
    for (marker, inside, before, whole) in asked {
        let before = result!(answers, before);
        let whole = result!(answers, whole);
        let (Some(before), Some(whole)) = (content(&before), content(&whole)) else { continue };
        let whole = match whole.strip_suffix('\0') {
            Some(less) if marker.moved => less,
            _ => without_line_ending(whole),
        };
        for cut in inside {
            let request = shown(message, cut);
            let now = result!(answers, request);
            let now = content(&now).unwrap_or_default();
            if !before.starts_with(now) && !whole.starts_with(now) {
                return Some(check_failure(
                    request,
                    format!("nothing of the marker line shows: a beginning of {}", quoted(before)),
                    quoted(now),
                ));
            }
        }
    }
    Some(CheckOutcome::Holds)
}

pub(super) fn growth(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    if message.may_be_envelope() {
        return Some(CheckOutcome::Holds);
    }
    let pieces_show = message.chose("openui.stream.mid-line-partial", "shown");
    let shows_a_piece = |cut: usize| pieces_show && message.ends_in_piece(cut);
    let is_judged = |cut: &usize| !shows_a_piece(*cut) && !message.may_be_moved_early(*cut);
    let cuts: Vec<usize> = message.cuts.iter().copied().filter(is_judged).collect();
    answers.request_all(&cuts.iter().map(|cut| shown(message, *cut)).collect::<Vec<_>>())?;
    let forgets_end = message.chose("openui.read.stale-end", "ignored");
    let mut markers = 0;
    let mut longest = String::new();
    let mut ended = false;
    for cut in cuts {
        let request = shown(message, cut);
        let now = result!(answers, request);
        let text = content(&now).unwrap_or_default();
        let markers_now = message.content_markers(cut);
        if markers_now != markers {
            markers = markers_now;
            longest.clear();
            ended &= !forgets_end;
        }
        if !text.starts_with(longest.as_str()) {
            return Some(check_failure(
                request,
                format!("what showed before goes on: {}", quoted(&longest)),
                quoted(text),
            ));
        }
        let end = now.get("end") == Some(&Json::Bool(true));
        if ended && !end {
            return Some(check_failure(request, "`end` stays true".to_owned(), "`end` is false again".to_owned()));
        }
        ended = end;
        // One line ending at the end may still turn out to belong to a marker line.
        let kept = without_line_ending(text);
        if kept.len() > longest.len() {
            longest = kept.to_owned();
        }
    }
    Some(CheckOutcome::Holds)
}

pub(super) fn settle(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    if message.may_be_envelope() && message.chose("openui.legacy.streaming", "held") {
        return Some(CheckOutcome::Holds);
    }
    let is_settled = |cut: &usize| {
        let line = last_line(&message.raw[..*cut]);
        !line.starts_with(PREFIX)
            && !PREFIX.starts_with(line)
            && !line.contains(CONTENT)
            && !message.ends_in_piece(*cut)
    };
    let cuts: Vec<usize> = message.cuts.iter().copied().filter(is_settled).collect();
    let whole = |cut: usize| requests::parse(&message.raw[..cut], false);
    answers.request_all(&cuts.iter().flat_map(|cut| [shown(message, *cut), whole(*cut)]).collect::<Vec<_>>())?;
    for cut in cuts {
        let request = shown(message, cut);
        let whole = result!(answers, whole(cut));
        let now = result!(answers, request);
        if !same_reading(&whole, &now) {
            return Some(check_failure(
                request,
                format!("what whole reading gives: {}", whole.to_ascii()),
                now.to_ascii(),
            ));
        }
    }
    Some(CheckOutcome::Holds)
}

pub(super) fn chunks(message: &Message<'_>, answers: &mut Answers) -> Option<CheckOutcome> {
    let inner: Vec<usize> = message.cuts.iter().copied().filter(|cut| (1..message.raw.len()).contains(cut)).collect();
    // Each cut once, and those of one cutting far from each other.
    let apart = inner.len().div_ceil(FAR).max(1);
    let mut cuttings: Vec<Vec<usize>> =
        (0..apart.min(inner.len())).map(|at| inner.iter().skip(at).step_by(apart).copied().collect()).collect();
    // The same cuttings for the same message, on every machine.
    let mut seed = message
        .raw
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |seed, byte| (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let affordable = (MAX_READ / (MANY / 2 * message.raw.len().max(1))).max(1);
    for _ in 0..CUTTINGS.min(inner.len()).min(affordable) {
        let many = 2 + usize::try_from(next(&mut seed) % MANY as u64).unwrap_or(0);
        let mut cutting: Vec<usize> =
            (0..many).map(|_| inner[usize::try_from(next(&mut seed) % inner.len() as u64).unwrap_or(0)]).collect();
        cutting.sort_unstable();
        cuttings.push(cutting);
    }
    let asked: Vec<(Vec<usize>, Request)> = cuttings
        .into_iter()
        .map(|mut ends| {
            ends.push(message.raw.len());
            let starts = [0].into_iter().chain(ends.iter().copied());
            let chunks = starts.zip(&ends).map(|(from, to)| &message.raw[from..*to]);
            let request = requests::stream(chunks);
            (ends, request)
        })
        .collect();
    let whole = requests::parse(message.raw, false);
    answers
        .request_all(asked.iter().map(|(_, request)| request).chain([&whole]))
        .and(answers.request_all(&message.cuts.iter().map(|cut| shown(message, *cut)).collect::<Vec<_>>()))?;
    let whole = result!(answers, whole);
    for (ends, request) in asked {
        let streamed = result!(answers, request);
        let Some(Json::Array(snapshots)) = streamed.get("snapshots").cloned() else {
            return Some(check_failure(request, "a list of snapshots".to_owned(), streamed.to_ascii()));
        };
        if snapshots.len() != ends.len() {
            return Some(check_failure(request, format!("{} snapshots", ends.len()), format!("{}", snapshots.len())));
        }
        for (at, (end, snapshot)) in ends.iter().zip(&snapshots).enumerate() {
            let alone = result!(answers, shown(message, *end));
            if !same_reading(&alone, snapshot) {
                let expected = format!("after chunk {}, the result for its text alone: {}", at + 1, alone.to_ascii());
                return Some(check_failure(request, expected, snapshot.to_ascii()));
            }
        }
        match streamed.get("final") {
            Some(last) if same_reading(&whole, last) => {}
            last => {
                let found = last.map_or_else(|| "nothing".to_owned(), Json::to_ascii);
                return Some(check_failure(
                    request,
                    format!("in the end, what the whole gives: {}", whole.to_ascii()),
                    found,
                ));
            }
        }
    }
    Some(CheckOutcome::Holds)
}

/// A xorshift generator: cuttings need no more than to differ.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}
