//! The report for people: what departs, grouped by rule, and whether the implementation conforms.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use super::colour::{BOLD, GREEN, PLAIN, RED, YELLOW};
use super::escape::{excerpt, plural, printable};
use super::paragraph::write_wrapped;
use super::repeat::Repeat;
use crate::adapter::Answer;
use crate::case::{Expectation, Outcome};
use crate::json::{Json, Style};
use crate::protocol::{Format, SUITE};
use crate::rules::{self, Rule};
use crate::run::compare::{Difference, side_by_side};
use crate::run::derived::{DerivedOutcome, Evidence};
use crate::run::{Bound, BoundBy, CaseOutcome, Claim, Counts, Departure, Record, Verdict};

/// Longer inputs and answers are cut in the report; the case file and `--trace` have them whole.
const SHOWN: usize = 400;
/// A diff line may be this long.
const DIFF_LINE: usize = 160;
/// A diff may be this many lines.
const DIFF_LINES: usize = 60;
/// Characters shown before and behind the first difference of two texts.
const AROUND: usize = 24;
/// Departures from one derived check that are shown whole.
const DERIVED_WHOLE: usize = 3;
/// So many departures are seen without a table.
const AT_A_GLANCE: usize = 12;
/// What a refusal is, and what can be done about it.
const REFUSED: &str = "A request to a listed method that is refused with code 2 fails the run. Leave out of `methods` what is \
                       not there, declare a missing feature in `omits`, or give a baseline entry its reason.";
/// Cases that were not run, of which a line each is shown.
const NOT_RUN: usize = 20;
/// Notes that are shown.
const NOTES: usize = 20;

/// What the report for people is made of.
pub struct HumanReport<'a> {
    /// What the run found out.
    pub record: &'a Record<'a>,
    /// How a single case is run again.
    pub repeat: &'a Repeat,
}

/// Writes the report. It carries colours as escape sequences; whoever writes to something else than a terminal
/// takes them out.
///
/// # Errors
///
/// When writing fails.
pub fn write_human(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let record = report.record;
    let who = &record.handshake.implementation;
    let details: Vec<&str> = [&who.version, &who.language].into_iter().flatten().map(String::as_str).collect();
    writeln!(
        out,
        "genui-conform {SUITE}: {BOLD}{}{PLAIN}{}, profile {}, {}",
        excerpt(&printable(&who.name), SHOWN),
        if details.is_empty() {
            String::new()
        } else {
            format!(" ({})", excerpt(&printable(&details.join(", ")), SHOWN))
        },
        record.profile,
        plural(record.outcomes.len(), "case"),
    )?;
    departures(report, out)?;
    by_rule(record, out)?;
    choices(record, out)?;
    unsupported(record, out)?;
    not_run(record, out)?;
    baseline(record, out)?;
    if !record.notes.is_empty() {
        writeln!(out, "\n{BOLD}Notes{PLAIN}")?;
        for note in record.notes.iter().take(NOTES) {
            writeln!(out, "  {}", excerpt(&printable(note), SHOWN))?;
        }
        if record.notes.len() > NOTES {
            writeln!(out, "  ... ({} more notes)", record.notes.len() - NOTES)?;
        }
    }
    closing(record, out)
}

/// Something that departs from a rule.
enum Entry<'a> {
    Case(&'a CaseOutcome<'a>),
    Derived(&'a DerivedOutcome<'a>),
}

fn departures(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut by_rule: BTreeMap<usize, Vec<Entry<'_>>> = BTreeMap::new();
    let mut enter = |rule: Option<&str>, entry| {
        let place = rules::all().iter().position(|known| Some(known.id.as_str()) == rule).unwrap_or(usize::MAX);
        by_rule.entry(place).or_default().push(entry);
    };
    for outcome in report.record.outcomes.iter().filter(|outcome| departs(outcome.verdict)) {
        enter(outcome.rule(report.record.profile), Entry::Case(outcome));
    }
    for outcome in report.record.derived.iter().filter(|outcome| departs(outcome.verdict)) {
        enter(Some(outcome.rule), Entry::Derived(outcome));
    }
    for (place, entries) in by_rule {
        match rules::all().get(place) {
            Some(rule) => rule_heading(rule, out)?,
            None => writeln!(out, "\n{BOLD}of no rule in this suite{PLAIN}")?,
        }
        let mut derived = 0;
        for entry in entries {
            match entry {
                Entry::Case(outcome) => departure(report, outcome, out)?,
                Entry::Derived(outcome) => {
                    derived += 1;
                    derived_departure(report, outcome, derived, out)?;
                }
            }
        }
    }
    Ok(())
}

