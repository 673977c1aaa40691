//! The failures of each rule in the Markdown report.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BrokenRule, COLUMNS, FAILURES_SHARE, ID, Page, block, cell, code, details, is_odd, level, rule_name, units,
};
use crate::report::comparison::{CaseRow, Cell, Column, Comparison, DerivedRow};
use crate::report::escape::{excerpt, plural};
use crate::report::human::{kinds, one_of_each};
use crate::report::summary::FailureText;
use crate::run::Verdict;

/// The maximum number of groups of equal answers shown for a case.
const GROUPS: usize = 6;

/// A failure of a rule.
#[derive(Clone, Copy)]
enum Item<'a> {
    Case(&'a CaseRow),
    Derived(&'a DerivedRow),
}

impl<'a> Item<'a> {
    /// Returns the outcome for each implementation: the verdict, whether it fails the run, and the failure.
    fn outcomes(self) -> Vec<Option<(Verdict, bool, Option<&'a FailureText>)>> {
        match self {
            Item::Case(row) => row
                .outcomes
                .iter()
                .map(|cell| cell.as_ref().map(|cell| (cell.verdict, cell.fails, cell.failure.as_ref())))
                .collect(),
            Item::Derived(row) => row
                .outcomes
                .iter()
                .map(|cell| cell.as_ref().map(|cell| (cell.verdict, cell.fails, cell.failure.as_ref())))
                .collect(),
        }
    }

    fn is_failure(self) -> bool {
        self.outcomes().iter().flatten().any(|(verdict, ..)| is_odd(*verdict))
    }

    fn fails(self) -> bool {
        self.outcomes().iter().flatten().any(|(_, fails, _)| *fails)
    }

    /// Returns the distinct shapes of its failures.
    fn shape(self) -> String {
        let outcomes = self.outcomes();
        let shapes = outcomes.iter().flatten().filter_map(|(.., failure)| Some(&failure.as_ref()?.shape[..]));
        let shapes: BTreeSet<&str> = shapes.collect();
        excerpt(&shapes.into_iter().collect::<Vec<_>>().join(", "), ID)
    }

    fn write(self, columns: &[Column]) -> String {
        match self {
            Item::Case(row) => case_block(row, columns),
            Item::Derived(row) => derived_block(row, columns),
        }
    }
}

/// A violated rule with its failures in report order.
struct Failures<'a> {
    rule: &'a BrokenRule<'a>,
    items: Vec<(String, Item<'a>)>,
    head: String,
    /// The indices of the shown failures, and their texts.
    shown: Vec<(usize, String)>,
}

/// Adds a few failures of each rule in full, as far as they fit: the first one of every rule before the second one of any.
pub(super) fn failures(comparison: &Comparison, broken: &[BrokenRule<'_>], most: usize, page: &mut Page) {
    page.allowed += FAILURES_SHARE;
    let mut by_rule: BTreeMap<&str, Vec<(String, Item<'_>)>> = BTreeMap::new();
    let items = comparison.cases.iter().map(|row| (&row.rule[..], Item::Case(row)));
    let items = items.chain(comparison.derived.iter().map(|row| (&row.rule[..], Item::Derived(row))));
    for (rule, item) in items.filter(|(_, item)| item.is_failure()) {
        by_rule.entry(rule).or_default().push((item.shape(), item));
    }
    let mut failing: Vec<Failures<'_>> = broken
        .iter()
        .filter_map(|rule| {
            let items = by_rule.remove(&rule.row.id[..])?;
            let items = one_of_each(items, |item| (!item.fails(), matches!(item, Item::Derived(_))));
            let text = if rule.row.text.is_empty() { String::new() } else { format!("> {}\n\n", rule.row.text) };
            let head = format!("\n#### {}{}\n\n{text}", rule_name(rule.row), level(rule.row));
            Some(Failures { rule, items, head, shown: Vec::new() })
        })
        .collect();
    if failing.is_empty() || most == 0 {
        return;
    }
    let title = "\n### Failures by rule\n";
    page.push(title);
    let mut room = page.room();
    let lists: BTreeMap<&str, &[String]> = comparison.cases.iter().map(|row| (&row.id[..], &row.rules[..])).collect();
    for place in 0..most {
        let mut written = false;
        for rule in &mut failing {
            let Some((_, item)) = rule.items.get(place) else { continue };
            let text = item.write(&comparison.implementations);
            let size = |rule: &Failures<'_>| {
                if rule.shown.is_empty() {
                    return 0;
                }
                let texts: usize = rule.shown.iter().map(|(_, text)| units(text)).sum();
                units(&rule.head) + texts + units(&more(rule, &lists, comparison).unwrap_or_default())
            };
            let before = size(rule);
            rule.shown.push((place, text));
            let after = size(rule);
            if after <= room + before {
                room = room + before - after;
                written = true;
            } else {
                rule.shown.pop();
            }
        }
        if !written {
            break;
        }
    }
    for rule in failing.iter().filter(|rule| !rule.shown.is_empty()) {
        page.push(&rule.head);
        for (_, text) in &rule.shown {
            page.push(text);
        }
        if let Some(more) = more(rule, &lists, comparison) {
            page.push(&more);
        }
    }
    let hidden: usize = failing.iter().map(|rule| rule.items.len() - rule.shown.len()).sum();
    if hidden > 0 {
        page.left_out.push(format!("{} (`run --max-failures N` shows N of each rule)", plural(hidden, "failure")));
    }
}

/// Returns the number and the kinds of further failures of a rule, and the command that shows them.
fn more(rule: &Failures<'_>, lists: &BTreeMap<&str, &[String]>, comparison: &Comparison) -> Option<String> {
    let is_shown = |at: usize| rule.shown.iter().any(|(shown, _)| *shown == at);
    let hidden: Vec<&(String, Item<'_>)> =
        rule.items.iter().enumerate().filter(|(at, _)| !is_shown(*at)).map(|(_, item)| item).collect();
    let kinds = kinds(hidden.iter().map(|(shape, _)| &shape[..]))?;
    let id = &rule.rule.row.id;
    let is_listed = |(_, item): &(String, Item<'_>)| {
        let case = match item {
            Item::Case(row) => &row.id,
            Item::Derived(row) => row.id.split('#').next().unwrap_or(&row.id),
        };
        lists.get(case).is_some_and(|rules| rules.contains(id))
    };
    let filter = rule.items.iter().all(is_listed).then_some(&id[..]);
    let is_failure = |at: &usize| {
        let of = |(_, item): &&(String, Item<'_>)| item.outcomes()[*at].is_some_and(|(.., failure)| failure.is_some());
        hidden.iter().any(of)
    };
    let column = (0..comparison.implementations.len()).find(is_failure).map(|at| &comparison.implementations[at]);
    let line = column.map(|column| format!("\n\n{}", block(&[column.rerun.more_line(filter)]))).unwrap_or_default();
    Some(format!("{}{line}\n", code(&kinds)))
}

fn case_block(case: &CaseRow, columns: &[Column]) -> String {
    let rules: Vec<String> = case.rules.iter().take(COLUMNS).map(|rule| cell(rule)).collect();
    let expected: Vec<String> = case.expected.iter().map(|expected| expected.answer.clone()).collect();
    let mut lines = vec![format!("request   {} {}", case.method, case.params)];
    lines.push(format!("expected  {}", expected.join(", or ")));
    for group in case.answers.iter().take(GROUPS) {
        let names: Vec<&str> = group.members.iter().map(|at| &columns[*at].name[..]).collect();
        let who = if columns.len() > 1 { excerpt(&names.join(", "), ID) } else { "found   ".into() };
        lines.push(format!("{who}  {}", group.answer));
    }
    if case.answers.len() > GROUPS {
        lines.push(format!("and {}", plural(case.answers.len() - GROUPS, "other answer")));
    }
    let outcomes = || case.outcomes.iter().flatten();
    let at = outcomes().find_map(|cell| cell.failure.as_ref()?.at.as_ref());
    lines.extend(at.map(|at| format!("at        {at}")));
    lines.extend(first_repeat(outcomes()));
    let about = code(&case.about);
    details(&case.id, &format!("{about}\n\nRules: {}\n\n{}", rules.join(", "), block(&lines)))
}

fn derived_block(row: &DerivedRow, columns: &[Column]) -> String {
    let mut lines = Vec::new();
    let departures = columns.iter().zip(&row.outcomes).filter_map(|(column, cell)| Some((column, cell.as_ref()?)));
    let departures = departures.filter_map(|(column, cell)| Some((column, cell.failure.as_ref()?)));
    let all: Vec<(&Column, &FailureText)> = departures.collect();
    for (column, failure) in all.iter().take(GROUPS / 2) {
        if columns.len() > 1 {
            lines.push(column.name.clone());
        }
        lines.push(failure.message.clone());
        lines.extend(failure.expected.iter().map(|expected| format!("expected  {expected}")));
        lines.push(format!("found     {}", failure.actual));
        lines.push(format!("rerun     {}", failure.rerun));
    }
    if all.len() > GROUPS / 2 {
        lines.push(format!("and {}", plural(all.len() - GROUPS / 2, "other implementation")));
    }
    details(&row.id, &block(&lines))
}

fn first_repeat<'a>(mut outcomes: impl Iterator<Item = &'a Cell>) -> Option<String> {
    outcomes.find_map(|cell| cell.failure.as_ref()).map(|failure| format!("rerun     {}", failure.rerun))
}
