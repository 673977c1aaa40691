//! The report for people: what departs, grouped by rule, and whether the implementation conforms.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use super::NOT_LISTED;
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
use crate::run::{
    AssessedCase, AssessedCheck, Assessment, Bound, BoundBy, CaseOutcome, Claim, Counts, Departure, RuleTally,
    Unsupported, Verdict,
};

/// Longer inputs and answers are cut in the report; the case file and `--trace` have them whole.
const SHOWN: usize = 400;
/// A diff line may be this long.
const DIFF_LINE: usize = 160;
/// A diff may be this many lines.
const DIFF_LINES: usize = 60;
/// The same in a brief report.
const BRIEF_DIFF: usize = 24;
/// Characters shown before and behind the first difference of two texts.
const AROUND: usize = 24;
/// What a refusal is, and what can be done about it.
const REFUSED: &str = "A request to a listed method that is refused with code 2 fails the run. Leave out of `methods` what is \
                       not there, declare a missing feature in `omits`, or give a baseline entry its reason.";
/// Longer reasons and descriptions are cut.
const SENTENCES: usize = 500;
/// A brief report is at most this many lines, so that a person reads it to its end.
const LINES: usize = 150;
/// Failures of a rule that a brief report shows whole.
const FAILURES: usize = 3;
/// Rules in the table of a brief report.
const RULES: usize = 40;
/// Lines that a brief report leaves to what is neither the table nor a failure.
const BESIDE: usize = 45;
/// Rows of a list beside the failures; a brief report takes the most with which all lists fit.
const ROWS: [usize; 5] = [20, 12, 8, 5, 3];
/// Kinds of further failures that a rule names.
const KINDS: usize = 3;
/// How much of a run the report for people shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// A few failures of each rule, as far as the whole stays short.
    #[default]
    Brief,
    /// At most so many failures of each rule, however long the report gets.
    Failures(usize),
    /// The verdict and the table of rules alone.
    Summary,
}

impl Detail {
    /// Every failure whole.
    pub const ALL: Detail = Detail::Failures(usize::MAX);

    /// How many failures of each rule are shown whole.
    #[must_use]
    pub fn failures(self) -> usize {
        match self {
            Detail::Brief => FAILURES,
            Detail::Failures(most) => most,
            Detail::Summary => 0,
        }
    }
}

/// What the report for people is made of.
pub struct HumanReport<'a> {
    /// What the run found out, and what its policy makes of it.
    pub assessment: &'a Assessment<'a, 'a>,
    /// How a single case is run again.
    pub repeat: &'a Repeat,
    /// How much of it is shown.
    pub detail: Detail,
    /// Whether these are other cases than the built-in ones: the verdict says how many, as it does of a part of these.
    pub other_cases: bool,
}

/// Writes the report: the verdict, a table of rules, failures by rule, what else is to be known, and the verdict again,
/// where people and scripts look for it. It carries colours as escape sequences; whoever writes to something else than a
/// terminal takes them out.
///
/// # Errors
///
/// When writing fails.
pub fn write_human(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = report.assessment;
    let tally: Vec<&RuleTally> = run.tally.iter().filter(|tally| tally.is_broken()).collect();
    let brief = report.detail == Detail::Brief;
    let head = text(|out| {
        head(report, out)?;
        rules_table(&tally, if brief { RULES } else { usize::MAX }, report.repeat, out)
    })?;
    let foot = text(|out| foot(report, out))?;
    if report.detail == Detail::Summary {
        return write!(out, "{head}{foot}");
    }
    let beside = |rows: usize| text(|out| beside(run, rows, out));
    let lines = |text: &str| text.lines().count();
    let beside = match brief {
        false => beside(usize::MAX)?,
        true => {
            let mut made = String::new();
            for rows in ROWS {
                made = beside(rows)?;
                if lines(&made) <= BESIDE {
                    break;
                }
            }
            made
        }
    };
    let left = brief.then(|| LINES.saturating_sub(lines(&head) + lines(&beside) + lines(&foot)));
    write!(out, "{head}")?;
    failures(report, &tally, left, out)?;
    write!(out, "{beside}{foot}")
}

/// What a writer writes.
fn text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    let mut out = Vec::new();
    write(&mut out)?;
    String::from_utf8(out).map_err(io::Error::other)
}

fn head(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = report.assessment;
    let who = &run.record.handshake.implementation;
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
        run.record.profile,
        plural(run.cases.len(), "case"),
    )?;
    writeln!(out, "{}", verdict(report))
}

