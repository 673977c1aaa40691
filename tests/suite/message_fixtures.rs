//! Message fixtures: cases survive the round trip as far as the format can represent them, losses are reported, and the
//! error for an unusable fixture says why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use genui_conform::adapter::{Answer, InProcess};
use genui_conform::case::{Case, Corpus, Outcome, Selection, read_case};
use genui_conform::format::Reference;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::formats::openui::fixtures::{
    self, EXPECTED_FILE, FixtureSet, MESSAGE_FILE, Unrepresentable, read_fixture, write_fixtures,
};
use genui_conform::formats::openui::reader_options;
use genui_conform::json::{self, Json};
use genui_conform::report::printable;
use genui_conform::rules;
use genui_conform::run::compare::{difference, side_by_side};
use genui_conform::run::{ChoiceSource, Plan, ResolvedChoice, Terms, Verdict, execute, judge};
use genui_conform::settings::Settings;
use proptest::prelude::*;

use crate::generate;
use crate::snapshots::kept_in;

/// An implementation that follows core and omits nothing.
const CORE: Terms<'_> = Terms { profile: formats::openui::CORE, omitted: &[] };

/// Returns the cases of the corpus whose method is a mode of the fixture format.
const METHODS: [&str; 3] = ["method:openui.parse", "method:openui.model_text", "method:openui.build"];

