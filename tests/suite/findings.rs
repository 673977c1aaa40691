//! Findings as cases.

use genui_conform::adapter::Answer;
use genui_conform::campaign::{Finding, Signature, case_of};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::generate::Input;
use genui_conform::json::{self, Json};
use genui_conform::settings::Settings;

fn method(name: &str) -> Method {
    FORMATS.method(name).expect("is a method")
}

#[test]
fn an_id_that_is_new_each_time_is_matched() {
    let payload = json::parse(r#"{"kind":"ui_reply","eventId":"reply_1","value":"Yes"}"#).expect("is JSON");
    let params = json::parse(r#"{"value":"Yes"}"#).expect("is JSON");
    let signature =
        Signature { method: "toonui.reply", what: "other text at /payload".to_owned(), rules: Default::default() };
    let left = Answer::Result(Json::object([("payload", payload)]));
    let input = Input { method: method("toonui.reply"), params };
    let finding = Finding { signature, input, left, right: Answer::NoSuchMethod, count: 1 };
    let (case, text) = case_of(&finding, &Settings::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(case.matchers.len(), 1, "{text}");
}

/// A finding is a valid case whatever the first of two implementations answered.
#[test]
fn what_no_case_can_expect_is_not_expected() {
    let inputs = [
        (method("openui.parse"), r#"{"raw":"a"}"#),
        (method("openui.build"), r#"{"content":"a"}"#),
        (method("openui.model_text"), r#"{"raw":"a","role":"user"}"#),
        (method("toonui.reply"), r#"{"value":"Yes"}"#),
        (method("glossen.validate"), r#"{"messages":[]}"#),
    ];
    let refusal = |kind: &str| Answer::Refusal { kind: kind.to_owned(), message: String::new() };
    let parsed = |text: &str| Answer::Result(json::parse(text).expect("is JSON"));
    let answers = [
        Answer::not_run("it was abandoned"),
        Answer::NoSuchMethod,
        Answer::Unsupported("later".to_owned()),
        refusal("bad-mood"),
        parsed("null"),
        parsed("{}"),
        parsed(r#"{"content":7}"#),
        parsed(r#"{"colour":"red"}"#),
    ];
    for ((method, params), left) in inputs.iter().flat_map(|input| answers.iter().map(move |left| (input, left))) {
        let input = Input { method: *method, params: json::parse(params).expect("is JSON") };
        let signature =
            Signature { method: method.name(), what: "no answer, crash".to_owned(), rules: Default::default() };
        let finding = Finding { signature, input, left: left.clone(), right: Answer::NoSuchMethod, count: 1 };
        if let Err(error) = case_of(&finding, &Settings::default()) {
            panic!("{method} {params}, {left:?}: {error}");
        }
    }
}
