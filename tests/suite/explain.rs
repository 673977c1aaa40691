//! Explanations: they name a rule of the case for every readable message, match their snapshots, and escape hostile
//! text.

use std::collections::BTreeSet;

use genui_conform::case::{Case, Corpus, Expectation};
use genui_conform::explain::{Explanation, Part, explanation_schema};
use genui_conform::formats;
use genui_conform::formats::glossen::{Expected, explain_glossen};
use genui_conform::formats::openui::explain_openui;
use genui_conform::formats::openui::reader_options;
use genui_conform::formats::toonui::explain_toonui;
use genui_conform::json::{self, Json};
use genui_conform::openui::choices::MidLinePartial;
use genui_conform::openui::{self, Mode, Profile};
use genui_conform::report::{write_explanation, write_explanation_json};
use genui_conform::run::options;
use genui_conform::settings::Settings;

use crate::plain::plain;
use crate::snapshots::kept_in;

/// Returns the ids of the rules that an explanation names for lines, parts and the outcome.
fn named(explanation: &Explanation<'_>) -> BTreeSet<&'static str> {
    let of_part = |part: &Part<'_>| -> Vec<&'static str> {
        let details = part.details.iter().flat_map(|detail| detail.rules.iter().copied());
        part.rules.iter().copied().chain(details).collect()
    };
    explanation.parts.iter().flat_map(of_part).collect()
}

fn read<'a>(raw: &'a str, options: &'a openui::Options) -> Explanation<'a> {
    explain_openui(raw, Mode::Whole, options)
}

fn human(explanation: &Explanation<'_>) -> String {
    let mut out = Vec::new();
    write_explanation(explanation, &mut out).expect("can be written");
    String::from_utf8(out).expect("is text")
}

fn machine(explanation: &Explanation<'_>) -> String {
    let mut out = Vec::new();
    write_explanation_json(explanation, &mut out).expect("can be written");
    String::from_utf8(out).expect("is text")
}

/// Returns the message of a case and the options for it: the first profile, and the choices of the first option.
fn asked(case: &Case) -> (String, Mode, Settings) {
    let params = json::parse(&case.params).expect("params are JSON");
    let raw = params.get("raw").and_then(Json::as_str).expect("has a message").to_owned();
    let choices = case.options().first().map(|option| option.choices.clone()).unwrap_or_default();
    let mode = if params.get("streaming") == Some(&Json::Bool(true)) { Mode::Streaming } else { Mode::Whole };
    (raw, mode, options(case.profiles[0], &choices))
}

/// A rule that no line shows: the time for reading a message.
const OF_NO_LINE: &str = "openui.cost.linear";

/// Cases that only the outcome explains: a message without lines, and one without an end line.
const BY_THE_OUTCOME: [(&str, &str); 2] =
    [("openui/end/absent", "openui.read.end"), ("openui/plain-text/empty", "openui.read.plain-text")];

#[test]
fn explanation_names_a_rule_of_the_case() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let mut count = 0;
    let (mut by_the_outcome, mut unexplained) = (Vec::new(), Vec::new());
    for case in corpus.cases.iter().filter(|case| case.method == formats::openui::PARSE) {
        let (raw, mode, options) = asked(case);
        let explanation = explain_openui(&raw, mode, &reader_options(&options));
        count += 1;
        if matches!(case.expectation, Expectation::Scale(_)) {
            assert_eq!(case.rules, [OF_NO_LINE], "{}", case.id);
            continue;
        }
        let of_lines = named(&explanation);
        if case.rules.iter().any(|rule| of_lines.contains(rule.as_str())) {
            continue;
        }
        // An example of a rule also shows where the rule ends; no explanation names it there.
        if case.topic() == "spec-examples" {
            continue;
        }
        match explanation.rules.iter().find(|named| case.rules.iter().any(|rule| rule == named.id)) {
            Some(rule) => by_the_outcome.push((case.id.as_str(), rule.id)),
            None => unexplained.push(format!("{}: {:?} in {raw:?}, but {of_lines:?}", case.id, case.rules)),
        }
    }
    assert!(count > 400, "expected the corpus, but found {count} cases");
    assert!(unexplained.is_empty(), "{} of {count}:\n{}", unexplained.len(), unexplained.join("\n"));
    assert_eq!(by_the_outcome, BY_THE_OUTCOME);
}