/// The rules under which something failed: of how many that were asked.
fn rules_table(tally: &[&RuleTally], rows: usize, repeat: &Repeat, out: &mut dyn Write) -> io::Result<()> {
    if tally.is_empty() {
        return Ok(());
    }
    let name = |tally: &RuleTally| match rules::named(&tally.rule) {
        Some(rule) => format!("{} ({})", rule.id, rule.level_name()),
        None if tally.rule.is_empty() => "of no rule in this suite".to_owned(),
        None => excerpt(&printable(&tally.rule), DIFF_LINE),
    };
    let width = tally.iter().take(rows).map(|tally| name(tally).chars().count()).max().unwrap_or(0);
    writeln!(out, "\n{BOLD}Rules{PLAIN}, failed/asked, the most suspect first")?;
    for tally in tally.iter().take(rows) {
        writeln!(out, "  {:width$}  {}", name(tally), failed_of_asked(tally))?;
    }
    if tally.len() > rows {
        let more = plural(tally.len() - rows, "more rule");
        writeln!(out, "  and {more}: {}", printable(&repeat.summary_line()))?;
    }
    Ok(())
}

/// How many failed of how many were asked: `2/30 cases, 1/9 derived checks, 3 warn`.
pub(super) fn failed_of_asked(tally: &RuleTally) -> String {
    let mut parts = Vec::new();
    if tally.asked > 0 {
        parts.push(format!("{}/{}", tally.failed, plural(tally.asked, "case")));
    }
    if tally.checks > 0 {
        parts.push(format!("{}/{}", tally.checks_failed, plural(tally.checks, "derived check")));
    }
    if !tally.others.is_empty() {
        parts.push(tally.others.to_string());
    }
    parts.join(", ")
}

/// Something that departs from a rule.
enum Entry<'a> {
    Case(&'a AssessedCase<'a, 'a>),
    Derived(&'a AssessedCheck<'a, 'a>),
}

impl Entry<'_> {
    fn shape(&self) -> String {
        let shape = match self {
            Entry::Case(case) => case.outcome.shape(case.verdict),
            Entry::Derived(check) => check.outcome.shape(check.verdict),
        };
        excerpt(&printable(&shape.unwrap_or_default()), AROUND * 4)
    }

    fn fails(&self) -> bool {
        match self {
            Entry::Case(case) => case.fails,
            Entry::Derived(check) => check.fails,
        }
    }

    fn write(&self, report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Entry::Case(case) => departure(report, case.outcome, out),
            Entry::Derived(check) => derived_departure(report, check.outcome, out),
        }
    }
}

/// A rule with what departs from it, in the order in which it is shown: what fails before what does not, one of each
/// shape before the next of any.
struct Broken<'a> {
    tally: &'a RuleTally,
    entries: Vec<(String, Entry<'a>)>,
    /// What is shown of them whole.
    shown: Vec<(usize, String)>,
}

fn failures<'a>(
    report: &HumanReport<'a>,
    tally: &[&'a RuleTally],
    mut left: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut broken = broken_rules(report.assessment, tally);
    let most = report.detail.failures();
    let mut is_full = false;
    for place in 0..most {
        let mut written = false;
        for rule in &mut broken {
            let Some((_, entry)) = rule.entries.get(place) else { continue };
            if is_full && rule.shown.is_empty() {
                continue;
            }
            let text = text(|out| entry.write(report, out))?;
            let mut lines = text.lines().count();
            if rule.shown.is_empty() {
                lines += self::text(|out| heading(rule.tally, out))?.lines().count();
                // It may be said that there are more, and how to see them; for this rule, and for the other rules.
                lines += if rule.entries.len() > 1 { 3 } else { 0 };
            }
            let room = left.map(|left| left.saturating_sub(REST));
            if room.is_none_or(|room| lines <= room) {
                left = left.map(|left| left - lines);
                rule.shown.push((place, text));
                written = true;
            } else if rule.shown.is_empty() {
                is_full = true;
            }
        }
        if !written {
            break;
        }
    }
    for rule in broken.iter().filter(|rule| !rule.shown.is_empty()) {
        heading(rule.tally, out)?;
        for (_, text) in &rule.shown {
            write!(out, "{text}")?;
        }
        more(report, rule, out)?;
    }
    let hidden: Vec<&Broken<'_>> = broken.iter().filter(|rule| rule.shown.is_empty()).collect();
    if hidden.is_empty() || most == 0 {
        return Ok(());
    }
    let failures: usize = hidden.iter().map(|rule| rule.entries.len()).sum();
    let (rules, failures) = (plural(hidden.len(), "more rule"), plural(failures, "failure"));
    writeln!(out, "\n{BOLD}{rules}{PLAIN} with {failures}; such as the first:")?;
    let first = hidden.first().map(|rule| printable(&report.repeat.more_line(rule_filter(rule))));
    writeln!(out, "  {}", first.unwrap_or_default())
}

/// Lines that are kept for the rules that are not shown.
const REST: usize = 3;

