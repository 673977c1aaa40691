//! The machine-readable reports: they match their schemas, other programs can read them, and text of adapters and case
//! files cannot escape from them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Fault, FaultKind, Implementation, InProcess};
use genui_conform::case::{Corpus, Selection};
use genui_conform::formats;
use genui_conform::json::Json;
use genui_conform::protocol::Handshake;
use genui_conform::report::{
    ComparedRun, Comparison, Detail, HumanReport, MARKDOWN_LIMIT, Rerun, Summary, comparison_schema, report_schema,
    write_badge, write_comparison, write_html, write_human, write_json, write_junit, write_markdown,
};
use genui_conform::run::{Assessment, Plan, Policy, RunResult, Verdict, execute};
use genui_conform::settings::Settings;

use crate::snapshots::kept_in;

fn fixtures(folder: &str) -> Corpus {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    Corpus::from_folder(&path).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn run<'c>(corpus: &'c Corpus, implementation: &mut dyn Implementation) -> RunResult<'c> {
    let cases = Selection::default().select(corpus);
    let plan = Plan {
        cases,
        profile: formats::openui::CORE,
        requested: BTreeMap::new(),
        partial: false,
        derived: true,
        cost: false,
    };
    execute(&plan, implementation, &AtomicBool::new(false), &|_| {}).unwrap_or_else(|why| panic!("{why}"))
}

fn repeat() -> Rerun {
    Rerun { flags: vec!["--profile".into(), "core".into()], command: vec!["./adapter".into()], ..Rerun::default() }
}

/// The default policy.
fn assess<'r, 'c>(record: &'r RunResult<'c>) -> Assessment<'r, 'c> {
    Policy::default().assess(record)
}

/// Returns the output of a writing function.
fn text(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("can be written");
    String::from_utf8(out).expect("is text")
}

/// Returns each report of a result as text: human-readable, JSON, JUnit.
fn reports(record: &RunResult<'_>, corpus: &Corpus) -> [String; 3] {
    let repeat = repeat();
    let assessment = assess(record);
    let summary = Summary::new(&assessment, &corpus.hash(), &repeat);
    let report = HumanReport { assessment: &assessment, rerun: &repeat, detail: Detail::default(), other_cases: false };
    let human = text(|out| write_human(&report, out));
    [human, text(|out| write_json(&summary, out)), text(|out| write_junit(&summary, out))]
}

