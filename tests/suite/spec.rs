//! The specification: its examples are correct, its rules are those of the code, and its schemas those of the types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use genui_conform::format::{Method, Reference};
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::formats::openui::fixtures;
use genui_conform::formats::openui::reader_options;
use genui_conform::json;
use genui_conform::rules::{self, ExampleOutcome};
use genui_conform::run::{compare, options};
use genui_conform::settings::ProfileName;
use genui_conform::{case, explain, format, openui, report, settled};

/// The reference in this profile with these choices.
fn reference(profile: ProfileName, choices: &BTreeMap<String, String>) -> Box<dyn Reference> {
    FORMATS.reference(&options(profile, choices))
}

#[test]
fn every_example_holds() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for rule in rules::all() {
        for example in &rule.examples {
            count += 1;
            let place = format!("{}, line {}", rule.id, example.line);
            let method =
                FORMATS.method(&example.method).unwrap_or_else(|| panic!("{place}: no method {}", example.method));
            let found = reference(example.profile, &example.choices).answer(method, &example.params);
            let matchers: Vec<case::Matcher> = example.matches.iter().map(matcher).collect();
            let holds = match (&example.outcome, &found) {
                (ExampleOutcome::Result(expected), Ok(found)) => {
                    let expected = json::parse(expected).unwrap_or_else(|why| panic!("{place}: {why}"));
                    compare::difference(method, example.profile, &matchers, &expected, found).is_none()
                }
                (ExampleOutcome::Error(expected), Err(refusal)) => refusal.kind.name() == expected,
                _ => false,
            };
            if !holds {
                wrong.push(format!("{place}: expected {:?}, but found {found:?}", example.outcome));
            }
        }
    }
    assert!(count > 150, "expected the examples of the specification, but found {count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn matcher((pointer, pattern): &(String, String)) -> case::Matcher {
    case::Matcher {
        pointer: pointer.parse().unwrap_or_else(|why: json::PointerError| panic!("{pointer}: {why}")),
        pattern: regex::Regex::new(pattern).unwrap_or_else(|why| panic!("{pattern}: {why}")),
    }
}

#[test]
fn every_rule_is_complete() {
    let ids: BTreeSet<&str> = rules::all().iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids.len(), rules::all().len(), "a rule has two sections");
    for rule in rules::all() {
        let id = &rule.id;
        assert!(!rule.text.is_empty() && !rule.source.is_empty(), "{id} lacks something");
        let format = FORMATS.format_of(id).unwrap_or_else(|| panic!("{id} is of no format"));
        assert_eq!(format.has_profiles(), !rule.profiles.is_empty(), "profiles of {id}");
        assert!(rule.derived || rule.is_about_cost() || !rule.examples.is_empty(), "{id} has no example");
        assert_eq!(rule.is_open(), !rule.open_in.is_empty(), "{id} has choices and no profile in which it is open");
        for name in &rule.choices {
            let shown = rule.examples.iter().any(|example| {
                example.choices.get(id).map_or(rule.choices.first() == Some(name), |chosen| chosen == name)
            });
            assert!(shown, "{id} has no example of the choice {name}");
        }
    }
}

#[test]
fn the_open_points_of_the_code_are_those_of_the_specification() {
    let written: Vec<_> =
        rules::all().iter().filter(|rule| rule.is_open()).map(|rule| (rule.id.clone(), rule.choices.clone())).collect();
    let coded: Vec<_> = FORMATS
        .open_points()
        .map(|point| (point.rule.to_owned(), point.names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()))
        .collect();
    assert_eq!(written, coded);
}

#[test]
fn the_unspecified_inputs_of_the_code_are_those_of_the_specification() {
    let names = |rule: &rules::Rule| {
        let id = rule.id.clone();
        rule.unspecified.iter().map(move |name| (id.clone(), name.clone())).collect::<Vec<_>>()
    };
    let written: Vec<(String, String)> = rules::all().iter().flat_map(names).collect();
    let rows = FORMATS.all().flat_map(|def| def.unspecified());
    let coded: Vec<(String, String)> = rows.map(|row| (row.rule.to_owned(), row.name.to_owned())).collect();
    assert!(coded.len() > 20, "expected the rows of the formats, but found {}", coded.len());
    assert_eq!(written, coded);
}

