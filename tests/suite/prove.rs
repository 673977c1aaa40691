//! The mutants, and the problems reported by `prove`. CI runs `prove` on the whole corpus with a release build, which takes
//! seconds; here it would take minutes.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use genui_conform::case::Corpus;
use genui_conform::format::Mutant;
use genui_conform::formats::FORMATS;
use genui_conform::prove::{Proof, prove, prove_control};
use genui_conform::rules::{self, Level};

fn corpus() -> Corpus {
    Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn of_rule(rule: &str) -> Vec<Mutant> {
    FORMATS.mutants().filter(|mutant| mutant.rule == rule).collect()
}

/// Returns whether a mutant of this rule survives the cases of its own rule.
fn names(proof: &Proof<'_>, rule: &str) -> bool {
    proof.trials.iter().any(|trial| trial.mutant.rule == rule && trial.own.is_empty())
}

#[test]
fn every_mutant_is_unique() {
    let mut names = BTreeSet::new();
    for mutant in FORMATS.mutants() {
        assert!(names.insert(mutant.name), "two mutants are called {}", mutant.name);
        assert!(mutant.about.ends_with('.') && mutant.about.len() > 20, "{} says nothing", mutant.name);
        let rule = rules::named(mutant.rule).unwrap_or_else(|| panic!("{} breaks no rule", mutant.name));
        assert!(rule.level >= Level::Should, "{} breaks a rule that only records", mutant.name);
        assert_eq!(FORMATS.mutant(mutant.name).map(|found| found.rule), Some(mutant.rule));
    }
    assert!(names.len() >= 70, "expected the mutants, but found {}", names.len());
    assert!(FORMATS.mutant("no-such-mutant").is_none());
}

#[test]
fn every_rule_has_a_mutant() {
    let lacking = rules::all().iter().filter(|rule| rule.level >= Level::Should && !rule.is_about_cost());
    let lacking: Vec<&str> = lacking.filter(|rule| of_rule(&rule.id).is_empty()).map(|rule| &rule.id[..]).collect();
    assert!(lacking.is_empty(), "without a mutant: {lacking:?}");
}

#[test]
fn mutants_survive_without_the_cases_of_their_rule() {
    for rule in [
        "openui.attributes.winner",
        "openui.read.last-content-wins",
        "openui.section.end-of-message",
        "openui.event.clicked",
        "openui.legacy.content-only",
    ] {
        let whole = corpus();
        let proof = prove(&whole, &of_rule(rule), &AtomicBool::new(false));
        assert!(!names(&proof, rule), "{rule} is not proven with its cases");
        let mut less = whole.clone();
        less.cases.retain(|case| !case.rules.iter().any(|listed| listed == rule));
        let proof = prove(&less, &of_rule(rule), &AtomicBool::new(false));
        assert!(names(&proof, rule) && !proof.holds(), "{rule} is proven without its cases");
    }
}

#[test]
fn the_reference_passes_everything() {
    assert_eq!(prove_control(&corpus(), &AtomicBool::new(false)), Vec::new());
}

#[test]
fn rules_without_mutants_and_ineffective_cases_are_reported() {
    let corpus = corpus();
    let proof = prove(&corpus, &of_rule("openui.read.end"), &AtomicBool::new(false));
    assert!(!proof.holds(), "most rules have no mutant here");
    assert!(proof.unproven.iter().any(|rule| rule.id == "openui.read.plain-text"));
    assert!(!proof.unproven.iter().any(|rule| rule.id == "openui.read.end" || rule.is_about_cost()));
    // A case of the rule that kills none of its mutants is reported; one that kills them is not.
    assert!(proof.idle.iter().all(|(_, rule)| rule == "openui.read.end"));
    let effective: BTreeSet<&str> = proof.trials.iter().flat_map(|trial| &trial.own).map(String::as_str).collect();
    assert!(proof.idle.iter().all(|(case, _)| !effective.contains(&case.id[..])));
}

#[test]
fn prove_is_deterministic() {
    let corpus = corpus();
    let twice = [(); 2].map(|()| prove(&corpus, &of_rule("openui.section.crlf"), &AtomicBool::new(false)));
    let of = |proof: &Proof<'_>| {
        let trials = proof.trials.iter();
        trials
            .map(|trial| (trial.mutant.name, trial.profile, trial.own.clone(), trial.others.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&twice[0]), of(&twice[1]));
    assert!(of(&twice[0]).iter().any(|(_, _, own, _)| own.iter().any(|id| id.ends_with("#line-endings"))));
}
