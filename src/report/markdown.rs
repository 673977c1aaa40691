//! The report as Markdown, for a pull request or the summary of a CI step.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::comparison::{CaseRow, Cell, Column, Comparison, DerivedRow};
use super::escape::{excerpt, plural, printable};
use super::verdicts::{counted, is_plain};

/// Cases and checks that are shown whole; a step's summary may be a mebibyte long.
const WHOLE: usize = 60;
/// Rows of a table of cases or checks.
const ROWS: usize = 400;
/// Longer params and answers are cut.
const SHOWN: usize = 600;
/// Longer names are cut.
const NAME: usize = 60;

/// Writes the report as GitHub's Markdown: the implementations, the rules that somebody breaks, the cases on which
/// somebody departs with the answers in groups (`a`, `b`, ...), questions to the rules, and the first departures whole.
/// Whatever an implementation or a case file says stands in code, where it cannot be markup.
///
/// # Errors
///
/// When writing fails.
pub fn write_markdown(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let columns = &comparison.implementations;
    writeln!(out, "## genui-conform {}\n", comparison.suite)?;
    writeln!(out, "| implementation | profile | cases | derived checks | |\n|---|---|---|---|---|")?;
    for column in columns {
        let state = match (&column.unusable, column.failing) {
            (Some(why), _) => format!("**{}**: {}", column.conformance, code(why).replace('|', "\\|")),
            (None, 0) => column.conformance.clone(),
            (None, failing) => format!("**{}**: {failing} failing", column.conformance),
        };
        let (cases, checks) = (counted(&column.counts), counted(&column.derived_counts));
        writeln!(out, "| {} | {} | {cases} | {checks} | {state} |", who(column), column.profile)?;
    }
    choices(columns, out)?;
    rules(comparison, out)?;
    let odd: Vec<&CaseRow> = comparison.cases.iter().filter(|case| case.is_odd()).collect();
    cases(columns, &odd, out)?;
    derived(columns, &comparison.derived, out)?;
    questions(&odd, out)?;
    whole(columns, &odd, &comparison.derived, out)?;
    writeln!(out, "\nCorpus `{}`.", comparison.corpus)
}

fn who(column: &Column) -> String {
    let told = &column.implementation;
    let mut details: Vec<&str> = [&told.version, &told.language].into_iter().flatten().map(String::as_str).collect();
    if told.name != column.name {
        details.insert(0, &told.name);
    }
    let details: Vec<String> = details.into_iter().map(cell).collect();
    let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join(", ")) };
    format!("{}{details}", cell(&column.name))
}

fn choices(columns: &[Column], out: &mut dyn Write) -> io::Result<()> {
    let mut rules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for (rule, bound) in &column.choices {
            rules.entry(rule).or_insert_with(|| vec![String::new(); columns.len()])[at] = cell(&bound.shown());
        }
    }
    if rules.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n<details><summary>Choices on open points</summary>\n")?;
    head("rule", columns, out)?;
    for (rule, names) in rules {
        writeln!(out, "| {} | {} |", cell(rule), names.join(" | "))?;
    }
    writeln!(out, "\n</details>")
}

/// The first lines of a table with a column for each implementation.
fn head(first: &str, columns: &[Column], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = columns.iter().map(|column| cell(&column.name)).collect();
    writeln!(out, "| {first} | {} |", names.join(" | "))?;
    writeln!(out, "|---|{}", "---|".repeat(columns.len()))
}

fn rules(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let departs = |counts: &BTreeMap<String, usize>| counts.keys().any(|verdict| !is_plain(verdict));
    let broken: Vec<_> = comparison.rules.iter().filter(|rule| rule.cells.iter().any(departs)).collect();
    if broken.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Rules from which somebody departs\n")?;
    head("rule", &comparison.implementations, out)?;
    for rule in broken {
        let id = if rule.id.is_empty() { "of no rule".to_owned() } else { cell(&rule.id) };
        let level = if rule.level.is_empty() { String::new() } else { format!(" ({})", rule.level) };
        let cells: Vec<String> = rule.cells.iter().map(counted).collect();
        writeln!(out, "| {id}{level} | {} |", cells.join(" | "))?;
    }
    Ok(())
}

fn cases(columns: &[Column], odd: &[&CaseRow], out: &mut dyn Write) -> io::Result<()> {
    if odd.is_empty() {
        return Ok(());
    }
    let several = columns.len() > 1;
    writeln!(out, "\n### Cases from which somebody departs\n")?;
    if several {
        writeln!(out, "The same letter in a row stands for the same answer.\n")?;
    }
    head("case", columns, out)?;
    for case in odd.iter().take(ROWS) {
        let cells = case.cells.iter().enumerate().map(|(at, value)| match value {
            None => "–".to_owned(),
            Some(value) if several => {
                format!("{} {}", verdict(&value.verdict, value.fails), case.letter(at)).trim_end().to_owned()
            }
            Some(value) => verdict(&value.verdict, value.fails),
        });
        let cells: Vec<String> = cells.collect();
        writeln!(out, "| {} | {} |", cell(&case.id), cells.join(" | "))?;
    }
    more(odd.len(), ROWS, "case", out)
}

