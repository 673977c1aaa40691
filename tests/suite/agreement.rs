//! Which implementations agree.

use genui_conform::adapter::Answer;
use genui_conform::adapter::InProcess;
use genui_conform::case::Case;
use genui_conform::case::read_case;
use genui_conform::json;
use genui_conform::run::{Plan, execute};
use genui_conform::run::{Review, RunResult, Terms, agreements};
use genui_conform::settings::Settings;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

fn case(expected: &str) -> Case {
    let text = r#"{"about":"A.","rules":["openui.read.plain-text"],"level":"must","since":"0.1.0",
        "method":"openui.parse","params":{"raw":"a"},"expect":{"result":{"content":"EXPECTED"}}}"#;
    read_case("openui/a/b", &text.replace("EXPECTED", expected)).expect("is a case")
}

/// Returns the records of the reference and of others, in which these answers replace the real ones.
fn review_of(expected: &str, others: &[&str]) -> (Option<Review>, Vec<Vec<usize>>) {
    let case = case(expected);
    let record = |content: Option<&str>| {
        let plan = Plan {
            cases: vec![&case],
            profile: genui_conform::formats::openui::CORE,
            requested: BTreeMap::new(),
            partial: true,
            derived: false,
            cost: false,
        };
        let mut reference = InProcess::new(Settings::default());
        let mut record =
            execute(&plan, &mut reference, &AtomicBool::new(false), &|_| {}).expect("the reference can be run");
        if let Some(content) = content {
            let answer = json::parse(&format!(r#"{{"content":"{content}"}}"#)).expect("is JSON");
            let answer = Answer::Result(answer);
            let terms = Terms { profile: genui_conform::formats::openui::CORE, omitted: &[] };
            let judgement = genui_conform::run::judge(&case, terms, &answer, None, &BTreeMap::new());
            record.outcomes[0].answer = answer;
            (record.outcomes[0].verdict, record.outcomes[0].failure) = (judgement.verdict, judgement.failure);
        }
        record
    };
    let records: Vec<RunResult<'_>> =
        std::iter::once(record(None)).chain(others.iter().map(|content| record(Some(content)))).collect();
    let marked: Vec<(&RunResult<'_>, bool)> =
        records.iter().enumerate().map(|(at, record)| (record, at == 0)).collect();
    let agreements = agreements(&marked);
    assert_eq!(agreements.len(), 1);
    (agreements[0].review, agreements[0].groups.clone())
}

#[test]
fn equal_answers_are_grouped() {
    assert_eq!(review_of("a", &["a", "b", "a", "b"]).1, vec![vec![0, 1, 3], vec![2, 4]]);
}

#[test]
fn who_stands_alone_is_asked_about() {
    assert_eq!(review_of("a", &["b", "b"]).0, Some(Review::ReferenceDiffers));
    assert_eq!(review_of("b", &["a"]).0, Some(Review::CaseDiffers));
    assert_eq!(review_of("a", &["b", "c"]).0, None, "they do not agree");
    assert_eq!(review_of("a", &["b"]).0, None, "a single one is just wrong");
    assert_eq!(review_of("a", &["a", "a"]).0, None, "all are right");
    assert_eq!(review_of("a", &[]).0, None, "none is compared");
}
