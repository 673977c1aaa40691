//! What every format has to have, and the names that must never change.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Implementation, InProcess};
use genui_conform::case::Corpus;
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::rules::{self, Level};
use genui_conform::run::derived::all_checks;
use genui_conform::settings::Settings;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn ids_begin_with_the_name_of_their_format() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    for format in FORMATS.all() {
        let rule = format!("{}.", format.name());
        let mut names: Vec<String> = format.methods().iter().map(|method| method.name().to_owned()).collect();
        names.extend(format.open_points().iter().map(|point| point.rule.to_owned()));
        names.extend(format.unspecified().iter().map(|row| row.rule.to_owned()));
        names.extend(format.checks().iter().map(|check| check.rule.to_owned()));
        names.extend(format.mutants().iter().map(|mutant| mutant.rule.to_owned()));
        names.extend(format.methods().iter().map(|method| method.default_rule.to_owned()));
        let document = rules::read_document(format.document().text).expect("the document can be read");
        names.extend(document.into_iter().map(|rule| rule.id));
        let stray: Vec<&String> = names.iter().filter(|name| !name.starts_with(&rule)).collect();
        assert!(stray.is_empty(), "expected names that begin with {rule}, but found {stray:?}");
        let cases = format!("{}/", format.name());
        for case in corpus.cases.iter().filter(|case| case.method.format() == format) {
            assert!(case.id.starts_with(&cases), "{} asks {}", case.id, case.method);
        }
        assert!(format.methods().iter().all(|method| method.format() == format));
        assert!(format.methods().contains(&format.usual_method()));
    }
    let known: BTreeSet<&str> = rules::all().iter().map(|rule| &rule.id[..]).collect();
    for format in FORMATS.all() {
        let rules = format.mutants().into_iter().map(|mutant| mutant.rule);
        let rules = rules.chain(format.checks().into_iter().map(|check| check.rule));
        let stray: Vec<&str> = rules.filter(|rule| !known.contains(rule)).collect();
        assert!(stray.is_empty(), "expected rules of the documents, but found {stray:?}");
    }
}

#[test]
fn the_reference_answers_every_sample_with_a_result() {
    for method in FORMATS.methods() {
        assert!(!method.samples.is_empty(), "{method} has no sample");
        for sample in method.samples {
            let answer = answer(method, sample.params);
            let Answer::Result(result) = &answer else { panic!("{method}, {}: {answer}", sample.name) };
            (method.result.check)(result).unwrap_or_else(|error| panic!("{method}, {}: {error}", sample.name));
            if let Some(same) = sample.same_as {
                assert_eq!(self::answer(method, same), answer, "{method}, {}", sample.name);
            }
        }
    }
}

fn answer(method: Method, params: &str) -> Answer {
    let requests = [genui_conform::adapter::Ask { method, params }];
    let mut reference = InProcess::new(Settings::default());
    reference.send_all(&requests, &AtomicBool::new(false), &|| {}).pop().expect("there is an answer for each request")
}

#[test]
fn every_rule_that_can_be_violated_has_a_mutant() {
    let has_mutant: BTreeSet<&str> = FORMATS.mutants().map(|mutant| mutant.rule).collect();
    let due = rules::all().iter().filter(|rule| rule.level != Level::May && !rule.is_about_cost());
    let without: Vec<&str> = due.map(|rule| &rule.id[..]).filter(|rule| !has_mutant.contains(rule)).collect();
    assert!(without.is_empty(), "expected a mutant for each rule, but found none for {without:?}");
    let mut names = BTreeSet::new();
    let twice: Vec<&str> = FORMATS.mutants().map(|mutant| mutant.name).filter(|name| !names.insert(*name)).collect();
    assert!(twice.is_empty(), "expected one mutant of each name, but found two of {twice:?}");
}

/// Files or folders that the folder of each format has, so that whoever knows one folder knows all.
const PARTS: &[&str] = &[
    "checks",
    "compare",
    "deciding",
    "explain",
    "generate",
    "growth",
    "methods",
    "mod",
    "mutants",
    "places",
    "reference",
    "shape",
    "unspecified",
    "wire",
];

/// Parts of a format that has what they are about.
const FURTHER_PARTS: &[&str] = &["features", "fixtures", "open_points", "unsupported"];

#[test]
fn the_folders_of_the_formats_have_the_same_parts() {
    for format in FORMATS.all() {
        let folder = root().join("src/formats").join(format.name());
        let entries = std::fs::read_dir(&folder).expect("the format has a folder");
        let parts: BTreeSet<String> = entries
            .map(|entry| entry.expect("can be read").file_name().to_string_lossy().trim_end_matches(".rs").to_owned())
            .collect();
        let missing: Vec<&&str> = PARTS.iter().filter(|part| !parts.contains(**part)).collect();
        assert!(missing.is_empty(), "{format}: expected also {missing:?}");
        let known = |part: &&String| PARTS.iter().chain(FURTHER_PARTS).any(|known| known == part);
        let other: Vec<&String> = parts.iter().filter(|part| !known(part)).collect();
        assert!(other.is_empty(), "{format}: expected a part in PARTS or FURTHER_PARTS, but found {other:?}");
        let has_points = parts.contains("open_points");
        assert_eq!(has_points, !format.open_points().is_empty(), "{format}: open_points.rs");
        for document in [format.document().path, &format!("crates/{format}/Cargo.toml"), &format!("corpus/{format}")] {
            assert!(root().join(document).exists(), "{format}: expected {document}");
        }
    }
}

/// Names that files of other people refer to. They may become more, and none may go: a case that is renamed gets an alias.
const PUBLISHED: &str = include_str!("../fixtures/published-ids.txt");

#[test]
fn published_names_stay() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let mut names: BTreeSet<String> = BTreeSet::new();
    names.extend(corpus.cases.iter().map(|case| format!("case {}", case.id)));
    names.extend(corpus.aliases.keys().map(|id| format!("case {id}")));
    for rule in rules::all() {
        names.insert(format!("rule {}", rule.id));
        names.extend(rule.choices.iter().map(|choice| format!("choice {}={choice}", rule.id)));
    }
    names.extend(FORMATS.methods().map(|method| format!("method {method}")));
    names.extend(FORMATS.profiles().map(|profile| format!("profile {profile}")));
    names.extend(all_checks().into_iter().map(|check| format!("check {}", check.name)));
    let published: Vec<&str> = PUBLISHED.lines().collect();
    assert!(published.len() > 1_500, "{} names", published.len());
    let gone: Vec<&&str> = published.iter().filter(|name| !names.contains(**name)).collect();
    assert!(gone.is_empty(), "expected each published name, but these are gone: {gone:#?}");
}
