//! Repeated cases and early ends of runs: repeated answers are compared by their significant parts, and requests that
//! were not sent are reported.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use genui_conform::adapter::{Answer, Ask, Fault, FaultKind, Implementation, InProcess, InProcessAdapter};
use genui_conform::case::{Case, Corpus, Selection, read_case};
use genui_conform::format::Method;
use genui_conform::format::{Reference, Reply};
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::json::{Json, Pointer};
use genui_conform::mutation::mutant_adapter;
use genui_conform::protocol::Handshake;
use genui_conform::run::{
    Assessment, Baseline, Bounds, FailFast, Failure, Plan, Policy, RunResult, Verdict, execute_within,
};
use genui_conform::settings::Settings;

static DEFAULT: LazyLock<Policy> = LazyLock::new(Policy::default);

fn assess<'r, 'c>(record: &'r RunResult<'c>) -> Assessment<'r, 'c> {
    DEFAULT.assess(record)
}

/// Changes an answer, given the number of the request from 0, the request and the answer.
type Change<'a> = dyn Fn(usize, &Ask<'_>, Answer) -> Answer + Sync + 'a;

/// The reference with changed answers.
struct Changing<'a> {
    reference: InProcess,
    change: &'a Change<'a>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Implementation for Changing<'_> {
    fn handshake(&self) -> &Handshake {
        self.reference.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let answers = self.reference.send_all(asks, stop, progress);
        let mut asked = self.asked.lock().expect("no thread panics");
        let changed = asks.iter().zip(answers).map(|(ask, answer)| {
            let number = asked.len();
            asked.push(format!("{} {}", ask.method, ask.params));
            (self.change)(number, ask, answer)
        });
        changed.collect()
    }
}

fn corpus() -> Corpus {
    Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn selected<'c>(corpus: &'c Corpus, filters: &[&str]) -> Vec<&'c Case> {
    let cases = Selection::parse(filters).expect("they are filters").select(corpus);
    assert!(!cases.is_empty());
    cases
}

fn plan<'c>(cases: &[&'c Case], derived: bool) -> Plan<'c> {
    let (profile, asked) = (formats::openui::CORE, BTreeMap::new());
    Plan { cases: cases.to_vec(), profile, requested: asked, partial: false, derived, cost: false }
}

/// Runs cases against the reference with changed answers; returns the result and the requests.
fn run<'c>(
    cases: &[&'c Case],
    derived: bool,
    bounds: &Bounds<'_>,
    change: &Change<'_>,
) -> (RunResult<'c>, Vec<String>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let reference = InProcess::new(Settings::default());
    let mut implementation = Changing { reference, change, asked: Arc::clone(&asked) };
    let stop = AtomicBool::new(false);
    let record = execute_within(&plan(cases, derived), bounds, &mut implementation, &stop, &|_| {});
    let asked = std::mem::take(&mut *asked.lock().expect("no thread panics"));
    (record.expect("the reference can be run"), asked)
}

fn verdicts(record: &RunResult<'_>) -> BTreeMap<String, Verdict> {
    record.outcomes.iter().map(|outcome| (outcome.case.id.clone(), outcome.verdict)).collect()
}

fn of(record: &RunResult<'_>, verdict: Verdict) -> Vec<String> {
    verdicts(record).into_iter().filter(|(_, found)| *found == verdict).map(|(id, _)| id).collect()
}

fn repeat(times: usize) -> Bounds<'static> {
    Bounds { repeat: times, fail_fast: None }
}

fn fail_fast(limit: usize) -> Bounds<'static> {
    Bounds { repeat: 1, fail_fast: Some(FailFast { limit, policy: &DEFAULT }) }
}

fn other() -> Answer {
    Answer::Result(Json::object([("content", "something else".into())]))
}

/// Sets a member of a result to a text.
fn with(answer: Answer, place: &str, text: &str) -> Answer {
    let Answer::Result(mut result) = answer else { return answer };
    if let Some(target) = place.parse::<Pointer>().expect("is a pointer").find_mut(&mut result) {
        *target = text.into();
    }
    Answer::Result(result)
}