/// Departures by rule, where they are too many to be seen at a glance.
fn by_rule(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<&str, (Counts, Counts)> = BTreeMap::new();
    for outcome in record.outcomes.iter().filter(|outcome| departs(outcome.verdict)) {
        let rule = outcome.rule(record.profile).unwrap_or_default();
        *counts.entry(rule).or_default().0.entry(outcome.verdict).or_default() += 1;
    }
    for outcome in record.derived.iter().filter(|outcome| departs(outcome.verdict)) {
        *counts.entry(outcome.rule).or_default().1.entry(outcome.verdict).or_default() += 1;
    }
    let all: usize = counts.values().flat_map(|(cases, checks)| cases.values().chain(checks.values())).sum();
    if all <= AT_A_GLANCE {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}By rule{PLAIN}")?;
    let width = counts.keys().map(|rule| rule.len()).max().unwrap_or(0);
    for (rule, (cases, checks)) in &counts {
        let mut parts = Vec::new();
        if !cases.is_empty() {
            parts.push(format!("cases: {}", counted(cases, 0)));
        }
        if !checks.is_empty() {
            parts.push(format!("derived checks: {}", counted(checks, 0)));
        }
        writeln!(out, "  {:width$}  {}", printable(rule), parts.join("; "))?;
    }
    Ok(())
}

/// Whether the report tells of an outcome with this verdict.
fn departs(verdict: Verdict) -> bool {
    use Verdict::{Fixed, Known, NotRun, Pass, Unsupported};
    !matches!(verdict, Pass | Unsupported | NotRun | Known | Fixed)
}

fn rule_heading(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{}{PLAIN} ({}; {})", rule.id, rule.level_name(), rule.source)?;
    write_wrapped(&rule.text, "  ", out)
}

fn departure(report: &HumanReport<'_>, outcome: &CaseOutcome<'_>, out: &mut dyn Write) -> io::Result<()> {
    let case = outcome.case;
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    writeln!(out, "\n  {colour}{}{PLAIN} {BOLD}{}{PLAIN}", outcome.verdict.name().to_uppercase(), printable(&case.id))?;
    write_wrapped(&case.about, "    ", out)?;
    if case.rules.len() > 1 {
        writeln!(out, "    rules     {}", printable(&case.rules.join(", ")))?;
    }
    writeln!(out, "    asked     {} {}", case.method, excerpt(&printable(&case.params), SHOWN))?;
    if let Expectation::Scale(scale) = &case.expectation {
        let times = scale.times.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let unit = excerpt(&Json::from(scale.unit.as_str()).to_ascii(), SHOWN);
        writeln!(out, "    with      {unit} behind {}, {times} times", printable(&scale.at))?;
    }
    match &outcome.departure {
        Some(Departure::Result { expected, difference }) => {
            if case.options().len() > 1 {
                writeln!(out, "    expected  one of {} answers; the nearest is shown", case.options().len())?;
            }
            if let (Answer::Result(found), None) = (&outcome.answer, &difference.pattern) {
                let (expected, found) = side_by_side(case, expected, found);
                diff(&expected, &found, out)?;
            }
            first_difference(difference, out)?;
        }
        Some(Departure::Outcome) => {
            writeln!(out, "    expected  {}", expected(outcome))?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
        }
        Some(Departure::Choice { rule, chosen, bound }) => {
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    because   the answer chooses {rule}={chosen}, but {}", bound_by(rule, bound))?;
        }
        Some(Departure::NotSame(second)) => {
            writeln!(out, "    and       {}", excerpt(&printable(case.same.as_deref().unwrap_or("")), SHOWN))?;
            writeln!(out, "    expected  the same answer to both")?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    and       {}", answer(second))?;
        }
        Some(Departure::Unstable(again)) => {
            writeln!(out, "    expected  the same answer whenever it is asked")?;
            writeln!(out, "    found     {}", answer(&outcome.answer))?;
            writeln!(out, "    and       {}", answer(&again.answer))?;
            let at = excerpt(&printable(&again.at.to_string()), SHOWN);
            let at = if at.is_empty() { "the whole answer".to_owned() } else { at };
            writeln!(out, "    at        {at}, {}", printable(&again.when))?;
        }
        Some(Departure::Growth(growth)) => {
            writeln!(out, "    expected  a time in proportion to the length")?;
            write_wrapped(&growth.to_string(), "    found     ", out)?;
        }
        Some(Departure::Warning(warning)) => write_wrapped(warning, "    warning   ", out)?,
        Some(Departure::ListedButMissing) => {
            writeln!(out, "    found     the adapter lists {}, and answers that it has no such method", case.method)?;
        }
        Some(Departure::NoAnswer | Departure::Refused) | None => {
            writeln!(out, "    found     {}", answer(&outcome.answer))?
        }
    }
    writeln!(out, "    repeat    {}", printable(&report.repeat.line(&case.id)))
}

