//! Which requests are specified.

use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::json;
use genui_conform::settled::is_askable;

fn method(name: &str) -> Method {
    FORMATS.method(name).expect("is a method")
}

fn askable(params: &str) -> bool {
    is_askable(method("openui.build"), &json::parse(params).expect("is JSON"))
}

#[test]
fn params_fit_and_nest_no_deeper_than_an_answer_may() {
    assert!(askable(r#"{"content":"A","attributes":[["","1"],["a","2"],["a","\n"]]}"#));
    assert!(!askable(r#"{"content":"A","attributes":[["b"]]}"#), "no value");
    let nested = |depth: usize| format!(r#"{{"content":"A","context":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert!(askable(&nested(100)) && !askable(&nested(101)) && !askable(&nested(600)));
    assert!(!askable(r#"{"content":"\ud800"}"#), "not Unicode text");
}