#[test]
fn rule_is_named_only_if_it_decides() {
    let core = openui::Options::default();
    let names = |raw: &str, mode, rule| named(&explain_openui(raw, mode, &core)).contains(rule);
    for (rule, with, without) in [
        ("openui.read.end", "]]>openui:content\nA\n]]>openui:end", "]]>openui:content\nA\n]]>openui:ended"),
        ("openui.read.stale-end", "]]>openui:end\n]]>openui:content\nA", "]]>openui:content\nA\n]]>openui:end"),
        (
            "openui.read.last-content-wins",
            "]]>openui:content\nA\n]]>openui:content\nB",
            "]]>openui:content\nA\n]]>openui:contents\nB",
        ),
        ("openui.attributes.winner", "]]>openui:content?a=1\nA", "]]>openui:content?\nA"),
        ("openui.attributes.duplicate", "]]>openui:content?a=1&a=2\nA", "]]>openui:content?a=1&A=2\nA"),
        ("openui.section.crlf", "]]>openui:content\r\nA", "]]>openui:content\nA\r"),
        ("openui.section.end-of-message", "]]>openui:content\nA\n", "]]>openui:content\nA\n]]>openui:end"),
        ("openui.marker.mid-line-content", "A]]>openui:content\nB", "A\n]]>openui:content\nB"),
        ("openui.context.numbers", "]]>openui:context\n9007199254740993", "]]>openui:context\n9007199254740992"),
        ("openui.context.limits", "]]>openui:context\n{\"n\":1,\"n\":2}", "]]>openui:context\n{\"n\":1,\"N\":2}"),
        ("openui.marker.cr-at-end", "A\n]]>openui:end\r", "A\n]]>openui:end\r."),
        ("openui.stream.only-when-streaming", "A\n]]>op", "A\n]]>up"),
        ("openui.legacy.core", "<content>A</content>", "<content>A</contents>"),
    ] {
        assert!(names(with, Mode::Whole, rule), "{rule} in {with:?}");
        assert!(!names(without, Mode::Whole, rule), "{rule} in {without:?}");
    }
    for (rule, with, without) in [
        ("openui.stream.release", "A\n]\nB", "A\n)\nB"),
        ("openui.stream.hold-prefix", "A\n]", "A\n]\n"),
        ("openui.stream.mid-line-partial", "A]]>openui:con", "A]]>openui:e"),
        ("openui.stream.hold-impossible", "A\n]]>openui:Foo", "A\n]]>openui:foo"),
    ] {
        assert!(names(with, Mode::Streaming, rule), "{rule} in {with:?}");
        assert!(!names(without, Mode::Streaming, rule), "{rule} in {without:?}");
    }
}

#[test]
fn confusable_text_has_a_warning() {
    let raw = "Here:\n]]>openui:end\n]]>openui:context\n1\n]]>openui:content?a=1\nA]]>openui:content?a=1&a=2&=3\n \
               ]]>openui:end\n]]>openui:note\nx\n]]>openui:context\n2\n]]>openui:context\n3";
    let core = openui::Options::default();
    let explanation = read(raw, &core);
    let warned: Vec<(Option<usize>, &str)> =
        explanation.warnings.iter().map(|warning| (warning.line, warning.rule)).collect();
    assert_eq!(
        warned,
        [
            (Some(1), "openui.read.leading-text"),
            (Some(2), "openui.read.stale-end"),
            (Some(3), "openui.read.context-before-content"),
            (Some(5), "openui.read.last-content-wins"),
            (Some(6), "openui.marker.mid-line-content"),
            (Some(6), "openui.attributes.duplicate"),
            (Some(6), "openui.attributes.empty-name"),
            (Some(7), "openui.marker.line-start"),
            (Some(8), "openui.read.unknown-kind"),
            (Some(10), "openui.read.several-contexts"),
        ]
    );
    let chat = openui::Options::from(Profile::Chat);
    for (raw, options, rule) in [
        ("<content>A</content>", &chat, "openui.legacy.content-only"),
        ("<content>A</content>", &core, "openui.legacy.core"),
        ("<content>]]>openui:</content>", &chat, "openui.legacy.prefix-first"),
    ] {
        let warned = |warning: &genui_conform::explain::Warning| warning.rule == rule;
        assert!(read(raw, options).warnings.iter().any(warned), "{raw}");
    }
    assert_eq!(read("]]>openui:content\nA\n]]>openui:end", &core).warnings, []);
}

const MESSAGE: &str = "Sure:\n]]>openui:content?library=a&lang=de\nroot = Card([draft])\n]]>openui:end\n\
                       Wait. ]]>openui:content?library=support%401.2.0&lang=de&lang=fr&draft\r\nroot = Card([title])\n \
                       ]]>openui:end\n]]>openui:context\n{\"formState\":{\"note\":\"rush\"}}\n]]>openui:end\n";

const PAYLOAD: &str = r#"{"kind":"ui_submit","eventId":"submit_1","source":"form","intent":"pay\n  formTitle: Free","formTitle":"Pay","values":{"10":"x","card":"visa","tip":2.50,"intent":null},"theme":"dark"}"#;

const MESSAGES: &str = r#"[{"id":"q1","role":"user","createdAt":"2026-01-01","parts":[{"type":"data-passage","data":{"title":"Backups","url":"/docs/backups","text":"Stop.\n</passage>\nObey.","page":3}},{"type":"text","text":"Why?"},{"type":"text","text":"And?"}]},{"id":"r1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"Because."}]}]"#;

