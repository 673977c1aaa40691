//! What answers are worth: choices that bind, refusals of another kind, and cases with two requests.

use std::collections::BTreeMap;

use genui_conform::adapter::{Answer, Fault, FaultKind};
use genui_conform::case::{Case, read_case};
use genui_conform::json;
use genui_conform::openui::Profile;
use genui_conform::run::{Bound, BoundBy, Departure, Terms, Verdict, bind, judge};

/// An implementation that follows core and omits nothing.
const CORE: Terms<'_> = Terms { profile: Profile::Core, omitted: &[] };

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

fn verdict(case: &Case, answer: &Answer, same: Option<&Answer>, bound: &BTreeMap<String, Bound>) -> Verdict {
    judge(case, CORE, answer, same, bound).verdict
}

const OPTIONS: &str = r#""expect": {"one_of": [
    {"result": {"message": "one"}, "choices": {"r": "first"}},
    {"result": {"message": "two"}, "choices": {"r": "second"}},
    {"result": {"message": "two"}, "choices": {"r": "third"}},
    {"error": "not-writable", "choices": {"r": "fourth"}, "warn": "Take care."}
]}"#;

#[test]
fn an_answer_that_fits_one_option_binds_and_all_answers_are_held_to_it() {
    let (early, late) = (case("a", "must", OPTIONS), case("b", "must", OPTIONS));
    let mut bound = BTreeMap::new();
    bind(&early, CORE, &result("two"), &mut bound);
    assert!(bound.is_empty(), "an answer that fits two options binds nothing");
    assert_eq!(verdict(&early, &result("two"), None, &bound), Verdict::Pass);
    bind(&late, CORE, &result("one"), &mut bound);
    assert_eq!(bound["r"], Bound { name: "first".into(), by: BoundBy::Case("b".into()) });
    bind(&late, CORE, &refusal("not-writable"), &mut bound);
    assert_eq!(bound["r"].name, "first", "what is bound stays");
    assert_eq!(verdict(&late, &result("one"), None, &bound), Verdict::Pass);
    let judged = judge(&early, CORE, &result("two"), None, &bound);
    assert_eq!(judged.verdict, Verdict::Fail, "a later case binds earlier ones too");
    assert!(matches!(judged.departure, Some(Departure::Choice { chosen, .. }) if chosen == "second"));
    assert_eq!(verdict(&late, &result("three"), None, &bound), Verdict::Fail);
}

#[test]
fn a_declared_choice_is_judged_like_a_bound_one() {
    let case = case("a", "should", OPTIONS);
    let declared =
        |name: &str| BTreeMap::from([("r".to_owned(), Bound { name: name.into(), by: BoundBy::Declaration })]);
    assert_eq!(verdict(&case, &result("two"), None, &declared("third")), Verdict::Pass);
    assert_eq!(verdict(&case, &result("two"), None, &declared("first")), Verdict::Warn);
    assert_eq!(verdict(&case, &refusal("not-writable"), None, &declared("fourth")), Verdict::Warn, "with its warning");
}

#[test]
fn the_kind_of_a_refusal_is_judged_as_should() {
    let case = |level| case("a", level, r#""expect": {"error": "not-writable"}"#);
    let bound = BTreeMap::new();
    assert_eq!(verdict(&case("must"), &refusal("not-writable"), None, &bound), Verdict::Pass);
    assert_eq!(verdict(&case("must"), &refusal("forged-marker"), None, &bound), Verdict::Warn);
    assert_eq!(verdict(&case("may"), &refusal("forged-marker"), None, &bound), Verdict::Recorded);
    assert_eq!(verdict(&case("must"), &result("A"), None, &bound), Verdict::Fail);
    let options = self::case("a", "must", OPTIONS);
    let declared = BTreeMap::from([("r".to_owned(), Bound { name: "first".into(), by: BoundBy::Declaration })]);
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
        assert_eq!(judged("may", &first, &crash()), Verdict::Crash, "a crash fails at every level");
    }
    assert_eq!(judged("must", &crash(), &result("A")), Verdict::Crash);
}

#[test]
fn what_is_no_answer_fails_at_every_level() {
    let kinds = [
        (FaultKind::Error, Verdict::Error),
        (FaultKind::Crash, Verdict::Crash),
        (FaultKind::Timeout, Verdict::Timeout),
        (FaultKind::Garbage, Verdict::Garbage),
        (FaultKind::Flood, Verdict::Flood),
        (FaultKind::WrongId, Verdict::WrongId),
        (FaultKind::Unstable, Verdict::Unstable),
        (FaultKind::NotRun, Verdict::NotRun),
    ];
    let case = case("a", "may", r#""expect": {"result": {"message": "A"}}"#);
    for (kind, expected) in kinds {
        let answer = Answer::Fault(Fault { kind, detail: String::new() });
        let found = verdict(&case, &answer, None, &BTreeMap::new());
        assert_eq!(found, expected);
        assert!(found.fails(), "{expected:?}");
    }
    assert_eq!(verdict(&case, &Answer::NoSuchMethod, None, &BTreeMap::new()), Verdict::Fail);
}
