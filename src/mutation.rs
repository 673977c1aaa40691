//! Mutation testing: runs the cases and derived checks against every mutant, and finds which of them kill it, and which
//! mutants survive. It reads no clock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crate::adapter::{InProcess, InProcessAdapter};
use crate::case::{Case, Corpus, Expectation};
use crate::checks::Check;
use crate::format::Format;
use crate::format::Mutant;
use crate::formats::FORMATS;
use crate::parallel::in_parallel;
use crate::rules::{self, Level, Rule};
use crate::run::derived::{all_checks, run_these_checks};
use crate::run::{Plan, RunResult, Verdict, execute, options};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// The result of running the suite against the mutants.
#[derive(Clone, Debug)]
pub struct MutationReport<'c> {
    /// Each mutant in each profile in which its rule applies, in the order of the mutants.
    pub runs: Vec<MutantRun>,
    /// Rules of level must or should without a mutant.
    pub rules_without_mutant: Vec<&'static Rule>,
    /// Ineffective cases, each with a rule that it lists although it kills none of that rule's mutants; none if not all
    /// mutants were tried.
    pub ineffective: Vec<(&'c Case, String)>,
    /// The number of runs in a complete run.
    pub due: usize,
}

/// A mutant in a profile.
#[derive(Clone, Debug)]
pub struct MutantRun {
    /// The mutant.
    pub mutant: Mutant,
    /// The profile in which it ran: the default one where its rule depends on none.
    pub profile: ProfileName,
    /// The cases and derived checks of its own rule that kill it, by id.
    pub killed_by: Vec<String>,
    /// The cases of other rules that kill it.
    pub also_killed_by: Vec<String>,
}

impl MutantRun {
    /// Whether any case or derived check kills the mutant.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        !(self.killed_by.is_empty() && self.also_killed_by.is_empty())
    }

    /// Returns the first case or derived check that kills it; one of its own rule comes first.
    #[must_use]
    pub fn first(&self) -> Option<&str> {
        self.killed_by.first().or(self.also_killed_by.first()).map(String::as_str)
    }
}

impl MutationReport<'_> {
    /// Whether the run is complete: nothing interrupted it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.runs.len() == self.due
    }

    /// Whether a case or a derived check of its own rule kills every mutant, and every rule has a mutant. Ineffective
    /// cases fail nothing.
    #[must_use]
    pub fn all_killed(&self) -> bool {
        self.is_complete()
            && self.rules_without_mutant.is_empty()
            && self.runs.iter().all(|run| !run.killed_by.is_empty())
    }
}

/// Derived checks run on messages whose params have at most this many bytes. Longer ones show the same, and take most
/// of the time.
const SHORT: usize = 1_000;

/// Returns a mutant as an adapter in this process.
#[must_use]
pub fn mutant_adapter(mutant: Mutant) -> InProcessAdapter {
    InProcessAdapter::new(format!("mutant {}", mutant.name), move |options| FORMATS.reference_with(mutant, options))
}

/// Runs the corpus, and the derived checks of its own rule, against each mutant in each profile in which that rule
/// applies. A mutant that no case kills gets all other derived checks as well. The result is the same every time. Once
/// `stop` is set, no further mutant runs; earlier runs are kept.
#[must_use]
pub fn test_mutants<'c>(corpus: &'c Corpus, mutants: &[Mutant], stop: &AtomicBool) -> MutationReport<'c> {
    let applies_in = |mutant: &Mutant| match rules::named(mutant.rule) {
        // One run is enough if nothing depends on the profile.
        Some(rule) if rule.profiles.is_empty() => vec![ProfileName::default()],
        rule => rule.map_or_else(Vec::new, |rule| rule.profiles.clone()),
    };
    let pairs: Vec<(Mutant, ProfileName)> = mutants
        .iter()
        .flat_map(|mutant| applies_in(mutant).into_iter().map(move |profile| (*mutant, profile)))
        .filter(|(mutant, profile)| mutant.violates_in(*profile))
        .collect();
    let runs = in_parallel(&pairs, stop, |(mutant, profile)| test_mutant(corpus, *mutant, *profile, stop));
    let is_complete = runs.len() == pairs.len();
    let has_mutant: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.rule).collect();
    let is_due = |rule: &&Rule| rule.level != Level::May && !rule.is_about_cost() && !has_mutant.contains(&rule.id[..]);
    MutationReport {
        rules_without_mutant: rules::all().iter().filter(is_due).collect(),
        ineffective: if is_complete { ineffective_cases(corpus, &runs, &has_mutant) } else { Vec::new() },
        runs,
        due: pairs.len(),
    }
}

