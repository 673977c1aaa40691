//! The human-readable report: the failures by rule, and the verdict on conformance.

mod failure;
mod lists;

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::colour::{BOLD, GREEN, RED, YELLOW};
use super::escape::{excerpt, plural, printable};
use super::paragraph::write_wrapped;
use super::rerun::Rerun;
use crate::SUITE;
use crate::rules::{self, Rule};
use crate::run::{AssessedCase, AssessedCheck, Assessment, Claim, Counts, ResolvedChoice, RuleTally, Verdict};
use failure::{derived_departure, failure};
use lists::beside;

/// The maximum length of inputs and answers; the case file and `--trace` have them in full.
const SHOWN: usize = 400;
/// The maximum length of a diff line.
const DIFF_LINE: usize = 160;
/// The number of characters shown before and after the first difference of two texts.
const AROUND: usize = 24;
/// The maximum length of reasons and descriptions.
const SENTENCES: usize = 500;
/// The maximum number of lines of a brief report, so that users read it to the end.
const LINES: usize = 150;
/// The number of failures of a rule that a brief report shows in full.
const FAILURES: usize = 3;
/// The number of rules in the table of a brief report.
const RULES: usize = 40;
/// The number of lines of a brief report for sections other than the table and the failures.
const BESIDE: usize = 45;
/// The numbers of rows of the other lists; a brief report uses the largest with which all lists fit.
const ROWS: [usize; 5] = [20, 12, 8, 5, 3];
/// The number of kinds of further failures listed for a rule.
const KINDS: usize = 3;

/// The level of detail of the human-readable report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// A few failures of each rule, fewer if the report would be long.
    #[default]
    Brief,
    /// At most this number of failures of each rule, without a limit on the report.
    Failures(usize),
    /// Only the verdict and the table of rules.
    Summary,
}

impl Detail {
    /// Every failure in full.
    pub const ALL: Detail = Detail::Failures(usize::MAX);

    /// Returns the number of failures of each rule that are shown in full.
    #[must_use]
    pub fn failures(self) -> usize {
        match self {
            Detail::Brief => FAILURES,
            Detail::Failures(most) => most,
            Detail::Summary => 0,
        }
    }
}

/// The input of the human-readable report.
pub struct HumanReport<'a> {
    /// The results of the run, judged by its policy.
    pub assessment: &'a Assessment<'a, 'a>,
    /// The command that reruns a single case.
    pub rerun: &'a Rerun,
    /// The level of detail.
    pub detail: Detail,
    /// Whether the cases are not the built-in ones; the verdict then states their number, as for a part of the built-in ones.
    pub other_cases: bool,
}

/// Writes the report: the verdict, a table of rules, failures by rule, further lists, and the verdict again at the end,
/// where users and scripts expect it. The text contains colours as escape sequences; the caller removes them if the output is
/// not a terminal.
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
        rules_table(&tally, if brief { RULES } else { usize::MAX }, report.rerun, out)
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

/// Returns the output of a writing function as text.
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
        "genui-conform {SUITE}: {BOLD}{}{BOLD:#}{}, profile {}, {}",
        excerpt(&printable(&who.name), SHOWN),
        if details.is_empty() {
            String::new()
        } else {
            format!(" ({})", excerpt(&printable(&details.join(", ")), SHOWN))
        },
        run.record.profile,
        plural(run.counts.total(), "case"),
    )?;
    writeln!(out, "{}", verdict(report))
}

/// Writes the table of violated rules.
fn rules_table(tally: &[&RuleTally], rows: usize, rerun: &Rerun, out: &mut dyn Write) -> io::Result<()> {
    if tally.is_empty() {
        return Ok(());
    }
    let name = |tally: &RuleTally| match rules::named(&tally.rule) {
        Some(rule) => format!("{} ({})", rule.id, rule.level_name()),
        None if tally.rule.is_empty() => "not covered by a rule".to_owned(),
        None => excerpt(&printable(&tally.rule), DIFF_LINE),
    };
    let width = tally.iter().take(rows).map(|tally| name(tally).chars().count()).max().unwrap_or(0);
    writeln!(out, "\n{BOLD}Violated rules{BOLD:#}, failed/run, the most suspect first")?;
    for tally in tally.iter().take(rows) {
        writeln!(out, "  {:width$}  {}", name(tally), failed_of_asked(tally))?;
    }
    if tally.len() > rows {
        let more = plural(tally.len() - rows, "more rule");
        writeln!(out, "  and {more}: {}", printable(&rerun.summary_line()))?;
    }
    Ok(())
}

/// Returns the numbers of failures and runs: `2/30 cases, 1/9 derived checks, 3 warn`.
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

/// A failure of a rule.
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
            Entry::Case(case) => failure(report, case.outcome, out),
            Entry::Derived(check) => derived_departure(report, check.outcome, out),
        }
    }
}

/// A violated rule with its failures in report order: those that fail the run first, and one of each shape before a second of
/// any.
struct Broken<'a> {
    tally: &'a RuleTally,
    entries: Vec<(String, Entry<'a>)>,
    /// The failures that are shown in full.
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
                // Room for the line about further failures and the command that shows them.
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
    writeln!(out, "\n{BOLD}{rules}{BOLD:#} with {failures}; for the first:")?;
    let first = hidden.first().map(|rule| printable(&report.rerun.more_line(rule_filter(rule))));
    writeln!(out, "  {}", first.unwrap_or_default())
}

/// The number of lines for the rules that are not shown.
const REST: usize = 3;

