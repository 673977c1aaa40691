//! Headings name the rule that is broken: of wrong implementations with one mistake, how many have its rule at the head of
//! their report. The mutants are such implementations, each with the rule that it breaks.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use genui_conform::adapter::InProcess;
use genui_conform::case::{Case, Corpus};
use genui_conform::format::Mutant;
use genui_conform::formats::FORMATS;
use genui_conform::prove::mutant_engine;
use genui_conform::rules;
use genui_conform::run::{Plan, Policy, Verdict, execute};
use genui_conform::settings::ProfileName;
use genui_conform::settings::Settings;

/// What the report on a mutant has at its head.
struct Head {
    mutant: Mutant,
    /// The rules that the report names, in its order.
    named: Vec<String>,
    /// The rules as reports named them before they looked at the evidence: that which each case lists first, in the order
    /// of the documents.
    before: Vec<String>,
    /// The same, that with the most failures first.
    before_by_count: Vec<String>,
}

/// The head of the report on a mutant in the first profile in which it is wrong; none where no case shows it.
fn head(corpus: &Corpus, mutant: Mutant) -> Option<Head> {
    let rule = rules::named(mutant.rule)?;
    let profiles = if rule.profiles.is_empty() { vec![ProfileName::default()] } else { rule.profiles.clone() };
    let format = FORMATS.format_of(mutant.rule)?;
    profiles.into_iter().filter(|profile| mutant.violates_in(*profile)).find_map(|profile| {
        // What only derived checks show is told by short messages too.
        let is_short = |case: &Case| !rule.derived || case.params.len() < 300;
        let is_of = |case: &&Case| case.profiles.contains(&profile) && case.method.format() == format && is_short(case);
        let cases: Vec<&Case> = corpus.cases.iter().filter(is_of).collect();
        let mut implementation = InProcess::of(mutant_engine(mutant), Settings::of(profile));
        let plan = Plan { cases, profile, asked: BTreeMap::new(), partial: true, derived: rule.derived, cost: false };
        let record = execute(&plan, &mut implementation, &AtomicBool::new(false), &|_| {}).ok()?;
        let wrong: Vec<_> = record
            .outcomes
            .iter()
            .filter(|outcome| outcome.verdict.departs() && outcome.verdict != Verdict::Recorded)
            .collect();
        if wrong.is_empty() && record.derived.iter().all(|outcome| !outcome.verdict.departs()) {
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
                .find_map(|id| rules::all().iter().position(|rule| rule.id == *id && rule.holds_in(profile)))?;
            *counts.entry(first).or_default() += 1;
        }
        for outcome in record.derived.iter().filter(|outcome| outcome.verdict.departs()) {
            let place = rules::all().iter().position(|rule| rule.id == outcome.rule)?;
            *counts.entry(place).or_default() += 1;
        }
        let ids = |places: Vec<usize>| places.into_iter().map(|place| rules::all()[place].id.clone()).collect();
        let mut by_count: Vec<usize> = counts.keys().copied().collect();
        by_count.sort_by_key(|place| usize::MAX - counts[place]);
        Some(Head { mutant, named, before: ids(counts.into_keys().collect()), before_by_count: ids(by_count) })
    })
}

/// The heads of all mutants that a case shows, in their order.
fn heads() -> Vec<Head> {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    let all: Vec<Mutant> = FORMATS.mutants().collect();
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(mutant) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let head = head(&corpus, *mutant);
                    made.lock().expect("nobody panics").extend(head);
                }
            });
        }
    });
    made.into_inner().expect("nobody panics")
}

/// Of a hundred, how many have their own rule first.
fn right_of_a_hundred<'h>(heads: &'h [Head], rules: impl Fn(&'h Head) -> &'h [String], first: usize) -> usize {
    let right = heads.iter().filter(|head| rules(head).iter().take(first).any(|rule| rule == head.mutant.rule)).count();
    right * 100 / heads.len()
}

#[test]
fn the_rule_that_a_mutant_breaks_is_named_first() {
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
    assert!(first >= 82 && second >= 90, "{first} and {second} of 100; it was more");
    assert!(first > before && first > by_count, "{first}, but {before} and {by_count} without the evidence");
}