fn embedded() -> Corpus {
    Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn selected(corpus: &Corpus) -> Vec<&Case> {
    Selection::parse(&METHODS).expect("they are filters").select(corpus)
}

/// Returns the cases read from fixtures that were written to files.
fn through_files(set: &FixtureSet) -> Corpus {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for fixture in &set.fixtures {
        let path = folder.path().join(&fixture.name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        std::fs::write(path.join(MESSAGE_FILE), &fixture.message).expect("a file can be written");
        std::fs::write(path.join(EXPECTED_FILE), &fixture.expected).expect("a file can be written");
    }
    Corpus::from_fixtures(folder.path()).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns the case read from the fixture of another case.
fn came_of<'c>(corpus: &'c Corpus, case: &Case) -> Option<&'c Case> {
    corpus.case(&case.id).or_else(|| corpus.case(&format!("{}/model-text", case.id)))
}

/// Returns the params of a request with the defaults filled in.
fn asked(case: &Case) -> (String, Json) {
    let params = json::parse(&case.params).expect("params are JSON");
    let text = |name: &str| params.get(name).and_then(Json::as_str).expect("has a text").to_owned();
    let is = |name: &str| Json::from(params.get(name) == Some(&Json::Bool(true)));
    let or = |name: &str, absent: Json| match params.get(name) {
        None | Some(Json::Null) => absent,
        Some(value) => value.clone(),
    };
    match case.method.name() {
        "openui.parse" => (text("raw"), is("streaming")),
        "openui.model_text" => (text("raw"), text("role").into()),
        "openui.build" => {
            let parts = [or("context", Json::Null), or("attributes", Json::Array(Vec::new())), is("end")];
            (text("content"), Json::Array(parts.into()))
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the expected result for the choices of the reference.
fn expected(case: &Case) -> Option<&Json> {
    let is_first = |(rule, name): (&String, &String)| {
        rules::named(rule).and_then(|rule| rule.choices.first()).is_some_and(|first| first == name)
    };
    let option = case.options().iter().find(|option| option.choices.iter().all(is_first))?;
    match &option.outcome {
        Outcome::Result(result) => Some(result),
        Outcome::Refusal(_) => None,
    }
}

#[test]
fn representable_cases_survive_the_round_trip() {
    let corpus = embedded();
    let cases = selected(&corpus);
    assert!(cases.len() > 450, "expected the cases of three methods, but found {}", cases.len());
    let mut held_somewhere = BTreeSet::new();
    for profile in FORMATS.profiles() {
        let set = write_fixtures(&cases, &reader_options(&Settings::of(profile)));
        let fixtures = through_files(&set);
        assert_eq!(fixtures.cases.len(), set.fixtures.len(), "one case for each fixture");
        let unrepresentable: BTreeSet<&str> = set
            .remarks
            .iter()
            .filter(|remark| remark.unrepresentable.is_whole())
            .map(|remark| &remark.case[..])
            .collect();
        for case in &cases {
            let Some(back) = came_of(&fixtures, case) else {
                assert!(unrepresentable.contains(&case.id[..]), "{} is unrepresentable without a word", case.id);
                continue;
            };
            assert!(!unrepresentable.contains(&case.id[..]), "{} is reported as unrepresentable", case.id);
            held_somewhere.insert(&case.id);
            assert_eq!((back.method, asked(back)), (case.method, asked(case)), "{}", case.id);
            assert_eq!(back.members, None, "{}: everything counts", case.id);
            let (now, then) = (expected(back).expect("has an answer"), expected(case).expect("has an answer"));
            assert_eq!(difference(case.method, profile, &[], then, now), None, "{}", case.id);
            // The fixture contains the context as the message does.
            let fixture = set.fixtures.iter().find(|fixture| fixture.name == case.id).expect("is there");
            let file = json::parse(&fixture.expected).expect("is JSON");
            if let Some(body) = file.get("result").and_then(|result| result.get("context")).and_then(Json::as_str) {
                // A context that is interrupted by an end line has several pieces.
                assert!(body.split('\n').all(|line| fixture.message.contains(line)), "{}: {body:?}", case.id);
            }
        }
        let said: Vec<&str> = set.remarks.iter().map(|remark| &remark.case[..]).collect();
        assert!(said.iter().all(|id| cases.iter().any(|case| case.id == *id)));
    }
    // Each case without a fixture in any profile contains something that the format cannot represent.
    let nowhere: Vec<&&Case> = cases.iter().filter(|case| !held_somewhere.contains(&case.id)).collect();
    for case in nowhere {
        let why = write_fixtures(&[case], &reader_options(&Settings::of(case.profiles[0]))).remarks;
        let [remark] = &why[..] else { panic!("{}: {why:?}", case.id) };
        assert!(
            matches!(
                remark.unrepresentable,
                Unrepresentable::Cost
                    | Unrepresentable::Refusal(_)
                    | Unrepresentable::Attributes(_)
                    | Unrepresentable::OnlyPatterns
            ),
            "{}: {remark:?}",
            case.id
        );
    }
}

#[test]
fn the_reference_passes_round_trip_cases() {
    let corpus = embedded();
    for profile in FORMATS.profiles() {
        let fixtures = through_files(&write_fixtures(&selected(&corpus), &reader_options(&Settings::of(profile))));
        let cases = Selection::default().select(&fixtures);
        let plan = Plan { cases, profile, requested: BTreeMap::new(), partial: false, derived: false, cost: false };
        let mut reference = InProcess::new(Settings::of(profile));
        let record = execute(&plan, &mut reference, &Default::default(), &|_| {}).expect("the reference can be run");
        for outcome in &record.outcomes {
            assert_eq!(outcome.verdict, Verdict::Pass, "{}: {:?}", outcome.case.id, outcome.failure);
        }
        assert!(record.outcomes.len() > 350, "{}", record.outcomes.len());
    }
}

/// A case and its fixture kill the same mutants.
#[test]
fn fixture_kills_the_mutants_of_its_case() {
    let corpus = embedded();
    let options = Settings::default();
    let cases = selected(&corpus);
    let fixtures = through_files(&write_fixtures(&cases, &reader_options(&options)));
    // The mutants declare the choices of the reference here: fixtures represent one choice on each point.
    let bound: BTreeMap<String, ResolvedChoice> = rules::all()
        .iter()
        .filter(|rule| rule.is_open() && rule.open_in.contains(&formats::openui::CORE))
        .map(|rule| (rule.id.clone(), ResolvedChoice { name: rule.choices[0].clone(), by: ChoiceSource::Declaration }))
        .collect();
    let pairs: Vec<(&Case, &Case)> = cases.iter().filter_map(|case| Some((*case, came_of(&fixtures, case)?))).collect();
    let answer = |session: &dyn Reference, case: &Case| match session.answer(case.method, &case.params) {
        Ok(result) => Answer::Result(result),
        Err(refusal) => Answer::Refusal { kind: refusal.kind.name().to_owned(), message: refusal.message },
    };
    let mut killed = BTreeSet::new();
    for mutant in FORMATS.mutants().filter(|mutant| mutant.rule.starts_with("openui.")) {
        let session = FORMATS.reference_with(mutant, &options);
        for (case, back) in &pairs {
            let answer = answer(&*session, back);
            let is_right = |case| judge(case, CORE, &answer, None, &bound).verdict == Verdict::Pass;
            assert_eq!(is_right(case), is_right(back), "{} by {}", mutant.name, case.id);
            if !is_right(back) {
                killed.insert(mutant.name);
            }
        }
    }
    assert!(pairs.len() > 350 && killed.len() > 100, "{} fixtures, {} mutants killed", pairs.len(), killed.len());
}

#[test]
fn losses_are_reported_exactly() {
    let corpus = embedded();
    let mut text = String::new();
    for profile in FORMATS.profiles() {
        let set = write_fixtures(&selected(&corpus), &reader_options(&Settings::of(profile)));
        let (held, all) = (set.fixtures.len(), selected(&corpus).len());
        text.push_str(&format!("profile {profile}: {held} fixtures of {all} cases\n"));
        let mut reasons: BTreeMap<(bool, &str), BTreeSet<String>> = BTreeMap::new();
        for remark in &set.remarks {
            let detail =
                remark.unrepresentable.detail().map_or_else(String::new, |detail| format!(": {}", printable(&detail)));
            let cases =
                reasons.entry((!remark.unrepresentable.is_whole(), remark.unrepresentable.reason())).or_default();
            assert!(cases.insert(format!("    {}{detail}\n", remark.case)), "{remark:?} is reported twice");
        }
        for ((in_part, reason), cases) in reasons {
            let what = if in_part { "in part" } else { "whole" };
            text.push_str(&format!("  {what}: {reason} ({})\n", cases.len()));
            // Profiles differ in few cases; the default profile represents all.
            if profile == formats::openui::CORE {
                text.extend(cases);
            }
        }
    }
    kept_in("").bind(|| insta::assert_snapshot!("fixtures-unrepresentable", text));
}

fn case(method: &str, rest: &str) -> Case {
    let text = format!(
        r#"{{"about": "A case of the tests.", "rules": [], "level": "must", "since": "0.1.0", "method": "{method}", {rest}}}"#
    );
    read_case("openui/a/b", &text).unwrap_or_else(|why| panic!("{why}"))
}

/// Returns the fixture of a case, and the warnings.
fn written(case: &Case, options: &Settings) -> (Option<Json>, Vec<String>) {
    let set = write_fixtures(&[case], &reader_options(options));
    let file = set.fixtures.first().map(|fixture| json::parse(&fixture.expected).expect("is JSON"));
    (file, set.remarks.iter().map(|remark| remark.unrepresentable.to_string()).collect())
}

#[test]
fn losses_that_no_corpus_case_has_are_reported() {
    let core = Settings::default();
    let stale = |warn: &str| {
        format!(
            r#""params": {{"raw": "A"}}, "expect": {{"one_of": [
                {{"result": {{"content": "A", "end": true}}, "choices": {{"openui.read.stale-end": "counts"}}{warn}}},
                {{"result": {{"content": "A"}}, "choices": {{"openui.read.stale-end": "ignored"}}}}]}}"#
        )
    };
    let warned = case("openui.parse", &stale(r#", "warn": "Look out.""#));
    let left_out = "the answers for other choices than these are left out: openui.read.stale-end=counts";
    assert_eq!(written(&warned, &core).1, [left_out, "the warning about the answer is left out"]);
    // Other choices lead to the other answer.
    let mut ignored = core.clone();
    assert!(ignored.choose("openui.read.stale-end", "ignored"));
    let (file, said) = written(&case("openui.parse", &stale("")), &ignored);
    assert_eq!(file.expect("is held").get("result").and_then(|result| result.get("end")), Some(&Json::from(false)));
    assert_eq!(said, ["the answers for other choices than these are left out: openui.read.stale-end=ignored"]);
    let other = stale("").replace("stale-end", "several-contexts");
    assert_eq!(
        written(&case("openui.parse", &other), &core).1,
        ["no answer is right with the choices of the fixtures"]
    );

    let matched = |method: &str, params: &str, result: &str, place: &str| {
        let rest =
            format!(r#""params": {params}, "expect": {{"result": {result}}}, "match": {{"{place}": "^[a-z]*$"}}"#);
        written(&case(method, &rest), &core)
    };
    let (file, said) =
        matched("openui.parse", r#"{"raw": "A"}"#, r#"{"content": "A", "context": {"id": "x"}}"#, "/context/id");
    let keys = file.expect("is held in part").get("result").cloned();
    let Some(Json::Object(keys)) = keys else { panic!("{keys:?}") };
    assert!(keys.len() == 3 && keys.iter().all(|(name, _)| name.as_str() != Some("context")), "{keys:?}");
    assert_eq!(said, ["a member with a pattern is not compared: context"]);
    let (file, said) = matched("openui.build", r#"{"content": "A"}"#, r#"{"message": "x"}"#, "/message");
    assert_eq!((file, &said[..]), (None, &["patterns match the whole result".to_owned()][..]));

    for (method, rest, loss) in [
        (
            "openui.parse",
            r#""params": {"raw": "A"}, "expect": {"result": {"content": "A", "context": {"n": 1}}}"#,
            "`context` is rewritten, since it reads differently in the message",
        ),
        (
            "openui.parse",
            r#""params": {"raw": "A"}, "same": {"raw": "A", "streaming": false}, "expect": {"result": {"content": "A"}}"#,
            "the other params that must get the same answer are left out",
        ),
        (
            "openui.build",
            r#""params": {"content": "A", "context": "12"}, "expect": {"result": {"message": "]]>openui:content\nA\n]]>openui:context\n12"}}"#,
            "as `context` in `input` the text would represent a value: 12",
        ),
        (
            "openui.build",
            r#""params": {"content": "A"}, "expect": {"result": {"message": "\ud800"}}"#,
            "no text file holds half of a surrogate pair, as the message does",
        ),
        (
            "openui.model_text",
            r#""params": {"raw": "A", "role": "assistant"}, "expect": {"result": {"text": 1}}"#,
            "the fixture could not be read: expected.json:4:3: expected a string in mode strip, but found a number",
        ),
    ] {
        assert_eq!(written(&case(method, rest), &core).1, [loss], "{rest}");
    }
    let lone = case("openui.parse", r#""params": {"raw": "A"}, "expect": {"result": {"content": "\ud800"}}"#);
    assert_eq!(written(&lone, &core).1, Vec::<String>::new(), "an escape holds it in a result");
}

#[test]
fn a_context_is_the_body_of_its_section() {
    let contexts = |body: &str| -> Vec<(String, Vec<String>)> {
        let expected = format!(r#"{{"mode":"read","result":{{"context":{}}}}}"#, Json::from(body).to_ascii());
        let cases = read_fixture("f", Some("A"), &expected).unwrap_or_else(|errors| panic!("{errors:?}"));
        let context = |outcome: &Outcome| match outcome {
            Outcome::Result(result) => result.get("context").expect("is listed").to_compact(),
            Outcome::Refusal(kind) => kind.to_string(),
        };
        cases[0]
            .options()
            .iter()
            .map(|option| (context(&option.outcome), option.choices.values().cloned().collect()))
            .collect()
    };
    let one = |context: &str| vec![(context.to_owned(), Vec::new())];
    assert_eq!(contexts("{\"a\": [1.0]}\n"), one("{\"a\":[1.0]}"), "JSON is the value");
    assert_eq!(contexts("{\"a\":"), one("\"{\\\"a\\\":\""), "what is not JSON is text");
    assert_eq!(contexts("\"12\""), one("\"12\""), "a JSON string is its value");
    assert_eq!(contexts("null"), one("null"), "JSON null is no context");
    let any = |answers: &[(&str, &str)]| -> Vec<_> {
        answers.iter().map(|(context, name)| ((*context).to_owned(), vec![(*name).to_owned()])).collect()
    };
    assert_eq!(contexts(""), any(&[("\"\"", "empty-string"), ("null", "absent")]), "both are right, by choice");
    let (exact, double) = ("9007199254740993", "9007199254740992");
    let numbers = [(exact, "exact"), (double, "double"), (exact, "exact-integers"), (exact, "64-bit-integers")];
    assert_eq!(contexts(exact), any(&numbers), "and here");
    let none = read_fixture("f", Some("A"), r#"{"mode":"read","result":{"context":null}}"#).expect("is sound");
    assert_eq!(expected(&none[0]).and_then(|result| result.get("context")), Some(&Json::Null));
}

#[test]
fn only_listed_members_are_compared() {
    let listed = |result: &str| -> Case {
        let file = format!(r#"{{"mode":"read","result":{result}}}"#);
        read_fixture("f", Some("A"), &file).unwrap_or_else(|errors| panic!("{errors:?}")).remove(0)
    };
    let verdict = |case: &Case, answer: &str| {
        let answer = Answer::Result(json::parse(answer).expect("is JSON"));
        judge(case, CORE, &answer, None, &BTreeMap::new()).verdict
    };
    let end = listed(r#"{"end":false}"#);
    assert_eq!(verdict(&end, r#"{"content":"B","attributes":{"x":"y"}}"#), Verdict::Pass);
    assert_eq!(verdict(&end, r#"{"content":"B","end":true}"#), Verdict::Fail);
    assert_eq!(verdict(&end, r#"{"content":"B","colour":"red"}"#), Verdict::Fail, "no method has such a member");
    assert_eq!(verdict(&end, "3"), Verdict::Fail);
    let context = listed(r#"{"context":null,"content":"A"}"#);
    assert_eq!(verdict(&context, r#"{"content":"A","end":true}"#), Verdict::Pass, "an absent context is none");
    assert_eq!(verdict(&context, r#"{"content":"A","context":0}"#), Verdict::Fail);
    let found = json::parse(r#"{"end":true,"context":0,"content":"B"}"#).expect("is JSON");
    let (left, right) = side_by_side(&context, expected(&context).expect("has an answer"), &found);
    assert_eq!(right.to_compact(), r#"{"context":0,"content":"B"}"#, "a report shows what counts");
    assert_eq!(left.to_compact(), r#"{"context":null,"content":"A"}"#);
}

#[test]
fn mode_of_a_fixture_decides_the_request() {
    let asks = |message: Option<&str>, file: &str| -> Vec<String> {
        let cases = read_fixture("f", message, file).unwrap_or_else(|errors| panic!("{errors:?}"));
        cases.iter().map(|case| format!("{} {} {}", case.id, case.method, case.params)).collect()
    };
    let raw = "]]>openui:content\r\nA\u{feff}\n";
    let escaped = r#""raw":"]]>openui:content\r\nA\ufeff\n""#;
    assert_eq!(
        asks(Some(raw), r#"{"mode":"read","streaming":true,"result":{"content":"A"}}"#),
        [format!(r#"f openui.parse {{{escaped},"streaming":true}}"#)]
    );
    assert_eq!(
        asks(Some(raw), r#"{"mode":"turn","streaming":false,"result":{"modelText":"A","context":null}}"#),
        [
            format!("f/read openui.parse {{{escaped}}}"),
            format!(r#"f/model-text openui.model_text {{{escaped},"role":"user"}}"#)
        ]
    );
    let write = |input: &str| asks(None, &format!(r#"{{"mode":"write","result":"A","input":{input}}}"#));
    for (input, params) in [
        (
            r#"{"content":"A","library":{"id":"a@b","version":"1"},"end":true}"#,
            r#"{"content":"A","attributes":[["library","a@b@1"]],"end":true}"#,
        ),
        (r#"{"content":"A","context":"{\"n\": 1e400}"}"#, r#"{"content":"A","context":{"n":1e400}}"#),
        (r#"{"content":"A","context":{"n":1e400}}"#, r#"{"content":"A","context":{"n":1e400}}"#),
        (r#"{"content":"A","context":"null","end":false}"#, r#"{"content":"A","context":"null"}"#),
        (r#"{"content":"A","context":"\"q\""}"#, r#"{"content":"A","context":"\"q\""}"#),
        (r#"{"content":"A","context":" 12"}"#, r#"{"content":"A","context":" 12"}"#),
        (r#"{"content":"A","context":null}"#, r#"{"content":"A"}"#),
    ] {
        assert_eq!(write(input), [format!("f openui.build {params}")], "{input}");
    }
    assert_eq!(
        asks(Some("A"), r#"{"mode":"write","input":{"content":"A"}}"#),
        [r#"f openui.build {"content":"A"}"#],
        "the message can stand for the result"
    );
}

/// A library with id and version survives the round trip; no case of the corpus has one.
#[test]
fn library_survives_the_round_trip() {
    let raw = "]]>openui:content?library=%40acme%2Fui%401.2.0\\nA";
    let rest = format!(
        r#""params": {{"content": "A", "attributes": [["library", "@acme/ui@1.2.0"]]}}, "expect": {{"result": {{"message": "{raw}"}}}}"#
    );
    let (file, said) = written(&case("openui.build", &rest), &Settings::default());
    assert_eq!(said, Vec::<String>::new());
    let library = file.as_ref().and_then(|file| file.get("input")).and_then(|input| input.get("library"));
    assert_eq!(library.map(Json::to_compact).as_deref(), Some(r#"{"id":"@acme/ui","version":"1.2.0"}"#));
}

/// The name of a folder, and the bytes of its `message.txt` and `expected.json`, if they exist.
type Broken = (&'static str, Option<&'static [u8]>, Option<&'static [u8]>);

/// Unusable fixtures, each named after the reason.
const UNUSABLE: &[Broken] = &[
    ("attributes", Some(b"A"), Some(br#"{"mode":"read","result":{"attributes":{"a":1}}}"#)),
    ("bytes-of-expected", Some(b"A"), Some(b"{\"mode\":\"read\",\n\"result\":{\"content\":\"\xff\"}}")),
    ("bytes-of-message", Some(b"A\nB\xed\xa0\x80"), Some(br#"{"mode":"read","result":{"content":"A"}}"#)),
    ("cut", Some(b"A"), Some(br#"{"mode":"read","result":{"content":"A"}"#)),
    ("doubled", Some(b"A"), Some(br#"{"mode":"read","result":{"end":true,"end":false}}"#)),
    ("empty", None, None),
    (
        "every-key-wrong",
        Some(b"A"),
        Some(br#"{"mode":"read","result":{"content":null,"context":1,"end":"no","text":"A"}}"#),
    ),
    ("input-as-list", None, Some(br#"{"mode":"write","input":["A",null,null,null],"result":"A"}"#)),
    ("input-in-read", Some(b"A"), Some(br#"{"mode":"read","input":{"content":"A"},"result":{"content":"A"}}"#)),
    ("key-of-another-mode", Some(b"A"), Some(br#"{"mode":"turn","result":{"content":"A","end":true}}"#)),
    ("list", Some(b"A"), Some(br#"["read"]"#)),
    ("no-expected", Some(b"A"), None),
    ("no-input", Some(b"A"), Some(br#"{"mode":"write","result":"A"}"#)),
    ("no-key", Some(b"A"), Some(br#"{"mode":"read","result":{}}"#)),
    ("no-message", None, Some(br#"{"mode":"strip","result":"A"}"#)),
    ("no-mode", Some(b"A"), Some(br#"{"result":{"content":"A"}}"#)),
    ("no-result", Some(b"A"), Some(br#"{"mode":"read"}"#)),
    ("no-version", None, Some(br#"{"mode":"write","input":{"content":"A","library":{"id":"a"}},"result":"A"}"#)),
    ("streaming", Some(b"A"), Some(br#"{"mode":"strip","streaming":true,"result":"A"}"#)),
    ("text-for-parts", Some(b"A"), Some(br#"{"mode":"read","result":"A"}"#)),
    ("parts-for-text", Some(b"A"), Some(br#"{"mode":"strip","result":{"text":"A"}}"#)),
    ("two-messages", Some(b"A\nB"), Some(br#"{"mode":"write","input":{"content":"A"},"result":"A\nC"}"#)),
    ("unknown-key", Some(b"A"), Some(br#"{"mode":"read","colour":"red","result":{"content":"A"}}"#)),
    ("unknown-mode", Some(b"A"), Some(br#"{"mode":"reed","result":{"content":"A"}}"#)),
];

fn write_unusable(folder: &Path) {
    for (name, message, expected) in UNUSABLE {
        let path = folder.join(name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        for (file, bytes) in [(MESSAGE_FILE, message), (EXPECTED_FILE, expected)] {
            if let Some(bytes) = bytes {
                std::fs::write(path.join(file), bytes).expect("a file can be written");
            }
        }
    }
}

#[test]
fn every_unusable_fixture_has_an_error() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write_unusable(folder.path());
    let errors = Corpus::from_fixtures(folder.path()).expect_err("none of them can be used");
    let root = format!("{}/", folder.path().display());
    let said: Vec<String> = errors.iter().map(|error| error.to_string().replace(&root, "")).collect();
    for (name, ..) in UNUSABLE {
        let is_named = |line: &String| line.split(['/', ':']).next() == Some(name);
        assert!(said.iter().any(is_named), "nothing is said of {name}");
    }
    kept_in("").bind(|| insta::assert_snapshot!("fixtures-unusable", said.join("\n")));
}

#[test]
fn folder_errors_are_reported() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let say = |path: &Path| -> Vec<String> {
        let errors = Corpus::from_fixtures(path).expect_err("cannot be used");
        errors.into_iter().map(|error| error.message).collect()
    };
    let nothing = ["expected expected.json and message.txt, but found neither"];
    assert_eq!(say(folder.path()), nothing);
    assert!(say(&folder.path().join("gone"))[0].starts_with("cannot be read: "));
    let read = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(&path).expect("a folder can be made");
        std::fs::write(path.join(MESSAGE_FILE), "A").expect("a file can be written");
        std::fs::write(path.join(EXPECTED_FILE), r#"{"mode":"turn","result":{"content":"A"}}"#)
            .expect("a file can be written");
    };
    std::fs::create_dir_all(folder.path().join(".git/empty")).expect("a folder can be made");
    read("group/b");
    std::fs::write(folder.path().join("README.md"), "of no account").expect("a file can be written");
    let corpus = Corpus::from_fixtures(folder.path()).expect("hidden folders and other files are ignored");
    assert_eq!(corpus.cases.iter().map(|case| &case.id[..]).collect::<Vec<_>>(), ["group/b/read"]);
    assert!(say(&folder.path().join("README.md"))[0].starts_with("expected a folder of fixtures"));
    let alone = Corpus::from_fixtures(&folder.path().join("group/b")).expect("a fixture is a folder too");
    assert_eq!(alone.cases[0].id, "b/read");
    // A nested fixture whose case has the id of another.
    read("group/b/read");
    std::fs::write(folder.path().join("group/b/read").join(EXPECTED_FILE), r#"{"mode":"read","result":{"end":true}}"#)
        .expect("a file can be written");
    assert_eq!(say(folder.path()), ["expected one fixture for each case, but two give group/b/read"]);
}

#[test]
fn fixtures_match_their_schema() {
    let schema = fixtures::fixture_schema();
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let corpus = embedded();
    let set = write_fixtures(&selected(&corpus), &reader_options(&Settings::default()));
    let mut checked = 0;
    for fixture in &set.fixtures {
        assert!(fixture.expected.is_ascii(), "what is odd is an escape");
        // serde_json rejects lone surrogates and numbers beyond the range of doubles.
        let Ok(file) = serde_json::from_str(&fixture.expected) else { continue };
        assert!(validator.is_valid(&file), "{}", fixture.name);
        checked += 1;
    }
    assert!(checked > 350, "{checked}");
    for name in ["attributes", "every-key-wrong", "no-key", "no-mode", "no-version", "unknown-key", "unknown-mode"] {
        let (_, _, expected) = UNUSABLE.iter().find(|(known, ..)| *known == name).expect("is there");
        let file = serde_json::from_slice(expected.expect("has a file")).expect("is JSON");
        assert!(!validator.is_valid(&file), "{name}");
    }
}

proptest! {
    /// Every message that the reference reads survives the round trip, in every profile and with all choices.
    #[test]
    fn any_message_goes_through(raw in generate::message(), options in generate::settings(), kind in 0..4) {
        let (method, params) = match kind {
            0 => (formats::openui::PARSE, Json::object([("raw", raw.as_str().into())])),
            1 => (formats::openui::PARSE, Json::object([("raw", raw.as_str().into()), ("streaming", true.into())])),
            2 => (formats::openui::MODEL_TEXT, Json::object([("raw", raw.as_str().into()), ("role", "user".into())])),
            _ => (formats::openui::MODEL_TEXT, Json::object([("raw", raw.as_str().into()), ("role", "assistant".into())])),
        };
        let result = FORMATS.reference(&options).answer(method, &params.to_ascii()).expect("a message reads");
        let expect = format!(r#""params": {}, "expect": {{"result": {}}}"#, params.to_ascii(), result.to_ascii());
        let before = case(method.name(), &expect);
        let set = write_fixtures(&[&before], &reader_options(&options));
        prop_assert_eq!(&set.remarks, &[]);
        let fixture = &set.fixtures[0];
        let back = read_fixture(&fixture.name, Some(&fixture.message), &fixture.expected).expect("can be read");
        prop_assert_eq!((back.len(), asked(&back[0])), (1, asked(&before)));
        let chosen = |(rule, name): (&String, &String)| options.chosen(rule) == Some(name);
        let option = back[0].options().iter().find(|option| option.choices.iter().all(chosen)).expect("has an answer");
        let Outcome::Result(now) = &option.outcome else { panic!("{option:?}") };
        prop_assert_eq!(difference(method, options.profile(), &[], &result, now), None);
    }
}
