//! A failure in the human-readable report: the request, the expected answer and the actual answer.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use super::{AROUND, DIFF_LINE, Detail, HumanReport, SENTENCES, SHOWN};
use crate::adapter::Answer;
use crate::case::{Expectation, Outcome};
use crate::json::{Json, Style};
use crate::report::colour::{BOLD, GREEN, PLAIN, RED, YELLOW};
use crate::report::escape::{excerpt, printable};
use crate::report::paragraph::write_wrapped;
use crate::run::compare::{Difference, side_by_side};
use crate::run::derived::{CheckResult, Evidence};
use crate::run::{CaseResult, ChoiceSource, Failure, ResolvedChoice};

/// The maximum number of lines of a diff.
const DIFF_LINES: usize = 60;
/// The maximum number of lines of a diff in a brief report.
const BRIEF_DIFF: usize = 24;

/// Writes a case that does not pass.
pub(super) fn failure(report: &HumanReport<'_>, outcome: &CaseResult<'_>, out: &mut dyn Write) -> io::Result<()> {
    let case = outcome.case;
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    writeln!(
        out,
        "\n  {colour}{}{colour:#} {BOLD}{}{BOLD:#}",
        outcome.verdict.name().to_uppercase(),
        printable(&case.id)
    )?;
    write_wrapped(&excerpt(&case.about, SENTENCES), "    ", out)?;
    if case.rules.len() > 1 {
        writeln!(out, "    rules     {}", excerpt(&printable(&case.rules.join(", ")), SHOWN))?;
    }
    writeln!(out, "    request   {} {}", case.method, excerpt(&printable(&case.params), SHOWN))?;
    if let Expectation::Scale(scale) = &case.expectation {
        let times = scale.times.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let unit = excerpt(&Json::from(scale.unit.as_str()).to_ascii(), SHOWN);
        writeln!(out, "    with      {unit} after {}, {times} times", printable(&scale.at))?;
    }
    match &outcome.failure {
        Some(Failure::Result { expected, difference }) => {
            if case.options().len() > 1 {
                writeln!(out, "    expected  one of {} answers; the closest is shown", case.options().len())?;
            }
            if let (Answer::Result(actual), None) = (&outcome.answer, &difference.pattern) {
                let (expected, actual) = side_by_side(case, expected, actual);
                let lines = if report.detail == Detail::Brief { BRIEF_DIFF } else { DIFF_LINES };
                diff(&expected, &actual, lines, out)?;
            }
            first_difference(difference, out)?;
        }
        Some(Failure::Outcome) => {
            writeln!(out, "    expected  {}", expected(outcome))?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
        }
        Some(Failure::Choice { rule, chosen, bound }) => {
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    because   the answer chooses {rule}={chosen}, but {}", bound_by(rule, bound))?;
        }
        Some(Failure::NotSame(second)) => {
            writeln!(out, "    and       {}", excerpt(&printable(case.same.as_deref().unwrap_or("")), SHOWN))?;
            writeln!(out, "    expected  the same answer to both")?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    and       {}", answer(second))?;
        }
        Some(Failure::Flaky(again)) => {
            writeln!(out, "    expected  the same answer every time")?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    and       {}", answer(&again.answer))?;
            let at = excerpt(&printable(&again.at.to_string()), SHOWN);
            let at = if at.is_empty() { "the whole answer".to_owned() } else { at };
            writeln!(out, "    at        {at}, {}", printable(&again.when))?;
        }
        Some(Failure::Growth(growth)) => {
            writeln!(out, "    expected  a time proportional to the length")?;
            write_wrapped(&excerpt(&growth.to_string(), SENTENCES), "    found     ", out)?;
        }
        Some(Failure::Warning(warning)) => write_wrapped(&excerpt(warning, SENTENCES), "    warning   ", out)?,
        Some(Failure::ListedButMissing) => {
            writeln!(out, "    found     the adapter lists {} but answered \"method not found\"", case.method)?;
        }
        Some(Failure::NoAnswer | Failure::Refused) | None => {
            writeln!(out, "    found     {}", answer(&outcome.answer))?
        }
    }
    writeln!(out, "    rerun     {}", printable(&report.rerun.line(&case.id)))
}

