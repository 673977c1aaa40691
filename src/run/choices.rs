//! Choices: what an implementation does where the documents leave a point open.

use std::collections::BTreeMap;
use std::fmt;

use crate::nearest::did_you_mean;
use crate::rules;
use crate::settings::ProfileName;
use crate::settings::Settings;

/// The choice by which an implementation is judged, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedChoice {
    /// The choice's name.
    pub name: String,
    /// How it was resolved.
    pub by: ChoiceSource,
}

/// The source of a resolved choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceSource {
    /// The implementation declared it.
    Declaration,
    /// The answer to the case of this id, which fits no other choice.
    Case(String),
    /// The answer to the case of this id, which ruled out all choices but the resolved one and these. No answer
    /// distinguishes them.
    Narrowed {
        /// The case.
        case: String,
        /// The choices that are as possible as the resolved one, in the order of the rule.
        others: Vec<String>,
    },
}

impl ResolvedChoice {
    /// The choices that are still possible: one, unless answers only narrowed them down.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = match &self.by {
            ChoiceSource::Narrowed { others, .. } => &others[..],
            ChoiceSource::Declaration | ChoiceSource::Case(_) => &[],
        };
        std::iter::once(&self.name).chain(others).map(String::as_str)
    }

    /// Whether the choice of this name is still possible.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.names().any(|possible| possible == name)
    }

    /// The choices that are still possible, as text.
    #[must_use]
    pub fn shown(&self) -> String {
        self.names().collect::<Vec<_>>().join(" or ")
    }
}

/// A choice that cannot be requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceError(String);

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChoiceError {}

/// Reads `RULE=NAME`, a choice that the profile leaves open.
///
/// # Errors
///
/// Returns which rules and choices there are.
pub fn read_choice(text: &str, profile: ProfileName) -> Result<(String, String), ChoiceError> {
    let (id, name) =
        text.split_once('=').ok_or_else(|| ChoiceError(format!("expected RULE=NAME, but found `{text}`")))?;
    check_choice(id, name, profile).map_err(ChoiceError)?;
    Ok((id.to_owned(), name.to_owned()))
}

/// Checks that a rule has a choice of this name, and leaves it open in this profile.
pub(crate) fn check_choice(id: &str, name: &str, profile: ProfileName) -> Result<(), String> {
    let Some(rule) = rules::named(id).filter(|rule| rule.is_open()) else {
        let open: Vec<&str> = rules::all().iter().filter(|rule| rule.is_open()).map(|rule| rule.id.as_str()).collect();
        let question = did_you_mean(id, open.iter().copied());
        return Err(format!("expected an open rule ({}), but found `{id}`{question}", open.join(", ")));
    };
    if !rule.choices.iter().any(|known| known == name) {
        let (known, question) = (rule.choices.join(", "), did_you_mean(name, rule.choices.iter().map(String::as_str)));
        return Err(format!("expected one of the choices of {id} ({known}), but found `{name}`{question}"));
    }
    if !rule.open_in.contains(&profile) {
        return Err(format!("expected a rule that {profile} leaves open, but {id} is not"));
    }
    Ok(())
}

/// Returns the options of the reference with these choices.
#[must_use]
pub fn options(profile: ProfileName, choices: &BTreeMap<String, String>) -> Settings {
    let mut options = Settings::of(profile);
    for (id, name) in choices {
        // `read_choice` has checked these choices.
        let _ = options.choose(id, name);
    }
    options
}
