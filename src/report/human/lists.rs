//! What the report for people says beside the failures: choices, what was not judged, what the baseline knows, notes.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::failure::answer;
use super::{SENTENCES, SHOWN};
use crate::format::Format;
use crate::formats::FORMATS;
use crate::report::NOT_LISTED;
use crate::report::colour::{BOLD, PLAIN, RED};
use crate::report::escape::{excerpt, plural, printable};
use crate::report::paragraph::write_wrapped;
use crate::run::{Assessment, Bound, BoundBy, Unsupported, Verdict};

/// What a refusal is, and what can be done about it.
const REFUSED: &str = "A request to a listed method that is refused with code 2 fails the run. Leave out of `methods` what is \
                       not there, declare a missing feature in `omits`, or give a baseline entry its reason.";

/// What is to be known beside the failures. Each list has at most so many rows.
pub(super) fn beside(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    choices(run, rows, out)?;
    unsupported(run, rows, out)?;
    not_run(run, rows, out)?;
    baseline(run, rows, out)?;
    if !run.record.notes.is_empty() {
        writeln!(out, "\n{BOLD}Notes{PLAIN}")?;
        for note in run.record.notes.iter().take(rows) {
            writeln!(out, "  {}", excerpt(&printable(note), SHOWN))?;
        }
        more_rows(run.record.notes.len(), rows, "note", out)?;
    }
    Ok(())
}

/// Says that a list has more rows than are shown.
fn more_rows(all: usize, rows: usize, noun: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(rows) {
        0 => Ok(()),
        more => writeln!(out, "  and {}, with --max-failures all", plural(more, &format!("more {noun}"))),
    }
}

fn choices(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    // A choice of a format that was not asked about says nothing here.
    let asked: BTreeSet<Format> = run.cases.iter().map(|case| case.outcome.case.method.format()).collect();
    let is_asked = |rule: &str| FORMATS.format_of(rule).is_some_and(|format| asked.contains(&format));
    let bound: Vec<(&String, &Bound)> = run.record.bound.iter().filter(|(rule, _)| is_asked(rule)).collect();
    if bound.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Choices{PLAIN}")?;
    let width = bound.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
    let all = bound.len();
    for (rule, bound) in bound.into_iter().take(rows) {
        let by = match &bound.by {
            BoundBy::Declaration => "declared".to_owned(),
            BoundBy::Case(id) | BoundBy::Narrowed { case: id, .. } => format!("by its answer to {id}"),
        };
        writeln!(out, "  {rule:width$}  {} ({by})", bound.shown())?;
    }
    more_rows(all, rows, "choice", out)
}

/// What was not judged and why: methods that are not listed, features that are omitted, and requests that were refused.
fn unsupported(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let (refused, missing): (Vec<&Unsupported>, Vec<&Unsupported>) =
        run.unsupported.iter().partition(|why| why.refused);
    let reason = |why: &Unsupported| excerpt(&printable(why.reason.as_deref().unwrap_or(NOT_LISTED)), SHOWN);
    if !missing.is_empty() {
        writeln!(out, "\n{BOLD}Not offered{PLAIN}")?;
        for why in missing.iter().take(rows) {
            writeln!(out, "  {}, {}: {}", why.method, plural(why.count, "case"), reason(why))?;
        }
        more_rows(missing.len(), rows, "reason", out)?;
    }
    if !refused.is_empty() {
        writeln!(out, "\n{BOLD}Refused{PLAIN}")?;
        write_wrapped(REFUSED, "  ", out)?;
        for why in refused.iter().take(rows) {
            let times = if why.count == 1 { "once".to_owned() } else { format!("{} times", why.count) };
            let first = printable(&why.first);
            writeln!(out, "  {RED}REFUSED{PLAIN} {}, {times}: {}; first {first}", why.method, reason(why))?;
        }
        more_rows(refused.len(), rows, "reason", out)?;
    }
    Ok(())
}

fn not_run(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut reason = None;
    let missing = || run.cases.iter().filter(|case| case.verdict == Verdict::NOT_RUN).map(|case| case.outcome);
    for outcome in missing().take(rows) {
        let decides = outcome.deciding_answer();
        if reason != Some(decides) {
            writeln!(out, "\n{BOLD}Not run{PLAIN}: {}", answer(decides))?;
            reason = Some(decides);
        }
        writeln!(out, "  {}", printable(&outcome.case.id))?;
    }
    more_rows(missing().count(), rows, "case", out)
}

/// What the baseline knows, and what in it is no longer true.
fn baseline(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some(baseline) = &run.baseline else { return Ok(()) };
    match &baseline.suite {
        Some(suite) => writeln!(out, "\n{BOLD}Baseline{PLAIN}, written for suite {suite}")?,
        None => writeln!(out, "\n{BOLD}Known failures{PLAIN}")?,
    }
    // What is no longer true comes first: it fails the run.
    let mut entries: Vec<_> = baseline.entries.iter().collect();
    entries.sort_by_key(|entry| entry.exceeded.is_none() && !entry.fixed);
    for entry in entries.into_iter().take(rows) {
        let names = excerpt(&printable(&entry.names), SHOWN);
        if let Some(found) = entry.exceeded {
            writeln!(out, "  {RED}EXCEEDED{PLAIN} {names}: {found} fail, more than it says there are")?;
        } else if entry.fixed {
            writeln!(out, "  {RED}FIXED{PLAIN} {names}: nothing under it fails any more; take it out")?;
        } else {
            writeln!(out, "  {} known by {names}", entry.known)?;
            write_wrapped(&excerpt(&entry.reason, SENTENCES), "    ", out)?;
        }
    }
    more_rows(baseline.entries.len(), rows, "known cause", out)
}
