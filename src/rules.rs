//! The catalogue of rules. The specification is its only source: ids, levels, profiles, choices and the text that
//! reports show are read from `spec/*.md`, which are compiled in.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use thiserror::Error;

use crate::formats::FORMATS;
use crate::settings::ProfileName;

/// How important a rule is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    Display,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// A violation is only noted, and fails nothing.
    May,
    /// A violation is a warning.
    Should,
    /// A violation fails the run.
    Must,
}

impl Level {
    /// The word in case files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A rule, as in its section of the specification.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id: the format, the topic and the name, with dots between them.
    pub id: String,
    /// How important it is. An open rule counts as [`Level::Must`]: an implementation must keep to one of its choices.
    pub level: Level,
    /// The profiles in which it applies; empty for a format without profiles.
    pub profiles: Vec<ProfileName>,
    /// Where it comes from.
    pub source: String,
    /// The names of its choices, the reference's default first; empty for a rule that is not open.
    pub choices: Vec<String>,
    /// The profiles in which it is open; all of them for an open rule of a format without profiles.
    pub open_in: Vec<ProfileName>,
    /// The names of inputs for which it specifies no answer.
    pub unspecified: Vec<String>,
    /// Whether it is checked on other rules' cases, and has none of its own.
    pub derived: bool,
    /// The rule in a few sentences: the first paragraph of its section.
    pub text: String,
    /// Requests and what they must give.
    pub examples: Vec<Example>,
}

impl Rule {
    /// Whether the documents leave this point open in some profile.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Whether it applies in this profile; a rule of a format without profiles applies in each.
    #[must_use]
    pub fn applies_in(&self, profile: ProfileName) -> bool {
        self.profiles.is_empty() || self.profiles.contains(&profile)
    }

    /// The level, or `open`.
    #[must_use]
    pub fn level_name(&self) -> &'static str {
        if self.is_open() { "open" } else { self.level.name() }
    }

    /// Whether it is about the time of an answer, which only a clock can measure.
    #[must_use]
    pub fn is_about_cost(&self) -> bool {
        self.id.split('.').nth(1) == Some("cost")
    }
}

/// An example of the specification.
#[derive(Clone, Debug)]
pub struct Example {
    /// The line of the document on which it starts, from 1.
    pub line: usize,
    /// The profile in which it applies.
    pub profile: ProfileName,
    /// The choices with which it applies, by rule id.
    pub choices: BTreeMap<String, String>,
    /// The method's name.
    pub method: String,
    /// The params, as JSON text.
    pub params: String,
    /// Places of the result, as JSON pointers, and the patterns that the texts there have to match.
    pub matches: Vec<(String, String)>,
    /// What comes back.
    pub outcome: ExampleOutcome,
}

/// What an example gives.
#[derive(Clone, Debug)]
pub enum ExampleOutcome {
    /// A result, as JSON text.
    Result(String),
    /// A refusal of this kind.
    Error(String),
}

static CATALOGUE: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let documents = FORMATS.all().map(|format| format.document());
    let rules = documents.flat_map(|document| match read_document(document.text) {
        Ok(rules) => rules,
        // A test reads every document; none that is compiled in can fail here.
        Err(error) => panic!("{}, {error}", document.path),
    });
    rules.collect()
});

/// Every rule, in the order of the documents.
#[must_use]
pub fn all() -> &'static [Rule] {
    &CATALOGUE
}

/// The rule of this id.
#[must_use]
pub fn named(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().find(|rule| rule.id == id)
}

/// Why a document is not a list of rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct DocumentError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub message: String,
}

