//! The judging of answers: inferred choices, refusals of a different kind, and cases with two requests.

use std::collections::BTreeMap;

use genui_conform::adapter::{Answer, Fault, FaultKind};
use genui_conform::case::{Case, read_case};
use genui_conform::formats;
use genui_conform::json;
use genui_conform::run::{ChoiceSource, Failure, ResolvedChoice, Terms, Verdict, bind, judge, narrow};

/// An implementation that follows core and omits nothing.
const CORE: Terms<'_> = Terms { profile: formats::openui::CORE, omitted: &[] };

fn case(id: &str, level: &str, rest: &str) -> Case {
    let text = format!(
        r#"{{"about": "A case of the tests.", "rules": [], "level": "{level}", "since": "0.1.0", "method": "openui.build",
            "params": {{"content": "A"}}, {rest}}}"#
    );
    read_case(id, &text).unwrap_or_else(|why| panic!("{why}"))
}

fn result(message: &str) -> Answer {
    Answer::Result(json::parse(&format!("{{\"message\":\"{message}\"}}")).expect("is JSON"))
}

fn refusal(kind: &str) -> Answer {
    Answer::Refusal { kind: kind.to_owned(), message: String::new() }
}

fn crash() -> Answer {
    Answer::Fault(Fault { kind: FaultKind::Crash, detail: "gone".to_owned() })
}

fn verdict(case: &Case, answer: &Answer, same: Option<&Answer>, bound: &BTreeMap<String, ResolvedChoice>) -> Verdict {
    judge(case, CORE, answer, same, bound).verdict
}

const OPTIONS: &str = r#""expect": {"one_of": [
    {"result": {"message": "one"}, "choices": {"r": "first"}},
    {"result": {"message": "two"}, "choices": {"r": "second"}},
    {"result": {"message": "two"}, "choices": {"r": "third"}},
    {"error": "not-writable", "choices": {"r": "fourth"}, "warn": "Take care."}
]}"#;

#[test]
fn answer_that_matches_one_option_decides_the_choice_for_all() {
    let (early, late) = (case("a", "must", OPTIONS), case("b", "must", OPTIONS));
    let mut bound = BTreeMap::new();
    bind(&early, CORE, &result("two"), &mut bound);
    assert!(bound.is_empty(), "an answer that fits two options binds nothing");
    assert_eq!(verdict(&early, &result("two"), None, &bound), Verdict::Pass);
    bind(&late, CORE, &result("one"), &mut bound);
    assert_eq!(bound["r"], ResolvedChoice { name: "first".into(), by: ChoiceSource::Case("b".into()) });
    bind(&late, CORE, &refusal("not-writable"), &mut bound);
    assert_eq!(bound["r"].name, "first", "what is bound stays");
    assert_eq!(verdict(&late, &result("one"), None, &bound), Verdict::Pass);
    let judged = judge(&early, CORE, &result("two"), None, &bound);
    assert_eq!(judged.verdict, Verdict::Fail, "a later case binds earlier ones too");
    assert!(matches!(judged.failure, Some(Failure::Choice { chosen, .. }) if chosen == "second"));
    assert_eq!(verdict(&late, &result("three"), None, &bound), Verdict::Fail);
}

