//! The oracle of ToonUI, the documents, the corpus and the reference have to agree.

mod documents;
mod odd;
mod reading;

use std::collections::HashMap;

use genui_conform::case::{Corpus, Matcher, Outcome};
use genui_conform::format::{Method, Reference, Reply};
use genui_conform::formats::FORMATS;
use genui_conform::generate::{Seeded, request};
use genui_conform::run::compare::{case_difference, difference};
use genui_conform::settings::{ProfileName, Settings};
use genui_conform::settled::unspecified;
use genui_json::{Json, Pointer, parse};
use genui_testkit::oracle::toonui as oracle;
use regex::Regex;

/// The methods that take a payload, and the two that make one.
const OF_PAYLOADS: [&str; 4] =
    ["toonui.to_content", "toonui.to_display_content", "toonui.to_model_message", "toonui.to_ui_message"];
const OF_EVENTS: [&str; 2] = ["toonui.reply", "toonui.submit"];

/// How many requests of each method a test makes: of the suite's generator, and odd ones.
const REQUESTS: usize = 20_000;
const ODD_REQUESTS: usize = 6_000;

/// How many of them a mutant has to answer differently at least once.
const REQUESTS_OF_A_MUTANT: usize = 2_000;

/// The rules of ToonUI depend on no profile.
fn profile() -> ProfileName {
    FORMATS.default_profile()
}

fn settings() -> Settings {
    Settings::of(profile())
}

fn method(name: &str) -> Method {
    FORMATS.method(name).expect("is a method")
}

fn methods() -> impl Iterator<Item = Method> {
    OF_PAYLOADS.into_iter().chain(OF_EVENTS).map(method)
}

