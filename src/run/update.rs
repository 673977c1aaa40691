//! The baseline that a run needs to pass.

use std::collections::BTreeMap;

use toml_edit::{ArrayOfTables, Item, Table, value};

use super::baseline::{BaselineError, read};
use super::policy::Assessment;
use super::verdict::Verdict;
use crate::protocol::SUITE;

/// The baseline that makes this run pass: the entries that are there and still cover something, with their reasons
/// and comments, and one with an empty reason for each rule and verdict that fails beside them, or for the case where it is of no rule. `text` is the file
/// as it is, empty where there is none; the run has been assessed with it.
///
/// # Errors
///
/// When the text is no TOML.
pub fn updated(text: &str, run: &Assessment<'_, '_>) -> Result<String, BaselineError> {
    let mut document = read(text)?.into_mut();
    document["suite"] = value(SUITE);
    let tables = document.entry("known").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(tables) = tables.as_array_of_tables_mut() else {
        return Err(BaselineError { line: None, message: "expected entries that begin with [[known]]".to_owned() });
    };
    if let Some(used) = &run.baseline {
        for (table, entry) in tables.iter_mut().zip(&used.entries) {
            let Some(most) = table.get("at_most").and_then(Item::as_integer) else { continue };
            let known = i64::try_from(entry.known).unwrap_or(i64::MAX);
            // A part of what can be run shows that there are more, and not that there are fewer.
            let saw_all = !run.record.partial && run.record.checked;
            table["at_most"] = value(if saw_all { known } else { known.max(most) });
        }
        let mut fixed = used.entries.iter().map(|entry| entry.fixed);
        tables.retain(|_| !fixed.next().unwrap_or(false));
    }
    let cases = run.cases.iter().filter(|case| case.fails);
    let cases = cases.map(|case| (case.outcome.case.id.clone(), case.rule, case.verdict));
    let checks = run.checks.iter().filter(|check| check.fails);
    let checks = checks.map(|check| (check.outcome.id(), check.outcome.rule, check.verdict));
    let mut counts: BTreeMap<(&str, String, &str), i64> = BTreeMap::new();
    for (id, rule, verdict) in cases.chain(checks) {
        if matches!(verdict, Verdict::Fixed | Verdict::NOT_RUN) {
            continue;
        }
        // What is of no rule, as the case of a fixture is, has no other name than its id.
        let (key, name) = if rule.is_empty() { ("cases", id) } else { ("rules", rule.to_owned()) };
        *counts.entry((key, name, verdict.name())).or_default() += 1;
    }
    for ((key, name, verdict), count) in counts {
        let mut table = Table::new();
        table[key] = value(name);
        table["verdict"] = value(verdict);
        table["at_most"] = value(count);
        table["reason"] = value("");
        tables.push(table);
    }
    Ok(document.to_string())
}