#[test]
fn changing_answer_is_unstable() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/plain-text"]);
    let victim = &cases[2];
    for round in 2..=3 {
        let (count, victim) = (cases.len(), victim.params.clone());
        let change = move |number: usize, ask: &Ask<'_>, answer| {
            if ask.params == victim && number / count + 1 == round { other() } else { answer }
        };
        let (record, asked) = run(&cases, false, &repeat(3), &change);
        assert_eq!(asked.len(), 3 * cases.len(), "each case three times");
        assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), [cases[2].id.clone()]);
        assert!(!assess(&record).conforms());
        let outcome = record
            .outcomes
            .iter()
            .find(|outcome| outcome.verdict == Verdict::NoAnswer(FaultKind::Flaky))
            .expect("is there");
        let Some(Failure::Flaky(again)) = &outcome.failure else { panic!("{:?}", outcome.failure) };
        assert_eq!((&again.answer, again.at.to_string()), (&other(), "/content".to_owned()), "both answers are kept");
        assert!(matches!(outcome.answer, Answer::Result(_)) && outcome.answer != again.answer);
        assert!(again.when.contains(if round == 2 { "2nd time" } else { "3rd time" }), "{}", again.when);
        assert_eq!(
            assess(&run(&cases, false, &repeat(1), &change).0).counts.get(&Verdict::NoAnswer(FaultKind::Flaky)),
            None,
            "asked once"
        );
    }
}

#[test]
fn insignificant_difference_is_stable() {
    let corpus = corpus();
    let cases: Vec<&Case> = corpus.cases.iter().collect();
    // New ids each time, messages of refusals, optional members, for every request.
    let change = |number: usize, ask: &Ask<'_>, answer| match (ask.method.name(), answer) {
        ("toonui.reply", answer) => with(answer, "/payload/eventId", &format!("reply_{number}")),
        ("toonui.submit", answer) => with(answer, "/payload/eventId", &format!("submit_{number}")),
        (_, Answer::Refusal { kind, .. }) => Answer::Refusal { kind, message: format!("no, {number} times no") },
        (_, answer) => answer,
    };
    let (record, asked) = run(&cases, true, &repeat(3), &change);
    assert!(asked.len() > 10_000, "derived checks ask too");
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), Vec::<String>::new());
    let failing: Vec<&str> =
        record.outcomes.iter().filter(|outcome| outcome.verdict.fails()).map(|outcome| &outcome.case.id[..]).collect();
    assert_eq!(failing, Vec::<&str>::new());
    // Ids that violate their rule are wrong each time, and not unstable.
    let cases = selected(&corpus, &["method:toonui.reply"]);
    let wrong = |number: usize, _: &Ask<'_>, answer| with(answer, "/payload/eventId", &format!("EVENT {number}"));
    let (record, _) = run(&cases, true, &repeat(2), &wrong);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), Vec::<String>::new());
    assert!(assess(&record).counts.keys().any(|verdict| matches!(verdict, Verdict::Warn | Verdict::Fail)));
}

#[test]
fn the_reference_and_a_mutant_are_stable() {
    let corpus = corpus();
    let cases: Vec<&Case> = corpus.cases.iter().collect();
    let stop = AtomicBool::new(false);
    let mutant = FORMATS.mutants().find(|mutant| mutant.rule == "openui.read.last-content-wins").expect("there is one");
    for adapter in [InProcessAdapter::reference(), mutant_adapter(mutant)] {
        let mut implementation = InProcess::of(adapter, Settings::default());
        let record = execute_within(&plan(&cases, true), &repeat(2), &mut implementation, &stop, &|_| {});
        let record = record.expect("can be run");
        assert_eq!(assess(&record).counts.get(&Verdict::NoAnswer(FaultKind::Flaky)), None);
    }
}

#[test]
fn occasional_crash_is_unstable_and_permanent_crash_is_not() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/end"]);
    let crash = || Answer::Fault(Fault { kind: FaultKind::Crash, detail: "gone".to_owned() });
    let count = cases.len();
    let once = |number: usize, _: &Ask<'_>, answer| if number == count { crash() } else { answer };
    let (record, _) = run(&cases, false, &repeat(2), &once);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), [cases[0].id.clone()]);
    let always = |number: usize, _: &Ask<'_>, answer| if number.is_multiple_of(count) { crash() } else { answer };
    let (record, _) = run(&cases, false, &repeat(2), &always);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Crash)), [cases[0].id.clone()]);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), Vec::<String>::new());
}

#[test]
fn repeated_requests_of_derived_checks_are_compared() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/end/alone", "openui/plain-text"]);
    let (count, victim) = (cases.len(), cases.last().expect("there is one").params.clone());
    let change = move |number: usize, ask: &Ask<'_>, answer| {
        if number >= 2 * count && ask.params == victim { other() } else { answer }
    };
    let (record, _) = run(&cases, true, &Bounds::default(), &change);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), [cases[count - 1].id.clone()]);
    let outcome = record.outcomes.last().expect("there is one");
    let Some(Failure::Flaky(again)) = &outcome.failure else { panic!("{:?}", outcome.failure) };
    assert!(again.when.contains("a derived check"), "{}", again.when);
    assert_eq!(
        assess(&run(&cases, false, &Bounds::default(), &change).0).counts.get(&Verdict::NoAnswer(FaultKind::Flaky)),
        None
    );
}

