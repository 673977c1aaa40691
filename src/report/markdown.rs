//! The report as Markdown, for a pull request or the summary of a CI step.

mod failures;

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::NOT_LISTED;
use super::comparison::{CaseRow, Column, Comparison, DerivedRow, RuleRow};
use super::escape::{excerpt, plural, printable};
use super::human::{Detail, failed_of_asked};
use super::summary::UnsupportedSummary;
use crate::run::{Counts, RuleTally, Verdict};
use failures::failures;

/// The maximum length of a comment on GitHub, counted in UTF-16 code units to be safe.
pub const MARKDOWN_LIMIT: usize = 65_536;
/// The reserve for the end of the page, which lists the omissions.
const END: usize = 1_500;
/// The share of each section; the following sections may use what is left of it. The sum is below the limit.
const IMPLEMENTATIONS_SHARE: usize = 6_000;
const RULES_SHARE: usize = 12_000;
const FAILURES_SHARE: usize = 24_000;
const QUESTIONS_SHARE: usize = 2_000;
const CASES_SHARE: usize = 9_000;
const CHECKS_SHARE: usize = 4_000;
const CHOICES_SHARE: usize = 2_500;
const UNSUPPORTED_SHARE: usize = 2_500;
const NOTES_SHARE: usize = 2_000;
const _: () = assert!(
    IMPLEMENTATIONS_SHARE
        + RULES_SHARE
        + FAILURES_SHARE
        + QUESTIONS_SHARE
        + CASES_SHARE
        + CHECKS_SHARE
        + CHOICES_SHARE
        + UNSUPPORTED_SHARE
        + NOTES_SHARE
        + END
        <= MARKDOWN_LIMIT
);
/// The maximum number of columns for implementations in tables.
const COLUMNS: usize = 16;
/// The maximum length of params and answers.
const SHOWN: usize = 600;
/// The maximum length of names.
const NAME: usize = 60;
/// The maximum length of ids of cases.
const ID: usize = 160;
/// The reserve for the line with the number of omitted rows.
const MORE: usize = 80;

/// Writes the report as GitHub's Markdown: the verdict on each implementation, a table of violated rules, and a few failures
/// of each rule. For several implementations it also lists the cases on which their answers differ, with the groups of equal
/// answers (`a`, `b`, ...). The report always fits into a comment on a pull request, and lists its omissions. Text of
/// implementations and case files is formatted as code, so that it cannot be markup.
///
/// # Errors
///
/// When writing fails.
pub fn write_markdown(comparison: &Comparison, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    let columns = &comparison.implementations;
    let mut page = Page::default();
    page.push(&format!("## genui-conform {}\n", comparison.suite));
    implementations(columns, &mut page);
    let broken = broken_rules(comparison);
    rules(comparison, &broken, &mut page);
    if detail != Detail::Summary {
        failures(comparison, &broken, detail.failures(), &mut page);
        let odd: Vec<&CaseRow> = comparison.cases.iter().filter(|case| case.is_odd()).collect();
        questions(&odd, &mut page);
        if columns.len() > 1 {
            cases(columns, &odd, &mut page);
            derived(columns, &comparison.derived, &mut page);
        }
        choices(columns, &mut page);
        unsupported(columns, &mut page);
        notes(columns, &mut page);
    }
    if columns.len() > COLUMNS {
        page.left_out.push(plural(columns.len() - COLUMNS, "implementation") + " in the tables");
    }
    out.write_all(page.end(&comparison.corpus).as_bytes())
}

/// Markdown text with a length limit.
#[derive(Default)]
struct Page {
    text: String,
    /// Its length.
    used: usize,
    /// The maximum length at the end of this section.
    allowed: usize,
    /// The omissions as text.
    left_out: Vec<String>,
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

impl Page {
    fn push(&mut self, text: &str) {
        self.used += units(text);
        self.text.push_str(text);
    }

    fn room(&self) -> usize {
        self.allowed.saturating_sub(self.used)
    }

    /// Adds a list: its start, the rows that fit, the number of omitted rows, and its end.
    fn list(&mut self, share: usize, (open, close): (&str, &str), rows: &[String], noun: &str) {
        self.allowed += share;
        if rows.is_empty() {
            return;
        }
        let kept = units(close) + MORE;
        let mut shown = 0;
        if units(open) + kept <= self.room() {
            self.push(open);
            for row in rows {
                if units(row) + 1 + kept > self.room() {
                    break;
                }
                self.push(row);
                self.push("\n");
                shown += 1;
            }
            if shown < rows.len() {
                self.push(&format!("\nand {}\n", plural(rows.len() - shown, &format!("more {noun}"))));
            }
            self.push(close);
        }
        if shown < rows.len() {
            self.left_out.push(plural(rows.len() - shown, noun));
        }
    }

