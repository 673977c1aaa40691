//! The rules that the messages of a request violate.

use std::collections::BTreeSet;

use super::choices;
use crate::glossen::{self, Violation};
use crate::json::Json;
use crate::settings::Settings;

/// Of messages that are validated.
pub(super) fn of_messages(params: &Json, options: &Settings) -> BTreeSet<&'static str> {
    match params.get("messages").map(|messages| glossen::validate(messages, &choices(options))) {
        Some(Err(glossen::ValidateError::Invalid(violations, _))) => rules(violations),
        _ => BTreeSet::new(),
    }
}

/// Of a message that is checked.
pub(super) fn of_message(params: &Json, _: &Settings) -> BTreeSet<&'static str> {
    let violations = params.get("message").and_then(|message| glossen::check(message, None, false).ok());
    rules(violations.unwrap_or_default())
}

fn rules(violations: Vec<Violation>) -> BTreeSet<&'static str> {
    violations.into_iter().map(|violation| violation.rule).collect()
}