/// A derived check that does not hold. The first few of a rule are shown whole; of the others a line tells which.
fn derived_departure(
    report: &HumanReport<'_>,
    outcome: &DerivedOutcome<'_>,
    count: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    let id = printable(&outcome.id());
    let verdict = outcome.verdict.name().to_uppercase();
    if count > DERIVED_WHOLE {
        return writeln!(out, "  {colour}{verdict}{PLAIN} {BOLD}{id}{PLAIN}");
    }
    writeln!(out, "\n  {colour}{verdict}{PLAIN} {BOLD}{id}{PLAIN}")?;
    match &outcome.evidence {
        Some(Evidence::Departs { whole, shrunk }) => {
            let departs = shrunk.as_ref().map_or(whole, |(_, departs)| departs);
            if let Some((message, _)) = shrunk {
                writeln!(out, "    message   shrunk to {}", excerpt(&Json::from(message.as_str()).to_ascii(), SHOWN))?;
            }
            writeln!(out, "    asked     {} {}", departs.question.method, excerpt(&departs.question.params, SHOWN))?;
            writeln!(out, "    expected  {}", excerpt(&printable(&departs.expected), SHOWN))?;
            writeln!(out, "    found     {}", excerpt(&printable(&departs.found), SHOWN))?;
        }
        Some(Evidence::NoAnswer(question, found)) => {
            writeln!(out, "    asked     {} {}", question.method, excerpt(&question.params, SHOWN))?;
            writeln!(out, "    found     {}", answer(found))?;
        }
        None => {}
    }
    writeln!(out, "    repeat    {}", printable(&report.repeat.line(&outcome.case.id)))
}

/// The expected answers of a case in a line.
fn expected(outcome: &CaseOutcome<'_>) -> String {
    let options = outcome.case.options().iter().map(|option| match &option.outcome {
        Outcome::Result(result) => excerpt(&result.to_ascii(), SHOWN),
        Outcome::Refusal(kind) => format!("the refusal {kind}"),
    });
    options.collect::<Vec<_>>().join(", or ")
}

fn answer(answer: &Answer) -> String {
    excerpt(&printable(&answer.to_string()), SHOWN)
}

/// Both results, indented, as a diff with what surrounds the differing lines.
fn diff(expected: &Json, found: &Json, out: &mut dyn Write) -> io::Result<()> {
    let (expected, found) = (expected.write(Style::Indented), found.write(Style::Indented));
    let diff = TextDiff::from_lines(&expected, &found);
    writeln!(out, "    - expected, + found")?;
    let groups = diff.grouped_ops(2);
    let mut changes = groups.iter().flatten().flat_map(|op| diff.iter_changes(op));
    for change in changes.by_ref().take(DIFF_LINES) {
        let (sign, colour) = match change.tag() {
            ChangeTag::Delete => ("-", GREEN),
            ChangeTag::Insert => ("+", RED),
            ChangeTag::Equal => (" ", PLAIN),
        };
        writeln!(out, "    {colour}{sign} {}{PLAIN}", excerpt(change.value().trim_end_matches('\n'), DIFF_LINE))?;
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
        let found = value(&difference.found);
        return writeln!(out, "    at        {at}: expected what matches {}, but found {found}", printable(pattern));
    }
    let texts = (difference.expected.as_ref().and_then(Json::as_str), difference.found.as_ref().and_then(Json::as_str));
    if let (Some(expected), Some(found)) = texts {
        let same = expected.chars().zip(found.chars()).take_while(|(left, right)| left == right).count();
        let bytes: usize = expected.chars().take(same).map(char::len_utf8).sum();
        let around = |text: &str| {
            let from = same.saturating_sub(AROUND);
            let cut: String = text.chars().skip(from).take(same - from + AROUND).collect();
            let (before, behind) =
                (if from > 0 { "..." } else { "" }, if text.chars().count() > same + AROUND { "..." } else { "" });
            format!("{before}{}{behind}", Json::from(cut).to_ascii())
        };
        writeln!(out, "    at        {at}, character {} (byte {bytes}):", same + 1)?;
        writeln!(out, "              expected {}", around(expected))?;
        return writeln!(out, "              found    {}", around(found));
    }
    writeln!(
        out,
        "    at        {at}: expected {}, but found {}",
        value(&difference.expected),
        value(&difference.found)
    )
}