#[test]
fn what_a_request_leaves_behind_for_another_one_shows_in_another_order() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/build"]);
    let flaky = |change: &Change<'_>, derived: bool| {
        let (record, _) = run(&cases, derived, &Bounds::default(), change);
        let when = record.outcomes.iter().find_map(|outcome| match &outcome.failure {
            Some(Failure::Flaky(again)) => Some(again.when.clone()),
            _ => None,
        });
        (of(&record, Verdict::NoAnswer(FaultKind::Flaky)).len(), when.unwrap_or_default())
    };
    // Each answer after a refusal is wrong. It judges alike how often each is asked, and in which order.
    let refused = Mutex::new(false);
    let after_refusal = |_: usize, _: &Ask<'_>, answer| {
        let is_refusal = matches!(answer, Answer::Refusal { .. });
        let was_refused = std::mem::replace(&mut *refused.lock().expect("no thread panics"), is_refusal);
        if was_refused && !is_refusal { other() } else { answer }
    };
    let (found, when) = flaky(&after_refusal, true);
    assert!(found > 0 && when.contains("the last one first"), "{found} {when}");
    assert_eq!(flaky(&after_refusal, false).0, 0, "each request is sent once");
    // The answers to long requests are forgotten after a while.
    let seen = Mutex::new(0);
    let filled = |_: usize, ask: &Ask<'_>, answer| {
        let mut seen = seen.lock().expect("no thread panics");
        *seen += 1;
        if *seen > cases.len() && ask.params.len() > 200 { other() } else { answer }
    };
    assert!(flaky(&filled, true).0 > 0);
}

#[test]
fn an_implementation_that_stops_answering_is_not_asked_for_what_it_never_answered() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/plain-text"]);
    let victim = cases[0].params.clone();
    let crash = || Answer::Fault(Fault::new(FaultKind::Crash, "it ended"));
    let change = |_: usize, ask: &Ask<'_>, answer| if ask.params == victim { crash() } else { answer };
    let (record, asked) = run(&cases, true, &Bounds::default(), &change);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), Vec::<String>::new());
    let again = &asked[cases.len()..2 * cases.len() - 1];
    assert!(!again.contains(&asked[0]), "{again:?}");
    assert_eq!(again[0], asked[cases.len() - 1], "the last one first");
    // One that answered the first time, and crashes the second.
    let count = cases.len();
    let change = |number: usize, _: &Ask<'_>, answer| if number == count { crash() } else { answer };
    let (record, _) = run(&cases, true, &Bounds::default(), &change);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), [cases[count - 1].id.clone()]);
}

#[test]
fn equal_requests_of_two_cases_need_equal_answers() {
    let case = |id: &str| {
        let text = r#"{"about": "A case of the tests.", "rules": [], "level": "may", "since": "0.1.0",
            "method": "openui.parse", "params": {"raw": "A"}, "expect": {"result": {"content": "A"}}}"#;
        read_case(id, text).unwrap_or_else(|why| panic!("{why}"))
    };
    let twins = [case("openui/a/a"), case("openui/a/b")];
    let cases: Vec<&Case> = twins.iter().collect();
    let change = |number: usize, _: &Ask<'_>, answer| if number == 1 { other() } else { answer };
    let (record, _) = run(&cases, false, &Bounds::default(), &change);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), ["openui/a/a", "openui/a/b"], "whatever their level");
    let same = |_: usize, _: &Ask<'_>, _| other();
    let (record, _) = run(&cases, false, &Bounds::default(), &same);
    assert_eq!(of(&record, Verdict::NoAnswer(FaultKind::Flaky)), Vec::<String>::new(), "wrong both times alike");
}

