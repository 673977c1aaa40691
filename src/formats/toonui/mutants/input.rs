//! Mutants that accept the wrong payloads.

use super::text::is_reply;
use super::{Fault, Mutant, mutant};
use crate::formats::values::{with, without};
use crate::json::Json;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.input.missing",
        "missing-values-are-none",
        "A submit without values counts as one with empty values.",
        Fault::Payload(|payload| match payload {
            Json::Object(_) if !is_reply(payload) && matches!(payload.get("values"), None | Some(Json::Null)) => {
                with(payload, "values", Json::Object(Vec::new()))
            }
            other => other.clone(),
        }),
    ),
    mutant(
        "toonui.input.missing",
        "null-payload-is-empty",
        "A payload of null counts as an empty submit.",
        Fault::Payload(|payload| match payload {
            Json::Null => Json::object([("kind", "ui_submit".into()), ("values", Json::Object(Vec::new()))]),
            other => other.clone(),
        }),
    ),
    mutant(
        "toonui.input.missing",
        "empty-values-are-missing",
        "A submit whose values are an empty object is refused.",
        Fault::Payload(|payload| match payload.get("values") {
            Some(Json::Object(values)) if values.is_empty() && !is_reply(payload) => without(payload, "values"),
            _ => payload.clone(),
        }),
    ),
];
