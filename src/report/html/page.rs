//! The data of the page for its template: rules in the order of the documents, each with its cases.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::diff::{DiffLine, side_by_side};
use crate::explain::Part;
use crate::format::Format;
use crate::formats::FORMATS;
use crate::json::{self, Json, Style};
use crate::report::NOT_LISTED;
use crate::report::comparison::{AnswerGroup, CaseRow, Cell, Column, Comparison, DerivedRow, RuleRow};
use crate::report::escape::{excerpt, printable};
use crate::rules;
use crate::run::{Claim, Counts, Verdict};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// The maximum length of a text.
const SHOWN: usize = 8_000;
/// The maximum number of lines of a message.
const LINES: usize = 200;
/// The maximum length of a line.
const LINE: usize = 1_000;
/// The maximum length of a name.
const NAME: usize = 60;

#[derive(Serialize)]
pub(super) struct Page {
    title: String,
    suite: String,
    corpus: String,
    columns: Vec<ColumnView>,
    several: bool,
    formats: Vec<String>,
    levels: Vec<String>,
    verdicts: Vec<Verdict>,
    reviews: usize,
    cases: usize,
    rules: Vec<RuleView>,
}

/// The CSS class of a result.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Class {
    /// Passed.
    Good,
    /// Failed.
    Bad,
    /// Worth a look.
    OddOne,
    /// Without a result.
    None,
}

