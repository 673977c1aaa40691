//! Checks cases for mistakes: each alone, and several together.

use std::collections::{BTreeMap, HashMap};

use semver::Version;
use strum::{Display, IntoStaticStr, VariantArray};

use super::locate::Place;
use super::shape::shape;
use super::{Case, Corpus, Expectation};
use crate::SUITE;
use crate::formats::FORMATS;
use crate::rules::{self, Level, Rule};

/// A warning of lint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintWarning {
    /// The id of the case; for an alias, the old id.
    pub id: String,
    /// The place in its file.
    pub place: Place,
    /// The kind of warning.
    pub code: LintCode,
    /// What was expected, and what was found.
    pub message: String,
}

/// The kinds of warnings about cases that can be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum LintCode {
    /// `about` is empty.
    EmptyAbout,
    /// Its expectation is not reviewed yet.
    Unreviewed,
    /// The id is not `format/topic/name` in lower case.
    BadId,
    /// The file contains characters that should be escapes.
    RawCharacter,
    /// No rule is listed.
    NoRules,
    /// A rule is listed twice.
    RuleTwice,
    /// A rule that no document has.
    UnknownRule,
    /// A derived rule, which is checked on other rules' cases.
    DerivedRule,
    /// The level is not that of the weakest rule.
    WrongLevel,
    /// A version that the suite has not reached.
    FutureVersion,
    /// A profile in which none of the rules applies, or no profile at all.
    UnreachableProfile,
    /// A rule about cost without a `scale`, or a `scale` without such a rule.
    CostWithoutScale,
    /// An open rule, and no choices for it.
    OpenWithoutOneOf,
    /// A choice for a rule that is not listed, not open there, or has no such choice.
    BadChoice,
    /// Two options with the same choices.
    EqualOptions,
    /// The same method, params and profile as another case.
    DuplicateInput,
    /// The same rules, sections and lines as another case: they differ in names alone.
    SimilarCase,
    /// An old id that leads to no case, or to two.
    BadAlias,
}

impl LintCode {
    /// Every code.
    pub const ALL: &[LintCode] = LintCode::VARIANTS;

    /// The name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Returns all warnings about these cases, in the order of their ids.
#[must_use]
pub fn lint(corpus: &Corpus) -> Vec<LintWarning> {
    let mut findings = Vec::new();
    for case in &corpus.cases {
        lint_case(case, &mut |word, code, message| {
            let place = Place::of_word(&case.source, word);
            findings.push(LintWarning { id: case.id.clone(), place, code, message });
        });
        if let Some(at) = case.source.find(|character: char| !matches!(character, ' '..='~' | '\n')) {
            let character = case.source[at..].chars().next().unwrap_or_default();
            findings.push(LintWarning {
                id: case.id.clone(),
                place: Place::of_offset(&case.source, at),
                code: LintCode::RawCharacter,
                message: format!("expected an escape, but found U+{:04X} as it is", u32::from(character)),
            });
        }
    }
    lint_pairs(corpus, &mut findings);
    lint_aliases(corpus, &mut findings);
    findings.sort_by(|a, b| (&a.id, a.place, a.code).cmp(&(&b.id, b.place, b.code)));
    findings
}

/// Takes a word that occurs in quotes at the place of the warning, its code and its text.
type Report<'r> = dyn FnMut(&str, LintCode, String) + 'r;

fn lint_case(case: &Case, report: &mut Report<'_>) {
    if case.about.trim().len() < 20 {
        report("about", LintCode::EmptyAbout, "expected a sentence that says why the case exists".to_owned());
    }
    if case.unreviewed {
        let message = "expected a reviewed expectation without `unreviewed`, but found an unreviewed one".to_owned();
        report("unreviewed", LintCode::Unreviewed, message);
    }
    let format = case.method.format();
    if !is_well_formed_id(&case.id) || FORMATS.format_of(&case.id) != Some(format) {
        let message = format!("expected an id `{format}/topic/name` of a-z, 0-9 and `-`, but found `{}`", case.id);
        report("method", LintCode::BadId, message);
    }
    let suite = Version::parse(SUITE).unwrap_or(Version::new(0, 0, 0));
    if case.since > suite {
        let message = format!("expected a version up to {suite}, but found {}", case.since);
        report("since", LintCode::FutureVersion, message);
    }
    let rules = lint_rules(case, report);
    lint_profiles(case, &rules, report);
    lint_choices(case, &rules, report);
    let has_scale = matches!(case.expectation, Expectation::Scale(_));
    if !rules.is_empty() && has_scale != rules.iter().any(|rule| rule.is_about_cost()) {
        let (has, lacks) = if has_scale { ("scale", "a rule about cost") } else { ("rules", "a `scale`") };
        report(has, LintCode::CostWithoutScale, format!("expected {lacks} as well, but found none"));
    }
}

/// Whether an id is `format/topic/name`, each of a-z, 0-9 and `-`.
#[must_use]
pub fn is_well_formed_id(id: &str) -> bool {
    let is_sound = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    id.split('/').count() == 3 && id.split('/').all(is_sound)
}

fn lint_rules<'r>(case: &Case, report: &mut Report<'_>) -> Vec<&'r Rule> {
    if case.rules.is_empty() {
        report("rules", LintCode::NoRules, "expected at least one rule".to_owned());
    }
    let mut rules = Vec::new();
    for (index, id) in case.rules.iter().enumerate() {
        if case.rules[..index].contains(id) {
            report(id, LintCode::RuleTwice, format!("expected each rule once, but found `{id}` again"));
        }
        match rules::named(id) {
            None => {
                report(id, LintCode::UnknownRule, format!("expected a rule of the specification, but found `{id}`"))
            }
            Some(rule) if rule.derived => {
                let message = format!("expected a rule that cases test, but `{id}` is derived from other rules' cases");
                report(id, LintCode::DerivedRule, message);
            }
            Some(rule) => rules.push(rule),
        }
    }
    let weakest = rules.iter().map(|rule| rule.level).min().unwrap_or(Level::Must);
    if !rules.is_empty() && weakest != case.level {
        let message = format!("expected the level of the weakest rule, {weakest}, but found {}", case.level);
        report("level", LintCode::WrongLevel, message);
    }
    rules
}