/// Compares results under their names; the first is the reference.
fn comparison(records: &[(&str, &RunResult<'_>)], corpus: &Corpus) -> Comparison {
    let repeat = repeat();
    let assessments: Vec<Assessment<'_, '_>> = records.iter().map(|(_, record)| assess(record)).collect();
    let runs: Vec<ComparedRun<'_>> = records
        .iter()
        .zip(&assessments)
        .enumerate()
        .map(|(at, ((name, _), assessment))| ComparedRun {
            name,
            assessment,
            rerun: &repeat,
            is_reference: at == 0,
            unusable: None,
        })
        .collect();
    Comparison::new(&runs, &corpus.hash())
}

/// Removes style and script from a page: they do not depend on the run.
fn bare(page: &str) -> String {
    let cut = |page: &str, tag: &str| {
        let (from, to) = (format!("<{tag}>"), format!("</{tag}>"));
        let (before, rest) = page.split_once(&from).expect("there is a start");
        let (_, after) = rest.split_once(&to).expect("there is an end");
        format!("{before}{from}{to}{after}")
    };
    let page = cut(&cut(page, "style"), "script");
    let (before, rest) = page.split_once("<meta http-equiv").expect("there is a policy");
    format!("{before}<meta http-equiv{}", &rest[rest.find('>').expect("it ends")..])
}

fn snapshot(name: &str, text: &str) {
    // Durations differ between runs.
    let replace = |text: &str, pattern: &str, with: &str| {
        regex::Regex::new(pattern).expect("is a pattern").replace_all(text, with).into_owned()
    };
    let text = replace(text, r#""duration_ms": [0-9.e-]+"#, r#""duration_ms": 1.5"#);
    let text = replace(&text, r#" time="[0-9.]+""#, r#" time="0.0015""#);
    kept_in("reports").bind(|| insta::assert_snapshot!(name, text));
}

fn check_schema(json: &str, schema: &serde_json::Value) {
    let report: serde_json::Value = serde_json::from_str(json).expect("is JSON");
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(!validator.is_valid(&serde_json::json!({ "suite": "0.1.0" })), "the schema takes everything");
}

#[test]
fn failures_are_in_every_report() {
    let corpus = fixtures("failures");
    let record = run(&corpus, &mut InProcess::new(Settings::default()));
    let [_, json, junit] = reports(&record, &corpus);
    check_schema(&json, &report_schema());
    snapshot("failures-json", &json);
    snapshot("failures-junit", &junit);
}

#[test]
fn a_run_is_a_page_a_text_and_a_badge() {
    let corpus = fixtures("failures");
    let record = run(&corpus, &mut InProcess::new(Settings::default()));
    let side = comparison(&[("an implementation", &record)], &corpus);
    snapshot("failures-markdown", &text(|out| write_markdown(&side, Detail::default(), out)));
    snapshot("failures-html", &bare(&text(|out| write_html(&side, out))));
    snapshot(
        "failures-badge",
        &text(|out| write_badge(&Summary::new(&assess(&record), &corpus.hash(), &repeat()), out)),
    );
}

#[test]
fn comparison_shows_the_answer_of_each_implementation() {
    let corpus = fixtures("failures");
    let reference = run(&corpus, &mut InProcess::new(Settings::default()));
    let empty = run(&corpus, &mut Says("", InProcess::new(Settings::default()).handshake().clone()));
    let other = run(&corpus, &mut Says("x", InProcess::new(Settings::default()).handshake().clone()));
    let records = [("reference", &reference), ("empty", &empty), ("empty too", &empty), ("other", &other)];
    let side = comparison(&records, &corpus);
    let json = text(|out| write_comparison(&side, out));
    check_schema(&json, &comparison_schema());
    snapshot("comparison-json", &json);
    snapshot("comparison-markdown", &text(|out| write_markdown(&side, Detail::default(), out)));
    snapshot("comparison-html", &bare(&text(|out| write_html(&side, out))));
    let agreed = comparison(&records[..3], &corpus);
    assert!(agreed.cases.iter().any(|case| case.review.is_some()), "both say the same, and the reference does not");
}

/// An implementation that reads every message as the same content.
struct Says(&'static str, Handshake);

impl Implementation for Says {
    fn handshake(&self) -> &Handshake {
        &self.1
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        asks.iter().map(|_| Answer::Result(Json::object([("content", self.0.into())]))).collect()
    }
}

/// Returns the number of cases of each kind, as read by an independent reader of JUnit files.
fn read_junit(junit: &str) -> BTreeMap<&'static str, usize> {
    let report = junit_parser::from_reader(junit.as_bytes()).expect("is JUnit XML");
    let mut counts = BTreeMap::new();
    for case in report.suites.iter().flat_map(|suite| &suite.cases) {
        let kind = match &case.status {
            junit_parser::TestStatus::Success => "success",
            junit_parser::TestStatus::Failure(_) => "failure",
            junit_parser::TestStatus::Error(_) => "error",
            junit_parser::TestStatus::Skipped(_) => "skipped",
        };
        *counts.entry(kind).or_default() += 1;
    }
    let total = |of: fn(&junit_parser::TestSuite) -> u64| report.suites.iter().map(of).sum::<u64>() as usize;
    let count = |kind| counts.get(kind).copied().unwrap_or(0);
    assert_eq!((total(|suite| suite.failures), total(|suite| suite.errors)), (count("failure"), count("error")));
    counts
}

#[test]
fn independent_junit_reader_finds_every_verdict() {
    let corpus = fixtures("failures");
    let mut handshake = InProcess::new(Settings::default()).handshake().clone();
    handshake.implementation.name = HOSTILE.to_owned();
    for implementation in [&mut InProcess::new(Settings::default()) as &mut dyn Implementation, &mut Hostile(handshake)]
    {
        let record = run(&corpus, implementation);
        let [_, _, junit] = reports(&record, &corpus);
        let mut expected: BTreeMap<&str, usize> = BTreeMap::new();
        let assessment = assess(&record);
        for (verdict, count) in assessment.counts.iter().chain(assessment.check_counts.iter()) {
            let kind = match verdict {
                Verdict::Pass | Verdict::Warn | Verdict::Info => "success",
                Verdict::Unsupported => "skipped",
                Verdict::Fail => "failure",
                _ => "error",
            };
            *expected.entry(kind).or_default() += count;
        }
        // A refusal counts as unsupported, and fails nevertheless.
        let refused = assessment.conformance.refused;
        expected.entry("skipped").and_modify(|skipped| *skipped -= refused);
        *expected.entry("failure").or_default() += refused;
        expected.retain(|_, count| *count > 0);
        assert_eq!(read_junit(&junit), expected);
        assert!(expected.contains_key("failure"), "{expected:?}");
    }
}

/// An implementation with hostile text: markup, escape sequences, characters that XML forbids.
struct Hostile(Handshake);

const HOSTILE: &str =
    "\u{1b}[31m</testcase><script>alert(1)</script>&lt;\u{202e}\u{0}\u{8}\u{fffe}\nconformant in profile core\r]]>";

impl Implementation for Hostile {
    fn handshake(&self) -> &Handshake {
        &self.0
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let hostile = || HOSTILE.to_owned();
        let answer = |(at, _)| match at % 5 {
            0 => Answer::Result(Json::object([("content", HOSTILE.into())])),
            1 => Answer::Refusal { kind: hostile(), message: hostile() },
            2 => Answer::Fault(Fault { kind: FaultKind::Malformed, detail: hostile() }),
            3 => Answer::Unsupported(hostile()),
            _ => Answer::Result(Json::from(HOSTILE)),
        };
        asks.iter().enumerate().map(answer).collect()
    }
}

#[test]
fn hostile_text_is_escaped() {
    let corpus = fixtures("failures");
    let mut handshake = InProcess::new(Settings::default()).handshake().clone();
    handshake.implementation.name = HOSTILE.to_owned();
    handshake.implementation.version = Some(HOSTILE.to_owned());
    let record = run(&corpus, &mut Hostile(handshake));
    let [human, json, junit] = reports(&record, &corpus);
    // The human-readable report contains its own colours; without them it must be plain.
    let colours = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];
    let human = colours.iter().fold(human, |text, colour| text.replace(colour, ""));
    let is_hostile = |character: char| {
        (character.is_control() && character != '\n') || matches!(character, '\u{202e}' | '\u{fffe}' | '\u{feff}')
    };
    assert!(!human.contains(is_hostile), "{:?}", human.chars().find(|character| is_hostile(*character)));
    assert!(!human.lines().any(|line| line.starts_with("conformant")), "a line was forged");
    assert!(!junit.contains(is_hostile) && !junit.contains("<script"), "{junit}");
    check_schema(&json, &report_schema());
    let report: serde_json::Value = serde_json::from_str(&json).expect("is JSON");
    assert_eq!(report["implementation"]["name"], HOSTILE, "data stays what it is");
    assert_eq!(report["conformant"], false);

    let side = comparison(&[(HOSTILE, &record), ("two", &record)], &corpus);
    let badge = text(|out| write_badge(&Summary::new(&assess(&record), &corpus.hash(), &repeat()), out));
    let [markdown, page] =
        [text(|out| write_markdown(&side, Detail::default(), out)), text(|out| write_html(&side, out))];
    for text in [&markdown, &page, &badge] {
        assert!(!text.contains(is_hostile), "{:?}", text.chars().find(|character| is_hostile(*character)));
    }
    // Line breaks have no meaning in HTML.
    for text in [&markdown, &badge] {
        assert!(!text.lines().any(|line| line.starts_with("conformant")), "a line was forged");
    }
    assert_eq!(page.matches("<script").count(), 1, "there is the page's own script alone");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;"), "what was said is shown, as a text");
    assert!(page.contains("&amp;lt;"), "what looks like an entity is none");
    only_own_markup(&markdown);
    check_schema(&text(|out| write_comparison(&side, out)), &comparison_schema());
}

/// Parses Markdown like GitHub, and checks that it contains only the markup of the report.
fn only_own_markup(markdown: &str) {
    use pulldown_cmark::{Event, Options, Parser};
    let own = ["<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>"];
    let mut code = String::new();
    let mut tags = 0;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                let rest = own.iter().fold(html.to_string(), |html, tag| html.replace(tag, ""));
                assert!(!rest.contains('<'), "markup came through: {html}");
                tags += 1;
            }
            Event::Code(text) | Event::Text(text) => code.push_str(&text),
            _ => {}
        }
    }
    assert!(tags > 0 && code.contains("<script>alert(1)</script>"), "what was said is shown, as a text");
}