    fn end(mut self, corpus: &str) -> String {
        if !self.left_out.is_empty() {
            let left_out = self.left_out.join(", ");
            self.push(&format!(
                "\nOmitted, to fit into a comment on GitHub: {left_out}. Reports of kind json and html are complete.\n"
            ));
        }
        self.push(&format!("\nCorpus `{corpus}`.\n"));
        self.text
    }
}

fn implementations(columns: &[Column], page: &mut Page) {
    let row = |column: &Column| {
        let (cases, checks) = (&column.counts, &column.derived_counts);
        format!("| {} | {} | {} | {cases} | {checks} |", who(column), verdict_of(column), column.profile)
    };
    let head = "\n| implementation | verdict | profile | cases | derived checks |\n|---|---|---|---|---|\n";
    let rows: Vec<String> = columns.iter().map(row).collect();
    page.list(IMPLEMENTATIONS_SHARE, (head, ""), &rows, "implementation");
}

/// Returns the verdict on an implementation as a phrase.
fn verdict_of(column: &Column) -> String {
    match (&column.unusable, column.failing) {
        (Some(why), _) => format!("**{}**: {}", column.conformance, code(&excerpt(why, SHOWN)).replace('|', "\\|")),
        (None, 0) => column.conformance.clone(),
        (None, failing) => format!("**{}**: {failing} failing", column.conformance),
    }
}

fn who(column: &Column) -> String {
    let info = &column.implementation;
    let mut details: Vec<&str> = [&info.version, &info.language].into_iter().flatten().map(String::as_str).collect();
    if info.name != column.name {
        details.insert(0, &info.name);
    }
    let details: Vec<String> = details.into_iter().map(cell).collect();
    let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
    format!("{}{details}", cell(&column.name))
}

/// Returns the implementations with a column in tables.
fn in_tables(columns: &[Column]) -> &[Column] {
    &columns[..columns.len().min(COLUMNS)]
}

/// Returns the first lines of a table with a column for each implementation.
fn head(first: &str, columns: &[Column]) -> String {
    let names: Vec<String> = in_tables(columns).iter().map(|column| cell(&column.name)).collect();
    format!("| {first} | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()))
}

fn choices(columns: &[Column], page: &mut Page) {
    let columns = in_tables(columns);
    let mut rules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for (rule, bound) in &column.choices {
            rules.entry(rule).or_insert_with(|| vec![String::new(); columns.len()])[at] = cell(&bound.shown());
        }
    }
    let rows: Vec<String> =
        rules.into_iter().map(|(rule, names)| format!("| {} | {} |", cell(rule), names.join(" | "))).collect();
    let open = format!("\n<details><summary>Choices on open points</summary>\n\n{}", head("rule", columns));
    page.list(CHOICES_SHARE, (&open, "\n</details>\n"), &rows, "choice");
}

fn unsupported(columns: &[Column], page: &mut Page) {
    let row = |(column, why): (&Column, &UnsupportedSummary)| {
        let reason = why.reason.as_deref().unwrap_or(NOT_LISTED);
        let refused = if why.refused { "**refused**: " } else { "" };
        format!("| {} | {} | {} | {refused}{} |", cell(&column.name), why.method, why.cases, cell(&excerpt(reason, ID)))
    };
    let reasons = columns.iter().flat_map(|column| column.unsupported.iter().map(move |why| (column, why)));
    let rows: Vec<String> = reasons.map(row).collect();
    let cases: usize = columns.iter().flat_map(|column| &column.unsupported).map(|why| why.cases).sum();
    let open = format!(
        "\n<details><summary>Unsupported: {}</summary>\n\n| implementation | method | cases | reason |\n|---|---|---|---|\n",
        plural(cases, "case")
    );
    page.list(UNSUPPORTED_SHARE, (&open, "\n</details>\n"), &rows, "reason");
}

fn notes(columns: &[Column], page: &mut Page) {
    let notes = columns.iter().flat_map(|column| column.notes.iter().map(move |note| (column, note)));
    let rows: Vec<String> = notes.map(|(column, note)| format!("- {}: {}", cell(&column.name), code(note))).collect();
    page.list(NOTES_SHARE, ("\n<details><summary>Notes</summary>\n\n", "\n</details>\n"), &rows, "note");
}

/// A violated rule with its results in each run.
struct BrokenRule<'a> {
    row: &'a RuleRow,
    tallies: Vec<Option<&'a RuleTally>>,
}

/// Returns the violated rules, the most suspect one first.
fn broken_rules(comparison: &Comparison) -> Vec<BrokenRule<'_>> {
    let is_failure = |counts: &Counts| counts.keys().any(|verdict| is_odd(*verdict));
    let tallied: Vec<BTreeMap<&str, &RuleTally>> = comparison
        .implementations
        .iter()
        .map(|column| column.tally.iter().map(|tally| (&tally.rule[..], tally)).collect())
        .collect();
    let broken = comparison.rules.iter().map(|row| BrokenRule {
        row,
        tallies: tallied.iter().map(|tallies| tallies.get(&row.id[..]).copied()).collect(),
    });
    let is_broken = |rule: &BrokenRule<'_>| {
        rule.row.outcomes.iter().any(is_failure) || rule.tallies.iter().flatten().any(|tally| tally.is_broken())
    };
    let mut broken: Vec<BrokenRule<'_>> = broken.filter(is_broken).collect();
    let suspicion =
        |rule: &BrokenRule<'_>| rule.tallies.iter().flatten().map(|tally| tally.suspicion).fold(0.0, f64::max);
    broken.sort_by(|a, b| suspicion(b).total_cmp(&suspicion(a)));
    broken
}

