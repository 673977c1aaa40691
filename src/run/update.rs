//! Updates the baseline so that a run passes.

use std::collections::BTreeMap;

use toml_edit::{ArrayOfTables, Item, Table, value};

use super::baseline::{BaselineError, read};
use super::policy::Assessment;
use super::verdict::Verdict;
use crate::SUITE;

/// Returns the baseline that makes this run pass: the existing entries that still cover something, with their reasons
/// and comments, and new ones with an empty reason for each other rule and verdict that fails, or for the case if it
/// lists no rule. `text` is the current file, empty if there is none; the run has been assessed with it.
///
/// # Errors
///
/// If the text is not TOML.
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
            // A part of the corpus can show that there are more failures, but not that there are fewer.
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
        if matches!(verdict, Verdict::UnexpectedPass | Verdict::NOT_RUN) {
            continue;
        }
        // A case without a rule, such as that of a fixture, has no other name than its id.
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
