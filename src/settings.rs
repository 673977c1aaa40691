//! The settings that a run requests of an implementation: a profile, and a choice on each open point.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::formats::FORMATS;

/// The name of a profile, as the definition of its format gives it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileName(&'static str);

impl ProfileName {
    /// The name of a profile that a format defines.
    #[must_use]
    pub const fn new(name: &'static str) -> ProfileName {
        ProfileName(name)
    }

    /// The name in case files, on the command line and in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl Default for ProfileName {
    fn default() -> ProfileName {
        FORMATS.default_profile()
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A text that names no profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected one of {}", FORMATS.profile_names().join(", "))]
pub struct UnknownProfile;

impl FromStr for ProfileName {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<ProfileName, UnknownProfile> {
        FORMATS.profile(name).ok_or(UnknownProfile)
    }
}

/// A profile with a choice on each open point. The default is the default profile with the first choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    profile: ProfileName,
    /// The choices that are not the first of their points, by rule id.
    choices: BTreeMap<&'static str, &'static str>,
}

impl Settings {
    /// This profile with the first choice on each open point.
    #[must_use]
    pub fn of(profile: ProfileName) -> Settings {
        Settings { profile, choices: BTreeMap::new() }
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> ProfileName {
        self.profile
    }

    /// The name of the choice on a rule's open point; `None` if the rule leaves none open.
    #[must_use]
    pub fn chosen(&self, rule: &str) -> Option<&'static str> {
        let chosen = self.choices.get(rule).copied();
        chosen.or_else(|| FORMATS.open_point(rule).map(|point| point.names[0]))
    }

    /// Makes the choice of this name on a rule's open point; `false` if there is none of that name.
    #[must_use]
    pub fn choose(&mut self, rule: &str, name: &str) -> bool {
        let Some(point) = FORMATS.open_point(rule) else { return false };
        let Some(at) = point.names.iter().position(|known| *known == name) else { return false };
        if at == 0 {
            self.choices.remove(point.rule);
        } else {
            self.choices.insert(point.rule, point.names[at]);
        }
        true
    }

    /// The choices that are not the first of their points, by rule id.
    pub fn other_choices(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.choices.iter().map(|(rule, name)| (*rule, *name))
    }
}
