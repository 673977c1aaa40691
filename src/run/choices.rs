//! Choices: what an implementation does where the documents leave a point open.

use std::collections::BTreeMap;

use thiserror::Error;

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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChoiceError {
    /// The text is not `RULE=NAME`.
    #[error("expected RULE=NAME, but found `{0}`")]
    NoChoice(String),
    /// The rule is not open, or does not exist.
    #[error("expected an open rule ({known}), but found `{found}`{question}")]
    UnknownRule {
        /// The id.
        found: String,
        /// The ids of the open rules.
        known: String,
        /// Whether a similar id was meant.
        question: String,
    },
    /// The rule has no choice of this name.
    #[error("expected one of the choices of {rule} ({known}), but found `{found}`{question}")]
    UnknownName {
        /// The rule's id.
        rule: String,
        /// The name.
        found: String,
        /// The names of its choices.
        known: String,
        /// Whether a similar name was meant.
        question: String,
    },
    /// The profile does not leave the rule open.
    #[error("expected a rule that {profile} leaves open, but {rule} is not")]
    NotOpen {
        /// The rule's id.
        rule: String,
        /// The profile.
        profile: ProfileName,
    },
}

/// Reads `RULE=NAME`, a choice that the profile leaves open.
///
/// # Errors
///
/// Returns which rules and choices there are.
pub fn read_choice(text: &str, profile: ProfileName) -> Result<(String, String), ChoiceError> {
    let (id, name) = text.split_once('=').ok_or_else(|| ChoiceError::NoChoice(text.to_owned()))?;
    check_choice(id, name, profile)?;
    Ok((id.to_owned(), name.to_owned()))
}

/// Checks that a rule has a choice of this name, and leaves it open in this profile.
pub(crate) fn check_choice(id: &str, name: &str, profile: ProfileName) -> Result<(), ChoiceError> {
    let Some(rule) = rules::named(id).filter(|rule| rule.is_open()) else {
        let open: Vec<&str> = rules::all().iter().filter(|rule| rule.is_open()).map(|rule| rule.id.as_str()).collect();
        let question = did_you_mean(id, open.iter().copied());
        return Err(ChoiceError::UnknownRule { found: id.to_owned(), known: open.join(", "), question });
    };
    if !rule.choices.iter().any(|known| known == name) {
        let (known, question) = (rule.choices.join(", "), did_you_mean(name, rule.choices.iter().map(String::as_str)));
        return Err(ChoiceError::UnknownName { rule: id.to_owned(), found: name.to_owned(), known, question });
    }
    if !rule.open_in.contains(&profile) {
        return Err(ChoiceError::NotOpen { rule: id.to_owned(), profile });
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
