//! The oracle for Glossen against the cases of the corpus, and against the reference on generated requests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Ask, Implementation, InProcess};
use genui_conform::case::{Case, CaseOption, Corpus, Matcher, Outcome};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::generate::{Seeded, mutated_request, request};
use genui_conform::protocol::Answer;
use genui_conform::settings::Settings;
use genui_conform::settled::{is_askable, unspecified};
use genui_json::{Json, json_equal, parse};
use genui_testkit::oracle::glossen;

/// The number of requests for each method and each set of choices. `GENUI_CONFORM_REQUESTS` sets another one.
const REQUESTS: usize = 400;

type Choices = BTreeMap<String, String>;

fn methods() -> Vec<Method> {
    FORMATS.methods().filter(|method| method.name().starts_with("glossen.")).collect()
}

/// Returns the oracle's answer: a result, or the kind of a refusal.
fn oracle(method: &str, params: &str, choices: &Choices) -> Result<Json, String> {
    let params = parse(params).unwrap_or_else(|error| panic!("{error} of {params}"));
    glossen::answer(method, &params, choices).unwrap_or_else(|| panic!("no answer to {method}"))
}

/// Returns a result without what the comparison of `case-format.md` ignores: of violations, only the set of the rules
/// counts.
fn compared(method: &str, result: &Json) -> Json {
    let Some(Json::Array(violations)) = result.get("violations").filter(|_| method == "glossen.check") else {
        return result.clone();
    };
    let rule = |violation: &Json| violation.get("rule").and_then(Json::as_str).expect("has a rule").to_owned();
    let rules: BTreeSet<String> = violations.iter().map(rule).collect();
    Json::object([("violations", Json::Array(rules.into_iter().map(Json::from).collect()))])
}

fn same_result(method: &str, left: &Json, right: &Json) -> bool {
    json_equal(&compared(method, left), &compared(method, right))
}

/// Returns whether an answer of the oracle fits an option of a case.
fn fits(case: &Case, option: &CaseOption, answer: &Result<Json, String>) -> bool {
    match (&option.outcome, answer) {
        (Outcome::Result(expected), Ok(found)) => {
            let (mut expected, mut found) = (expected.clone(), found.clone());
            let matches = |matcher: &Matcher| {
                let text = matcher.pointer.find(&found).and_then(Json::as_str);
                text.is_some_and(|text| matcher.pattern.is_match(text))
            };
            let all_match = case.matchers.iter().all(matches);
            for place in case.matchers.iter().map(|matcher| &matcher.pointer) {
                for result in [&mut expected, &mut found] {
                    place.find_mut(result).into_iter().for_each(|text| *text = Json::Null);
                }
            }
            all_match && same_result(case.method.name(), &expected, &found)
        }
        (Outcome::Refusal(expected), Err(found)) => expected.name() == found,
        _ => false,
    }
}

#[test]
fn oracle_answers_every_case_as_expected() {
    let corpus = Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut compared = 0;
    let mut wrong = String::new();
    for case in corpus.cases.iter().filter(|case| case.method.name().starts_with("glossen.")) {
        for (option, params) in
            case.options().iter().flat_map(|option| case.requests().map(move |params| (option, params)))
        {
            compared += 1;
            let answer = oracle(case.method.name(), params, &option.choices);
            if !fits(case, option, &answer) {
                writeln!(wrong, "{} with {:?}: {}", case.id, option.choices, shown(&answer)).expect("is a String");
            }
        }
    }
    assert!(compared > 300, "only {compared} expected answers");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the sets of choices to compare under: the first choices, each other choice alone, and the last ones together.
fn sets_of_choices() -> Vec<Choices> {
    let points = || FORMATS.open_points().filter(|point| point.rule.starts_with("glossen."));
    let choice = |rule: &str, name: &str| (rule.to_owned(), name.to_owned());
    let alone =
        points().flat_map(|point| point.names[1..].iter().map(move |name| Choices::from([choice(point.rule, name)])));
    let together = points().filter_map(|point| Some(choice(point.rule, point.names.last()?))).collect();
    std::iter::once(Choices::new()).chain(alone).chain([together]).collect()
}

fn reference(choices: &Choices) -> InProcess {
    let mut settings = Settings::default();
    for (rule, name) in choices {
        assert!(settings.choose(rule, name), "{rule} = {name}");
    }
    InProcess::new(settings)
}

/// Returns generated requests of a method that the documents specify. Every other one is mutated.
fn requests(draw: &mut Seeded, method: Method, count: usize) -> Vec<Json> {
    let mut requests = Vec::new();
    while requests.len() < count {
        let (plain, other) = (request(draw, method), request(draw, method));
        let mutated = mutated_request(draw, &plain, &other);
        requests
            .extend([plain, mutated].map(|input| input.params).into_iter().filter(|params| is_askable(method, params)));
    }
    requests.truncate(count);
    requests
}

fn shown(answer: &Result<Json, String>) -> String {
    match answer {
        Ok(result) => result.to_ascii(),
        Err(kind) => format!("error {kind}"),
    }
}

/// Returns a description of every generated request on which oracle and reference disagree.
fn disagreements(seed: u64, method: Method, choices: &Choices, count: usize) -> Vec<String> {
    let requests = requests(&mut Seeded::new(seed), method, count);
    let texts: Vec<String> = requests.iter().map(Json::to_ascii).collect();
    let asks: Vec<Ask<'_>> = texts.iter().map(|params| Ask { method, params }).collect();
    let answers = reference(choices).ask_all(&asks, &AtomicBool::new(false), &|| {});
    let mut found = Vec::new();
    for ((params, text), answer) in requests.iter().zip(&texts).zip(answers) {
        let ours = oracle(method.name(), text, choices);
        let theirs = match answer {
            Answer::Result(result) => Ok(result),
            Answer::Refusal { kind, .. } => Err(kind),
            other => panic!("{other:?} to {text}"),
        };
        let agree = match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                same_result(method.name(), ours, theirs) || unspecified(method, params, Some((ours, theirs))).is_some()
            }
            (Err(ours), Err(theirs)) => ours == theirs,
            _ => false,
        };
        if !agree {
            let method = method.name();
            found.push(format!(
                "{method} {text} with {choices:?}\n  oracle: {}\n  reference: {}",
                shown(&ours),
                shown(&theirs)
            ));
        }
    }
    found
}

#[test]
fn oracle_and_reference_agree_on_generated_requests() {
    let count = match std::env::var("GENUI_CONFORM_REQUESTS") {
        Ok(count) => count.parse().expect("GENUI_CONFORM_REQUESTS is a whole number"),
        Err(_) => REQUESTS,
    };
    let mut seed = 0;
    let mut found = Vec::new();
    let (methods, sets) = (methods(), sets_of_choices());
    assert!(methods.len() == 5 && sets.len() > 5, "{methods:?}, {sets:?}");
    for (method, choices) in methods.iter().flat_map(|method| sets.iter().map(move |choices| (*method, choices))) {
        seed += 1;
        found.extend(disagreements(seed, method, choices, count));
    }
    println!("{} requests, {} disagreements", count * methods.len() * sets.len(), found.len());
    found.sort_by_key(String::len);
    assert!(
        found.is_empty(),
        "{} disagreements, the shortest first:\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
}
