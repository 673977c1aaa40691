//! The properties of the formats, over generated messages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Fault, FaultKind, Implementation, InProcess};
use genui_conform::campaign::{Campaign, CampaignOptions, Limit, Target, input_of};
use genui_conform::case::{Case, Corpus};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::formats::openui::reader_options;
use genui_conform::generate::{Draw, Input, Seeded, mutated_request, request};
use genui_conform::json::{self, Json};
use genui_conform::openui::{Draft, DraftContext, Options, build, parse};
use genui_conform::protocol::Handshake;
use genui_conform::run;
use genui_conform::settled::is_askable;
use genui_testkit::properties;
use proptest::prelude::*;

use crate::generate::{message, options};

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

const ENVELOPE: &[&str] = &[
    "<content>",
    "</content>",
    "<content a>",
    "<content\n>",
    "<content",
    "<context>",
    "</context>",
    "</context",
    "<contents>",
    ">",
    "A",
    "[1]",
    "null",
    " ",
    "\n",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{a0}",
    "]",
    "]]>",
    "]]>openui",
    "]]>openui:",
    "]]>openui:content\n",
];
const ATTRIBUTES: &[&str] = &[
    "a",
    "b",
    "A",
    "=",
    "=",
    "&",
    "&",
    "+",
    "%",
    "%6",
    "%61",
    "%3d",
    "%26",
    "%c3",
    "%A9",
    "%zz",
    "%\u{e9}",
    "\u{e9}",
    "\u{feff}",
    ";",
    "?",
    " ",
    "\r",
    "\n",
    "]]>openui:content?",
];
const LINE: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"jsonrpc\":\"2.0\"",
    "\"id\":1",
    "\"id\":-0",
    "\"id\":\"1\"",
    "\"result\":",
    "\"error\":",
    "null",
    "1",
    "\"a\"",
    " ",
    "\n",
    "NaN",
    "\"code\":1",
    "\"message\":\"m\"",
    "\"data\":{\"kind\":\"k\"}",
];
/// Returns answer lines with one odd piece.
const ANSWER: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":",
    "{\"code\":1,\"message\":\"m\"}",
    "{\"code\":-32601,\"message\":\"m\"}",
    "{\"code\":2,\"message\":\"m\",\"data\":{\"reason\":\"r\"}}",
    "{\"content\":\"\"}",
    "}",
    "}",
];

fn pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..10).prop_map(|pieces| pieces.concat())
}

fn case() -> impl Strategy<Value = Case> {
    prop::sample::select(Corpus::embedded().expect("a test reads every case").cases)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_reader_reads_as_the_rules_say(raw in message(), options in options()) {
        properties::openui::reader_matches_oracle(&raw, &options);
    }

    #[test]
    fn a_stream_equals_the_whole(raw in message(), cuts in prop::collection::vec(0..120usize, 0..8), options in options()) {
        properties::openui::stream_matches_whole(&raw, &cuts, &options);
        let every: Vec<usize> = (0..raw.len()).collect();
        properties::openui::stream_matches_whole(&raw, &every, &options);
    }

    #[test]
    fn what_is_written_reads_back(
        content in message(),
        context in context(),
        attributes in prop::collection::vec((message(), message()), 0..4),
        end: bool,
        options in options(),
    ) {
        properties::openui::build_parse_round_trip(&content, &context, &attributes, end, &options);
    }

    #[test]
    fn what_is_read_is_rewritten(raw in message(), options in options()) {
        properties::openui::parse_build_round_trip(&raw, &options);
    }

    #[test]
    fn line_endings_do_not_matter(raw in message(), options in options()) {
        properties::openui::line_endings_do_not_matter(&raw, &options);
    }

    #[test]
    fn any_text_reads(raw in prop_oneof![message(), any::<String>()], options in options()) {
        properties::openui::parse_accepts_any_text(&raw, &options);
    }

    #[test]
    fn our_json_reader_agrees_with_serde_json(text in prop_oneof![context().prop_map(|value| value.to_compact()), message()]) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = json::parse(&text);
        if theirs.is_ok() {
            prop_assert!(ours.is_ok(), "{text}");
        }
        if let (Ok(ours), Err(error)) = (ours, theirs) {
            // Our reader accepts numbers beyond the range of doubles and lone surrogates; serde_json does not.
            let known = error.to_string();
            prop_assert!(known.contains("number out of range") || known.contains("surrogate") || known.contains("hex escape"), "{known}");
            prop_assert!(ours.to_ascii().contains("1e400") || ours.to_ascii().contains("\\ud"));
        }
    }
}