fn right(method: Method, params: &Json) -> Result<oracle::Answer, oracle::Refusal> {
    oracle::answer(method.name(), params).expect("is a method of ToonUI")
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
fn params_that_do_not_fit_are_refused() {
    for (method, params) in [("toonui.reply", "{}"), ("toonui.submit", r#"{"intent":5}"#), ("toonui.to_content", "{}")]
    {
        let params = parse(params).expect("is JSON");
        assert_eq!(oracle::answer(method, &params), Some(Err("bad-params")), "{method}");
    }
}

#[test]
fn the_oracle_fits_the_expectation_of_each_case() {
    let corpus = Corpus::embedded().expect("the corpus loads");
    let mut judged = 0;
    for case in corpus.cases.iter().filter(|case| case.method.format().name() == "toonui") {
        for params in case.requests() {
            let answer = right(case.method, &parse(params).expect("params are JSON"));
            let fits = |outcome: &Outcome| match (outcome, &answer) {
                (Outcome::Result(expected), Ok(answer)) => {
                    case_difference(case, profile(), expected, &answer.result).is_none()
                }
                (Outcome::Refusal(expected), Err(kind)) => expected.name() == *kind,
                _ => false,
            };
            let (rules, options) = (case.rules.join(", "), case.options());
            assert!(
                options.iter().any(|option| fits(&option.outcome)),
                "{} ({rules}) expects {options:?}, and the oracle answers {answer:?}",
                case.id
            );
            judged += 1;
        }
    }
    assert!(judged > 100, "only {judged} requests");
}

#[test]
fn the_oracle_and_the_reference_agree() {
    agree_on_generated(REQUESTS);
}

#[test]
fn the_oracle_and_the_reference_agree_on_odd_requests() {
    agree_on_odd(ODD_REQUESTS);
}

#[test]
#[ignore = "takes half a minute; run it with --release after a change of a rule"]
fn the_oracle_and_the_reference_agree_on_a_million_requests() {
    agree_on_generated(100_000);
    agree_on_odd(70_000);
}

fn agree_on_generated(requests: usize) {
    let reference = FORMATS.reference(&settings());
    let mut patterns = Patterns::default();
    for (method, seed) in methods().zip(0..) {
        let mut draw = Seeded::new(seed);
        for _ in 0..requests {
            let params = request(&mut draw, method).params;
            agree(method, &params, &*reference, &mut patterns);
        }
    }
}

/// Odd requests may be unspecified. Those of `toonui.input.odd` are compared nevertheless: the rule says what the
/// reference does. The others are not, since the documents are silent about them.
fn agree_on_odd(requests: usize) {
    let reference = FORMATS.reference(&settings());
    let mut patterns = Patterns::default();
    for (method, seed) in methods().zip(100..) {
        let mut draw = Seeded::new(seed);
        let mut compared = 0;
        for _ in 0..requests {
            let params = odd::params(&mut draw, method);
            if is_judged(method, &params) {
                agree(method, &params, &*reference, &mut patterns);
                compared += 1;
            }
        }
        assert!(compared > requests / 2, "{}: only {compared} of {requests}", method.name());
    }
}

fn is_judged(method: Method, params: &Json) -> bool {
    unspecified(method, params, None).is_none_or(|input| input.rule == "toonui.input.odd")
}

/// Compares the answers of the oracle and of the reference.
fn agree(method: Method, params: &Json, reference: &dyn Reference, patterns: &mut Patterns) {
    let params_text = params.to_ascii();
    let (right, found) = (right(method, params), reference.answer(method, &params_text));
    if let Some(what) = patterns.disagreement(method, &right, &found) {
        panic!("{} {params_text}\noracle: {right:?}\nreference: {found:?}\n{what}", method.name());
    }
}

#[test]
fn the_oracle_disagrees_with_each_mutant() {
    let mut patterns = Patterns::default();
    let mutants: Vec<_> = FORMATS.mutants().filter(|mutant| mutant.rule.starts_with("toonui.")).collect();
    assert!(mutants.len() > 20, "only {} mutants", mutants.len());
    // The oracle judges one event at a time, and this id is wrong only beside that of the same event once more.
    for mutant in mutants.into_iter().filter(|mutant| mutant.name != "hash-for-an-id") {
        let wrong = FORMATS.reference_with(mutant, &settings());
        let mut draw = Seeded::new(1);
        let mut disagrees = |method: Method| {
            let (usual, odd) = (request(&mut draw, method).params, odd::params(&mut draw, method));
            [usual, odd].iter().filter(|params| is_judged(method, params)).any(|params| {
                let found = wrong.answer(method, &params.to_ascii());
                patterns.disagreement(method, &right(method, params), &found).is_some()
            })
        };
        let caught = (0..REQUESTS_OF_A_MUTANT).any(|_| methods().any(&mut disagrees));
        assert!(caught, "{} ({}): {}", mutant.name, mutant.rule, mutant.about);
    }
}

/// What is known of volatile places: the compiled patterns, and the last text at each.
#[derive(Default)]
struct Patterns {
    compiled: HashMap<&'static str, Regex>,
    last: HashMap<&'static str, String>,
}

impl Patterns {
    fn matcher(&mut self, volatile: &oracle::Volatile) -> Matcher {
        let compile = || Regex::new(volatile.pattern).expect("is a pattern");
        let pattern = self.compiled.entry(volatile.pattern).or_insert_with(compile).clone();
        Matcher { pointer: volatile.at.parse().expect("is a pointer"), pattern }
    }

    /// How an answer differs from the right one; `None` if it does not.
    fn disagreement(
        &mut self,
        method: Method,
        right: &Result<oracle::Answer, oracle::Refusal>,
        found: &Reply,
    ) -> Option<String> {
        match (right, found) {
            (Ok(right), Ok(found)) => {
                let matchers: Vec<Matcher> = right.volatile.iter().map(|volatile| self.matcher(volatile)).collect();
                let repeated = right.volatile.iter().find(|volatile| !self.is_new(volatile, found));
                match difference(method, profile(), &matchers, &right.result, found) {
                    Some(difference) => Some(format!("{difference:?}")),
                    None => repeated.map(|volatile| format!("the text at {} is that of the last answer", volatile.at)),
                }
            }
            (Err(right), Err(found)) => (*right != found.kind.name()).then(|| "the kinds differ".to_owned()),
            _ => Some("one of them refuses".to_owned()),
        }
    }

    /// `toonui.event.id`: each event has a new id. Two that are equal by chance are rarer than one pair in a trillion.
    fn is_new(&mut self, volatile: &oracle::Volatile, found: &Json) -> bool {
        let place: Pointer = volatile.at.parse().expect("is a pointer");
        match place.find(found).and_then(Json::as_str) {
            Some(text) => self.last.insert(volatile.pattern, text.to_owned()).is_none_or(|last| last != text),
            None => true,
        }
    }
}
