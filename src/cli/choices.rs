//! Choices that a command line asks for.

use std::collections::BTreeMap;

use super::exit::Exit;
use crate::run::read_choice;
use crate::settings::ProfileName;

/// Reads what `--choice` was given, each `RULE=NAME`: the names by rule id. Two names for one rule are wrong usage.
pub(super) fn read_choices(choices: &[String], profile: ProfileName) -> Result<BTreeMap<String, String>, Exit> {
    let mut asked = BTreeMap::new();
    for choice in choices {
        let (rule, name) = read_choice(choice, profile).map_err(|error| Exit::usage(format!("--choice: {error}")))?;
        if let Some(other) = asked.insert(rule.clone(), name.clone()).filter(|other| *other != name) {
            return Err(Exit::usage(format!("--choice: expected one choice for {rule}, but found {other} and {name}")));
        }
    }
    Ok(asked)
}