/// The filter that selects all that departs from a rule; none where a derived check of it departs on a case that does not
/// list it, or where it is no rule.
fn rule_filter<'a>(rule: &Broken<'a>) -> Option<&'a str> {
    let lists = |(_, entry): &(String, Entry<'_>)| {
        let case = match entry {
            Entry::Case(case) => case.outcome.case,
            Entry::Derived(check) => check.outcome.case,
        };
        case.rules.contains(&rule.tally.rule)
    };
    rule.entries.iter().all(lists).then_some(&rule.tally.rule[..])
}

fn broken_rules<'a>(run: &'a Assessment<'a, 'a>, tally: &[&'a RuleTally]) -> Vec<Broken<'a>> {
    let mut by_rule: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
    for case in run.cases.iter().filter(|case| case.verdict.departs()) {
        by_rule.entry(case.rule).or_default().push(Entry::Case(case));
    }
    for check in run.checks.iter().filter(|check| check.verdict.departs()) {
        by_rule.entry(check.outcome.rule).or_default().push(Entry::Derived(check));
    }
    let entries = |tally: &&'a RuleTally| {
        let entries = by_rule.remove(&tally.rule[..]).unwrap_or_default();
        let entries = entries.into_iter().map(|entry| (entry.shape(), entry)).collect();
        // A case says more than a derived check, which may be one of hundreds.
        let rank = |entry: &Entry<'_>| (!entry.fails(), matches!(entry, Entry::Derived(_)));
        Broken { tally, entries: one_of_each(entries, rank), shown: Vec::new() }
    };
    tally.iter().map(entries).collect()
}

/// Items in the order in which reports show them. The rank of an item is whether it comes after all that is not so, and
/// whether it comes after its like; between these, one of each shape comes before a second of any, and the most frequent
/// shape first.
pub(super) fn one_of_each<T>(items: Vec<(String, T)>, rank: impl Fn(&T) -> (bool, bool)) -> Vec<(String, T)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    items.iter().for_each(|(shape, _)| *counts.entry(shape.clone()).or_default() += 1);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut ranked: Vec<(_, (String, T))> = items
        .into_iter()
        .map(|(shape, item)| {
            let nth = seen.entry(shape.clone()).or_default();
            *nth += 1;
            let (last, later) = rank(&item);
            ((last, *nth, later, usize::MAX - counts[&shape], shape.clone()), (shape, item))
        })
        .collect();
    ranked.sort_by(|(a, _), (b, _)| a.cmp(b));
    ranked.into_iter().map(|(_, item)| item).collect()
}

fn heading(tally: &RuleTally, out: &mut dyn Write) -> io::Result<()> {
    match rules::named(&tally.rule) {
        Some(rule) => rule_heading(rule, out),
        None if tally.rule.is_empty() => writeln!(out, "\n{BOLD}of no rule in this suite{PLAIN}"),
        None => {
            writeln!(out, "\n{BOLD}{}{PLAIN}, which is no rule of this suite", excerpt(&printable(&tally.rule), SHOWN))
        }
    }
}

/// How many more failures there are of a rule, of which kinds, and the command that shows them.
fn more(report: &HumanReport<'_>, rule: &Broken<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_shown = |at: usize| rule.shown.iter().any(|(shown, _)| *shown == at);
    let hidden = rule.entries.iter().enumerate().filter(|(at, _)| !is_shown(*at)).map(|(_, (shape, _))| &shape[..]);
    let Some(kinds) = kinds(hidden) else { return Ok(()) };
    writeln!(out, "\n  {BOLD}{kinds}{PLAIN}")?;
    writeln!(out, "    {}", printable(&report.repeat.more_line(rule_filter(rule))))
}

/// `12 more: 9 of one shape; 2 of another; 1 otherwise`; none where there are no more.
pub(super) fn kinds<'a>(shapes: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    shapes.for_each(|shape| *counts.entry(shape).or_default() += 1);
    let all: usize = counts.values().sum();
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| usize::MAX - count);
    let mut parts: Vec<String> = counts.iter().take(KINDS).map(|(shape, count)| format!("{count} {shape}")).collect();
    let rest: usize = counts.iter().skip(KINDS).map(|(_, count)| count).sum();
    if rest > 0 {
        parts.push(format!("{rest} otherwise"));
    }
    (all > 0).then(|| format!("{all} more: {}", parts.join("; ")))
}

