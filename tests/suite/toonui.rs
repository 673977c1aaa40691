//! Properties of the ToonUI reference that need the suite, and params that it refuses. `crates/toonui/tests` has the others.

use genui_conform::format::Method;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::formats::toonui::generate::payload;
use genui_conform::generate::Seeded;
use genui_testkit::properties;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contents_read_back(seed in any::<u64>()) {
        properties::toonui::content_round_trip(&payload(&mut Seeded::new(seed)));
    }
}

proptest! {
    #[test]
    fn texts_read_as_contents_or_are_refused(text in "(ui_reply:|ui_submit:)?(\n  (eventId|value|intent|formTitle|a|1): [\" :a1\\[\\]{},\\\\]{0,6}){0,8}") {
        properties::toonui::read_content_matches_text(&text);
    }
}

const METHODS: [Method; 4] = [
    formats::toonui::TO_CONTENT,
    formats::toonui::TO_DISPLAY_CONTENT,
    formats::toonui::TO_MODEL_MESSAGE,
    formats::toonui::TO_UI_MESSAGE,
];

#[test]
fn invalid_payload_is_refused_with_the_expectation() {
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
        assert!((formats::toonui::TO_CONTENT.params.check)(params).is_err(), "{params}");
    }
}

#[test]
fn too_deep_payload_is_refused() {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let params = format!("{{\"payload\":{{\"kind\":\"ui_submit\",\"values\":{{\"a\":{deep}}}}}}}");
    let refusal = FORMATS.reference(&Default::default()).answer(formats::toonui::TO_CONTENT, &params);
    let refusal = refusal.expect_err("is too deep");
    assert_eq!(refusal.kind.name(), "bad-params");
    let is_said = ["levels of nesting", "recursion limit"].iter().any(|words| refusal.message.contains(words));
    assert!(is_said, "{}", refusal.message);
}
