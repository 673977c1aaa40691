//! The registry of the formats.

use super::{Format, Method, Mutant, Reference, Reply};
use crate::open_points::OpenPoint;
use crate::settings::{ProfileName, Settings};

/// The formats that a suite has.
#[derive(Clone, Copy)]
pub struct Formats(&'static [Format]);

impl Formats {
    /// These formats.
    #[must_use]
    pub const fn new(formats: &'static [Format]) -> Formats {
        Formats(formats)
    }

    /// Every format, in the order of reports.
    pub fn all(self) -> impl DoubleEndedIterator<Item = Format> {
        self.0.iter().copied()
    }

    /// The format of this name.
    #[must_use]
    pub fn format(self, name: &str) -> Option<Format> {
        self.all().find(|format| format.name() == name)
    }

    /// The format that a rule, a case or a method belongs to, by its id or name.
    #[must_use]
    pub fn format_of(self, id: &str) -> Option<Format> {
        self.format(id.split(['.', '/']).next()?)
    }

    /// Every method, in the order of the formats and of the protocol's document.
    pub fn methods(self) -> impl Iterator<Item = Method> {
        self.all().flat_map(|format| format.0.methods()).copied()
    }

    /// Every profile, the default first.
    pub fn profiles(self) -> impl Iterator<Item = ProfileName> {
        self.all().flat_map(|format| format.0.profiles()).copied()
    }

    /// The profile of this name.
    #[must_use]
    pub fn profile(self, name: &str) -> Option<ProfileName> {
        self.profiles().find(|profile| profile.name() == name)
    }

    /// The names of all profiles.
    #[must_use]
    pub fn profile_names(self) -> Vec<&'static str> {
        self.profiles().map(ProfileName::name).collect()
    }

    /// The profile that applies if none is requested.
    ///
    /// # Panics
    ///
    /// If no format has profiles.
    #[must_use]
    pub fn default_profile(self) -> ProfileName {
        self.profiles().next().expect("a format has profiles")
    }

    /// Every open point, in the order of the documents.
    pub fn open_points(self) -> impl Iterator<Item = &'static OpenPoint> {
        self.all().flat_map(|format| format.0.open_points())
    }

    /// The open point of a rule.
    #[must_use]
    pub fn open_point(self, rule: &str) -> Option<&'static OpenPoint> {
        self.open_points().find(|point| point.rule == rule)
    }

    /// The names of all methods.
    #[must_use]
    pub fn method_names(self) -> Vec<&'static str> {
        self.methods().map(Method::name).collect()
    }

    /// The method of this name.
    #[must_use]
    pub fn method(self, name: &str) -> Option<Method> {
        self.methods().find(|method| method.name() == name)
    }

    /// Every mutant, in the order of the formats and their rules.
    pub fn mutants(self) -> impl Iterator<Item = Mutant> {
        self.all().flat_map(|format| format.mutants())
    }

    /// The mutant of this name.
    #[must_use]
    pub fn mutant(self, name: &str) -> Option<Mutant> {
        self.mutants().find(|mutant| mutant.name == name)
    }

    /// The references of all formats, which answer as these options say.
    #[must_use]
    pub fn reference(self, options: &Settings) -> Box<dyn Reference> {
        Box::new(References(self.all().map(|format| (format, format.reference(options))).collect()))
    }

    /// The references of all formats with this mutant's fault.
    #[must_use]
    pub fn reference_with(self, mutant: Mutant, options: &Settings) -> Box<dyn Reference> {
        let format = self.format_of(mutant.rule);
        Box::new(MutantSession { mutant, format, options: options.clone(), reference: self.reference(options) })
    }
}

/// A mutant in a session. The reference answers the requests that its fault does not affect.
struct MutantSession {
    mutant: Mutant,
    format: Option<Format>,
    options: Settings,
    reference: Box<dyn Reference>,
}

impl Reference for MutantSession {
    fn answer(&self, method: Method, params: &str) -> Reply {
        let is_its_own = self.format == Some(method.format());
        let answer = if is_its_own { self.mutant.fault.answer(method, params, &self.options) } else { None };
        answer.unwrap_or_else(|| self.reference.answer(method, params))
    }
}

/// The references of several formats.
struct References(Vec<(Format, Box<dyn Reference>)>);

impl Reference for References {
    fn answer(&self, method: Method, params: &str) -> Reply {
        let format = method.format();
        let (_, reference) = self.0.iter().find(|(known, _)| *known == format).expect("every format has a reference");
        reference.answer(method, params)
    }
}