fn derived(columns: &[Column], rows: &[DerivedRow], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Derived checks from which somebody departs\n")?;
    head("check", columns, out)?;
    for row in rows.iter().take(ROWS) {
        let cells = row.cells.iter().map(|value| match value {
            None => "–".to_owned(),
            Some(value) => verdict(&value.verdict, value.fails),
        });
        let cells: Vec<String> = cells.collect();
        writeln!(out, "| {} | {} |", cell(&row.id), cells.join(" | "))?;
    }
    more(rows.len(), ROWS, "check", out)
}

fn verdict(verdict: &str, fails: bool) -> String {
    if fails { format!("**{verdict}**") } else { verdict.to_owned() }
}

fn more(count: usize, shown: usize, noun: &str, out: &mut dyn Write) -> io::Result<()> {
    if count > shown { writeln!(out, "\nand {}", plural(count - shown, &format!("more {noun}"))) } else { Ok(()) }
}

fn questions(odd: &[&CaseRow], out: &mut dyn Write) -> io::Result<()> {
    let asked: Vec<(&CaseRow, &String)> =
        odd.iter().filter_map(|case| Some((*case, case.question.as_ref()?))).collect();
    if asked.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### Questions to the rules\n")?;
    for (case, question) in asked {
        writeln!(out, "- {}: {question}", code(&case.id))?;
    }
    Ok(())
}

/// The first departures whole.
fn whole(columns: &[Column], odd: &[&CaseRow], derived: &[DerivedRow], out: &mut dyn Write) -> io::Result<()> {
    if odd.is_empty() && derived.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### The departures\n")?;
    for case in odd.iter().take(WHOLE) {
        open(&case.id, out)?;
        writeln!(out, "{}\n", code(&case.about))?;
        let rules: Vec<String> = case.rules.iter().map(|rule| code(rule)).collect();
        writeln!(out, "Rules: {}\n", rules.join(", "))?;
        let expected: Vec<String> = case.expected.iter().map(|expected| expected.answer.clone()).collect();
        let mut lines = vec![format!("asked     {} {}", case.method, case.params)];
        lines.push(format!("expected  {}", expected.join(", or ")));
        for group in &case.answers {
            let names: Vec<&str> = group.members.iter().map(|at| &columns[*at].name[..]).collect();
            lines.push(format!(
                "{}  {}",
                if columns.len() > 1 { names.join(", ") } else { "found   ".into() },
                group.answer
            ));
        }
        let cells = || case.cells.iter().flatten();
        lines.extend(
            cells().filter_map(|cell| cell.departure.as_ref()?.at.as_ref()).take(1).map(|at| format!("at        {at}")),
        );
        lines.extend(first_repeat(cells()));
        close(&lines, out)?;
    }
    let left = WHOLE.saturating_sub(odd.len());
    for row in derived.iter().take(left) {
        open(&row.id, out)?;
        let mut lines = Vec::new();
        for (column, cell) in columns.iter().zip(&row.cells) {
            let Some(departure) = cell.as_ref().and_then(|cell| cell.departure.as_ref()) else { continue };
            if columns.len() > 1 {
                lines.push(column.name.clone());
            }
            lines.push(departure.message.clone());
            lines.extend(departure.expected.iter().map(|expected| format!("expected  {expected}")));
            lines.push(format!("found     {}", departure.found));
            lines.push(format!("repeat    {}", departure.repeat));
        }
        close(&lines, out)?;
    }
    more(odd.len() + derived.len(), WHOLE, "departure", out)
}

fn first_repeat<'a>(mut cells: impl Iterator<Item = &'a Cell>) -> Option<String> {
    cells.find_map(|cell| cell.departure.as_ref()).map(|departure| format!("repeat    {}", departure.repeat))
}

fn open(id: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<details><summary><code>{}</code></summary>\n", html(&printable(id)))
}

/// Lines as an indented block: there is nothing in one that could end it.
fn close(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        writeln!(out, "    {}", excerpt(&printable(line), SHOWN))?;
    }
    writeln!(out, "\n</details>\n")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text as code, between more backticks than there are in it.
fn code(text: &str) -> String {
    let text = excerpt(&printable(text), SHOWN);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.trim().len() < text.len() || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A text as code in a cell of a table, where a bar ends the cell even in code.
fn cell(text: &str) -> String {
    code(&excerpt(text, NAME)).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_cannot_be_left() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("\n</details>"), "`\\n</details>`");
        assert_eq!(cell("a|b"), "`a\\|b`");
    }
}