#[test]
fn markup_check_detects_markup() {
    let leaks = |markdown: &str| std::panic::catch_unwind(|| only_own_markup(markdown)).is_err();
    let sound = "<details><summary>`a`</summary>\n\n    <script>alert(1)</script>\n\n</details>\n";
    assert!(!leaks(sound));
    assert!(leaks(&format!("{sound}\n<b>a</b>\n")));
    assert!(leaks(&format!("{sound}\n| a | <img src=x> |\n|---|---|\n")));
}

#[test]
fn hashes_of_different_corpora_differ() {
    let (one, other) = (fixtures("failures"), fixtures("plain"));
    assert_eq!(one.hash().len(), 64);
    assert_eq!(one.hash(), fixtures("failures").hash());
    assert_ne!(one.hash(), other.hash());
}

/// Wrong answers to all requests, and many reasons for failed requests, each as long and as hard to print as possible.
struct Endless(Handshake);

impl Implementation for Endless {
    fn handshake(&self) -> &Handshake {
        &self.0
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let answer = |(at, _)| match at % 4 {
            0 => Answer::Unsupported(format!("{at} {}", long())),
            1 => Answer::Refusal { kind: long(), message: long() },
            2 => Answer::Result(Json::object([("content", long().into())])),
            _ => Answer::Fault(Fault { kind: FaultKind::Error, detail: long() }),
        };
        asks.iter().enumerate().map(answer).collect()
    }
}