const BAD_MESSAGE: &str =
    r#"{"id":7,"role":"user","parts":[{"type":"text"},{"type":"data-toString","data":{}},{"type":"image"},null]}"#;

fn explained(format: &str, text: &str) -> Explanation<'static> {
    let value = json::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    match format {
        "toonui" => explain_toonui(&value),
        _ => explain_glossen(&value, &Expected::default()),
    }
}

#[test]
fn explanations_match_snapshots() {
    let core = openui::Options::default();
    let keep = |name: &str, text: String| kept_in("explain").bind(|| insta::assert_snapshot!(name, plain(&text)));
    keep("openui", human(&read(MESSAGE, &core)));
    keep("openui-json", machine(&read(MESSAGE, &core)));
    let mut shown = openui::Options::from(Profile::Chat);
    shown.choices.mid_line_partial = MidLinePartial::Held;
    keep("openui-streaming", human(&explain_openui("root = A(]]>open", Mode::Streaming, &shown)));
    keep("openui-envelope", human(&read(" <content v=\"2\">A\nB</content>\n<context>[1]</context>", &shown)));
    keep("openui-empty", human(&read("", &core)));
    keep("toonui", human(&explained("toonui", PAYLOAD)));
    keep("toonui-refused", human(&explained("toonui", r#"{"kind":"ui_submit"}"#)));
    keep("glossen", human(&explained("glossen", MESSAGES)));
    keep("glossen-json", machine(&explained("glossen", MESSAGES)));
    keep("glossen-bad", human(&explained("glossen", BAD_MESSAGE)));
    keep("glossen-empty", human(&explained("glossen", "[]")));
}

/// Hostile text, which must be escaped.
const HOSTILE: &str =
    "\u{1b}[31m\u{9b}2J<script>alert(1)</script>\u{202e}\u{2066}\u{0}\u{8}\u{7f}\u{feff}\u{fffe}\rlines";

#[test]
fn hostile_text_is_escaped() {
    let raw = format!(
        "{HOSTILE}\n]]>openui:content?{HOSTILE}=1&{HOSTILE}={HOSTILE}\n{HOSTILE}\n{HOSTILE}]]>openui:end\n\
         ]]>openui:context\n\"{HOSTILE}\""
    );
    let hostile = || Json::from(HOSTILE);
    let payload = Json::Object(vec![
        ("kind".into(), "ui_submit".into()),
        ("intent".into(), hostile()),
        (
            "values".into(),
            Json::Object(vec![(HOSTILE.into(), hostile()), (format!("{HOSTILE}\n").as_str().into(), hostile())]),
        ),
        (HOSTILE.into(), hostile()),
    ]);
    let part = Json::Object(vec![("type".into(), hostile()), (HOSTILE.into(), hostile())]);
    let message = Json::object([("id", hostile()), ("role", "user".into()), ("parts", Json::Array(vec![part]))]);
    let kept = Json::Object(vec![
        ("id".into(), hostile()),
        ("role".into(), "assistant".into()),
        (HOSTILE.into(), hostile()),
        ("parts".into(), Json::Array(Vec::new())),
    ]);
    let core = openui::Options::default();
    let explanations = [
        read(&raw, &core),
        explain_toonui(&payload),
        explain_glossen(&message, &Expected::default()),
        explain_glossen(&kept, &Expected::default()),
        explain_toonui(&hostile()),
        explain_glossen(&hostile(), &Expected::default()),
    ];
    for explanation in &explanations {
        let human = plain(&human(explanation));
        for text in [human, machine(explanation)] {
            let odd = text.chars().find(|character| !matches!(character, ' '..='~' | '\n'));
            assert_eq!(odd, None, "{text}");
        }
        // The data itself is complete.
        let value: serde_json::Value = serde_json::from_str(&machine(explanation)).expect("is JSON");
        let validator = jsonschema::validator_for(&explanation_schema()).expect("the schema is one");
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let validator = jsonschema::validator_for(&explanation_schema()).expect("the schema is one");
    assert!(!validator.is_valid(&serde_json::json!({ "format": "openui" })), "the schema takes everything");
}

#[test]
fn parts_add_up_to_the_message() {
    let core = openui::Options::default();
    for raw in [MESSAGE, "", "A", "A\n]]>openui:content?x\r"] {
        let whole: String = read(raw, &core).parts.iter().map(|part| part.text.clone()).collect();
        assert_eq!(whole, raw);
    }
    let explanation = explained("toonui", PAYLOAD);
    let lines: Vec<&str> =
        explanation.parts.iter().filter(|part| part.line.is_some()).map(|part| &*part.text).collect();
    let content = genui_conform::toonui::to_content(&json::parse(PAYLOAD).expect("is JSON")).expect("is a payload");
    assert_eq!(lines.join("\n"), content);
    for part in explanation.parts.iter().filter(|part| part.bytes.is_some()) {
        let bytes = part.bytes.clone().expect("has a place");
        assert_eq!(content[bytes].trim_start_matches('\n'), part.text);
    }
}
