//! The other lists of the human-readable report: choices, unsupported and not run cases, known failures, notes.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::failure::answer;
use super::{SENTENCES, SHOWN};
use crate::format::Format;
use crate::formats::FORMATS;
use crate::report::NOT_LISTED;
use crate::report::colour::{BOLD, RED};
use crate::report::escape::{excerpt, plural, printable};
use crate::report::paragraph::write_wrapped;
use crate::run::{Assessment, ChoiceSource, ResolvedChoice, Unsupported, Verdict};

/// The explanation of refusals, with the possible fixes.
const REFUSED: &str = "A request to a listed method that is refused with code 2 fails the run. Remove a missing method from \
                       `methods`, declare a missing feature in `omits`, or add a baseline entry with the reason.";

/// Writes the other lists, each with at most `rows` rows.
pub(super) fn beside(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    choices(run, rows, out)?;
    unsupported(run, rows, out)?;
    not_run(run, rows, out)?;
    baseline(run, rows, out)?;
    if !run.record.notes.is_empty() {
        writeln!(out, "\n{BOLD}Notes{BOLD:#}")?;
        for note in run.record.notes.iter().take(rows) {
            writeln!(out, "  {}", excerpt(&printable(note), SHOWN))?;
        }
        more_rows(run.record.notes.len(), rows, "note", out)?;
    }
    Ok(())
}

/// Writes the number of hidden rows of a list.
fn more_rows(all: usize, rows: usize, noun: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(rows) {
        0 => Ok(()),
        more => writeln!(out, "  and {}, with --max-failures all", plural(more, &format!("more {noun}"))),
    }
}

fn choices(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    // Choices of formats without a selected case are irrelevant.
    let asked: BTreeSet<Format> = run.cases.iter().map(|case| case.outcome.case.method.format()).collect();
    let is_asked = |rule: &str| FORMATS.format_of(rule).is_some_and(|format| asked.contains(&format));
    let bound: Vec<(&String, &ResolvedChoice)> = run.record.bound.iter().filter(|(rule, _)| is_asked(rule)).collect();
    if bound.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Choices{BOLD:#}")?;
    let width = bound.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
    let all = bound.len();
    for (rule, bound) in bound.into_iter().take(rows) {
        let by = match &bound.by {
            ChoiceSource::Declaration => "declared".to_owned(),
            ChoiceSource::Case(id) | ChoiceSource::Narrowed { case: id, .. } => format!("inferred from {id}"),
        };
        writeln!(out, "  {rule:width$}  {} ({by})", bound.shown())?;
    }
    more_rows(all, rows, "choice", out)
}

/// Writes the reasons for unsupported cases: unlisted methods, omitted features and refused requests.
fn unsupported(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let (refused, missing): (Vec<&Unsupported>, Vec<&Unsupported>) =
        run.unsupported.iter().partition(|why| why.refused);
    let reason = |why: &Unsupported| excerpt(&printable(why.reason.as_deref().unwrap_or(NOT_LISTED)), SHOWN);
    if !missing.is_empty() {
        writeln!(out, "\n{BOLD}Unsupported{BOLD:#}")?;
        for why in missing.iter().take(rows) {
            writeln!(out, "  {}, {}: {}", why.method, plural(why.count, "case"), reason(why))?;
        }
        more_rows(missing.len(), rows, "reason", out)?;
    }
    if !refused.is_empty() {
        writeln!(out, "\n{BOLD}Refused{BOLD:#}")?;
        write_wrapped(REFUSED, "  ", out)?;
        for why in refused.iter().take(rows) {
            let times = if why.count == 1 { "once".to_owned() } else { format!("{} times", why.count) };
            let first = printable(&why.first);
            writeln!(out, "  {RED}REFUSED{RED:#} {}, {times}: {}; first {first}", why.method, reason(why))?;
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
            writeln!(out, "\n{BOLD}Not run{BOLD:#}: {}", answer(decides))?;
            reason = Some(decides);
        }
        writeln!(out, "  {}", printable(&outcome.case.id))?;
    }
    more_rows(missing().count(), rows, "case", out)
}

/// Writes the entries of the baseline, stale ones first.
fn baseline(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some(baseline) = &run.baseline else { return Ok(()) };
    match &baseline.suite {
        Some(suite) => writeln!(out, "\n{BOLD}Baseline{BOLD:#}, written for suite {suite}")?,
        None => writeln!(out, "\n{BOLD}Known failures{BOLD:#}")?,
    }
    // Stale and exceeded entries come first: they fail the run.
    let mut entries: Vec<_> = baseline.entries.iter().collect();
    entries.sort_by_key(|entry| entry.exceeded.is_none() && !entry.fixed);
    for entry in entries.into_iter().take(rows) {
        let names = excerpt(&printable(&entry.names), SHOWN);
        if let Some(found) = entry.exceeded {
            writeln!(out, "  {RED}EXCEEDED{RED:#} {names}: {found} fail, more than `at_most` allows")?;
        } else if entry.fixed {
            writeln!(out, "  {RED}UNEXPECTED PASS{RED:#} {names}: no longer fails; remove this entry")?;
        } else {
            writeln!(out, "  {}: {names}", plural(entry.known, "known failure"))?;
            write_wrapped(&excerpt(&entry.reason, SENTENCES), "    ", out)?;
        }
    }
    more_rows(baseline.entries.len(), rows, "known cause", out)
}