/// Reads the rules of a document: a `###` heading for each, a list of facts, the text, and examples in fenced
/// blocks marked `example`. The facts are `level`, `profiles`, `source`, `choices`, `open-in`,
/// `derived`, and `unspecified`, which names inputs for which the rule specifies no answer.
///
/// # Errors
///
/// Returns the line and what was expected.
pub fn read_document(text: &str) -> Result<Vec<Rule>, DocumentError> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).peekable();
    let mut in_rule = false;
    while let Some((at, line)) = lines.next() {
        if let Some(id) = line.strip_prefix("### ") {
            in_rule = true;
            rules.push(Rule {
                id: id.trim().to_owned(),
                level: Level::Must,
                profiles: Vec::new(),
                source: String::new(),
                choices: Vec::new(),
                open_in: Vec::new(),
                unspecified: Vec::new(),
                derived: false,
                text: String::new(),
                examples: Vec::new(),
            });
            continue;
        }
        if line.starts_with("## ") {
            in_rule = false;
        }
        let fence = line.strip_prefix("```");
        let block: Option<Vec<(usize, &str)>> =
            fence.map(|_| lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect());
        let Some(rule) = rules.last_mut().filter(|_| in_rule) else { continue };
        if let Some(block) = block {
            if fence == Some("example") {
                read_examples(&block, &mut rule.examples)?;
            }
        } else if let Some((key, value)) = line.strip_prefix("- ").and_then(|fact| fact.split_once(": ")) {
            if rule.text.is_empty() {
                read_fact(rule, key, value).map_err(|error| DocumentError { line: at, message: error.to_string() })?;
            }
        } else if rule.text.is_empty() && !line.trim().is_empty() {
            let mut paragraph = vec![line.trim()];
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
                paragraph.push(line.trim());
            }
            rule.text = paragraph.join(" ");
        }
    }
    // Without profiles, an open rule is open in every run.
    for rule in rules.iter_mut().filter(|rule| rule.is_open() && rule.profiles.is_empty()) {
        rule.open_in = FORMATS.profiles().collect();
    }
    Ok(rules)
}

/// Why a line is no fact of a rule.
#[derive(Debug, Error)]
enum FactError {
    #[error("expected a profile, but found `{0}`")]
    NoProfile(String),
    #[error("expected `must`, `should`, `may` or `open`, but found `{0}`")]
    Level(String),
    #[error("expected a fact of a rule, but found `{0}`")]
    Key(String),
}

fn read_fact(rule: &mut Rule, key: &str, value: &str) -> Result<(), FactError> {
    let words = || value.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
    let profiles = || {
        let read = |name: String| name.parse::<ProfileName>().map_err(|_| FactError::NoProfile(name));
        words().into_iter().map(read).collect::<Result<Vec<_>, _>>()
    };
    match key {
        "level" => {
            rule.level = match value {
                "open" => Level::Must,
                level => level.parse().map_err(|_| FactError::Level(level.to_owned()))?,
            }
        }
        "profiles" => rule.profiles = profiles()?,
        "open-in" => rule.open_in = profiles()?,
        "source" => rule.source = value.to_owned(),
        "choices" => rule.choices = words(),
        "unspecified" => rule.unspecified = words(),
        "derived" => rule.derived = true,
        _ => return Err(FactError::Key(key.to_owned())),
    }
    Ok(())
}

fn read_examples(block: &[(usize, &str)], examples: &mut Vec<Example>) -> Result<(), DocumentError> {
    let mut profile = ProfileName::default();
    let mut choices = BTreeMap::new();
    let mut matches = Vec::new();
    let mut asked: Option<(usize, &str, &str)> = None;
    for (line, text) in block.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let expected =
            |what: &str| DocumentError { line: *line, message: format!("expected {what}, but found `{text}`") };
        if let Some(name) = text.strip_prefix("profile ") {
            profile = name.trim().parse().map_err(|_| expected("a profile"))?;
        } else if let Some(choice) = text.strip_prefix("choice ") {
            let (rule, name) = choice.split_once('=').ok_or_else(|| expected("`choice RULE = NAME`"))?;
            choices.insert(rule.trim().to_owned(), name.trim().to_owned());
        } else if let Some(place) = text.strip_prefix("match ") {
            let (pointer, pattern) = place.split_once(' ').ok_or_else(|| expected("`match POINTER PATTERN`"))?;
            matches.push((pointer.to_owned(), pattern.to_owned()));
        } else if let Some(outcome) = text.strip_prefix("=> ") {
            let (line, method, params) = asked.take().ok_or_else(|| expected("a request before its outcome"))?;
            let outcome = match outcome.strip_prefix("error ") {
                Some(kind) => ExampleOutcome::Error(kind.trim().to_owned()),
                None => ExampleOutcome::Result(outcome.to_owned()),
            };
            let (method, params) = (method.to_owned(), params.to_owned());
            let (choices, matches) = (choices.clone(), matches.clone());
            examples.push(Example { line, profile, choices, method, params, matches, outcome });
        } else {
            let (method, params) = text.split_once(' ').ok_or_else(|| expected("a method and its params"))?;
            asked = Some((*line, method, params));
        }
    }
    match asked {
        Some((line, ..)) => {
            Err(DocumentError { line, message: "expected `=>` and the outcome after a request".to_owned() })
        }
        None => Ok(()),
    }
}
