//! The exact content of a case file.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::FORMATS;
use crate::rules::Level;

/// A test case: one request to an implementation, and its expected result.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "A case file")]
pub(super) struct CaseFile {
    /// Why the case exists, in a sentence.
    pub(super) about: String,
    /// Whether a person still has to decide its expectation, which is the answer of an implementation. Lint refuses
    /// such a case.
    #[serde(default)]
    pub(super) unreviewed: bool,
    /// Ids of the rules that the case tests, the most important first.
    pub(super) rules: Vec<String>,
    /// The level of the weakest of its rules; an open one counts as must.
    pub(super) level: Level,
    /// The version of the suite that brought the case.
    pub(super) since: String,
    /// The profiles in which it runs; all where it is absent.
    #[serde(default)]
    #[schemars(schema_with = "profile_names")]
    pub(super) profiles: Option<Vec<String>>,
    /// The method of the request.
    pub(super) method: String,
    /// The params, as in the method's schema.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub(super) params: Box<RawValue>,
    /// The expected result. Absent exactly if there is a `scale`.
    pub(super) expect: Option<Expect>,
    /// JSON pointers into the result, and for each the pattern that the string there must match. It is not compared
    /// otherwise.
    #[serde(rename = "match")]
    pub(super) matches: Option<BTreeMap<String, String>>,
    /// JSON pointers into the params, and for each the JSON text that is inserted there and sent unchanged.
    pub(super) text: Option<BTreeMap<String, String>>,
    /// Other params that must get the same answer.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub(super) same: Option<Box<RawValue>>,
    /// For a case about cost: how its params grow.
    pub(super) scale: Option<Scale>,
}

/// The schema of the name of a profile.
fn profile_names(_: &mut SchemaGenerator) -> Schema {
    let names = FORMATS.profile_names();
    schemars::json_schema!({ "type": ["array", "null"], "items": { "enum": names } })
}

/// The expected result: exactly one of the three.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    /// This result.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub(super) result: Option<Box<RawValue>>,
    /// A refusal of this kind.
    pub(super) error: Option<String>,
    /// One of several, depending on the choices on open points.
    pub(super) one_of: Option<Vec<ExpectOption>>,
}

/// One right answer among several: exactly one of `result` and `error`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectOption {
    /// This result.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub(super) result: Option<Box<RawValue>>,
    /// A refusal of this kind.
    pub(super) error: Option<String>,
    /// The choices with which it is right, by the rule's id.
    pub(super) choices: BTreeMap<String, String>,
    /// A warning about an implementation that answers so.
    pub(super) warn: Option<String>,
}

/// How the params of a case about cost grow.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// The text that is repeated.
    pub unit: String,
    /// The numbers of repetitions, the smallest first.
    pub times: Vec<u32>,
    /// The JSON pointer to the string in the params to which it is appended.
    pub at: String,
}

/// The JSON Schema of case files.
#[must_use]
pub fn case_schema() -> serde_json::Value {
    schemars::schema_for!(CaseFile).to_value()
}