/// Returns a case with an option for each choice of a point.
fn choosing(id: &str, point: &str, choices: &[(&str, &str)]) -> Case {
    let option = |(name, message): &(&str, &str)| {
        format!(r#"{{"result": {{"message": "{message}"}}, "choices": {{"{point}": "{name}"}}}}"#)
    };
    let options: Vec<String> = choices.iter().map(option).collect();
    case(id, "must", &format!(r#""expect": {{"one_of": [{}]}}"#, options.join(",")))
}

const NUMBERS: &str = "openui.context.numbers";

/// Integers up to 64 bits, longer ones, and fractions.
fn numbers() -> [Case; 3] {
    let (exact, double, integers, bits) = ("exact", "double", "exact-integers", "64-bit-integers");
    [
        choosing("a", NUMBERS, &[(exact, "x"), (double, "d"), (integers, "x"), (bits, "x")]),
        choosing("b", NUMBERS, &[(exact, "x"), (double, "d"), (integers, "x"), (bits, "d")]),
        choosing("c", NUMBERS, &[(exact, "x"), (double, "d"), (integers, "d"), (bits, "d")]),
    ]
}

/// Returns the choices resolved from these answers to the cases, and the verdicts.
fn judged(cases: &[Case], answers: &[&str]) -> (BTreeMap<String, ResolvedChoice>, Vec<Verdict>) {
    let answers: Vec<Answer> = answers.iter().map(|answer| result(answer)).collect();
    let pairs: Vec<(&Case, &Answer)> = cases.iter().zip(&answers).collect();
    let mut bound = BTreeMap::new();
    for (case, answer) in &pairs {
        bind(case, CORE, answer, &mut bound);
    }
    narrow(&pairs, CORE, &mut bound);
    let verdicts = pairs.iter().map(|(case, answer)| verdict(case, answer, None, &bound)).collect();
    (bound, verdicts)
}

#[test]
fn answers_that_match_several_options_narrow_the_choice() {
    let (bound, verdicts) = judged(&numbers(), &["x", "x", "d"]);
    assert_eq!(bound[NUMBERS], ResolvedChoice { name: "exact-integers".into(), by: ChoiceSource::Case("c".into()) });
    assert_eq!(verdicts, [Verdict::Pass; 3]);
    let (bound, verdicts) = judged(&numbers()[..1], &["x"]);
    assert_eq!(bound[NUMBERS].names().collect::<Vec<_>>(), ["exact", "exact-integers", "64-bit-integers"]);
    assert_eq!(verdicts, [Verdict::Pass]);
    assert!(!bound[NUMBERS].allows("double"));
    let (bound, _) = judged(&numbers()[2..], &["y"]);
    assert!(bound.is_empty(), "an answer that fits nothing rules nothing out");
}

#[test]
fn each_consistent_implementation_passes_and_each_mixture_fails() {
    let cases = numbers();
    let mut consistent = 0;
    for mix in 0..8 {
        let answers: Vec<&str> = (0..3).map(|bit| if mix >> bit & 1 == 0 { "x" } else { "d" }).collect();
        let (_, verdicts) = judged(&cases, &answers);
        let passes = verdicts.iter().all(|verdict| *verdict == Verdict::Pass);
        let is_choice = ["xxx", "ddd", "xxd", "xdd"].contains(&answers.concat().as_str());
        assert_eq!(passes, is_choice, "{answers:?}: {verdicts:?}");
        consistent += usize::from(passes);
    }
    assert_eq!(consistent, 4);
}

#[test]
fn mixture_fails_even_if_every_answer_matches_several_options() {
    let choices = [("exact", "p"), ("double", "q"), ("exact-integers", "p"), ("64-bit-integers", "q")];
    let cases = ["a", "b"].map(|id| choosing(id, NUMBERS, &choices));
    let (bound, verdicts) = judged(&cases, &["p", "q"]);
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Fail]);
    let by = ChoiceSource::Narrowed { case: "a".into(), others: vec!["exact-integers".into()] };
    assert_eq!(bound[NUMBERS], ResolvedChoice { name: "exact".into(), by });
    let judgement = judge(&cases[1], CORE, &result("q"), None, &bound);
    assert!(matches!(judgement.failure, Some(Failure::Choice { chosen, .. }) if chosen == "double"));
}

#[test]
fn choice_excluded_on_one_point_excludes_on_another() {
    let both = case(
        "a",
        "must",
        r#""expect": {"one_of": [
            {"result": {"message": "p"}, "choices": {"openui.context.numbers": "exact", "openui.context.empty": "absent"}},
            {"result": {"message": "p"}, "choices": {"openui.context.numbers": "double", "openui.context.empty": "empty-string"}}
        ]}"#,
    );
    let later = choosing("b", NUMBERS, &[("exact", "x"), ("double", "d")]);
    let (bound, verdicts) = judged(&[both, later], &["p", "d"]);
    assert_eq!(verdicts, [Verdict::Pass; 2]);
    assert_eq!(bound["openui.context.empty"].name, "empty-string");
}

