//! The places at which two results differ, and which rules are about which.

use std::collections::BTreeSet;

use crate::format::places::{Places, RulePlaces};
use crate::json::Json;

pub(super) const RULE_PLACES: &[RulePlaces] = &[
    RulePlaces::new("glossen.validate.order", &["refusal"]),
    RulePlaces::new("glossen.edit.replace", &["/messages#", "/messages/*/parts"]),
    RulePlaces::new("glossen.edit.own-id", &["/messages/*/id"]),
    RulePlaces::new("glossen.edit.as-given", &["/messages/*/metadata", "/messages/*/parts"]),
    RulePlaces::new("glossen.model.convert", &["/messages#", "/messages/*/content#"]),
    RulePlaces::new("glossen.model.shape", &["/messages#", "/messages/*/content#"]),
    RulePlaces::new("glossen.model.text", &["/messages/*/content/*/text"]),
    RulePlaces::new("glossen.model.frame", &["/messages/*/content/*/text"]),
];

/// Of two validations. Messages that are not accepted are refused.
pub(super) fn validate(_: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::of_whole();
    places.add_leaves(expected, found);
    if expected.get("accepted").is_some() && found.get("accepted").is_some() {
        places.rename("/accepted", "refusal");
    }
    places
}

/// Of two checks of a message: the rules that only one of them names.
pub(super) fn check(_: &str, expected: &Json, found: &Json) -> Places {
    let broken = |result: &Json| match result.get("violations") {
        Some(Json::Array(violations)) => violations
            .iter()
            .filter_map(|violation| violation.get("rule")?.as_str().map(str::to_owned))
            .collect::<BTreeSet<_>>(),
        _ => BTreeSet::new(),
    };
    let mut places = Places::of_whole();
    for rule in broken(expected).symmetric_difference(&broken(found)) {
        places.add(format!("rule:{rule}"));
    }
    places
}