/// What is to be known beside the failures. Each list has at most so many rows.
fn beside(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
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

fn rule_heading(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{}{PLAIN} ({}; {})", rule.id, rule.level_name(), rule.source)?;
    write_wrapped(&rule.text, "  ", out)
}

fn departure(report: &HumanReport<'_>, outcome: &CaseOutcome<'_>, out: &mut dyn Write) -> io::Result<()> {
    let case = outcome.case;
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    writeln!(out, "\n  {colour}{}{PLAIN} {BOLD}{}{PLAIN}", outcome.verdict.name().to_uppercase(), printable(&case.id))?;
    write_wrapped(&excerpt(&case.about, SENTENCES), "    ", out)?;
    if case.rules.len() > 1 {
        writeln!(out, "    rules     {}", excerpt(&printable(&case.rules.join(", ")), SHOWN))?;
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
                let lines = if report.detail == Detail::Brief { BRIEF_DIFF } else { DIFF_LINES };
                diff(&expected, &found, lines, out)?;
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
            write_wrapped(&excerpt(&growth.to_string(), SENTENCES), "    found     ", out)?;
        }
        Some(Departure::Warning(warning)) => write_wrapped(&excerpt(warning, SENTENCES), "    warning   ", out)?,
        Some(Departure::ListedButMissing) => {
            writeln!(out, "    found     the adapter lists {}, and answers that it has no such method", case.method)?;
        }
        Some(Departure::NoAnswer | Departure::Refused) | None => {
            writeln!(out, "    found     {}", answer(&outcome.answer))?
        }
    }
    writeln!(out, "    repeat    {}", printable(&report.repeat.line(&case.id)))
}

/// A derived check that does not hold.
fn derived_departure(report: &HumanReport<'_>, outcome: &DerivedOutcome<'_>, out: &mut dyn Write) -> io::Result<()> {
    let colour = if outcome.verdict.fails() { RED } else { YELLOW };
    let verdict = outcome.verdict.name().to_uppercase();
    writeln!(out, "\n  {colour}{verdict}{PLAIN} {BOLD}{}{PLAIN}", printable(&outcome.id()))?;
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
fn diff(expected: &Json, found: &Json, lines: usize, out: &mut dyn Write) -> io::Result<()> {
    let (expected, found) = (expected.write(Style::Indented), found.write(Style::Indented));
    let diff = TextDiff::from_lines(&expected, &found);
    writeln!(out, "    - expected, + found")?;
    let groups = diff.grouped_ops(2);
    let mut changes = groups.iter().flatten().flat_map(|op| diff.iter_changes(op));
    for change in changes.by_ref().take(lines) {
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

fn choices(run: &Assessment<'_, '_>, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    // A choice of a format that was not asked about says nothing here.
    let asked: BTreeSet<Format> = run.cases.iter().map(|case| case.outcome.case.method.format()).collect();
    let is_asked = |rule: &str| Format::of(rule).is_some_and(|format| asked.contains(&format));
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

fn foot(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = report.assessment;
    let left_out = match run.record.left_out {
        0 => String::new(),
        count => format!("; {} about cost left out", plural(count, "case")),
    };
    let refused = run.cases.iter().filter(|case| case.is_refused()).count();
    let (cases, counts) = (plural(run.cases.len(), "case"), counted(&run.counts, refused));
    writeln!(out, "\n{cases}: {counts}{left_out}")?;
    if !run.checks.is_empty() {
        let refused = run.checks.iter().filter(|check| check.is_refused()).count();
        let checks = plural(run.checks.len(), "derived check");
        writeln!(out, "{checks}: {}", counted(&run.check_counts, refused))?;
    }
    writeln!(out, "{}", verdict(report))
}

/// The verdict on the run in a line: what was judged, and what it is worth.
fn verdict(report: &HumanReport<'_>) -> String {
    let run = report.assessment;
    let conformance = &run.conformance;
    let (profile, with) = (run.record.profile, differing_choices(&run.record.bound));
    let (colour, why) = match conformance.claim {
        Claim::Conformant => (GREEN, ""),
        Claim::InPart | Claim::None => (YELLOW, ""),
        Claim::NotConformant => (RED, why_not(run)),
    };
    // A long sentence ends before what it is about.
    let comma = if matches!(conformance.claim, Claim::InPart | Claim::None) { "," } else { "" };
    format!("{colour}{}{PLAIN}{comma} in profile {profile}, {with}{}{why}", conformance.sentence(), bounds(report))
}

/// What the run was asked to leave out, where nothing failed: what fails fails, whatever else would have been asked.
fn bounds(report: &HumanReport<'_>) -> String {
    let run = report.assessment;
    let mut bounds = Vec::new();
    if run.record.partial || report.other_cases {
        bounds.push(format!("{} selected", plural(run.cases.len(), "case")));
    }
    if !run.record.checked {
        bounds.push("derived checks left out".to_owned());
    }
    if bounds.is_empty() || run.conformance.claim == Claim::NotConformant {
        return String::new();
    }
    format!(" ({})", bounds.join(", "))
}

/// What to know of a run that fails for no must.
fn why_not(run: &Assessment<'_, '_>) -> &'static str {
    let only_warnings =
        !run.cases.iter().any(AssessedCase::always_fails) && !run.checks.iter().any(AssessedCheck::always_fails);
    if only_warnings {
        ": warnings fail where --fail-on should is given"
    } else if run.only_new_fail {
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
