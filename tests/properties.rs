//! The properties of the formats, over generated messages.

use genui_conform::json::{self, Json};
use genui_conform::openui::{Draft, DraftContext, OPEN_POINTS, Options, Profile, build, parse};
use genui_conform::props;
use genui_conform::run;
use proptest::prelude::*;

#[path = "support/generate.rs"]
mod generate;
use generate::{message, options};

fn context() -> impl Strategy<Value = Json> {
    let text = prop_oneof![message().prop_map(Json::from), Just(Json::from("plain text")), Just(Json::from(" 42 "))];
    let leaf = prop_oneof![
        text,
        prop::sample::select(vec!["null", "true", "0", "-0.0", "1e400", "9007199254740993", "\"\\ud800\"", "[]", "{}"])
            .prop_map(|text| json::parse(text).expect("is JSON")),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::vec((message(), inner), 0..4).prop_map(|members| Json::Object(
                members.into_iter().map(|(name, value)| (json::JsonString::Unicode(name), value)).collect()
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_reader_reads_as_the_rules_say(raw in message(), options in options()) {
        props::reads_as_the_rules_say(&raw, &options);
    }

    #[test]
    fn a_stream_equals_the_whole(raw in message(), cuts in prop::collection::vec(0..120usize, 0..8), options in options()) {
        props::stream_equals_whole(&raw, &cuts, &options);
        let every: Vec<usize> = (0..raw.len()).collect();
        props::stream_equals_whole(&raw, &every, &options);
    }

    #[test]
    fn what_is_written_reads_back(
        content in message(),
        context in context(),
        attributes in prop::collection::vec((message(), message()), 0..4),
        end: bool,
        options in options(),
    ) {
        let exact = { let mut options = options; options.choices = { let mut c = options.choices; let _ = OPEN_POINTS.iter().find(|p| p.rule == "openui.context.numbers").map(|p| p.choose(&mut c, "exact")); c }; options };
        props::written_reads_back(&content, &context, &attributes, end, &exact);
    }

    #[test]
    fn line_endings_do_not_matter(raw in message(), options in options()) {
        props::line_endings_do_not_matter(&raw, &options);
    }

    #[test]
    fn any_text_reads(raw in prop_oneof![message(), any::<String>()], options in options()) {
        props::any_text_reads(&raw, &options);
    }

    #[test]
    fn our_json_reader_agrees_with_serde_json(text in prop_oneof![context().prop_map(|value| value.to_compact()), message()]) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = json::parse(&text);
        if theirs.is_ok() {
            prop_assert!(ours.is_ok(), "{text}");
        }
        if let (Ok(ours), Err(error)) = (ours, theirs) {
            // What we take and serde_json does not: numbers beyond every double, and lone surrogates.
            let known = error.to_string();
            prop_assert!(known.contains("number out of range") || known.contains("surrogate") || known.contains("hex escape"), "{known}");
            prop_assert!(ours.to_ascii().contains("1e400") || ours.to_ascii().contains("\\ud"));
        }
    }
}

#[test]
fn a_refusal_says_what_is_in_the_way_and_where() {
    let attribute = |name: &str| (name.to_owned(), "1".to_owned());
    let (twice, nameless) = ([attribute("a"), attribute("a")], [attribute("")]);
    let draft = |content: &'static str| Draft { content, end: true, ..Draft::default() };
    let context = |text: &'static str| Draft { context: DraftContext::Text(text), end: true, ..Draft::default() };
    for (draft, span, says) in [
        (draft("A\n]]>openui:end"), 2..15, "content, bytes 2 to 15: expected no marker line"),
        (draft("A]]>openui:content"), 1..18, "content, bytes 1 to 18: expected no content marker in the middle"),
        (draft("]]>openui:end\r"), 0..13, "content, bytes 0 to 13: expected no marker before a carriage return"),
        (draft("AB\r"), 2..3, "content, bytes 2 to 3: expected another last character"),
        (context("B\n]]>openui:zz\n"), 2..14, "context, bytes 2 to 14: expected no marker line"),
        (context("B\r"), 1..2, "context, bytes 1 to 2: expected another last character"),
        (context("[1]"), 0..3, "context, bytes 0 to 3: expected text that is not JSON"),
        (Draft { attributes: &twice, ..draft("A") }, 0..1, "attribute 2: expected each attribute name once"),
        (Draft { attributes: &nameless, ..draft("A") }, 0..0, "attribute 1: expected an attribute name"),
    ] {
        let error = build(&draft, &Options::default()).expect_err(says);
        assert!(error.to_string().starts_with(says), "{error}");
        assert_eq!(error.span(), span, "{error}");
    }
    let absent = run::options(Profile::Core, &[("openui.context.empty".to_owned(), "absent".to_owned())].into());
    let error = build(&context(""), &absent).expect_err("an empty context");
    assert!(error.to_string().starts_with("context, bytes 0 to 0: expected a context"), "{error}");
}

#[test]
fn an_answer_with_a_context_is_itself_within_the_depth_of_a_line() {
    for depth in 900..json::MAX_DEPTH + 5 {
        let raw = format!("]]>openui:content\nA\n]]>openui:context\n{}1{}", "[".repeat(depth), "]".repeat(depth));
        let message = parse(&raw, &Options::default());
        // The line, its result, and the context in it.
        let line = format!("{{\"result\":{{\"context\":{}}}}}", message.context_json().to_compact());
        assert!(json::parse_within(&line, json::MAX_DEPTH).is_ok(), "{depth} levels");
    }
}