/// Returns the filter that selects all failures of a rule. Returns none if a case of a failed derived check does not list the
/// rule, or if there is no rule.
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
    for case in run.cases.iter().filter(|case| case.verdict.is_failure()) {
        by_rule.entry(case.rule).or_default().push(Entry::Case(case));
    }
    for check in run.checks.iter().filter(|check| check.verdict.is_failure()) {
        by_rule.entry(check.outcome.rule).or_default().push(Entry::Derived(check));
    }
    let entries = |tally: &&'a RuleTally| {
        let entries = by_rule.remove(&tally.rule[..]).unwrap_or_default();
        let entries = entries.into_iter().map(|entry| (entry.shape(), entry)).collect();
        // A case is more informative than a derived check, which may be one of hundreds.
        let rank = |entry: &Entry<'_>| (!entry.fails(), matches!(entry, Entry::Derived(_)));
        Broken { tally, entries: one_of_each(entries, rank), shown: Vec::new() }
    };
    tally.iter().map(entries).collect()
}

/// Sorts items into report order. The rank of an item says whether it comes last overall, and whether it comes last among
/// items with the same position in their shape. Between these, one of each shape comes before a second of any, and the most
/// frequent shape first.
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
        None if tally.rule.is_empty() => writeln!(out, "\n{BOLD}not covered by a rule{BOLD:#}"),
        None => {
            writeln!(out, "\n{BOLD}{}{BOLD:#}, an unknown rule", excerpt(&printable(&tally.rule), SHOWN))
        }
    }
}

/// Writes the number and the kinds of further failures of a rule, and the command that shows them.
fn more(report: &HumanReport<'_>, rule: &Broken<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_shown = |at: usize| rule.shown.iter().any(|(shown, _)| *shown == at);
    let hidden = rule.entries.iter().enumerate().filter(|(at, _)| !is_shown(*at)).map(|(_, (shape, _))| &shape[..]);
    let Some(kinds) = kinds(hidden) else { return Ok(()) };
    writeln!(out, "\n  {BOLD}{kinds}{BOLD:#}")?;
    writeln!(out, "    {}", printable(&report.rerun.more_line(rule_filter(rule))))
}

/// Returns `12 more: 9 of one shape; 2 of another; 1 otherwise`, or none if there are no more.
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

fn rule_heading(rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{}{BOLD:#} ({}; {})", rule.id, rule.level_name(), rule.source)?;
    write_wrapped(&rule.text, "  ", out)
}

fn foot(report: &HumanReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = report.assessment;
    let left_out = match run.record.left_out {
        0 => String::new(),
        count => format!("; {} skipped", plural(count, "cost case")),
    };
    let refused = run.cases.iter().filter(|case| case.is_refused() && !case.is_sampled()).count();
    let (cases, counts) = (plural(run.counts.total(), "case"), counted(&run.counts, refused));
    writeln!(out, "\n{cases}: {counts}{left_out}")?;
    if !run.checks.is_empty() {
        let refused = run.checks.iter().filter(|check| check.is_refused()).count();
        let checks = plural(run.checks.len(), "derived check");
        writeln!(out, "{checks}: {}", counted(&run.check_counts, refused))?;
    }
    if run.sampled_counts.total() > 0 {
        let requests = plural(run.sampled_counts.total(), "sampled request");
        writeln!(out, "{requests}: {}", run.sampled_counts)?;
    }
    writeln!(out, "{}", verdict(report))
}

/// Returns the verdict on the run as one line.
fn verdict(report: &HumanReport<'_>) -> String {
    let run = report.assessment;
    let conformance = &run.conformance;
    let (profile, with) = (run.record.profile, differing_choices(&run.record.bound));
    let (colour, why) = match conformance.claim {
        Claim::Conformant => (GREEN, ""),
        Claim::InPart | Claim::None => (YELLOW, ""),
        Claim::NotConformant => (RED, why_not(run)),
    };
    // A long sentence needs a comma before the profile.
    let comma = if matches!(conformance.claim, Claim::InPart | Claim::None) { "," } else { "" };
    format!("{colour}{}{colour:#}{comma} in profile {profile}, {with}{}{why}", conformance.sentence(), bounds(report))
}

/// Returns the restrictions of the run. A failed run needs none: it fails whatever else would run.
fn bounds(report: &HumanReport<'_>) -> String {
    let run = report.assessment;
    let mut bounds = Vec::new();
    if run.record.partial || report.other_cases {
        bounds.push(format!("{} selected", plural(run.counts.total() + run.sampled_counts.total(), "case")));
    }
    if !run.record.checked {
        bounds.push("derived checks skipped".to_owned());
    }
    if run.record.unsampled {
        bounds.push("sampled requests skipped".to_owned());
    }
    if bounds.is_empty() || run.conformance.claim == Claim::NotConformant {
        return String::new();
    }
    format!(" ({})", bounds.join(", "))
}

/// Returns the reason for a run that fails without a failure of level must in older cases.
fn why_not(run: &Assessment<'_, '_>) -> &'static str {
    let only_warnings =
        !run.cases.iter().any(AssessedCase::always_fails) && !run.checks.iter().any(AssessedCheck::always_fails);
    if only_warnings {
        ": warnings fail with --fail-on should"
    } else if run.only_new_fail {
        ", though only cases newer than the baseline fail"
    } else {
        ""
    }
}

/// Returns counts in report order, with the number of refused requests among the unsupported ones.
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

/// Returns the choices that differ from those of the reference.
fn differing_choices(bound: &BTreeMap<String, ResolvedChoice>) -> String {
    let differs = |(rule, bound): &(&String, &ResolvedChoice)| {
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
