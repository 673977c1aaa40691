//! Reads a case file into a complete and typed case that can be run.

use std::collections::BTreeMap;

use regex::Regex;
use semver::Version;
use serde_json::value::RawValue;
use thiserror::Error;

use super::locate::Place;
use super::wire::{CaseFile, Expect, Scale};
use crate::format::{Format, Method};
use crate::formats::FORMATS;
use crate::json::{self, Json, JsonString, Pointer, PointerError};
use crate::protocol::{ParamsError, RefusalKind};
use crate::rules::Level;
use crate::settings::ProfileName;

/// A test case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id: the path of its file in the corpus, without `.json`.
    pub id: String,
    /// Why it exists.
    pub about: String,
    /// Whether a person still has to decide its expectation.
    pub unreviewed: bool,
    /// The rules that it tests, the most important first. The loader does not check whether they exist; lint does.
    pub rules: Vec<String>,
    /// How much a wrong answer matters.
    pub level: Level,
    /// The version of the suite that added it.
    pub since: Version,
    /// The profiles in which it runs.
    pub profiles: Vec<ProfileName>,
    /// The method of the request.
    pub method: Method,
    /// The params: JSON text on one line, sent unchanged.
    pub params: String,
    /// The expected result.
    pub expectation: Expectation,
    /// Places in the result that are matched with a pattern instead of being compared.
    pub matchers: Vec<Matcher>,
    /// The members of a result that count; `None` if all of them do. Case files compare whole results; a fixture lists
    /// what counts.
    pub members: Option<Vec<&'static str>>,
    /// Other params that must get the same answer.
    pub same: Option<String>,
    /// The text of its file.
    pub source: String,
}

/// The expected result.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// One of these answers: just one, if no open point affects the case.
    Answer(Vec<CaseOption>),
    /// Any answer, in a time that grows no faster than the params.
    Scale(Scale),
}

/// One right answer.
#[derive(Clone, Debug)]
pub struct CaseOption {
    /// The answer.
    pub outcome: Outcome,
    /// The choices with which it is right, by the rule's id.
    pub choices: BTreeMap<String, String>,
    /// A warning about an implementation that answers so.
    pub warning: Option<String>,
}

/// An answer that a case expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A result.
    Result(Json),
    /// A refusal.
    Refusal(RefusalKind),
}

/// A place in the result and the pattern that the string there must match.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// The place.
    pub pointer: Pointer,
    /// The pattern.
    pub pattern: Regex,
}

/// The topic of sampled requests, which no case file has.
pub const SAMPLED_TOPIC: &str = "sampled";

impl Case {
    /// Whether it is a sampled request, and not written by a person.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.topic() == SAMPLED_TOPIC
    }

    /// The topic: the folder of the case within its format.
    #[must_use]
    pub fn topic(&self) -> &str {
        self.id.split('/').nth(1).unwrap_or("")
    }

    /// The params of its requests: one text, or two that must get the same answer.
    pub fn requests(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.params).chain(&self.same).map(String::as_str)
    }

    /// The options of the expected answer; none for a case about cost.
    #[must_use]
    pub fn options(&self) -> &[CaseOption] {
        match &self.expectation {
            Expectation::Answer(options) => options,
            Expectation::Scale(_) => &[],
        }
    }
}

/// Why a case file cannot be used.
#[derive(Debug, Error)]
#[error("{place}: {fault}")]
pub struct CaseError {
    /// The place in the file.
    pub place: Place,
    /// What was expected, and what was found.
    #[source]
    pub fault: CaseFault,
}

