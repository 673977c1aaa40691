//! The property of loading case files.

use std::collections::BTreeMap;

use genui_conform::case::{Case, Corpus, Expectation, Outcome, Place, lint, read_case};
use genui_conform::json;

/// Checks that a case file is refused with a place in it, or loads as a case that can be run; the places of lint are in
/// the file too.
///
/// # Panics
///
/// When a place is none of the file, or a case cannot be run as it was loaded.
pub fn case_file_loads_or_has_an_error(bytes: &[u8]) {
    // Text that is no UTF-8 is refused when files are read, before it is parsed as a case.
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    match read_case("format/fuzz/case", source) {
        Err(error) => {
            assert!(is_in(error.place, source), "{error} is not a place in {source:?}");
            assert!(!error.fault.to_string().is_empty());
        }
        Ok(case) => {
            can_be_run(&case);
            let aliases = BTreeMap::from([("format/fuzz/old".to_owned(), case.id.clone())]);
            let corpus = Corpus { cases: vec![case], aliases, is_part: false };
            for finding in lint(&corpus) {
                assert!(is_in(finding.place, source), "{} is not a place in {source:?}", finding.place);
                assert_eq!(finding.id, corpus.cases[0].id, "{}", finding.message);
            }
        }
    }
}

/// Checks what the runner assumes about a case.
fn can_be_run(case: &Case) {
    for params in case.requests() {
        assert!(!params.contains(['\n', '\r']), "params on more than one line: {params:?}");
        let request = (case.method.params.check)(params);
        assert!(request.is_ok(), "params that are no request: {params:?}");
        // One level less than a line, which contains them.
        let value = json::parse_within(params, json::MAX_DEPTH - 1);
        assert!(value.is_ok(), "params that no line can hold: {value:?}");
    }
    match &case.expectation {
        Expectation::Answer(options) => {
            assert!(!options.is_empty(), "a case without an option");
            for option in options {
                assert_eq!(option.choices.is_empty(), options.len() == 1, "choices of {options:?}");
                if let Outcome::Result(result) = &option.outcome {
                    for matcher in &case.matchers {
                        assert!(matcher.pointer.find(result).is_some(), "{matcher:?} has no place in {result:?}");
                    }
                }
            }
        }
        Expectation::Scale(scale) => {
            assert!(scale.times.len() > 1 && !scale.unit.is_empty() && case.matchers.is_empty(), "{scale:?}");
        }
    }
}

/// Whether the text has a line of this number, and a character or an end at this column of it.
fn is_in(place: Place, text: &str) -> bool {
    let line = place.line.checked_sub(1).and_then(|before| text.split('\n').nth(before));
    // The JSON reader counts bytes, and stops after the invalid one.
    place.column > 0 && line.is_some_and(|line| place.column <= line.len() + 1)
}
