//! The file that `compare` reads: which implementations are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use thiserror::Error;

use super::choices::check_choice;
use crate::formats::FORMATS;
use crate::nearest::expected_one_of;
use crate::settings::ProfileName;

/// The name of the built-in reference in a comparison.
pub const REFERENCE: &str = "reference";

/// An implementation that is compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparedImplementation {
    /// The name that it has in tables.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The profile in which it runs.
    #[serde(default, deserialize_with = "read_profile")]
    pub profile: ProfileName,
    /// Its baseline.
    pub baseline: Option<PathBuf>,
    /// The choices that are requested, by rule id.
    #[serde(default)]
    pub choices: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    implementation: Vec<ComparedImplementation>,
}

fn read_profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ProfileName, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(|_| D::Error::custom(expected_one_of(&FORMATS.profile_names(), &name)))
}

/// Why a text is no comparison file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("{line}: ")))]
pub struct ComparisonFileError {
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// What was expected, and what was found.
    pub message: String,
}

/// Reads the text of a comparison file: a table `[[implementation]]` for each, with `name` and `command`, and perhaps
/// `profile`, `baseline` and `choices`.
///
/// # Errors
///
/// Returns the line and what was expected. Two implementations of the same name are an error, and so is the name of the
/// reference, which is always compared.
pub fn read_comparison_file(text: &str) -> Result<Vec<ComparedImplementation>, ComparisonFileError> {
    let file: File = toml_edit::de::from_str(text).map_err(|why| ComparisonFileError {
        line: why.span().map(|span| text[..span.start].matches('\n').count() + 1),
        message: why.message().to_owned(),
    })?;
    let error = |message: String| Err(ComparisonFileError { line: None, message });
    if file.implementation.is_empty() {
        return error("expected implementations, each in a table [[implementation]], but found none".to_owned());
    }
    let mut names = BTreeSet::from([REFERENCE]);
    for ComparedImplementation { name, command, profile, choices, .. } in &file.implementation {
        if name.trim().is_empty() {
            return error("expected a name for each implementation, but found an empty one".to_owned());
        }
        if !names.insert(name) {
            return error(format!(
                "expected a name of its own for each implementation, the {REFERENCE} among them, but found `{name}` twice"
            ));
        }
        if command.is_empty() {
            return error(format!(
                "expected the program and its arguments as `command` of {name}, but found an empty list"
            ));
        }
        for (rule, choice) in choices {
            if let Err(why) = check_choice(rule, choice, *profile) {
                return error(format!("in `choices` of {name}: {why}"));
            }
        }
    }
    Ok(file.implementation)
}