#[derive(Serialize)]
struct ColumnView {
    name: String,
    details: String,
    profile: String,
    cases: String,
    derived: String,
    state: String,
    class: Class,
    unusable: Option<String>,
    failing: usize,
    choices: Vec<(String, String, String)>,
    unsupported: Vec<(String, usize, String)>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct RuleView {
    id: String,
    anchor: String,
    format: String,
    level: String,
    source: String,
    text: String,
    outcomes: Vec<RuleCell>,
    cases: Vec<CaseView>,
    derived: Vec<DerivedView>,
}

#[derive(Serialize)]
struct RuleCell {
    name: String,
    class: Class,
    right: usize,
    all: usize,
    says: String,
}

#[derive(Serialize)]
struct CaseView {
    id: String,
    about: String,
    level: String,
    since: String,
    method: String,
    format: String,
    verdicts: String,
    /// The verdicts of all implementations, for cases where all answers agree.
    together: String,
    odd: bool,
    chips: Vec<Chip>,
    review: Option<String>,
    rules: Vec<(String, String)>,
    lines: Vec<MessageLine>,
    more_lines: usize,
    params: String,
    expected: Vec<Expected>,
    answers: Vec<AnswerView>,
    reruns: Vec<String>,
}

#[derive(Serialize)]
struct Chip {
    name: String,
    verdict: Verdict,
    class: Class,
    letter: String,
}

#[derive(Serialize)]
struct MessageLine {
    number: usize,
    kind: &'static str,
    rule: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Expected {
    answer: String,
    choices: Vec<String>,
    warning: Option<String>,
}

#[derive(Serialize)]
struct AnswerView {
    letter: String,
    members: Vec<String>,
    message: Option<String>,
    at: Option<String>,
    /// The diff of expected and actual result; empty if one of them is no result.
    diff: Vec<DiffLine>,
    more: usize,
    answer: String,
    is_expected: bool,
}

#[derive(Serialize)]
struct DerivedView {
    id: String,
    verdicts: String,
    chips: Vec<Chip>,
    findings: Vec<DerivedFinding>,
}

#[derive(Serialize)]
struct DerivedFinding {
    name: String,
    shrunk: Option<String>,
    message: String,
    expected: Option<String>,
    actual: String,
    rerun: String,
}

impl Page {
    pub(super) fn new(comparison: &Comparison) -> Page {
        let columns = &comparison.implementations;
        let mut cases: BTreeMap<&str, Vec<CaseView>> = BTreeMap::new();
        for case in &comparison.cases {
            cases.entry(&case.rule).or_default().push(case_view(case, columns));
        }
        let mut derived: BTreeMap<&str, Vec<DerivedView>> = BTreeMap::new();
        for row in &comparison.derived {
            derived.entry(&row.rule).or_default().push(derived_view(row, columns));
        }
        let used = |of: &dyn Fn(&CaseRow) -> String| -> BTreeSet<String> { comparison.cases.iter().map(of).collect() };
        let outcomes = comparison.cases.iter().flat_map(|case| &case.outcomes).flatten();
        let verdicts: BTreeSet<Verdict> = outcomes.map(|cell| cell.verdict).collect();
        let formats = used(&|case| format_of(&case.method));
        let levels = used(&|case| case.level.clone());
        let names: Vec<String> = columns.iter().map(|column| name(&column.name)).collect();
        Page {
            title: if columns.len() == 1 { names[0].clone() } else { format!("{} implementations", columns.len()) },
            suite: comparison.suite.clone(),
            corpus: comparison.corpus.clone(),
            columns: columns.iter().map(column_view).collect(),
            several: columns.len() > 1,
            formats: FORMATS
                .all()
                .map(|format| format.name().to_owned())
                .filter(|name| formats.contains(name))
                .collect(),
            levels: ["must", "should", "may"]
                .map(str::to_owned)
                .into_iter()
                .filter(|level| levels.contains(level))
                .collect(),
            verdicts: verdicts.into_iter().collect(),
            reviews: comparison.cases.iter().filter(|case| case.review.is_some()).count(),
            cases: comparison.cases.len(),
            rules: comparison
                .rules
                .iter()
                .map(|rule| rule_view(rule, &names, cases.remove(&rule.id[..]), derived.remove(&rule.id[..])))
                .collect(),
        }
    }
}

/// Makes a name printable and shortens it.
fn name(text: &str) -> String {
    excerpt(&printable(text), NAME)
}

fn format_of(method: &str) -> String {
    FORMATS.format_of(method).map_or("", Format::name).to_owned()
}

/// Returns the class of a verdict.
fn class(verdict: Verdict, fails: bool) -> Class {
    match verdict {
        _ if fails => Class::Bad,
        Verdict::Pass => Class::Good,
        Verdict::Unsupported | Verdict::NOT_RUN => Class::None,
        _ => Class::OddOne,
    }
}

fn column_view(column: &Column) -> ColumnView {
    let info = &column.implementation;
    let mut details: Vec<String> =
        [&info.version, &info.language].into_iter().flatten().map(|text| name(text)).collect();
    if info.name != column.name {
        details.insert(0, name(&info.name));
    }
    let class = match column.verdict {
        Claim::Conformant => Class::Good,
        Claim::NotConformant => Class::Bad,
        _ if column.unusable.is_some() => Class::Bad,
        _ => Class::OddOne,
    };
    let choices = column.choices.iter().map(|(rule, bound)| {
        let by = bound.by.as_ref().map_or_else(|| "declared".to_owned(), |case| format!("inferred from {case}"));
        (printable(rule), printable(&bound.shown()), by)
    });
    ColumnView {
        name: name(&column.name),
        details: details.join(", "),
        profile: column.profile.clone(),
        cases: column.counts.to_string(),
        derived: column.derived_counts.to_string(),
        state: column.conformance.clone(),
        class,
        unusable: column.unusable.as_ref().map(|why| excerpt(&printable(why), LINE)),
        failing: column.failing,
        choices: choices.collect(),
        unsupported: column
            .unsupported
            .iter()
            .map(|why| {
                let reason = why.reason.as_deref().unwrap_or(NOT_LISTED);
                let refused = if why.refused { "refused: " } else { "" };
                (why.method.clone(), why.cases, format!("{refused}{}", excerpt(&printable(reason), LINE)))
            })
            .collect(),
        notes: column.notes.iter().map(|note| excerpt(&printable(note), LINE)).collect(),
    }
}

fn rule_view(
    rule: &RuleRow,
    names: &[String],
    cases: Option<Vec<CaseView>>,
    derived: Option<Vec<DerivedView>>,
) -> RuleView {
    let cell = |(name, counts): (&String, &Counts)| {
        let right = counts.of(Verdict::Pass);
        let asked = || counts.iter().filter(|(verdict, _)| verdict.is_asked());
        let all = asked().map(|(_, count)| count).sum();
        let fails = asked().any(|(verdict, _)| verdict.fails());
        let class = match (all, fails) {
            (0, _) => Class::None,
            (_, true) => Class::Bad,
            _ if right == all => Class::Good,
            _ => Class::OddOne,
        };
        RuleCell { name: name.clone(), class, right, all, says: counts.to_string() }
    };
    RuleView {
        id: if rule.id.is_empty() { "not covered by a rule".to_owned() } else { printable(&rule.id) },
        anchor: rule.id.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"),
        format: rule.format.clone(),
        level: rule.level.clone(),
        source: rule.source.clone(),
        text: rule.text.clone(),
        outcomes: names.iter().zip(&rule.outcomes).map(cell).collect(),
        cases: cases.unwrap_or_default(),
        derived: derived.unwrap_or_default(),
    }
}

/// Returns the distinct verdicts of a row for the filter.
fn verdicts(outcomes: impl Iterator<Item = Verdict>) -> String {
    outcomes.map(Verdict::name).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" ")
}

fn case_view(case: &CaseRow, columns: &[Column]) -> CaseView {
    let chips = columns.iter().zip(&case.outcomes).enumerate().filter_map(|(at, (column, cell))| {
        let Cell { verdict, fails, .. } = cell.as_ref()?;
        let letter = if columns.len() > 1 { case.letter(at) } else { String::new() };
        Some(Chip { name: name(&column.name), verdict: *verdict, class: class(*verdict, *fails), letter })
    });
    let (lines, more_lines) = message_lines(case, columns);
    let rules =
        case.rules.iter().map(|id| (printable(id), rules::named(id).map_or(String::new(), |rule| rule.text.clone())));
    let reruns: Vec<String> =
        case.outcomes.iter().flatten().filter_map(|cell| Some(cell.failure.as_ref()?.rerun.clone())).collect();
    CaseView {
        id: printable(&case.id),
        about: printable(&case.about),
        level: case.level.clone(),
        since: case.since.clone(),
        method: case.method.clone(),
        format: format_of(&case.method),
        verdicts: verdicts(case.outcomes.iter().flatten().map(|cell| cell.verdict)),
        together: together(case),
        odd: case.is_odd(),
        chips: chips.collect(),
        review: case.review.clone(),
        rules: rules.collect(),
        lines,
        more_lines,
        params: pretty(&case.params),
        expected: case
            .expected
            .iter()
            .map(|expected| Expected {
                answer: pretty(&expected.answer),
                choices: expected.choices.iter().map(|(rule, name)| format!("{rule}={name}")).collect(),
                warning: expected.warning.clone(),
            })
            .collect(),
        answers: case
            .answers
            .iter()
            .filter(|group| case.is_answered(group))
            .map(|group| answer_view(case, group, columns))
            .collect(),
        reruns: reruns.iter().map(|line| printable(line)).collect(),
    }
}

/// Returns the verdicts of a case as a phrase: `all pass`, or the number of each.
fn together(case: &CaseRow) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in case.outcomes.iter().flatten() {
        *counts.entry(cell.verdict.name()).or_default() += 1;
    }
    let mut counts = counts.into_iter();
    match (counts.next(), counts.len()) {
        (None, _) => "not run".to_owned(),
        (Some((verdict, _)), 0) => format!("all {verdict}"),
        (first, _) => first
            .into_iter()
            .chain(counts)
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// Indents JSON text and returns any other text unchanged.
fn pretty(text: &str) -> String {
    let text = match json::parse(text) {
        Ok(value @ (Json::Object(_) | Json::Array(_))) => value.write(Style::Indented),
        _ => text.to_owned(),
    };
    excerpt(&text, SHOWN)
}

fn answer_view(case: &CaseRow, group: &AnswerGroup, columns: &[Column]) -> AnswerView {
    let failure = group.members.iter().find_map(|at| case.outcomes[*at].as_ref()?.failure.as_ref());
    let is_right = |at: &usize| case.outcomes[*at].as_ref().is_some_and(|cell| cell.verdict == Verdict::Pass);
    let (diff, more) = match &group.side_by_side {
        Some((expected, found)) => side_by_side(&expected.write(Style::Indented), &found.write(Style::Indented)),
        None => (Vec::new(), 0),
    };
    AnswerView {
        letter: if columns.len() > 1 {
            case.letter(group.members.first().copied().unwrap_or(0))
        } else {
            String::new()
        },
        members: group.members.iter().map(|at| name(&columns[*at].name)).collect(),
        message: failure.map(|failure| printable(&failure.message)),
        at: failure.and_then(|failure| failure.at.as_deref()).map(printable),
        diff,
        more,
        answer: pretty(&group.answer),
        // Equal to the only right answer, which is printed already.
        is_expected: case.expected.len() == 1 && group.members.iter().all(is_right),
    }
}

/// Returns the lines or parts of the request of a case, as the reference reads them.
fn message_lines(case: &CaseRow, columns: &[Column]) -> (Vec<MessageLine>, usize) {
    // In the profile of the first implementation that ran the case.
    let asked = columns.iter().zip(&case.outcomes).find(|(_, cell)| cell.is_some());
    let profile = asked.and_then(|(column, _)| column.profile.parse::<ProfileName>().ok()).unwrap_or_default();
    let explained = FORMATS.method(&case.method).and_then(|method| {
        let params = json::parse(&case.params).ok()?;
        (method.explain)(&params, &Settings::of(profile))
    });
    let Some(explanation) = explained else { return (Vec::new(), 0) };
    let more = explanation.parts.len().saturating_sub(LINES);
    let view = |(index, part): (usize, &Part<'_>)| MessageLine {
        number: part.line.unwrap_or(index + 1),
        kind: part.kind,
        rule: part.rules.first().copied().unwrap_or_default(),
        text: excerpt(&part.text, LINE),
    };
    (explanation.parts.iter().take(LINES).enumerate().map(view).collect(), more)
}

fn derived_view(row: &DerivedRow, columns: &[Column]) -> DerivedView {
    let made =
        || columns.iter().zip(&row.outcomes).filter_map(|(column, cell)| Some((name(&column.name), cell.as_ref()?)));
    let chips = made().map(|(name, cell)| Chip {
        name,
        verdict: cell.verdict,
        class: class(cell.verdict, cell.fails),
        letter: String::new(),
    });
    let findings = made().filter_map(|(name, cell)| {
        let failure = cell.failure.as_ref()?;
        let text = |text: &String| excerpt(&printable(text), SHOWN);
        Some(DerivedFinding {
            name,
            shrunk: cell.shrunk.clone(),
            message: text(&failure.message),
            expected: failure.expected.as_ref().map(text),
            actual: text(&failure.actual),
            rerun: printable(&failure.rerun),
        })
    });
    DerivedView {
        id: printable(&row.id),
        verdicts: verdicts(row.outcomes.iter().flatten().map(|cell| cell.verdict)),
        chips: chips.collect(),
        findings: findings.collect(),
    }
}
