//! Messages that are malformed, exceed a limit, or are hostile.

use genui_glossen::choices::ExtraKeys;
use genui_glossen::{
    Anchor, Choices, MAX_DEPTH, MAX_PARTS, MAX_VIOLATIONS, Page, ValidateError, check, edit, sources,
    to_model_messages, validate,
};
use genui_json::{self as json, Json};

fn pages() -> Vec<Page> {
    let page = |url: &str, ids: &[&str]| Page {
        url: url.to_owned(),
        title: format!("Page {url}"),
        anchors: ids.iter().map(|id| Anchor { id: (*id).to_owned(), heading: (*id).to_owned() }).collect(),
    };
    vec![page("/docs/backups", &["restore", "step-2", "\u{fc}"]), page("/", &["top"])]
}

fn message(parts: Vec<Json>) -> Json {
    Json::object([("id", "q".into()), ("role", "user".into()), ("parts", Json::Array(parts))])
}

fn text(text: &str) -> Json {
    Json::object([("type", "text".into()), ("text", text.into())])
}

/// Returns the error of every function that takes messages.
fn limit_errors(messages: &Json) -> Vec<String> {
    let plain = Choices::default();
    let Err(ValidateError::LimitExceeded(bad)) = validate(messages, &plain) else { panic!("is taken") };
    let converted = to_model_messages(messages, &Choices::default()).expect_err("is taken");
    let edited = edit(messages, &message(vec![text("x")]), &plain).expect_err("is taken");
    vec![bad.to_string(), converted.to_string(), edited.to_string()]
}

#[test]
fn every_violation_has_its_place_and_its_rule() {
    let given = r#"[{"id":1,"role":"user","parts":[{"type":"text"},{"type":"data-page","data":{"title":"T"}},{"type":"data-toString","data":{}},7]},
        {"id":"r","role":"robot","metadata":null,"parts":{}},
        {"id":"s","role":"system","parts":[]}]"#;
    let Err(refused) = validate(&json::parse(given).expect("is JSON"), &Choices::default()) else { panic!("is taken") };
    let expected = "/0/id: expected a string, but found a number (glossen.type.message)
/0/parts/0/text: expected a string, but found nothing (glossen.type.text)
/0/parts/1/data/url: expected a string, but found nothing (glossen.type.page)
/0/parts/2/type: expected data-page, data-passage or data-sources (glossen.type.unknown-data-part)
/0/parts/3: expected an object, but found a number (glossen.type.message)
/1/role: expected user, assistant or system (glossen.type.message)
/1/metadata: expected an object, but found null (glossen.type.metadata)
/1/parts: expected a list, but found an object (glossen.type.message)
/2/parts: expected a part, but found none (glossen.type.not-empty)";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn values_that_nest_too_deep_exceed_the_limit() {
    // Built by hand, because the JSON parser accepts no such value. Dropping it needs a larger stack.
    std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(|| {
            let deep = (0..100_000).fold(Json::from("x"), |inner, _| Json::Array(vec![inner]));
            let part = Json::object([("type", "text".into()), ("text", "x".into()), ("extra", deep)]);
            let messages = Json::Array(vec![message(vec![part])]);
            for error in limit_errors(&messages) {
                assert_eq!(error, format!("expected at most {MAX_DEPTH} levels of nesting, but found more"));
            }
            let Json::Array(list) = &messages else { panic!("is a list") };
            assert!(check(&list[0], Some(&pages()), true).is_err());
        })
        .expect("a thread can be started")
        .join()
        .expect("nothing overflows");
}

#[test]
fn too_many_parts_or_messages_exceed_the_limit() {
    let expected = format!("expected at most {MAX_PARTS} messages and as many parts in all, but found more");
    let a_million = vec![Json::Null; 1_000_000];
    assert_eq!(limit_errors(&Json::Array(vec![message(a_million.clone())])), vec![expected.clone(); 3]);
    assert_eq!(limit_errors(&Json::Array(a_million)), vec![expected; 3]);
    let fits = Json::Array(vec![message(vec![text("x"); MAX_PARTS])]);
    assert!(validate(&fits, &Choices::default()).is_ok());
}