fn choices(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    // A choice of a format that was not asked about says nothing here.
    let asked: BTreeSet<Format> = record.outcomes.iter().map(|outcome| outcome.case.method.format()).collect();
    let is_asked = |rule: &str| Format::of(rule).is_some_and(|format| asked.contains(&format));
    let bound: Vec<(&String, &Bound)> = record.bound.iter().filter(|(rule, _)| is_asked(rule)).collect();
    if bound.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Choices{PLAIN}")?;
    let width = bound.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
    for (rule, bound) in bound {
        let by = match &bound.by {
            BoundBy::Declaration => "declared".to_owned(),
            BoundBy::Case(id) | BoundBy::Narrowed { case: id, .. } => format!("by its answer to {id}"),
        };
        writeln!(out, "  {rule:width$}  {} ({by})", bound.shown())?;
    }
    Ok(())
}

/// What was not judged and why: methods that are not listed, features that are omitted, and requests that were refused.
/// A refusal fails the run.
fn unsupported(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut missing: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut refused: BTreeMap<(&str, String), (usize, String)> = BTreeMap::new();
    for outcome in record.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Unsupported) {
        let method = outcome.case.method.name();
        let reason = match deciding_answer(outcome) {
            Answer::Unsupported(reason) => excerpt(&printable(reason), SHOWN),
            Answer::Omitted(feature) => format!("the adapter omits {feature}"),
            _ => "the adapter does not list the method".to_owned(),
        };
        if outcome.is_refused() {
            refused.entry((method, reason)).or_insert((0, outcome.case.id.clone())).0 += 1;
        } else {
            *missing.entry((method, reason)).or_default() += 1;
        }
    }
    for outcome in record.derived.iter().filter(|outcome| outcome.is_refused()) {
        if let Some(Evidence::NoAnswer(question, Answer::Unsupported(reason))) = &outcome.evidence {
            let reason = excerpt(&printable(reason), SHOWN);
            refused.entry((question.method.name(), reason)).or_insert((0, outcome.id())).0 += 1;
        }
    }
    if !missing.is_empty() {
        writeln!(out, "\n{BOLD}Not offered{PLAIN}")?;
        for ((method, reason), count) in missing {
            writeln!(out, "  {method}, {}: {reason}", plural(count, "case"))?;
        }
    }
    if !refused.is_empty() {
        writeln!(out, "\n{BOLD}Refused{PLAIN}")?;
        write_wrapped(REFUSED, "  ", out)?;
        for ((method, reason), (count, first)) in refused {
            let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            writeln!(out, "  {RED}REFUSED{PLAIN} {method}, {times}: {reason}; first {}", printable(&first))?;
        }
    }
    Ok(())
}

/// The answer that the verdict is about: of a case with two requests, perhaps the second.
fn deciding_answer<'a>(outcome: &'a CaseOutcome<'_>) -> &'a Answer {
    match &outcome.departure {
        Some(Departure::NotSame(second)) => second,
        _ => &outcome.answer,
    }
}

fn not_run(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut reason = None;
    let not_run: Vec<&CaseOutcome<'_>> =
        record.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::NotRun).collect();
    for (at, outcome) in not_run.iter().enumerate() {
        let decides = deciding_answer(outcome);
        if reason == Some(decides) && at >= NOT_RUN {
            return writeln!(out, "  ... ({} more)", not_run.len() - at);
        }
        if reason != Some(decides) {
            writeln!(out, "\n{BOLD}Not run{PLAIN}: {}", answer(decides))?;
            reason = Some(decides);
        }
        writeln!(out, "  {}", printable(&outcome.case.id))?;
    }
    Ok(())
}