// These have fewer cases: fuzz targets run the same properties longer and are guided by coverage.
proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_envelope_reads_as_the_rules_say(raw in pieces(ENVELOPE), options in options()) {
        properties::openui::envelope_matches_oracle(&raw, &options);
    }

    #[test]
    fn attributes_read_as_the_rules_say(text in pieces(ATTRIBUTES), options in options()) {
        properties::openui::attributes_match_oracle(&text, &options);
    }

    #[test]
    fn a_line_reads_or_is_refused(line in prop_oneof![pieces(LINE), pieces(ANSWER)]) {
        properties::protocol::answer_line_parses_or_is_malformed(line.as_bytes());
    }

    #[test]
    fn a_case_file_loads_or_says_why(case in case(), put in pieces(LINE), at in any::<prop::sample::Index>(), cut in 0..4usize) {
        let mut source = case.source.clone();
        let from = source.floor_char_boundary(at.index(source.len() + 1));
        let to = source.floor_char_boundary((from + cut).min(source.len())).max(from);
        source.replace_range(from..to, &put);
        properties::case_file::case_file_loads_or_has_an_error(source.as_bytes());
        properties::case_file::case_file_loads_or_has_an_error(case.source.as_bytes());
    }
}

#[test]
fn refusal_names_cause_and_position() {
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
    let absent = run::options(
        genui_conform::formats::openui::CORE,
        &[("openui.context.empty".to_owned(), "absent".to_owned())].into(),
    );
    let error = build(&context(""), &reader_options(&absent)).expect_err("an empty context");
    assert!(error.to_string().starts_with("context, bytes 0 to 0: expected a context"), "{error}");
}

#[test]
fn answer_with_context_stays_within_the_depth_limit() {
    for depth in 900..json::MAX_DEPTH + 5 {
        let raw = format!("]]>openui:content\nA\n]]>openui:context\n{}1{}", "[".repeat(depth), "]".repeat(depth));
        let message = parse(&raw, &Options::default());
        // The line, its result, and the context in it.
        let line = format!("{{\"result\":{{\"context\":{}}}}}", message.context_json().to_compact());
        assert!(json::parse_within(&line, json::MAX_DEPTH).is_ok(), "{depth} levels");
    }
}

/// The number of requests of each method in a property.
const DRAWS: u64 = 4_000;

#[test]
fn generated_requests_are_specified() {
    for method in FORMATS.methods() {
        for seed in 0..DRAWS {
            let Input { params, .. } = request(&mut Seeded::new(seed), method);
            assert!(is_askable(method, &params), "{method}, seed {seed}: {}", params.to_ascii());
        }
    }
}

/// Answers like the reference or crashes, and records every request.
struct Recorder<F> {
    reference: InProcess,
    crashes: F,
    asked: BTreeMap<Method, BTreeSet<String>>,
}

impl<F: FnMut(&str) -> bool> Implementation for Recorder<F> {
    fn handshake(&self) -> &Handshake {
        self.reference.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        for ask in asks {
            self.asked.entry(ask.method).or_default().insert(ask.params.to_owned());
        }
        let answers = self.reference.send_all(asks, stop, progress);
        let crash = || Answer::Fault(Fault { kind: FaultKind::Crash, detail: String::new() });
        answers
            .into_iter()
            .zip(asks)
            .map(|(answer, ask)| if (self.crashes)(ask.params) { crash() } else { answer })
            .collect()
    }
}

