//! Headings name the violated rule: counts the mutants whose rule is at the head of their report. Each mutant violates
//! one rule.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use genui_conform::adapter::InProcess;
use genui_conform::case::{Case, Corpus};
use genui_conform::format::Mutant;
use genui_conform::formats::FORMATS;
use genui_conform::mutation::mutant_adapter;
use genui_conform::rules;
use genui_conform::run::{Plan, Policy, Verdict, execute};
use genui_conform::settings::ProfileName;
use genui_conform::settings::Settings;

/// The rules at the head of the report on a mutant.
struct Head {
    mutant: Mutant,
    /// The rules of the report, in its order.
    named: Vec<String>,
    /// The rules without the evidence: the first rule of each case, in the order of the documents.
    before: Vec<String>,
    /// The same rules, the one with the most failures first.
    before_by_count: Vec<String>,
}

/// Returns the head of the report on a mutant in its first profile; none if no case kills it.
fn head(corpus: &Corpus, mutant: Mutant) -> Option<Head> {
    let rule = rules::named(mutant.rule)?;
    let profiles = if rule.profiles.is_empty() { vec![ProfileName::default()] } else { rule.profiles.clone() };
    let format = FORMATS.format_of(mutant.rule)?;
    profiles.into_iter().filter(|profile| mutant.violates_in(*profile)).find_map(|profile| {
        // Short messages are enough for mutants that only derived checks kill.
        let is_short = |case: &Case| !rule.derived || case.params.len() < 300;
        let is_of = |case: &&Case| case.profiles.contains(&profile) && case.method.format() == format && is_short(case);
        let cases: Vec<&Case> = corpus.cases.iter().filter(is_of).collect();
        let mut implementation = InProcess::of(mutant_adapter(mutant), Settings::of(profile));
        let plan =
            Plan { cases, profile, requested: BTreeMap::new(), partial: true, derived: rule.derived, cost: false };
        let record = execute(&plan, &mut implementation, &AtomicBool::new(false), &|_| {}).ok()?;
        let wrong: Vec<_> = record
            .outcomes
            .iter()
            .filter(|outcome| outcome.verdict.is_failure() && outcome.verdict != Verdict::Info)
            .collect();
        if wrong.is_empty() && record.derived.iter().all(|outcome| !outcome.verdict.is_failure()) {
            return None;
        }
        let tally = Policy::default().assess(&record).tally;
        let named = tally.into_iter().filter(|tally| tally.is_broken()).map(|tally| tally.rule).collect();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for outcome in wrong {
            let first = outcome
                .case
                .rules
                .iter()
                .find_map(|id| rules::all().iter().position(|rule| rule.id == *id && rule.applies_in(profile)))?;
            *counts.entry(first).or_default() += 1;
        }
        for outcome in record.derived.iter().filter(|outcome| outcome.verdict.is_failure()) {
            let place = rules::all().iter().position(|rule| rule.id == outcome.rule)?;
            *counts.entry(place).or_default() += 1;
        }
        let ids = |places: Vec<usize>| places.into_iter().map(|place| rules::all()[place].id.clone()).collect();
        let mut by_count: Vec<usize> = counts.keys().copied().collect();
        by_count.sort_by_key(|place| usize::MAX - counts[place]);
        Some(Head { mutant, named, before: ids(counts.into_keys().collect()), before_by_count: ids(by_count) })
    })
}

/// Returns the heads of all mutants killed by a case, in their order.
fn heads() -> Vec<Head> {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    let all: Vec<Mutant> = FORMATS.mutants().collect();
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(mutant) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let head = head(&corpus, *mutant);
                    made.lock().expect("no thread panics").extend(head);
                }
            });
        }
    });
    made.into_inner().expect("no thread panics")
}

/// Returns the percentage of mutants with their own rule first.
fn right_of_a_hundred<'h>(heads: &'h [Head], rules: impl Fn(&'h Head) -> &'h [String], first: usize) -> usize {
    let right = heads.iter().filter(|head| rules(head).iter().take(first).any(|rule| rule == head.mutant.rule)).count();
    right * 100 / heads.len()
}

#[test]
fn rule_of_a_mutant_is_named_first() {
    let heads = heads();
    assert!(heads.len() > 300, "cases show {} mutants", heads.len());
    for head in heads.iter().filter(|head| head.named.first().is_none_or(|rule| rule != head.mutant.rule)) {
        println!("{} breaks {}: {}", head.mutant.name, head.mutant.rule, head.named.join(", "));
    }
    let before = right_of_a_hundred(&heads, |head| &head.before, 1);
    let by_count = right_of_a_hundred(&heads, |head| &head.before_by_count, 1);
    let [first, second, third] = [1, 2, 3].map(|most| right_of_a_hundred(&heads, |head| &head.named, most));
    println!("of 100 mutants, the rule that is broken is first: {first}; among two: {second}; among three: {third}");
    println!("by the first rule of each case, in the order of the documents: {before}; the most failures: {by_count}");
    assert!(first >= 80 && second >= 90, "{first} and {second} of 100; it was more");
    assert!(first > before && first > by_count, "{first}, but {before} and {by_count} without the evidence");
}