/// What the baseline knows, and what in it is no longer true.
fn baseline(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(baseline) = &record.baseline else { return Ok(()) };
    match &baseline.suite {
        Some(suite) => writeln!(out, "\n{BOLD}Baseline{PLAIN}, written for suite {suite}")?,
        None => writeln!(out, "\n{BOLD}Known failures{PLAIN}")?,
    }
    for entry in &baseline.entries {
        let names = excerpt(&printable(&entry.names), SHOWN);
        if let Some(found) = entry.exceeded {
            writeln!(out, "  {RED}EXCEEDED{PLAIN} {names}: {found} fail, more than it says there are")?;
        } else if entry.fixed {
            writeln!(out, "  {RED}FIXED{PLAIN} {names}: nothing under it fails any more; take it out")?;
        } else {
            writeln!(out, "  {} known by {names}", entry.known)?;
            write_wrapped(&entry.reason, "    ", out)?;
        }
    }
    Ok(())
}

fn closing(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let left_out = match record.left_out {
        0 => String::new(),
        count => format!("; {} about cost left out", plural(count, "case")),
    };
    let refused = record.outcomes.iter().filter(|outcome| outcome.is_refused()).count();
    let (cases, counts) = (plural(record.outcomes.len(), "case"), counted(&record.counts(), refused));
    writeln!(out, "\n{cases}: {counts}{left_out}")?;
    if !record.derived.is_empty() {
        let refused = record.derived.iter().filter(|outcome| outcome.is_refused()).count();
        let checks = plural(record.derived.len(), "derived check");
        writeln!(out, "{checks}: {}", counted(&record.derived_counts(), refused))?;
    }
    verdict(record, out)
}

/// The last line: what was judged, and what it is worth.
fn verdict(record: &Record<'_>, out: &mut dyn Write) -> io::Result<()> {
    let conformance = record.conformance();
    let (profile, with) = (record.profile, differing_choices(&record.bound));
    let (colour, why) = match conformance.claim {
        Claim::Conformant => (GREEN, ""),
        Claim::InPart | Claim::None => (YELLOW, ""),
        Claim::NotConformant => (RED, why_not(record)),
    };
    // A long sentence ends before what it is about.
    let comma = if matches!(conformance.claim, Claim::InPart | Claim::None) { "," } else { "" };
    let mut selected = String::new();
    if record.partial {
        selected = format!(" ({} selected)", plural(record.outcomes.len(), "case"));
    }
    writeln!(out, "{colour}{}{PLAIN}{comma} in profile {profile}, {with}{selected}{why}", conformance.sentence())
}

/// What to know of a run that fails for no must.
fn why_not(record: &Record<'_>) -> &'static str {
    let only_warnings =
        !record.outcomes.iter().any(CaseOutcome::fails) && !record.derived.iter().any(DerivedOutcome::fails);
    if only_warnings {
        ": warnings fail where --fail-on should is given"
    } else if record.baseline.is_some() && record.only_new_fail() {
        ", though only cases newer than the baseline fail"
    } else {
        ""
    }
}

/// Counts in the order of reports; of what is unsupported, how many requests were refused.
fn counted(counts: &Counts, refused: usize) -> String {
    let counted = Verdict::ALL.iter().filter_map(|verdict| {
        let count = counts.get(verdict)?;
        let of_them = if *verdict == Verdict::Unsupported && refused > 0 {
            format!(" ({refused} of them refused)")
        } else {
            String::new()
        };
        Some(format!("{count} {}{of_them}", verdict.name()))
    });
    counted.collect::<Vec<_>>().join(", ")
}

/// The choices that are not the reference's defaults.
fn differing_choices(bound: &BTreeMap<String, Bound>) -> String {
    let differs = |(rule, bound): &(&String, &Bound)| {
        rules::named(rule).and_then(|rule| rule.choices.first()).is_some_and(|default| *default != bound.name)
    };
    let differing: Vec<String> =
        bound.iter().filter(differs).map(|(rule, bound)| format!("{rule}={}", bound.shown())).collect();
    if differing.is_empty() {
        "with the reference's choices".to_owned()
    } else {
        format!("with {}, otherwise the reference's choices", differing.join(", "))
    }
}

fn bound_by(rule: &str, bound: &Bound) -> String {
    match &bound.by {
        BoundBy::Declaration => format!("the adapter declares {rule}={}", bound.name),
        BoundBy::Case(id) => format!("its answer to {id} has chosen {rule}={}", bound.name),
        BoundBy::Narrowed { case, .. } => format!("its answer to {case} leaves only {rule}={}", bound.shown()),
    }
}