/// The rows of the formats cover slightly more than the sentences of the documents, to stay simple. The documents specify
/// the answers of these cases, though a row covers them.
const SPECIFIED_ALL_THE_SAME: [&str; 13] = [
    "glossen/assistant-order/tool",
    "glossen/parts/type-empty",
    "glossen/resolve/host-with-a-dot-at-the-end",
    "glossen/resolve/not-a-url",
    "glossen/resolve/other-ports-and-schemes",
    "glossen/resolve/other-sites",
    "glossen/resolve/port-of-the-origin",
    "glossen/resolve/same-site",
    "glossen/resolve/two-at-signs",
    "openui/context/json-string",
    "openui/limits/surrogate-pair-escape",
    "toonui/key-order/names-of-javascript",
    "toonui/labels/names-of-javascript",
];

#[test]
fn cases_of_must_and_should_have_specified_answers() {
    let corpus = case::Corpus::embedded().expect("the corpus can be used");
    let judged = corpus.cases.iter().filter(|case| case.level > rules::Level::May);
    let unspecified = judged.filter(|case| {
        let params = json::parse(&case.params).expect("the loader has read the params");
        settled::unspecified(case.method, &params, None).is_some()
    });
    let ids: Vec<&str> = unspecified.map(|case| &case.id[..]).collect();
    assert_eq!(ids, SPECIFIED_ALL_THE_SAME);
}

#[test]
fn every_rule_that_the_reader_names_exists() {
    let sources = walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut named = BTreeSet::new();
    for entry in sources.into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file()) {
        let text = std::fs::read_to_string(entry.path()).expect("a source can be read");
        for piece in text.split(['"', '`']).filter(|piece| FORMATS.format_of(piece).is_some()) {
            let is_id = piece.matches('.').count() == 2
                && piece.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '-');
            if is_id {
                named.insert(piece.to_owned());
            }
        }
    }
    let unknown: Vec<&String> = named.iter().filter(|id| rules::named(id).is_none()).collect();
    assert!(named.len() > 30, "expected the ids in the sources, but found {}", named.len());
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn a_trace_names_the_choice_that_decides_a_line() {
    for (rule, chosen, raw, line) in [
        ("openui.read.stale-end", "ignored", "]]>openui:end\n]]>openui:content\nroot = A()", 1),
        ("openui.marker.mid-line-cr-at-end", "marker", "root = A(]]>openui:content\r", 2),
        ("openui.marker.cr-at-end", "marker", "root = A()\n]]>openui:end\r", 2),
    ] {
        let chosen = options(formats::openui::CORE, &[(rule.to_owned(), chosen.to_owned())].into());
        let lines = openui::trace(raw, openui::Mode::Whole, &reader_options(&chosen));
        assert_eq!(lines[line - 1].rule, rule, "{lines:?}");
    }
}