/// A fault of a case file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CaseFault {
    /// The file is a list.
    #[error("expected an object, but found a list")]
    List,
    /// The members are not those of a case: the parser's message, without the place.
    #[error("{0}")]
    Members(String),
    /// No format has the method.
    #[error("expected a method ({known}), but found `{found}`")]
    UnknownMethod {
        /// The name.
        found: String,
        /// The names of all methods.
        known: String,
    },
    /// `since` is no version.
    #[error("expected a version such as 0.1.0 in `since`: {0}")]
    Since(#[source] semver::Error),
    /// No format has the profile.
    #[error("expected one of {known} in `profiles`, but found `{found}`")]
    UnknownProfile {
        /// The name.
        found: String,
        /// The names of all profiles.
        known: String,
    },
    /// The format of the method has no profiles.
    #[error("expected no `profiles`, on which no rule of {0} depends, but found some")]
    Profiles(Format),
    /// The params do not fit the method.
    #[error("expected params of {method}: {source}")]
    Params {
        /// The method.
        method: Method,
        /// Why they do not fit.
        source: ParamsError,
    },
    /// Both `expect` and `scale` are there.
    #[error("expected no `expect` beside `scale`, but found one")]
    ExpectBesideScale,
    /// Neither `expect` nor `scale` is there.
    #[error("expected `expect` or `scale`, but found neither")]
    NoExpectation,
    /// A value nests too deep.
    #[error(transparent)]
    Json(#[from] json::Error),
    /// A text of `text` is not JSON.
    #[error("expected JSON text for `{pointer}`: {source}")]
    Text {
        /// The place of the text in the params.
        pointer: String,
        /// Why it is not JSON.
        source: json::Error,
    },
    /// A text is no JSON pointer.
    #[error(transparent)]
    Pointer(#[from] PointerError),
    /// A pointer leads to nothing.
    #[error("expected something at `{pointer}` in the {within}, but found nothing")]
    NothingAt {
        /// The pointer.
        pointer: String,
        /// The value in which it should lead to something.
        within: &'static str,
    },
    /// Not exactly one form of the expectation is there.
    #[error("expected exactly one of `result`, `error` and `one_of`, but found {0}")]
    Forms(usize),
    /// `one_of` has less than two options.
    #[error("expected at least two options in `one_of`, but found {0}")]
    Options(usize),
    /// An option has both a result and an error, or neither.
    #[error("expected exactly one of `result` and `error` in each option")]
    OptionForms,
    /// An option has no choices.
    #[error("expected the choices of each option, but found an empty object")]
    NoChoices,
    /// A result has a member that results of the method do not have.
    #[error("expected only {known} in a result of {method}, but found {found}")]
    UnknownMember {
        /// The method.
        method: Method,
        /// The name of the member.
        found: JsonString,
        /// The members of its results.
        known: String,
    },
    /// A result is no object, but a value of this kind.
    #[error("expected an object as result, but found {0}")]
    Result(&'static str),
    /// A refusal is of no known kind.
    #[error("expected an error kind ({known}), but found `{found}`")]
    UnknownRefusal {
        /// The kind.
        found: String,
        /// All kinds.
        known: String,
    },
    /// The params have no string at the place that grows.
    #[error("expected a string at `{0}` in the params, but found none")]
    NoString(String),
    /// `scale` does not say how the params grow.
    #[error("expected a unit and at least two growing `times`")]
    Scale,
    /// A pattern is no regular expression: the last line of the parser's message.
    #[error("expected a pattern at `{pointer}`: {why}")]
    Pattern {
        /// The place in the result that the pattern should match.
        pointer: String,
        /// Why it is none.
        why: String,
    },
    /// A case about cost has patterns.
    #[error("expected no `match` in a case about cost, but found one")]
    MatchOfCost,
}

/// Reads the case of this id from the text of its file.
///
/// # Errors
///
/// Returns the place in the file and what was expected there.
pub fn read_case(id: &str, source: &str) -> Result<Case, CaseError> {
    // serde would accept a list of the members in their order.
    if source.trim_start().starts_with('[') {
        return Err(CaseError { place: Place::START, fault: CaseFault::List });
    }
    let file: CaseFile = serde_json::from_str(source).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
        CaseError {
            place: Place { line: error.line().max(1), column: error.column().max(1) },
            fault: CaseFault::Members(message),
        }
    })?;
    let error = |word: &str, fault: CaseFault| CaseError { place: Place::of_word(source, word), fault };
    let method = FORMATS.method(&file.method).ok_or_else(|| {
        let known = FORMATS.method_names().join(", ");
        error(&file.method, CaseFault::UnknownMethod { found: file.method.clone(), known })
    })?;
    let since = Version::parse(&file.since).map_err(|why| error("since", CaseFault::Since(why)))?;
    if file.profiles.is_some() && !method.format().has_profiles() {
        return Err(error("profiles", CaseFault::Profiles(method.format())));
    }
    let profiles = match &file.profiles {
        None => FORMATS.profiles().collect(),
        Some(names) => {
            let read = |name: &String| {
                let known = FORMATS.profile_names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
                let fault = CaseFault::UnknownProfile { found: name.clone(), known: known.join(", ") };
                FORMATS.profile(name).ok_or_else(|| error(name, fault))
            };
            names.iter().map(read).collect::<Result<_, _>>()?
        }
    };
    let params = one_line(&file.params, file.text.as_ref()).map_err(|fault| error("text", fault))?;
    let same = file.same.map(|same| one_line(&same, None)).transpose().map_err(|fault| error("same", fault))?;
    for (word, params) in [("params", Some(&params)), ("same", same.as_ref())] {
        if let Some(params) = params {
            (method.params.check)(params).map_err(|source| error(word, CaseFault::Params { method, source }))?;
        }
    }
    let expectation = match (file.expect, file.scale) {
        (Some(expect), None) => Expectation::Answer(options(method, expect).map_err(|fault| error("expect", fault))?),
        (None, Some(scale)) => {
            check_scale(&scale, &params).map_err(|fault| error("scale", fault))?;
            Expectation::Scale(scale)
        }
        (Some(_), Some(_)) => {
            return Err(error("scale", CaseFault::ExpectBesideScale));
        }
        (None, None) => return Err(error("method", CaseFault::NoExpectation)),
    };
    let matchers = file.matches.unwrap_or_default().into_iter().map(|(pointer, pattern)| {
        let matcher = matcher(&pointer, &pattern, &expectation);
        matcher.map_err(|fault| error(&pointer, fault))
    });
    Ok(Case {
        id: id.to_owned(),
        about: file.about,
        unreviewed: file.unreviewed,
        rules: file.rules,
        level: file.level,
        since,
        profiles,
        method,
        params,
        matchers: matchers.collect::<Result<_, _>>()?,
        members: None,
        expectation,
        same,
        source: source.to_owned(),
    })
}

/// Returns params as JSON text on one line. Inserted JSON text is unchanged, except for line ends between its tokens,
/// which would break the protocol's lines.
fn one_line(params: &RawValue, text: Option<&BTreeMap<String, String>>) -> Result<String, CaseFault> {
    // One level less than a line may have, which contains the params.
    let mut value = json::parse_within(params.get(), json::MAX_DEPTH - 1)?;
    let mut spliced = Vec::new();
    for (index, (pointer, text)) in text.into_iter().flatten().enumerate() {
        if let Err(source) = json::parse(text) {
            return Err(CaseFault::Text { pointer: pointer.clone(), source });
        }
        let place: Pointer = pointer.parse()?;
        let Some(target) = place.find_mut(&mut value) else {
            return Err(CaseFault::NothingAt { pointer: pointer.clone(), within: "params" });
        };
        // A placeholder for the text until the params are written; no case contains it by chance.
        let stand_in = format!("\u{0}text {index}\u{0}");
        *target = Json::from(stand_in.as_str());
        spliced.push((Json::from(stand_in).to_ascii(), text.replace(['\n', '\r'], " ")));
    }
    let written = value.to_ascii();
    Ok(spliced.iter().fold(written, |written, (stand_in, text)| written.replacen(stand_in, text, 1)))
}

fn options(method: Method, expect: Expect) -> Result<Vec<CaseOption>, CaseFault> {
    let Expect { result, error, one_of } = expect;
    let given = [result.is_some(), error.is_some(), one_of.is_some()].into_iter().filter(|given| *given).count();
    if given != 1 {
        return Err(CaseFault::Forms(given));
    }
    let Some(one_of) = one_of else {
        return Ok(vec![CaseOption {
            outcome: outcome(method, result, error)?,
            choices: BTreeMap::new(),
            warning: None,
        }]);
    };
    if one_of.len() < 2 {
        return Err(CaseFault::Options(one_of.len()));
    }
    let options = one_of.into_iter().map(|option| {
        if option.result.is_some() == option.error.is_some() {
            return Err(CaseFault::OptionForms);
        }
        if option.choices.is_empty() {
            return Err(CaseFault::NoChoices);
        }
        let outcome = outcome(method, option.result, option.error)?;
        Ok(CaseOption { outcome, choices: option.choices, warning: option.warn })
    });
    options.collect()
}

fn outcome(method: Method, result: Option<Box<RawValue>>, error: Option<String>) -> Result<Outcome, CaseFault> {
    match (result, error) {
        (Some(result), _) => match json::parse(result.get())? {
            Json::Object(members) => {
                let known = method.result.members;
                match members.iter().find(|(name, _)| !name.as_str().is_some_and(|name| known.contains(&name))) {
                    Some((name, _)) => {
                        let known = known.join(", ");
                        Err(CaseFault::UnknownMember { method, found: name.clone(), known })
                    }
                    None => Ok(Outcome::Result(Json::Object(members))),
                }
            }
            other => Err(CaseFault::Result(other.kind())),
        },
        (None, kind) => {
            let kind = kind.unwrap_or_default();
            kind.parse().map(Outcome::Refusal).map_err(|_| {
                let known = RefusalKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
                CaseFault::UnknownRefusal { found: kind, known }
            })
        }
    }
}

fn check_scale(scale: &Scale, params: &str) -> Result<(), CaseFault> {
    let params = json::parse(params)?;
    let place: Pointer = scale.at.parse()?;
    if place.find(&params).and_then(Json::as_str).is_none() {
        return Err(CaseFault::NoString(scale.at.clone()));
    }
    if scale.times.len() < 2 || !scale.times.is_sorted_by(|a, b| a < b) || scale.unit.is_empty() {
        return Err(CaseFault::Scale);
    }
    Ok(())
}

fn matcher(pointer: &str, pattern: &str, expectation: &Expectation) -> Result<Matcher, CaseFault> {
    let place: Pointer = pointer.parse()?;
    let pattern = Regex::new(pattern).map_err(|why| {
        let why = why.to_string();
        let last_line = why.lines().last().unwrap_or("").trim_start_matches("error: ");
        CaseFault::Pattern { pointer: pointer.to_owned(), why: last_line.to_owned() }
    })?;
    let Expectation::Answer(options) = expectation else {
        return Err(CaseFault::MatchOfCost);
    };
    for option in options {
        if let Outcome::Result(result) = &option.outcome
            && place.find(result).is_none()
        {
            return Err(CaseFault::NothingAt { pointer: pointer.to_owned(), within: "expected result" });
        }
    }
    Ok(Matcher { pointer: place, pattern })
}