fn long() -> String {
    "😀|`\u{1b}<b>\u{e0001}\n".repeat(400)
}

/// The longest possible reports: every case fails, for many implementations with long names.
fn endless(corpus: &Corpus) -> RunResult<'_> {
    let mut handshake = InProcess::new(Settings::default()).handshake().clone();
    handshake.implementation.name = long();
    handshake.implementation.version = Some(long());
    let cases = Selection::default().select(corpus);
    let plan = Plan {
        cases,
        profile: formats::openui::CORE,
        requested: BTreeMap::new(),
        partial: false,
        derived: false,
        cost: false,
    };
    let mut record = execute(&plan, &mut Endless(handshake), &AtomicBool::new(false), &|_| {}).expect("it runs");
    record.notes = (0..500).map(|note| format!("{note} {}", long())).collect();
    record
}

#[test]
fn markdown_always_fits_a_comment() {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    let record = endless(&corpus);
    let assessment = assess(&record);
    let repeat = Rerun { command: vec![long()], selection: vec![long()], ..repeat() };
    for (count, detail) in [(1, Detail::Brief), (1, Detail::ALL), (1, Detail::Summary), (40, Detail::ALL)] {
        let names: Vec<String> = (0..count).map(|at| format!("{at}{}", long())).collect();
        let runs: Vec<ComparedRun<'_>> = names
            .iter()
            .map(|name| ComparedRun {
                name,
                assessment: &assessment,
                rerun: &repeat,
                is_reference: false,
                unusable: None,
            })
            .collect();
        let side = Comparison::new(&runs, &corpus.hash());
        let markdown = text(|out| write_markdown(&side, detail, out));
        let length = markdown.encode_utf16().count();
        assert!(length <= MARKDOWN_LIMIT, "{count} implementations: {length}");
        assert!(
            markdown.contains("**NOT conformant**") && markdown.contains("### Violated rules, failed/run"),
            "{markdown}"
        );
        assert!(detail == Detail::Summary || markdown.contains("\nOmitted, to fit"), "{markdown}");
        assert!(detail == Detail::Summary || markdown.contains("#### `"), "{markdown}");
        assert!(!markdown.contains('\u{1b}'), "an escape sequence came through");
    }
}

#[test]
fn brief_report_is_always_short() {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    let record = endless(&corpus);
    let (assessment, repeat) = (assess(&record), repeat());
    let written = |detail| {
        text(|out| {
            write_human(&HumanReport { assessment: &assessment, rerun: &repeat, detail, other_cases: false }, out)
        })
    };
    let brief = written(Detail::Brief);
    assert!(brief.lines().count() <= 150, "{} lines:\n{brief}", brief.lines().count());
    for said in ["more rules", "more notes", "more reasons", "rerun     genui-conform"] {
        assert!(brief.contains(said), "{said}:\n{brief}");
    }
    let all = written(Detail::ALL);
    let failed = |text: &str| text.matches("    rerun     ").count();
    let departing = record.outcomes.iter().filter(|outcome| outcome.verdict.is_failure()).count();
    assert!(failed(&brief) < failed(&all));
    assert_eq!(failed(&all), departing, "all are shown");
}