#[test]
fn document_error_names_its_line() {
    for (text, line, message) in [
        ("### a.b\n\n- level: perhaps\n", 3, "expected `must`, `should`, `may` or `open`, but found `perhaps`"),
        ("### a.b\n- profiles: core, chaat\n", 2, "expected a profile, but found `chaat`"),
        ("### a.b\n- colour: red\n", 2, "expected a fact of a rule, but found `colour`"),
        ("### a.b\n\n```example\nopenui.parse {}\n```\n", 4, "expected `=>` and the outcome after a request"),
        ("### a.b\n\n```example\n=> {}\n```\n", 4, "expected a request before its outcome, but found `=> {}`"),
        ("### a.b\n\n```example\nprofile none\n```\n", 4, "expected a profile, but found `profile none`"),
        ("### a.b\n\n```example\nchoice none\n```\n", 4, "expected `choice RULE = NAME`, but found `choice none`"),
        ("### a.b\n\n```example\nnothing\n```\n", 4, "expected a method and its params, but found `nothing`"),
    ] {
        let error = rules::read_document(text).expect_err(text);
        assert_eq!((error.line, error.message.as_str()), (line, message));
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    for (name, schema) in [
        ("case", case::case_schema()),
        ("fixture", fixtures::fixture_schema()),
        ("request", format::request_schema(FORMATS)),
        ("answer", format::answer_schema(FORMATS)),
        ("report", report::report_schema()),
        ("comparison", report::comparison_schema()),
        ("explanation", explain::explanation_schema()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("spec/schemas/{name}.json"));
        let made = serde_json::to_string_pretty(&schema).expect("a schema can be written") + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
            std::fs::write(&path, &made).expect("the schema can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == made,
            "spec/schemas/{name}.json is not that of the types; run UPDATE_SCHEMAS=1 cargo test --test suite spec::"
        );
    }
}

#[test]
fn cases_and_lines_match_the_schemas() {
    let validator = |schema: &serde_json::Value| jsonschema::validator_for(schema).expect("the schema is one");
    let (cases, requests, answers) = (
        validator(&case::case_schema()),
        validator(&format::request_schema(FORMATS)),
        validator(&format::answer_schema(FORMATS)),
    );
    let corpus = case::Corpus::embedded().expect("the corpus can be used");
    let core = reference(formats::openui::CORE, &Default::default());
    let mut checked = 0;
    for case in &corpus.cases {
        // serde_json rejects lone surrogates and numbers beyond the range of doubles; only our reader reads those files.
        let Ok(file) = serde_json::from_str(&case.source) else { continue };
        let Ok(params) = serde_json::from_str::<serde_json::Value>(&case.params) else { continue };
        let line = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": case.method.name(), "params": params });
        let answer = match core.answer(case.method, &case.params) {
            Ok(result) => serde_json::json!({ "jsonrpc": "2.0", "id": 1, "result":
                serde_json::from_str::<serde_json::Value>(&result.to_ascii()).unwrap_or_default() }),
            Err(refusal) => serde_json::json!({ "jsonrpc": "2.0", "id": 1, "error":
                { "code": 1, "message": refusal.message, "data": { "kind": refusal.kind.name() } } }),
        };
        assert!(cases.is_valid(&file), "{}", case.id);
        assert!(requests.is_valid(&line), "{}: {line}", case.id);
        assert!(answers.is_valid(&answer), "{}: {answer}", case.id);
        checked += 1;
    }
    assert!(checked > 500, "expected the corpus, but checked {checked} cases");
    for (validator, wrong) in [
        (&requests, serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "openui.parse", "params": {} })),
        (&answers, serde_json::json!({ "jsonrpc": "2.0", "id": 1 })),
        (&cases, serde_json::json!({ "about": "no more than that" })),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

/// The table of measured violations is correct for the reference and names existing rules.
#[test]
fn table_of_violations_is_correct_for_the_reference() {
    const TABLE: &str = include_str!("../../spec/openui-departures.md");
    let mut rows = 0;
    for (number, line) in
        TABLE.lines().enumerate().filter(|(_, line)| line.starts_with("| ") && line.matches(" | ").count() == 6)
    {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let [reader, raw, read, member, found, expected, rule] = cells[..] else { panic!("line {}", number + 1) };
        if reader == "reader" {
            continue;
        }
        rows += 1;
        let profile = if reader == "newest, no move" { formats::openui::CORE } else { formats::openui::CHAT };
        let params = format!("{{\"raw\":{raw},\"streaming\":{}}}", read == "streaming");
        let answer = reference(profile, &Default::default()).answer(formats::openui::PARSE, &params);
        let answer = answer.expect("a message reads");
        let [found, expected] = [found, expected].map(|cell| json::parse(cell).expect("a cell is JSON"));
        let given = answer.get(member).cloned().expect("a result has the member");
        assert!(json::json_equal(&given, &expected), "line {}: the reference gives {given:?}", number + 1);
        assert!(!json::json_equal(&found, &expected), "line {}: no violation", number + 1);
        assert!(rules::named(rule).is_some(), "line {}: no rule {rule}", number + 1);
    }
    assert_eq!(rows, 159);
}

/// Returns the table rows of a document whose first cell is JSON: the line and the cells, without code marks.
fn rows(document: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    let is_row = |line: &str| ["| `{", "| `[", "| `\"", "| `null"].iter().any(|start| line.starts_with(start));
    document.lines().enumerate().filter(move |(_, line)| is_row(line)).map(|(number, line)| {
        let cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`'));
        (number + 1, cells.collect())
    })
}

#[test]
fn table_of_measured_texts_is_correct_for_the_reference() {
    const TABLE: &str = include_str!("../../spec/toonui-measured.md");
    let mut count = 0;
    let mut otherwise = Vec::new();
    for (number, cells) in rows(TABLE) {
        let [payload, content, display] = cells[..] else { panic!("line {number}") };
        count += 1;
        let asked = |method: Method| {
            let params = format!("{{\"payload\":{payload}}}");
            reference(formats::openui::CORE, &Default::default()).answer(method, &params)
        };
        for (method, cell) in [(formats::toonui::TO_CONTENT, content), (formats::toonui::TO_DISPLAY_CONTENT, display)] {
            match (cell, asked(method)) {
                ("", _) => {}
                ("refused", Err(refusal)) => assert_eq!(refusal.kind.name(), "bad-payload", "line {number}"),
                (cell, Ok(given)) if given.get("text") == Some(&json::parse(cell).expect("a cell is JSON")) => {}
                (cell, given) => {
                    otherwise.push(format!("line {number}, {method}: {cell}, but the reference gives {given:?}"))
                }
            }
        }
    }
    assert_eq!(count, 139);
    // The two rows whose display text is not a string; the third one has none.
    assert_eq!(otherwise.len(), 2, "{}", otherwise.join("\n"));
    assert!(
        otherwise.iter().all(|line| line.contains("to_display_content: 42") || line.contains("to_display_content: {"))
    );
}

#[test]
fn tables_of_sdk_results_are_correct_for_the_reference() {
    const TABLES: &str = include_str!("../../spec/glossen-measured.md");
    let fence = TABLES.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("has pages");
    let kept = reference(formats::openui::CORE, &[("glossen.edit.stray-key".to_owned(), "kept".to_owned())].into());
    let asked = |method: Method, params: String| match kept.answer(method, &params) {
        Ok(result) => result,
        Err(refusal) => json::Json::from(refusal.kind.name()),
    };
    let parsed = |cell: &str| json::parse(cell).unwrap_or_else(|why| panic!("{cell}: {why}"));
    let mut counts = [0; 3];
    let mut otherwise = Vec::new();
    let mut section = 0;
    let headings: Vec<usize> =
        TABLES.lines().enumerate().filter(|(_, line)| line.starts_with("## ")).map(|(at, _)| at + 1).collect();
    for (number, cells) in rows(TABLES) {
        while headings.get(section + 1).is_some_and(|heading| *heading < number) {
            section += 1;
        }
        counts[section] += 1;
        let mut row = |method: Method, params: String, member: &str, expected: json::Json| {
            let found = asked(method, params);
            let given = found.get(member).unwrap_or(&found);
            if !json::json_equal(given, &expected) {
                otherwise.push(format!("{method}: {}, but {} is expected", given.to_ascii(), expected.to_ascii()));
            }
        };
        match (section, &cells[..]) {
            (0, [messages, "refused", ""]) => {
                row(formats::glossen::VALIDATE, format!("{{\"messages\":{messages}}}"), "accepted", false.into());
            }
            (0, [messages, normalised, model]) => {
                let normalised = if *normalised == "the same" { messages } else { normalised };
                let params = format!("{{\"messages\":{messages}}}");
                row(formats::glossen::VALIDATE, params, "messages", parsed(normalised));
                let params = format!("{{\"messages\":{normalised}}}");
                row(formats::glossen::TO_MODEL_MESSAGES, params, "messages", parsed(model));
            }
            (1, [messages, edited, after]) => {
                let expected = json::parse(after).unwrap_or_else(|_| json::Json::from(*after));
                let params = format!("{{\"messages\":{messages},\"edited\":{edited}}}");
                row(formats::glossen::EDIT, params, "messages", expected);
            }
            (2, [answer, sources]) => {
                let expected = json::parse(sources).unwrap_or_else(|_| json::Json::from(*sources));
                let origin = "https://docs.example";
                let params = format!("{{\"answer\":{answer},\"origin\":\"{origin}\",\"pages\":{fence}}}");
                row(formats::glossen::SOURCES, params, "sources", expected);
            }
            (_, cells) => panic!("line {number}: {cells:?}"),
        }
    }
    assert_eq!(counts, [78, 13, 56]);
    // The ones in the document.
    let [tool, to_string, constructor, short, malformed] = &otherwise[..] else { panic!("{}", otherwise.join("\n")) };
    assert!(to_string.contains("data-toString") && to_string.contains("{\"accepted\":false}"), "{to_string}");
    assert!(constructor.contains("data-constructor") && constructor.contains("{\"accepted\":false}"), "{constructor}");
    assert!(tool.starts_with("glossen.to_model_messages") && tool.contains("tool-result"), "{tool}");
    assert!(short.starts_with("glossen.edit") && short.contains("messageId"), "{short}");
    assert_eq!(malformed, "glossen.sources: [], but \"throws\" is expected");
}