#[test]
fn declared_choice_is_judged_like_an_inferred_one() {
    let case = case("a", "should", OPTIONS);
    let declared = |name: &str| {
        BTreeMap::from([("r".to_owned(), ResolvedChoice { name: name.into(), by: ChoiceSource::Declaration })])
    };
    assert_eq!(verdict(&case, &result("two"), None, &declared("third")), Verdict::Pass);
    assert_eq!(verdict(&case, &result("two"), None, &declared("first")), Verdict::Warn);
    assert_eq!(verdict(&case, &refusal("not-writable"), None, &declared("fourth")), Verdict::Warn, "with its warning");
}

#[test]
fn kind_of_a_refusal_is_judged_at_should() {
    let case = |level| case("a", level, r#""expect": {"error": "not-writable"}"#);
    let bound = BTreeMap::new();
    assert_eq!(verdict(&case("must"), &refusal("not-writable"), None, &bound), Verdict::Pass);
    assert_eq!(verdict(&case("must"), &refusal("forged-marker"), None, &bound), Verdict::Warn);
    assert_eq!(verdict(&case("may"), &refusal("forged-marker"), None, &bound), Verdict::Info);
    assert_eq!(verdict(&case("must"), &result("A"), None, &bound), Verdict::Fail);
    let options = self::case("a", "must", OPTIONS);
    let declared =
        BTreeMap::from([("r".to_owned(), ResolvedChoice { name: "first".into(), by: ChoiceSource::Declaration })]);
    assert_eq!(verdict(&options, &refusal("bad-params"), None, &declared), Verdict::Fail, "a result was due");
}

#[test]
fn both_requests_of_a_case_count() {
    let case =
        |level| case("a", level, r#""expect": {"result": {"message": "A"}}, "same": {"content": "A", "end": false}"#);
    let judged = |level, first: &Answer, second: &Answer| verdict(&case(level), first, Some(second), &BTreeMap::new());
    let unsupported = Answer::Unsupported("not today".to_owned());
    assert_eq!(judged("must", &result("A"), &result("A")), Verdict::Pass);
    assert_eq!(judged("must", &result("A"), &result("B")), Verdict::Fail);
    assert_eq!(judged("should", &result("A"), &result("B")), Verdict::Warn);
    assert_eq!(judged("must", &result("A"), &unsupported), Verdict::Unsupported);
    for first in [result("A"), result("B"), unsupported.clone()] {
        assert_eq!(
            judged("may", &first, &crash()),
            Verdict::NoAnswer(FaultKind::Crash),
            "a crash fails at every level"
        );
    }
    assert_eq!(judged("must", &crash(), &result("A")), Verdict::NoAnswer(FaultKind::Crash));
}

#[test]
fn failed_request_fails_at_every_level() {
    let kinds = [
        FaultKind::Error,
        FaultKind::Crash,
        FaultKind::Timeout,
        FaultKind::Malformed,
        FaultKind::Oversized,
        FaultKind::UnexpectedId,
        FaultKind::Flaky,
        FaultKind::NotRun,
    ];
    let case = case("a", "may", r#""expect": {"result": {"message": "A"}}"#);
    for kind in kinds {
        let answer = Answer::Fault(Fault { kind, detail: String::new() });
        let found = verdict(&case, &answer, None, &BTreeMap::new());
        assert_eq!(found, Verdict::NoAnswer(kind));
        assert!(found.fails(), "{kind:?}");
    }
    assert_eq!(verdict(&case, &Answer::NoSuchMethod, None, &BTreeMap::new()), Verdict::Fail);
}

#[test]
fn refusal_of_the_second_params_fails_whatever_the_first_verdict() {
    let case = case("a", "should", r#""expect": {"result": {"message": "A"}}, "same": {"content": "A", "end": false}"#);
    let refused = Answer::Unsupported("no".to_owned());
    for first in ["A", "B"] {
        let judged = judge(&case, CORE, &result(first), Some(&refused), &BTreeMap::new());
        assert_eq!(judged.verdict, Verdict::Unsupported, "{first}");
        assert_eq!(judged.failure, Some(Failure::NotSame(refused.clone())), "{first}");
    }
}