#[test]
fn reasons_for_unsupported_cases_are_in_every_report() {
    let corpus = fixtures("plain");
    let mut handshake = InProcess::new(Settings::default()).handshake().clone();
    handshake.implementation.name = "one".to_owned();
    let record = run(&corpus, &mut Refuses(handshake));
    let [human, json, junit] = reports(&record, &corpus);
    let side = comparison(&[("one", &record)], &corpus);
    // Refusals of cases and of their derived checks.
    let count = assess(&record).conformance.refused;
    assert!(count > record.outcomes.len());
    let [markdown, page] =
        [text(|out| write_markdown(&side, Detail::default(), out)), text(|out| write_html(&side, out))];
    let report: serde_json::Value = serde_json::from_str(&json).expect("is JSON");
    let expected =
        serde_json::json!([{ "method": "openui.parse", "reason": "no <time>", "refused": true, "cases": count }]);
    assert_eq!(report["unsupported"], expected);
    assert!(
        human.contains(&format!("REFUSED\u{1b}[0m openui.parse, {count} times: no <time>; first openui/")),
        "{human}"
    );
    assert!(markdown.contains(&format!("| `one` | openui.parse | {count} | **refused**: `no <time>` |")), "{markdown}");
    assert!(
        page.contains(&format!("<strong>{count}</strong> <span class=\"quiet\">refused: no &lt;time&gt;</span>")),
        "{page}"
    );
    assert!(junit.contains("name=\"refused openui.parse: no &lt;time&gt;\""), "{junit}");
    let compared: serde_json::Value = serde_json::from_str(&text(|out| write_comparison(&side, out))).expect("is JSON");
    assert_eq!(compared["implementations"][0]["unsupported"], expected);
}

/// An implementation that supports none of the methods that it lists.
struct Refuses(Handshake);

impl Implementation for Refuses {
    fn handshake(&self) -> &Handshake {
        &self.0
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        asks.iter().map(|_| Answer::Unsupported("no <time>".to_owned())).collect()
    }
}

/// An implementation that reads like the reference except for one member.
struct Without(&'static str, InProcess);

impl Implementation for Without {
    fn handshake(&self) -> &Handshake {
        self.1.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let without = |answer| match answer {
            Answer::Result(Json::Object(members)) => Answer::Result(Json::Object(
                members.into_iter().filter(|(name, _)| name.as_str() != Some(self.0)).collect(),
            )),
            answer => answer,
        };
        let answers = self.1.send_all(asks, stop, progress);
        answers.into_iter().map(without).collect()
    }
}

#[test]
fn heading_names_a_rule_about_the_differing_member() {
    let corpus = Corpus::embedded().expect("the corpus can be read");
    for (member, topics) in
        [("context", "openui.context."), ("attributes", "openui.attributes."), ("end", "openui.read.end")]
    {
        let cases = Selection::parse(&["method:openui.parse"]).expect("is a filter").select(&corpus);
        let plan = Plan {
            cases,
            profile: formats::openui::CORE,
            requested: BTreeMap::new(),
            partial: true,
            derived: false,
            cost: false,
        };
        let mut implementation = Without(member, InProcess::new(Settings::default()));
        let record = execute(&plan, &mut implementation, &AtomicBool::new(false), &|_| {}).expect("it runs");
        let mut headed = 0;
        for outcome in record.outcomes.iter().filter(|outcome| outcome.verdict.is_failure()) {
            let listed: Vec<&String> = outcome.case.rules.iter().filter(|rule| rule.starts_with(topics)).collect();
            let heading = outcome.rule(formats::openui::CORE).expect("it lists a rule");
            // Rules about the content only, which is right.
            let about_content = ["marker.", "read.leading-text", "read.plain-text", "read.last-content-wins"];
            let is_about_content = about_content.iter().any(|about| heading.starts_with(&format!("openui.{about}")));
            assert!(listed.is_empty() || !is_about_content, "{member} of {}: {heading}", outcome.case.id);
            headed += usize::from(!listed.is_empty());
        }
        assert!(headed > 5, "{member}: {headed}");
        let first = assess(&record).tally.swap_remove(0).rule;
        assert!(first.starts_with(topics), "{member}: {first}");
    }
}
