//! The mutants, and the problems reported by `prove`. CI runs `prove` on the whole corpus with a release build, which takes
//! seconds; here it would take minutes.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use genui_conform::case::Corpus;
use genui_conform::format::Mutant;
use genui_conform::formats::FORMATS;
use genui_conform::mutation::{MutationReport, test_mutants, test_reference};
use genui_conform::rules::{self, Level};

fn corpus() -> Corpus {
    Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn of_rule(rule: &str) -> Vec<Mutant> {
    FORMATS.mutants().filter(|mutant| mutant.rule == rule).collect()
}

/// Returns whether a mutant of this rule survives the cases of its own rule.
fn names(report: &MutationReport<'_>, rule: &str) -> bool {
    report.runs.iter().any(|run| run.mutant.rule == rule && run.killed_by.is_empty())
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
        let report = test_mutants(&whole, &of_rule(rule), &AtomicBool::new(false));
        assert!(!names(&report, rule), "{rule} is not proven with its cases");
        let mut less = whole.clone();
        less.cases.retain(|case| !case.rules.iter().any(|listed| listed == rule));
        let report = test_mutants(&less, &of_rule(rule), &AtomicBool::new(false));
        assert!(names(&report, rule) && !report.all_killed(), "{rule} is proven without its cases");
    }
}

#[test]
fn the_reference_passes_everything() {
    assert_eq!(test_reference(&corpus(), &AtomicBool::new(false)), Vec::new());
}

#[test]
fn rules_without_mutants_and_ineffective_cases_are_reported() {
    let corpus = corpus();
    let report = test_mutants(&corpus, &of_rule("openui.read.end"), &AtomicBool::new(false));
    assert!(!report.all_killed(), "most rules have no mutant here");
    assert!(report.rules_without_mutant.iter().any(|rule| rule.id == "openui.read.plain-text"));
    assert!(!report.rules_without_mutant.iter().any(|rule| rule.id == "openui.read.end" || rule.is_about_cost()));
    // A case of the rule that kills none of its mutants is reported; one that kills them is not.
    assert!(report.ineffective.iter().all(|(_, rule)| rule == "openui.read.end"));
    let effective: BTreeSet<&str> = report.runs.iter().flat_map(|run| &run.killed_by).map(String::as_str).collect();
    assert!(report.ineffective.iter().all(|(case, _)| !effective.contains(&case.id[..])));
}

#[test]
fn prove_is_deterministic() {
    let corpus = corpus();
    let twice = [(); 2].map(|()| test_mutants(&corpus, &of_rule("openui.section.crlf"), &AtomicBool::new(false)));
    let of = |report: &MutationReport<'_>| {
        let runs = report.runs.iter();
        runs.map(|run| (run.mutant.name, run.profile, run.killed_by.clone(), run.also_killed_by.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&twice[0]), of(&twice[1]));
    assert!(of(&twice[0]).iter().any(|(_, _, killed_by, _)| killed_by.iter().any(|id| id.ends_with("#line-endings"))));
}