fn rules(comparison: &Comparison, broken: &[BrokenRule<'_>], page: &mut Page) {
    let row = |rule: &BrokenRule<'_>| {
        let outcomes = rule.tallies.iter().zip(&rule.row.outcomes).take(COLUMNS).map(|(tally, counts)| {
            let tally = tally.map(failed_of_asked).unwrap_or_default();
            // A known failure is neither a failure nor a pass.
            let known = [Verdict::KnownFailure, Verdict::UnexpectedPass]
                .into_iter()
                .filter_map(|verdict| Some(format!("{} {verdict}", counts.get(&verdict)?)));
            [tally].into_iter().filter(|tally| !tally.is_empty()).chain(known).collect::<Vec<_>>().join(", ")
        });
        format!("| {}{} | {} |", rule_name(rule.row), level(rule.row), outcomes.collect::<Vec<_>>().join(" | "))
    };
    let rows: Vec<String> = broken.iter().map(row).collect();
    let open = format!("\n### Violated rules, failed/run\n\n{}", head("rule", &comparison.implementations));
    page.list(RULES_SHARE, (&open, ""), &rows, "rule");
}

fn rule_name(rule: &RuleRow) -> String {
    if rule.id.is_empty() { "not covered by a rule".to_owned() } else { cell(&rule.id) }
}

fn level(rule: &RuleRow) -> String {
    if rule.level.is_empty() { String::new() } else { format!(" ({})", rule.level) }
}

fn cases(columns: &[Column], odd: &[&CaseRow], page: &mut Page) {
    let row = |case: &&CaseRow| {
        let outcomes = case.outcomes.iter().enumerate().take(COLUMNS).map(|(at, value)| match value {
            None => "–".to_owned(),
            Some(value) => format!("{} {}", verdict(value.verdict, value.fails), case.letter(at)).trim_end().to_owned(),
        });
        format!("| {} | {} |", cell(&case.id), outcomes.collect::<Vec<_>>().join(" | "))
    };
    let rows: Vec<String> = odd.iter().map(row).collect();
    let open = format!(
        "\n### Cases that fail or have different answers\n\nEqual letters in a row represent equal answers.\n\n{}",
        head("case", columns)
    );
    page.list(CASES_SHARE, (&open, ""), &rows, "case");
}

fn derived(columns: &[Column], rows: &[DerivedRow], page: &mut Page) {
    let row = |row: &DerivedRow| {
        let outcomes = row.outcomes.iter().take(COLUMNS).map(|value| match value {
            None => "–".to_owned(),
            Some(value) => verdict(value.verdict, value.fails),
        });
        format!("| {} | {} |", cell(&row.id), outcomes.collect::<Vec<_>>().join(" | "))
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    let open = format!("\n### Derived checks that fail\n\n{}", head("check", columns));
    page.list(CHECKS_SHARE, (&open, ""), &rows, "derived check");
}

fn verdict(verdict: Verdict, fails: bool) -> String {
    if fails { format!("**{verdict}**") } else { verdict.to_string() }
}

/// Returns whether tables show this verdict.
fn is_odd(verdict: Verdict) -> bool {
    !verdict.is_plain() && verdict != Verdict::NOT_RUN
}

fn questions(odd: &[&CaseRow], page: &mut Page) {
    let asked = odd.iter().filter_map(|case| Some(format!("- {}: {}", cell(&case.id), case.review.as_ref()?)));
    page.list(QUESTIONS_SHARE, ("\n### Needs review\n\n", ""), &asked.collect::<Vec<_>>(), "review");
}

fn details(id: &str, text: &str) -> String {
    let id = html(&excerpt(&printable(id), ID));
    format!("<details><summary><code>{id}</code></summary>\n\n{text}\n</details>\n\n")
}

/// Returns lines as an indented block, which no text can end.
fn block(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {}\n", excerpt(&printable(line), SHOWN))).collect()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a text as code, between more backticks than it contains.
fn code(text: &str) -> String {
    let text = excerpt(&printable(text), SHOWN);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.trim().len() < text.len() || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Returns a text as code for a table cell, with escaped bars: they end the cell even in code.
fn cell(text: &str) -> String {
    code(&excerpt(&printable(text), NAME)).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_end_its_code_span() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("\n</details>"), "`\\n</details>`");
        assert_eq!(cell("a|b"), "`a\\|b`");
    }
}
