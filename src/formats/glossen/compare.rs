//! What counts of violations.

use std::collections::BTreeSet;

use crate::json::{Json, JsonString};

/// Violations as their rules, each once and in order: the places are for readers and not compared.
pub(super) fn violations(result: &Json) -> Json {
    let Json::Object(members) = result else { return result.clone() };
    let members = members.iter().map(|(name, value)| {
        let is_violations = *name == JsonString::from("violations");
        let rules = if is_violations { broken_rules(value) } else { None };
        (name.clone(), rules.unwrap_or_else(|| value.clone()))
    });
    Json::Object(members.collect())
}

/// The rules of violations; `None` if that is no list of violations.
fn broken_rules(violations: &Json) -> Option<Json> {
    let Json::Array(violations) = violations else { return None };
    let rules: Option<BTreeSet<&JsonString>> = violations
        .iter()
        .map(|violation| match violation.get("rule") {
            Some(Json::String(rule)) => Some(rule),
            _ => None,
        })
        .collect();
    let rules = rules?.into_iter().map(|rule| Json::object([("rule", Json::String(rule.clone()))]));
    Some(Json::Array(rules.collect()))
}
