//! The oracle of ToonUI, the corpus and the reference have to agree.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::case::{Corpus, Matcher, Outcome};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::generate::{Seeded, request};
use genui_conform::run::compare::{case_difference, difference};
use genui_conform::settings::{ProfileName, Settings};
use genui_json::{Json, parse};
use genui_testkit::oracle::toonui as oracle;
use regex::Regex;

/// The methods that take a payload, and the two that make one.
const OF_PAYLOADS: [&str; 4] =
    ["toonui.to_content", "toonui.to_display_content", "toonui.to_model_message", "toonui.to_ui_message"];
const OF_EVENTS: [&str; 2] = ["toonui.reply", "toonui.submit"];

/// How many requests of each method a test makes, and how many at a time.
const REQUESTS: usize = 20_000;
const BATCH: usize = 500;

/// The rules of ToonUI depend on no profile.
fn profile() -> ProfileName {
    FORMATS.default_profile()
}

fn method(name: &str) -> Method {
    FORMATS.method(name).expect("is a method")
}

fn methods() -> impl Iterator<Item = Method> {
    OF_PAYLOADS.into_iter().chain(OF_EVENTS).map(method)
}

#[test]
fn the_oracle_answers_the_methods_of_toonui_and_no_others() {
    for method in FORMATS.methods() {
        let answered = oracle::answer(method.name(), &Json::object([])).is_some();
        assert_eq!(answered, method.format().name() == "toonui", "{}", method.name());
        assert_eq!(answered, methods().any(|of_toonui| of_toonui == method), "{}", method.name());
    }
}

#[test]
fn the_oracle_fits_the_expectation_of_each_case() {
    let corpus = Corpus::embedded().expect("the corpus loads");
    let mut judged = 0;
    for case in corpus.cases.iter().filter(|case| case.method.format().name() == "toonui") {
        for params in case.requests() {
            let params = parse(params).expect("params are JSON");
            let answer = oracle::answer(case.method.name(), &params).expect("is a method of ToonUI");
            let fits = |outcome: &Outcome| match (outcome, &answer) {
                (Outcome::Result(expected), Ok(answer)) => {
                    case_difference(case, profile(), expected, &answer.result).is_none()
                }
                (Outcome::Refusal(expected), Err(kind)) => expected.name() == *kind,
                _ => false,
            };
            let rules = case.rules.join(", ");
            assert!(
                case.options().iter().any(|option| fits(&option.outcome)),
                "{} ({rules}) expects {:?}, and the oracle answers {answer:?}",
                case.id,
                case.options()
            );
            judged += 1;
        }
    }
    assert!(judged > 100, "only {judged} requests");
}

#[test]
fn the_oracle_and_the_reference_agree() {
    for (index, method) in methods().enumerate() {
        let mut draw = Seeded::new(index as u64);
        agree(method, REQUESTS, &mut || request(&mut draw, method).params);
    }
}

/// Compares the answers of the oracle and of the reference to so many requests.
fn agree(method: Method, requests: usize, params: &mut dyn FnMut() -> Json) {
    let mut reference = InProcess::new(Settings::of(profile()));
    let mut patterns = Patterns::default();
    for _ in 0..requests.div_ceil(BATCH) {
        let batch: Vec<Json> = (0..BATCH).map(|_| params()).collect();
        let texts: Vec<String> = batch.iter().map(Json::to_ascii).collect();
        let asks: Vec<Ask<'_>> = texts.iter().map(|params| Ask { method, params }).collect();
        let found = reference.ask_all(&asks, &AtomicBool::new(false), &|| {});
        assert_eq!(found.len(), batch.len());
        for ((params, text), found) in batch.iter().zip(&texts).zip(&found) {
            let right = oracle::answer(method.name(), params).expect("is a method of ToonUI");
            if let Some(what) = patterns.disagreement(method, &right, found) {
                panic!("{} {text}\noracle: {right:?}\nreference: {found:?}\n{what}", method.name());
            }
        }
    }
}

/// The compiled patterns of volatile places.
#[derive(Default)]
struct Patterns(HashMap<&'static str, Regex>);

impl Patterns {
    fn matcher(&mut self, volatile: &oracle::Volatile) -> Matcher {
        let compile = || Regex::new(volatile.pattern).expect("is a pattern");
        let pattern = self.0.entry(volatile.pattern).or_insert_with(compile).clone();
        Matcher { pointer: volatile.at.parse().expect("is a pointer"), pattern }
    }

    /// How an answer differs from the right one; `None` if it does not.
    fn disagreement(
        &mut self,
        method: Method,
        right: &Result<oracle::Answer, oracle::Refusal>,
        found: &Answer,
    ) -> Option<String> {
        match (right, found) {
            (Ok(right), Answer::Result(found)) => {
                let matchers: Vec<Matcher> = right.volatile.iter().map(|volatile| self.matcher(volatile)).collect();
                difference(method, profile(), &matchers, &right.result, found)
                    .map(|difference| format!("{difference:?}"))
            }
            (Err(right), Answer::Refusal { kind, .. }) => (right != kind).then(|| "the kinds differ".to_owned()),
            _ => Some("one of them refuses".to_owned()),
        }
    }
}
