//! The oracle gives what the documents show.

use genui_conform::case::Matcher;
use genui_conform::run::compare::difference;
use genui_json::{Json, parse};
use regex::Regex;

use super::{method, oracle, profile, right};

const RULES: &str = include_str!("../../../../spec/toonui.md");
const MEASURED: &str = include_str!("../../../../spec/toonui-measured.md");

#[test]
fn the_oracle_gives_the_results_of_the_examples() {
    let mut judged = 0;
    for block in RULES.split("```example\n").skip(1).filter_map(|block| block.split("```").next()) {
        let (matches, examples): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with("match "));
        let matchers: Vec<Matcher> = matches.into_iter().map(matcher).collect();
        for example in examples.chunks(2) {
            let [request, result] = example else { panic!("{block}") };
            let (name, params) = request.split_once(' ').expect("a request has a method and params");
            let answer = right(method(name), &parse(params).expect("params are JSON"));
            let expected = result.strip_prefix("=> ").expect("a result follows a request");
            match expected.strip_prefix("error ") {
                Some(kind) => assert_eq!(answer, Err(kind), "{request}"),
                None => {
                    let found = answer.unwrap_or_else(|kind| panic!("{kind} for {request}")).result;
                    let expected = parse(expected).expect("a result is JSON");
                    let difference = difference(method(name), profile(), &matchers, &expected, &found);
                    assert!(difference.is_none(), "{request}: {difference:?}");
                }
            }
            judged += 1;
        }
    }
    assert!(judged > 30, "only {judged} examples");
}

/// A line `match POINTER PATTERN`.
fn matcher(line: &str) -> Matcher {
    let mut words = line.splitn(3, ' ').skip(1);
    let mut word = || words.next().expect("the line has a pointer and a pattern");
    let (pointer, pattern) = (word().parse().expect("is a pointer"), word());
    Matcher { pointer, pattern: Regex::new(pattern).expect("is a pattern") }
}

#[test]
fn the_oracle_gives_the_measured_texts() {
    let mut judged = 0;
    for row in MEASURED.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let [payload, content, display_content] = cells[..] else { panic!("{row}") };
        let params = Json::object([("payload", parse(payload).expect("a payload is JSON"))]);
        for (name, measured) in [("toonui.to_content", content), ("toonui.to_display_content", display_content)] {
            let answer = right(method(name), &params);
            match parse(measured) {
                Ok(text @ Json::String(_)) => {
                    let result = answer.map(|answer| answer.result);
                    assert_eq!(result, Ok(Json::object([("text", text)])), "{name} of {payload}");
                    judged += 1;
                }
                // A value that is no text (`toonui.input.odd`), which the document names.
                Ok(_) => assert!(name == "toonui.to_display_content" && ["42", "{\"a\": 1}"].contains(&measured)),
                Err(_) if measured == "refused" => assert_eq!(answer, Err("bad-payload"), "{name} of {payload}"),
                // Not measured.
                Err(_) => assert_eq!(measured, ""),
            }
        }
    }
    assert!(judged > 200, "only {judged} texts");
}

/// Doubles with two shortest texts: half-way between them, or nearer to one. ECMAScript's choice is the even one, or the
/// nearer one (`toonui.content.numbers`).
#[test]
fn the_oracle_writes_doubles_as_ecmascript_does() {
    for (number, expected) in [
        ("909091519909509.25", "909091519909509.2"),
        ("577473835511499.75", "577473835511499.8"),
        ("-99115190151509.125", "-99115190151509.12"),
        ("5.684341886080802e-14", "5.684341886080802e-14"),
        ("5e-324", "5e-324"),
        ("1e23", "1e+23"),
        ("123456789012345680000", "123456789012345680000"),
        ("0.00000123", "0.00000123"),
    ] {
        let payload = parse(&format!(r#"{{"kind":"ui_reply","eventId":{number}}}"#)).expect("is JSON");
        let line = format!("  eventId: {expected}");
        assert_eq!(oracle::content(&payload).lines().nth(1), Some(line.as_str()), "{number}");
    }
}