/// Runs the suite against the unmutated reference, and returns the cases and derived checks that fail, each with its
/// profile. Any failure is a fault of the suite. Once `stop` is set, no further profile is tried.
#[must_use]
pub fn test_reference(corpus: &Corpus, stop: &AtomicBool) -> Vec<(ProfileName, String)> {
    let failed = in_parallel(&FORMATS.profiles().collect::<Vec<_>>(), stop, |profile| {
        let cases = cases_of(corpus, *profile, &FORMATS.all().collect::<Vec<_>>());
        let killed_by = kills(
            cases,
            *profile,
            &InProcessAdapter::new("control", |options| FORMATS.reference(options)),
            &all_checks(),
            stop,
        );
        killed_by.into_iter().map(|(id, _)| (*profile, id)).collect::<Vec<_>>()
    });
    failed.into_iter().flatten().collect()
}

fn test_mutant(corpus: &Corpus, mutant: Mutant, profile: ProfileName, stop: &AtomicBool) -> MutantRun {
    let adapter = mutant_adapter(mutant);
    // Other formats are answered by the reference.
    let formats = FORMATS.format_of(mutant.rule);
    let cases = || cases_of(corpus, profile, formats.as_slice());
    let is_own = |check: &Check| check.rule == mutant.rule;
    let (own_checks, other_checks): (Vec<Check>, Vec<Check>) = all_checks().into_iter().partition(is_own);
    let found = kills(cases(), profile, &adapter, &own_checks, stop);
    let (killed_by, also_killed_by): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, rules)| rules.contains(mutant.rule));
    let ids = |killed_by: Vec<(String, BTreeSet<String>)>| killed_by.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    let mut run = MutantRun { mutant, profile, killed_by: ids(killed_by), also_killed_by: ids(also_killed_by) };
    if !run.is_killed() {
        run.also_killed_by = ids(kills(cases(), profile, &adapter, &other_checks, stop));
    }
    run
}

/// The cases of these formats that run in this profile.
fn cases_of<'c>(corpus: &'c Corpus, profile: ProfileName, formats: &[Format]) -> Vec<&'c Case> {
    let is_of = |case: &&Case| case.profiles.contains(&profile) && formats.contains(&case.method.format());
    corpus.cases.iter().filter(is_of).collect()
}

/// Returns the ids of the cases, and of these checks on their inputs, that do not pass, each with its rules.
fn kills(
    cases: Vec<&Case>,
    profile: ProfileName,
    adapter: &InProcessAdapter,
    checks: &[Check],
    stop: &AtomicBool,
) -> Vec<(String, BTreeSet<String>)> {
    let mut implementation = InProcess::of(adapter.clone(), Settings::of(profile));
    let plan =
        Plan { cases: cases.clone(), profile, requested: BTreeMap::new(), partial: false, derived: false, cost: false };
    let record: RunResult<'_> = execute(&plan, &mut implementation, stop, &|_| {})
        .expect("an adapter follows every profile and declares what it chooses");
    let mut killed_by: Vec<(String, BTreeSet<String>)> = record
        .outcomes
        .iter()
        .filter(|outcome| outcome.verdict.fails() || outcome.warns())
        .map(|outcome| (outcome.case.id.clone(), outcome.case.rules.iter().cloned().collect()))
        .collect();
    if !checks.is_empty() {
        let chosen = record.bound.iter().map(|(rule, bound)| (rule.clone(), bound.name.clone())).collect();
        let short: Vec<&Case> = cases.into_iter().filter(|case| case.params.len() <= SHORT).collect();
        let outcomes = run_these_checks(checks, 0, &short, &options(profile, &chosen), &mut implementation, stop);
        let fail = outcomes.iter().filter(|outcome| outcome.verdict.fails() || outcome.verdict == Verdict::Warn);
        killed_by.extend(fail.map(|outcome| (outcome.id(), BTreeSet::from([outcome.rule.to_owned()]))));
    }
    killed_by
}

/// Returns the cases that list a rule and kill none of its mutants, in any profile.
fn ineffective_cases<'c>(
    corpus: &'c Corpus,
    runs: &[MutantRun],
    has_mutant: &BTreeSet<&str>,
) -> Vec<(&'c Case, String)> {
    let mut killed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for run in runs {
        for id in &run.killed_by {
            killed.entry(run.mutant.rule).or_default().insert(id);
        }
    }
    // Failures at level `may` never kill a mutant.
    let tells_something = |case: &&Case| matches!(case.expectation, Expectation::Answer(_)) && case.level != Level::May;
    let asked = corpus.cases.iter().filter(tells_something);
    let listed = asked.flat_map(|case| case.rules.iter().map(move |rule| (case, rule)));
    listed
        .filter(|(_, rule)| has_mutant.contains(&rule[..]))
        .filter(|(case, rule)| !killed.get(&rule[..]).is_some_and(|ids| ids.contains(&case.id[..])))
        .map(|(case, rule)| (case, rule.clone()))
        .collect()
}