#[test]
fn run_stops_at_its_failure_limit() {
    let corpus = corpus();
    let mut cases = selected(&corpus, &["openui/plain-text", "openui/context", "level:must", "method:openui.parse"]);
    cases.retain(|case| case.same.is_none());
    let change = |number: usize, _: &Ask<'_>, answer| if number % 3 == 2 { other() } else { answer };
    for limit in 1..=4 {
        let (record, asked) = run(&cases, true, &fail_fast(limit), &change);
        assert_eq!(assess(&record).counts[&Verdict::Fail], limit, "no more and no fewer");
        assert!((3 * limit..3 * limit + limit).contains(&asked.len()), "{} requests for {limit}", asked.len());
        let asked_cases: usize = record.outcomes.iter().filter(|outcome| outcome.verdict != Verdict::NOT_RUN).count();
        assert_eq!(asked_cases, asked.len(), "what was asked has its verdict");
        assert!(record.derived.iter().all(|outcome| outcome.verdict == Verdict::NOT_RUN), "no check was made");
        assert!(record.ended_early && record.partial && !assess(&record).conforms() && !record.interrupted);
        let not_run = cases.len() - asked_cases;
        assert!(
            record.notes.iter().any(|note| note.contains(&format!("cases not run: {not_run};"))),
            "{:?}",
            record.notes
        );
    }
    let (record, _) = run(&cases, true, &fail_fast(10_000), &change);
    assert!(!record.ended_early && of(&record, Verdict::NOT_RUN).is_empty(), "there are not so many");
    let (whole, _) = run(&cases, true, &Bounds::default(), &|_, _, answer| answer);
    let (bounded, _) = run(&cases, true, &fail_fast(1), &|_, _, answer| answer);
    assert!(!bounded.ended_early && bounded.notes.is_empty());
    assert_eq!((verdicts(&bounded), bounded.derived.len()), (verdicts(&whole), whole.derived.len()), "nothing failed");
}

#[test]
fn run_stops_after_failed_derived_check() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/plain-text", "openui/end"]);
    let asked = AtomicBool::new(false);
    // Every stream gives a different result; no case here requests one.
    let change = |_: usize, ask: &Ask<'_>, answer| {
        if ask.method == formats::openui::STREAM {
            asked.store(true, Ordering::Relaxed);
            return Answer::Result(Json::object([("snapshots", Json::Array(Vec::new()))]));
        }
        answer
    };
    let (all, _) = run(&cases, true, &Bounds::default(), &change);
    let (record, _) = run(&cases, true, &fail_fast(1), &change);
    assert!(asked.load(Ordering::Relaxed));
    let failed =
        |record: &RunResult<'_>| record.derived.iter().filter(|outcome| outcome.verdict == Verdict::Fail).count();
    assert!((1..=5).contains(&failed(&record)) && failed(&all) > 20, "{} of {}", failed(&record), failed(&all));
    assert!(record.ended_early && record.derived.len() == all.derived.len(), "each check has a verdict");
    assert!(of(&record, Verdict::NOT_RUN).is_empty(), "the cases had all been asked");
}

#[test]
fn known_failures_do_not_stop_the_run() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/plain-text"]);
    let change = |number: usize, _: &Ask<'_>, answer| if number == 1 || number == 4 { other() } else { answer };
    let baseline = |more: &str| {
        let entry =
            format!("suite = \"0.1.0\"\n[[known]]\ncases = \"{}\"\nverdict = \"fail\"\nreason = \"x\"\n", cases[1].id);
        Baseline::parse(&(entry + more)).expect("is a baseline")
    };
    let ends_at = |baseline: &Baseline| {
        let policy = Policy { baseline: Some(baseline.clone()), ..Policy::default() };
        let fail_fast = FailFast { limit: 1, policy: &policy };
        run(&cases, false, &Bounds { repeat: 1, fail_fast: Some(fail_fast) }, &change).1.len()
    };
    assert_eq!(ends_at(&baseline("")), 5, "the first failure is known");
    assert_eq!(ends_at(&baseline("at_most = 0\n")), 2, "more than it allows are not");
    assert_eq!(ends_at(&baseline("").clone().without_limits()), 5);
}

#[test]
fn each_answer_has_its_duration() {
    let corpus = corpus();
    let cases = selected(&corpus, &["openui/plain-text", "openui/build"]);
    let stop = AtomicBool::new(false);
    let adapter = InProcessAdapter::new("slow", |options| Box::new(Slow(FORMATS.reference(options))));
    let mut slow = InProcess::of(adapter, Settings::default());
    let record = execute_within(&plan(&cases, false), &Bounds::default(), &mut slow, &stop, &|_| {});
    let record = record.expect("can be run");
    for outcome in &record.outcomes {
        let at_least = Duration::from_millis(if outcome.case.same.is_some() { 6 } else { 3 });
        assert!(outcome.duration.is_some_and(|time| time >= at_least), "{}: {:?}", outcome.case.id, outcome.duration);
    }
    // This implementation does not measure, and requests that were not sent have no duration.
    let (record, _) = run(&cases, false, &fail_fast(1), &|_, _, _| other());
    assert!(record.outcomes.iter().all(|outcome| outcome.duration.is_none()));
}

/// A slow reference.
struct Slow(Box<dyn Reference>);

impl Reference for Slow {
    fn answer(&self, method: Method, params: &str) -> Reply {
        std::thread::sleep(Duration::from_millis(3));
        self.0.answer(method, params)
    }
}