/// Writes a derived check that does not pass.
pub(super) fn derived_departure(
    report: &HumanReport<'_>,
    outcome: &CheckResult<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    let verdict = outcome.verdict.name().to_uppercase();
    writeln!(out, "\n  {colour}{verdict}{colour:#} {BOLD}{}{BOLD:#}", printable(&outcome.id()))?;
    match &outcome.evidence {
        Some(Evidence::Failed { whole, shrunk }) => {
            let failure = shrunk.as_ref().map_or(whole, |(_, failure)| failure);
            if let Some((message, _)) = shrunk {
                writeln!(out, "    message   shrunk to {}", excerpt(&Json::from(message.as_str()).to_ascii(), SHOWN))?;
            }
            writeln!(out, "    request   {} {}", failure.request.method, excerpt(&failure.request.params, SHOWN))?;
            writeln!(out, "    expected  {}", excerpt(&printable(&failure.expected), SHOWN))?;
            writeln!(out, "    found     {}", excerpt(&printable(&failure.actual), SHOWN))?;
        }
        Some(Evidence::NoAnswer(question, actual)) => {
            writeln!(out, "    request   {} {}", question.method, excerpt(&question.params, SHOWN))?;
            writeln!(out, "    found     {}", answer(actual))?;
        }
        None => {}
    }
    writeln!(out, "    rerun     {}", printable(&report.rerun.line(&outcome.case.id)))
}

/// Returns the expected answers of a case as one line.
fn expected(outcome: &CaseResult<'_>) -> String {
    let options = outcome.case.options().iter().map(|option| match &option.outcome {
        Outcome::Result(result) => excerpt(&result.to_ascii(), SHOWN),
        Outcome::Refusal(kind) => format!("the refusal {kind}"),
    });
    options.collect::<Vec<_>>().join(", or ")
}

pub(super) fn answer(answer: &Answer) -> String {
    excerpt(&printable(&answer.to_string()), SHOWN)
}

/// Writes a diff of both indented results, with context lines.
fn diff(expected: &Json, actual: &Json, lines: usize, out: &mut dyn Write) -> io::Result<()> {
    let (expected, actual) = (expected.write(Style::Indented), actual.write(Style::Indented));
    let diff = TextDiff::from_lines(&expected, &actual);
    writeln!(out, "    - expected, + found")?;
    let groups = diff.grouped_ops(2);
    let mut changes = groups.iter().flatten().flat_map(|op| diff.iter_changes(op));
    for change in changes.by_ref().take(lines) {
        let (sign, colour) = match change.tag() {
            ChangeTag::Delete => ("-", GREEN),
            ChangeTag::Insert => ("+", RED),
            ChangeTag::Equal => (" ", PLAIN),
        };
        writeln!(out, "    {colour}{sign} {}{colour:#}", excerpt(change.value().trim_end_matches('\n'), DIFF_LINE))?;
    }
    match changes.count() {
        0 => Ok(()),
        more => writeln!(out, "    ... ({more} more lines)"),
    }
}

fn first_difference(difference: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let at = printable(&difference.at.to_string());
    let at = if at.is_empty() { "the whole result".to_owned() } else { excerpt(&at, SHOWN) };
    let value = |value: &Option<Json>| {
        value.as_ref().map_or_else(|| "nothing".to_owned(), |value| excerpt(&value.to_ascii(), SHOWN))
    };
    if let Some(pattern) = &difference.pattern {
        let actual = value(&difference.actual);
        return writeln!(out, "    at        {at}: expected a match of {}, but found {actual}", printable(pattern));
    }
    let texts =
        (difference.expected.as_ref().and_then(Json::as_str), difference.actual.as_ref().and_then(Json::as_str));
    if let (Some(expected), Some(actual)) = texts {
        let same = expected.chars().zip(actual.chars()).take_while(|(left, right)| left == right).count();
        let bytes: usize = expected.chars().take(same).map(char::len_utf8).sum();
        let around = |text: &str| {
            let from = same.saturating_sub(AROUND);
            let cut: String = text.chars().skip(from).take(same - from + AROUND).collect();
            let (before, after) =
                (if from > 0 { "..." } else { "" }, if text.chars().count() > same + AROUND { "..." } else { "" });
            format!("{before}{}{after}", Json::from(cut).to_ascii())
        };
        writeln!(out, "    at        {at}, character {} (byte {bytes}):", same + 1)?;
        writeln!(out, "              expected {}", around(expected))?;
        return writeln!(out, "              found    {}", around(actual));
    }
    writeln!(
        out,
        "    at        {at}: expected {}, but found {}",
        value(&difference.expected),
        value(&difference.actual)
    )
}

fn bound_by(rule: &str, bound: &ResolvedChoice) -> String {
    match &bound.by {
        ChoiceSource::Declaration => format!("the adapter declares {rule}={}", bound.name),
        ChoiceSource::Case(id) => format!("its answer to {id} chooses {rule}={}", bound.name),
        ChoiceSource::Narrowed { case, .. } => format!("its answer to {case} leaves only {rule}={}", bound.shown()),
    }
}