#[test]
fn many_violations_are_counted_and_the_first_are_reported() {
    let messages = Json::Array(vec![message(vec![Json::Null; MAX_PARTS])]);
    let Err(ValidateError::Invalid(violations, count)) = validate(&messages, &Choices::default()) else {
        panic!("is taken")
    };
    assert_eq!((violations.len(), count), (MAX_VIOLATIONS, MAX_PARTS));
    assert!(ValidateError::Invalid(violations, count).to_string().ends_with("\nand 99900 more"));
}

#[test]
fn of_a_repeated_member_the_last_counts() {
    let titles = "\"title\":1,".repeat(100_000);
    let page = format!("{{\"type\":\"data-page\",\"data\":{{{titles}\"title\":\"T\",\"url\":\"/\"}}}}");
    let text = format!("[{{\"id\":\"q\",\"role\":\"user\",\"parts\":[{page},{{\"type\":\"text\",\"text\":\"x\"}}]}}]");
    let messages = json::parse(&text).expect("is JSON");
    for extra_keys in [ExtraKeys::Stripped, ExtraKeys::Kept] {
        let choices = Choices { extra_keys, ..Choices::default() };
        let given = validate(&messages, &choices).expect("is accepted");
        let expected = r#"[{"id":"q","role":"user","parts":[{"type":"data-page","data":{"title":"T","url":"/"}},{"type":"text","text":"x"}]}]"#;
        assert_eq!(given.to_compact(), expected);
    }
}

#[test]
fn a_megabyte_of_links_is_read() {
    let page = |at: usize| Page {
        url: format!("/p{at}"),
        title: "P".to_owned(),
        anchors: (0..100).map(|id| Anchor { id: format!("a{id}"), heading: String::new() }).collect(),
    };
    let pages: Vec<Page> = (0..1_000).map(page).collect();
    let every: String = (0..50_000).map(|at| format!("[x](/p{}#a{})", at % 1_000, at % 100)).collect();
    assert_eq!(sources(&every, "https://docs.example", &pages).map(|found| found.len()), Ok(1_000));
    for hostile in ["](", "](<", "]( ", "](%", "](#", "](//[", "](\\", "](..", "](https://"] {
        let answer = hostile.repeat(1 << 18);
        assert_eq!(sources(&answer, "https://docs.example", &pages), Ok(Vec::new()), "{hostile}");
    }
    // Links that stay open: the last `)` closes the first of them, or none is closed.
    let open = "[x](/p1 ".repeat(1 << 17);
    assert_eq!(sources(&open, "https://docs.example", &pages), Ok(Vec::new()));
    assert_eq!(sources(&format!("{open})"), "https://docs.example", &pages).map(|found| found.len()), Ok(1));
    for origin in ["", "docs.example", "https://", "mailto:a@b.example", "https://docs.example:99999"] {
        assert!(sources("", origin, &pages).is_err(), "{origin}");
    }
}

#[test]
fn errors_of_malformed_messages_name_the_place() {
    let place = |value: &str| check(&json::parse(value).expect("is JSON"), None, false).expect_err(value).to_string();
    assert_eq!(place("[]"), "expected an object, but found a list");
    assert_eq!(place("{}"), "/role: expected a string, but found nothing");
    assert_eq!(place(r#"{"role":"robot"}"#), "/role: expected user, assistant or system, but found another role");
    assert_eq!(place(r#"{"role":"user","parts":[{}]}"#), "/parts/0/type: expected a string, but found nothing");
    let half = r#"{"role":"user","parts":[{"type":"\ud800"}]}"#;
    assert_eq!(
        place(half),
        "/parts/0/type: expected a string of Unicode characters, but found half of a surrogate pair"
    );
    let passage = r#"[{"role":"user","parts":[{"type":"data-passage","data":{"title":"T","url":"/"}}]}]"#;
    let error =
        to_model_messages(&json::parse(passage).expect("is JSON"), &Choices::default()).expect_err("lacks its text");
    assert_eq!(error.to_string(), "/0/parts/0/data/text: expected a string, but found nothing");
}