/// Returns the requests of a campaign against such an implementation, without the seed corpus.
fn asked_by_a_campaign(methods: &[Method], seeds: &[Input], crashes: impl FnMut(&str) -> bool) -> usize {
    let mut recorder = Recorder { reference: InProcess::new(Default::default()), crashes, asked: BTreeMap::new() };
    let options = CampaignOptions { methods: methods.to_vec(), seed: 5, limit: Limit::Runs(4_000), batch: 256 };
    let right = Target { implementation: &mut recorder, options: Default::default() };
    let mut campaign = Campaign { left: None, right, options };
    let results = campaign.run(Vec::new(), seeds.to_vec(), &AtomicBool::new(false), &mut |_| {});
    assert!(!results.findings.is_empty(), "an implementation that crashes is found");
    let given: BTreeSet<(Method, String)> = seeds.iter().map(|seed| (seed.method, seed.params.to_ascii())).collect();
    let mut count = 0;
    for (method, asked) in recorder.asked {
        for params in asked.into_iter().filter(|params| !given.contains(&(method, params.clone()))) {
            count += 1;
            assert!(is_askable(method, &json::parse(&params).expect("is JSON")), "{method}: {params}");
        }
    }
    count
}

#[test]
fn campaigns_send_and_shrink_to_specified_requests() {
    let corpus = Corpus::embedded().expect("can be used");
    // Long requests take most of the time and show the same.
    let short = |case: &&Case| case.params.len() < 2_000;
    let seeds: Vec<Input> = corpus.cases.iter().filter(short).filter_map(input_of).collect();
    for method in FORMATS.methods() {
        let seeds: Vec<Input> = seeds.iter().filter(|seed| seed.method == method).cloned().collect();
        assert!(!seeds.is_empty(), "{method}");
        // With permanent crashes requests are shrunk completely; with occasional crashes they are shrunk at all positions.
        let all = asked_by_a_campaign(&[method], &seeds, |_| true);
        let some = asked_by_a_campaign(&[method], &seeds, |params| {
            params.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte))) % 5 == 0
        });
        assert!(all > 500 && some > 500, "{method}: {all} and {some}");
    }
}

#[test]
fn most_mutations_of_specified_requests_are_specified() {
    for method in FORMATS.methods() {
        let mut draw = Seeded::new(11);
        let mut may = 0;
        for _ in 0..1_000 {
            let (input, other) = (request(&mut draw, method), request(&mut draw, method));
            let mutated = mutated_request(&mut draw, &input, &other);
            may += usize::from(is_askable(method, &mutated.params));
        }
        assert!(may > 400, "{method}: {may} of 1000 mutations; a campaign would hardly leave its seeds");
    }
}

/// Every choice is the lowest or the highest one. There are not many of them.
struct Always {
    highest: bool,
    left: u32,
}

impl Draw for Always {
    fn below(&mut self, bound: usize) -> usize {
        self.left = self.left.checked_sub(1).expect("the generator comes to an end");
        if self.highest { bound - 1 } else { 0 }
    }
}

/// A fuzzer's bytes run out, and then all that comes is 0: that must neither go on for ever nor cost much.
#[test]
fn a_generator_ends_whatever_it_draws() {
    for method in FORMATS.methods() {
        for (highest, most) in [(false, 1_000), (true, 20_000_000)] {
            let draw = &mut Always { highest, left: 10_000 };
            let (input, other) = (request(draw, method), request(draw, method));
            let mutated = mutated_request(draw, &input, &other);
            for size in [&input, &mutated].map(|input| input.params.to_compact().len()) {
                assert!(size <= most, "{method}: {size} bytes where every choice is the same");
            }
        }
    }
}