fn lint_profiles(case: &Case, rules: &[&Rule], report: &mut Report<'_>) {
    if case.profiles.is_empty() {
        report("profiles", LintCode::UnreachableProfile, "expected a profile, but found none".to_owned());
    }
    for profile in &case.profiles {
        if !rules.is_empty() && !rules.iter().any(|rule| rule.applies_in(*profile)) {
            let message = format!("expected a rule that applies in {profile}, where the case runs, but found none");
            report("rules", LintCode::UnreachableProfile, message);
        }
    }
}

fn lint_choices(case: &Case, rules: &[&Rule], report: &mut Report<'_>) {
    let chosen: Vec<&BTreeMap<String, String>> = case.options().iter().map(|option| &option.choices).collect();
    for rule in rules.iter().filter(|rule| rule.is_open()) {
        let open_here = case.profiles.iter().any(|profile| rule.open_in.contains(profile));
        if open_here && !chosen.iter().any(|choices| choices.contains_key(&rule.id)) {
            let message = format!("expected `one_of` with choices for the open rule `{}`, but found none", rule.id);
            report(&rule.id, LintCode::OpenWithoutOneOf, message);
        }
    }
    for (id, name) in chosen.iter().flat_map(|choices| choices.iter()) {
        let found = match rules.iter().find(|rule| rule.id == *id) {
            None => format!("`{id}`, which is not among the rules of the case"),
            Some(rule) if !rule.choices.contains(name) => {
                format!("`{name}`; `{id}` has {}", rule.choices.join(" and "))
            }
            Some(rule) => match case.profiles.iter().find(|profile| !rule.open_in.contains(profile)) {
                Some(profile) => format!("`{id}`, which is not open in {profile}, where the case runs"),
                None => continue,
            },
        };
        report(id, LintCode::BadChoice, format!("expected choices of open rules of the case, but found {found}"));
    }
    for (index, option) in case.options().iter().enumerate() {
        if case.options()[..index].iter().any(|before| before.choices == option.choices) {
            let message = format!("expected other choices in each option, but option {} repeats some", index + 1);
            report("one_of", LintCode::EqualOptions, message);
        }
    }
}

fn lint_pairs(corpus: &Corpus, findings: &mut Vec<LintWarning>) {
    let mut inputs: HashMap<(String, &str, &str), &Case> = HashMap::new();
    let mut shapes: HashMap<(Vec<&str>, String), &Case> = HashMap::new();
    // A case about cost grows from its params; the initial ones may occur elsewhere too.
    for case in corpus.cases.iter().filter(|case| matches!(case.expectation, Expectation::Answer(_))) {
        let mut report = |other: &Case, code, what: &str| {
            let place = Place::of_word(&case.source, "params");
            let message = format!("expected {what}, but `{}` has the same", other.id);
            findings.push(LintWarning { id: case.id.clone(), place, code, message });
        };
        let twin = case
            .profiles
            .iter()
            .find_map(|profile| inputs.insert((profile.to_string(), case.method.name(), &case.params), case));
        if let Some(other) = twin {
            report(other, LintCode::DuplicateInput, "an input of its own");
            continue;
        }
        let mut rules: Vec<&str> = case.rules.iter().map(String::as_str).collect();
        rules.sort_unstable();
        if let Some(other) = shapes.insert((rules, shape(case)), case) {
            report(other, LintCode::SimilarCase, "other rules, sections or lines");
        }
    }
}

fn lint_aliases(corpus: &Corpus, findings: &mut Vec<LintWarning>) {
    for (old, id) in &corpus.aliases {
        let message = if corpus.cases.iter().any(|case| case.id == *old) {
            format!("expected an id that no case has now, but `{old}` is a case")
        } else if !corpus.cases.iter().any(|case| case.id == *id) {
            format!("expected the id of a case, but found `{id}`")
        } else {
            continue;
        };
        findings.push(LintWarning { id: old.clone(), place: Place::START, code: LintCode::BadAlias, message });
    }
}
