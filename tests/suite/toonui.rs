//! ToonUI's reference on bad input, and on as many payloads as a property wants to see.

use genui_conform::formats::FORMATS;
use genui_conform::generate::{Seeded, payload};
use genui_conform::json::{self, Json};
use genui_conform::props;
use genui_conform::protocol::Method;
use genui_conform::toonui::{read_content, to_content, to_display_content, to_model_message, to_ui_message};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contents_read_back(seed in any::<u64>()) {
        props::content_reads_back(&payload(&mut Seeded::new(seed)));
    }
}

proptest! {
    #[test]
    fn texts_read_as_contents_or_are_refused(text in "(ui_reply:|ui_submit:)?(\n  (eventId|value|intent|formTitle|a|1): [\" :a1\\[\\]{},\\\\]{0,6}){0,8}") {
        props::text_is_the_content_of_what_is_read(&text);
    }
}

const METHODS: [Method; 4] =
    [Method::ToonuiToContent, Method::ToonuiToDisplayContent, Method::ToonuiToModelMessage, Method::ToonuiToUiMessage];

fn submit(values: Json) -> Json {
    Json::object([
        ("kind", "ui_submit".into()),
        ("eventId", "s".into()),
        ("intent", "i".into()),
        ("formTitle", "t".into()),
        ("values", values),
    ])
}

#[test]
fn what_is_no_payload_is_refused_with_what_was_expected() {
    for (payload, message) in [
        ("null", "expected an object as payload, but found null"),
        ("[]", "expected an object as payload, but found a list"),
        ("7", "expected an object as payload, but found a number"),
        ("\"ui_reply\"", "expected an object as payload, but found a string"),
        ("{}", "expected `values` in a submit, but found nothing"),
        ("{\"kind\":\"ui_submit\",\"values\":null}", "expected `values` in a submit, but found null"),
    ] {
        for method in METHODS {
            let params = format!("{{\"payload\":{payload}}}");
            let refusal = FORMATS.reference(&Default::default()).answer(method, &params).expect_err(payload);
            assert_eq!((refusal.kind.name(), &refusal.message[..]), ("bad-payload", message), "{method} of {payload}");
        }
    }
    for params in ["{}", "{\"payload\":", "[]", "{\"payload\":1,\"more\":2}"] {
        assert!((FORMATS.method(Method::ToonuiToContent).params.check)(params).is_err(), "{params}");
    }
}

#[test]
fn a_payload_that_nests_too_deep_for_a_line_is_refused() {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let params = format!("{{\"payload\":{{\"kind\":\"ui_submit\",\"values\":{{\"a\":{deep}}}}}}}");
    let refusal = FORMATS.reference(&Default::default()).answer(Method::ToonuiToContent, &params);
    let refusal = refusal.expect_err("is too deep");
    assert_eq!(refusal.kind.name(), "bad-params");
    let is_said = ["levels of nesting", "recursion limit"].iter().any(|words| refusal.message.contains(words));
    assert!(is_said, "{}", refusal.message);
}

#[test]
fn a_value_that_nests_deep_has_its_text() {
    // Built by hand: the reader of JSON takes no such value. Dropped on a stack of its own size.
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| {
            let deep = (0..10_000).fold(Json::from("x"), |inner, _| Json::Array(vec![inner]));
            let payload = submit(Json::object([("a", deep)]));
            let text = format!("{}\"x\"{}", "[".repeat(10_000), "]".repeat(10_000));
            let content = to_content(&payload).expect("is a payload");
            assert!(content.ends_with(&format!("\n  a: {text}")));
            assert_eq!(to_display_content(&payload).as_deref(), Ok("t\na: x"));
            assert!(read_content(&content).is_err(), "is deeper than JSON is read");
        })
        .expect("a thread can be started")
        .join()
        .expect("nothing overflows");
}

#[test]
fn a_string_of_ten_megabytes_is_written_whole() {
    let long = "say \"hi\"\n".repeat(1_200_000);
    let payload = submit(Json::object([("a", long.as_str().into())]));
    let content = to_content(&payload).expect("is a payload");
    assert_eq!(json::parse(content.rsplit("\n  a: ").next().expect("has a part")), Ok(Json::from(long.as_str())));
    assert_eq!(to_display_content(&payload), Ok(format!("t\na: {long}")));
    assert!(to_model_message(&payload).is_ok() && to_ui_message(&payload).is_ok());
    assert!(read_content(&content).is_ok());
}

#[test]
fn many_entries_are_put_in_order() {
    let names = (0..100_000_u32).map(|index| (index.reverse_bits().to_string().as_str().into(), Json::from(true)));
    let payload = submit(Json::Object(names.collect()));
    let content = to_content(&payload).expect("is a payload");
    let read = read_content(&content).expect("reads back");
    let Some(Json::Object(entries)) = read.get("values") else { panic!("no values") };
    assert_eq!(entries.len(), 100_000);
}
