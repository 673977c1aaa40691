//! The derived checks: a correct reader passes them on all generated messages, and for each check there is a wrong reader
//! that only this check detects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::case::{Case, Corpus};
use genui_conform::checks;
use genui_conform::checks::{Check, CheckOutcome, Shrink};
use genui_conform::format::Reference;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::formats::openui::reader_options;
use genui_conform::json::{self, Json, Pointer};
use genui_conform::openui::{Mode, PREFIX, trace};
use genui_conform::protocol::Handshake;
use genui_conform::rules::Level;
use genui_conform::run::derived::{Evidence, all_checks, run_check, run_checks, run_these_checks};
use genui_conform::run::{Plan, Verdict, execute, options};
use genui_conform::settings::Settings;
use genui_conform::settled::is_askable;
use genui_testkit::oracle::openui as oracle;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::generate;

/// The number of messages for the properties: few by default, more with `DERIVED_MESSAGES`.
fn messages() -> u32 {
    std::env::var("DERIVED_MESSAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500)
}

/// An implementation that answers with a function.
struct Reader<F> {
    handshake: Handshake,
    answer: F,
}

impl<F: Fn(&Ask<'_>) -> Answer> Implementation for Reader<F> {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn send_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        asks.iter().map(&self.answer).collect()
    }
}

/// Answers in this process, as a reference does.
fn answering(reference: Box<dyn Reference>) -> impl Fn(&Ask<'_>) -> Answer {
    move |ask| match reference.answer(ask.method, ask.params) {
        Ok(result) => Answer::Result(result),
        Err(refusal) => Answer::Refusal { kind: refusal.kind.name().to_owned(), message: refusal.message },
    }
}

fn reference(options: Settings) -> impl Fn(&Ask<'_>) -> Answer {
    answering(FORMATS.reference(&options))
}

/// A mutant of the catalogue.
fn mutant(name: &str) -> impl Fn(&Ask<'_>) -> Answer {
    let mutant = FORMATS.mutant(name).unwrap_or_else(|| panic!("no mutant {name}"));
    answering(FORMATS.reference_with(mutant, &Settings::default()))
}

/// Reads a message with the reference.
fn read(raw: &str, streaming: bool) -> Json {
    let params = Json::object([("raw", raw.into()), ("streaming", streaming.into())]).to_ascii();
    match reference(Settings::default())(&Ask { method: formats::openui::PARSE, params: &params }) {
        Answer::Result(result) => result,
        other => panic!("{other:?}"),
    }
}

/// A reader that reads with a function, also after each chunk of a stream and for the model. It writes like the
/// reference.
fn reader(options: Settings, read: impl Fn(&str, bool) -> Json) -> impl Fn(&Ask<'_>) -> Answer {
    let reference = reference(options.clone());
    move |ask| {
        let params = json::parse(ask.params).expect("params are JSON");
        let raw = || params.get("raw").and_then(Json::as_str).expect("has a message");
        let is = |name: &str, value: Json| params.get(name) == Some(&value);
        match ask.method.name() {
            "openui.parse" => Answer::Result(read(raw(), is("streaming", true.into()))),
            "openui.stream" => {
                let Some(Json::Array(chunks)) = params.get("chunks") else { panic!("has no chunks") };
                let mut text = String::new();
                let mut snapshot = |chunk: &Json| {
                    text.push_str(chunk.as_str().expect("is a text"));
                    read(&text, true)
                };
                let snapshots = chunks.iter().map(&mut snapshot).collect();
                Answer::Result(Json::object([("snapshots", Json::Array(snapshots)), ("final", read(&text, false))]))
            }
            "openui.model_text" if is("role", "assistant".into()) => {
                let result = read(raw(), false);
                Answer::Result(Json::object([("text", result.get("content").cloned().unwrap_or(Json::Null))]))
            }
            _ => reference(ask),
        }
    }
}

/// The oracle.
fn oracle(options: Settings) -> impl Fn(&Ask<'_>) -> Answer {
    let empty_is_absent = options.chosen("openui.context.empty") == Some("absent");
    let reads_by = reader_options(&options);
    reader(options, move |raw, streaming| {
        let reading = oracle::read(raw, if streaming { Mode::Streaming } else { Mode::Whole }, &reads_by);
        let context = match reading.context {
            Some(text) if text.is_empty() && empty_is_absent => Json::Null,
            Some(text) => oracle::context(&text, &reads_by),
            None => Json::Null,
        };
        Json::object([("content", reading.content.as_str().into()), ("context", context), ("end", reading.end.into())])
    })
}

fn implementation<F: Fn(&Ask<'_>) -> Answer>(options: Settings, answer: F) -> Reader<F> {
    Reader { handshake: InProcess::new(options).handshake().clone(), answer }
}

/// The check of this name.
fn named(name: &str) -> Check {
    all_checks().into_iter().find(|check| check.name == name).unwrap_or_else(|| panic!("no check {name}"))
}

/// Returns the outcome of a check on a message.
fn on_message(check: Check, raw: &str, options: &Settings, implementation: &mut dyn Implementation) -> CheckOutcome {
    let request = checks::Request::new(formats::openui::PARSE, &Json::object([("raw", raw.into())]));
    run_check(check, &request, options, implementation, &AtomicBool::new(false)).expect("the check is one on messages")
}

fn passes_everything(raw: &str, options: &Settings, implementation: &mut dyn Implementation) {
    for check in genui_conform::formats::openui::FORMAT.checks() {
        let outcome = on_message(check, raw, options, implementation);
        assert_eq!(outcome, CheckOutcome::Holds, "{check:?} on {raw:?} with {options:?}");
    }
}

#[test]
fn checks_have_unique_names_and_rules_of_their_format() {
    let names: BTreeSet<&str> = all_checks().iter().map(|check| check.name).collect();
    assert_eq!(names.len(), all_checks().len());
    for format in FORMATS.all() {
        for check in format.checks() {
            let rule = genui_conform::rules::named(check.rule).unwrap_or_else(|| panic!("{check:?} has no rule"));
            assert_eq!(FORMATS.format_of(&rule.id), Some(format), "{check:?}");
        }
    }
}

#[test]
fn the_reference_passes_on_generated_messages() {
    let config = Config { cases: messages(), failure_persistence: None, ..Config::default() };
    let strategy = (generate::message(), generate::settings());
    let run = TestRunner::new(config).run(&strategy, |(raw, options)| {
        passes_everything(&raw, &options, &mut InProcess::new(options.clone()));
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_oracle_passes_on_generated_messages() {
    // The oracle does not know the envelope and leaves attributes as text.
    let config = Config { cases: messages(), failure_persistence: None, ..Config::default() };
    let strategy = (generate::message(), generate::settings()).prop_filter("not an envelope", |(raw, options)| {
        options.profile() != formats::openui::CHAT || !raw.contains("<cont")
    });
    let run = TestRunner::new(config).run(&strategy, |(raw, options)| {
        passes_everything(&raw, &options, &mut implementation(options.clone(), oracle(options.clone())));
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// Returns the checks that fail on the corpus for a wrong reader.
fn caught_by(answer: impl Fn(&Ask<'_>) -> Answer) -> BTreeSet<&'static str> {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    // Long messages would show the same and take most of the time.
    let short = |case: &&Case| case.profiles.contains(&formats::openui::CORE) && case.params.len() < 1_000;
    let cases: Vec<&Case> = corpus.cases.iter().filter(short).collect();
    let options = Settings::default();
    let outcomes = run_checks(&cases, &options, &mut implementation(options.clone(), answer), &AtomicBool::new(false));
    assert!(outcomes.len() > 1_000);
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Fail) {
        let Some(Evidence::Failed { whole, .. }) = &outcome.evidence else { panic!("{}", outcome.id()) };
        // Printed if the test fails: the other checks that detected the reader, with their cases.
        println!("{}: {} expected {}, but found {}", outcome.id(), whole.request.params, whole.expected, whole.actual);
    }
    outcomes.into_iter().filter(|outcome| outcome.verdict.fails()).map(|outcome| outcome.check.name).collect()
}

/// Returns the value with each string changed, in different ways.
fn scrambled(value: Json, by: u64) -> Json {
    match value {
        Json::String(text) => Json::from(format!("{}{}", text.to_text(), "~".repeat((by % 4) as usize))),
        Json::Array(items) => Json::Array(items.into_iter().map(|item| scrambled(item, by)).collect()),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, value)| (name, scrambled(value, by))).collect())
        }
        other => other,
    }
}

#[test]
fn shrunk_messages_are_specified() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let short = |case: &&Case| case.profiles.contains(&formats::openui::CORE) && case.params.len() < 600;
    let cases: Vec<&Case> = corpus.cases.iter().filter(short).collect();
    let options = Settings::default();
    let right = reference(options.clone());
    let answer = |ask: &Ask<'_>| {
        let by = ask
            .method
            .name()
            .bytes()
            .chain(ask.params.bytes())
            .fold(7_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
        match right(ask) {
            Answer::Result(result) => Answer::Result(scrambled(result, by)),
            other => other,
        }
    };
    let mut wrong = implementation(options.clone(), answer);
    let outcomes = run_these_checks(&all_checks(), 12, &cases, &options, &mut wrong, &AtomicBool::new(false));
    let mut shrunk: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in &outcomes {
        let Some(Evidence::Failed { shrunk: Some((text, _)), .. }) = &outcome.evidence else { continue };
        *shrunk.entry(outcome.check.name).or_default() += 1;
        let method = outcome.case.method;
        let checks = method.checks.expect("a method with outcomes has checks");
        let mut params = json::parse(&outcome.case.params).expect("params are JSON");
        let (at, value) = match checks.shrink {
            Shrink::Text(at) => (at, Json::from(text.as_str())),
            Shrink::Member(at) => (at, json::parse(text).expect("is JSON")),
            Shrink::Params | Shrink::Never => ("", json::parse(text).expect("is JSON")),
        };
        let pointer: Pointer = at.parse().expect("is a pointer");
        *pointer.find_mut(&mut params).expect("the params have the member") = value;
        let subject = (checks.prepare)(method, &params, &options).expect("a check applies to what it shrank");
        let method = subject.specified_for(outcome.check);
        assert!(is_askable(method, &params), "{}: {text}", outcome.id());
    }
    for check in ["no-flash", "chunks", "rewrite", "reads-back", "ui-text", "one-by-one"] {
        assert!(shrunk.get(check).is_some_and(|count| *count > 1), "{check:?} of {shrunk:?}");
    }
    assert!(shrunk.contains_key("valid-again") && shrunk.contains_key("same-prefix"), "{shrunk:?}");
}

/// Returns a result with a different content.
fn with_content(mut result: Json, content: &str) -> Json {
    if let Json::Object(members) = &mut result {
        for (_, value) in members.iter_mut().filter(|(name, _)| name.as_str() == Some("content")) {
            *value = content.into();
        }
    }
    result
}

#[test]
fn the_reference_passes_every_check() {
    assert_eq!(caught_by(reference(Settings::default())), BTreeSet::new());
}

#[test]
fn only_no_flash_catches_a_content_marker_that_shows_until_its_line_ending() {
    let wrong = reader(Settings::default(), |raw, streaming| {
        // With its `?` the line is a content marker line in any case, so the visible text does not disappear for growth.
        let last = raw.rsplit('\n').next().unwrap_or("");
        let result = read(raw, streaming);
        if streaming && last.starts_with("]]>openui:content?") {
            let text = result.get("content").and_then(Json::as_str).unwrap_or("").to_owned();
            let shown = last[2..].find(']').map_or(last, |at| &last[..at + 2]);
            return with_content(result, &format!("{text}{shown}"));
        }
        result
    });
    assert_eq!(caught_by(wrong), BTreeSet::from(["no-flash"]));
}

#[test]
fn only_growth_catches_a_reader_that_shows_nothing_while_it_holds_something() {
    assert_eq!(caught_by(mutant("nothing-shows-while-something-is-held")), BTreeSet::from(["growth"]));
}

#[test]
fn only_settle_catches_a_reader_that_shows_nothing_until_the_end() {
    assert_eq!(caught_by(mutant("nothing-shows-until-the-end")), BTreeSet::from(["settle"]));
}

#[test]
fn only_chunks_catches_a_reader_that_loses_a_marker_split_over_three_chunks() {
    let reference = reference(Settings::default());
    let wrong = move |ask: &Ask<'_>| {
        if ask.method != formats::openui::STREAM {
            return reference(ask);
        }
        let params = json::parse(ask.params).expect("params are JSON");
        let Some(Json::Array(chunks)) = params.get("chunks") else { panic!("no chunks") };
        // It keeps only the end of one chunk to complete a marker: a middle chunk inside a marker is lost.
        let text = |at: usize| chunks.get(at).and_then(Json::as_str).unwrap_or("");
        let lost = (1..chunks.len().saturating_sub(1)).find(|at| {
            let middle = text(*at);
            !middle.is_empty() && PREFIX.contains(middle) && text(*at - 1).ends_with(']')
        });
        match lost {
            Some(at) => {
                let mut chunks = chunks.clone();
                chunks[at] = "".into();
                let params = Json::object([("chunks", Json::Array(chunks))]).to_ascii();
                reference(&Ask { method: ask.method, params: &params })
            }
            None => reference(ask),
        }
    };
    assert_eq!(caught_by(wrong), BTreeSet::from(["chunks"]));
}

#[test]
fn only_line_endings_catches_a_reader_that_turns_crlf_into_lf() {
    let wrong = reader(Settings::default(), |raw, streaming| {
        // A second CR stays, so that the visible text does not depend on later text.
        let kept = raw.replace("\r\r\n", "\u{e000}");
        read(&kept.replace("\r\n", "\n").replace('\u{e000}', "\r\r\n"), streaming)
    });
    assert_eq!(caught_by(wrong), BTreeSet::from(["line-endings"]));
}

#[test]
fn only_unknown_section_catches_a_reader_that_shows_unknown_sections() {
    let wrong = reader(Settings::default(), |raw, streaming| {
        let result = read(raw, streaming);
        let shows = raw.split_once("\n]]>openui:zz\n").is_some_and(|(before, _)| !before.contains(PREFIX));
        if shows && !streaming { with_content(result, raw) } else { result }
    });
    assert_eq!(caught_by(wrong), BTreeSet::from(["unknown-section"]));
}

#[test]
fn only_rewrite_catches_a_writer_that_adds_a_line_feed() {
    assert_eq!(caught_by(mutant("final-line-feed-written")), BTreeSet::from(["rewrite"]));
}

#[test]
fn failure_is_shrunk_and_judged_by_the_resolved_choices() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let streams = |case: &&Case| case.topic() == "streaming" && case.profiles.contains(&formats::openui::CORE);
    let cases: Vec<&Case> = corpus.cases.iter().filter(streams).collect();
    let shown = options(
        formats::openui::CORE,
        &BTreeMap::from([("openui.stream.mid-line-partial".to_owned(), "held".to_owned())]),
    );
    // A reader passes with its own choice and fails with the other one.
    let mut held = InProcess::new(shown.clone());
    assert!(
        run_checks(&cases, &shown, &mut held, &AtomicBool::new(false)).iter().all(|outcome| !outcome.verdict.fails())
    );
    let mut pieces_show = InProcess::new(Settings::default());
    let outcomes = run_checks(&cases, &shown, &mut pieces_show, &AtomicBool::new(false));
    let small = outcomes.iter().find_map(|outcome| match &outcome.evidence {
        Some(Evidence::Failed { shrunk: Some((small, _)), .. }) => Some(small.clone()),
        _ => None,
    });
    let small = small.expect("a failure is shrunk");
    assert!(small.chars().count() <= 40, "{small:?}");
    assert!(trace(&small, Mode::Whole, &reader_options(&shown)).len() <= 3, "{small:?}");
}

#[test]
fn implementation_of_one_format_is_checked_on_that_format() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    for format in FORMATS.all() {
        let mut implementation = implementation(Settings::default(), reference(Settings::default()));
        implementation.handshake.methods.retain(|method| FORMATS.format_of(method) == Some(format));
        let plan = Plan {
            cases: corpus.cases.iter().step_by(7).collect(),
            profile: formats::openui::CORE,
            requested: BTreeMap::new(),
            partial: true,
            derived: true,
            cost: false,
        };
        let record = execute(&plan, &mut implementation, &AtomicBool::new(false), &|_| {}).expect("it can be run");
        let formats: BTreeSet<_> = record.derived.iter().map(|outcome| FORMATS.format_of(outcome.check.rule)).collect();
        assert_eq!(formats, BTreeSet::from([Some(format)]));
    }
}

/// A reader that moves a content marker in the middle of the last line as soon as it is complete, and then holds back the
/// last line: the two steps in the order of the guide.
fn moved_then_held(options: Settings) -> impl Fn(&Ask<'_>) -> Answer {
    let reference = reference(options.clone());
    let read = move |raw: &str, streaming: bool| {
        let params = Json::object([("raw", raw.into()), ("streaming", streaming.into())]).to_ascii();
        match reference(&Ask { method: formats::openui::PARSE, params: &params }) {
            Answer::Result(result) => result,
            other => panic!("{other:?}"),
        }
    };
    reader(options.clone(), move |raw, streaming| {
        let cr_counts = options.chosen("openui.marker.mid-line-cr-at-end") == Some("marker");
        let text = if cr_counts { raw.strip_suffix('\r').unwrap_or(raw) } else { raw };
        let before =
            text.strip_suffix("]]>openui:content").filter(|before| !before.is_empty() && !before.ends_with('\n'));
        match before.filter(|_| streaming && options.profile() != formats::openui::LINE_START) {
            Some(before) => read(&format!("{before}\n{}", &raw[before.len()..]), streaming),
            None => read(raw, streaming),
        }
    })
}

#[test]
fn moving_before_holding_passes_every_check_on_generated_messages() {
    let config = Config { cases: messages(), failure_persistence: None, ..Config::default() };
    let strategy = (generate::message(), generate::settings());
    let run = TestRunner::new(config).run(&strategy, |(raw, options)| {
        passes_everything(&raw, &options, &mut implementation(options.clone(), moved_then_held(options.clone())));
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn moving_before_holding_passes_every_case() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    for profile in [formats::openui::CORE, formats::openui::CHAT] {
        let options = options(profile, &BTreeMap::new());
        let plan = Plan {
            cases: corpus
                .cases
                .iter()
                .filter(|case| case.method.format() == genui_conform::formats::openui::FORMAT)
                .collect(),
            profile,
            requested: BTreeMap::new(),
            partial: false,
            derived: true,
            cost: false,
        };
        let mut reader = implementation(options.clone(), moved_then_held(options.clone()));
        let record = execute(&plan, &mut reader, &AtomicBool::new(false), &|_| {}).expect("it can be run");
        let cases =
            record.outcomes.iter().filter(|outcome| outcome.verdict.fails()).map(|outcome| outcome.case.id.clone());
        let checks = record.derived.iter().filter(|outcome| outcome.verdict.fails()).map(|outcome| outcome.id());
        assert_eq!(cases.chain(checks).collect::<Vec<_>>(), Vec::<String>::new());
        // It is a different reading, which the cases of level should detect.
        assert!(record.outcomes.iter().any(|outcome| outcome.verdict == Verdict::Warn));
    }
}

#[test]
fn only_model_markers_catches_a_user_turn_sent_to_the_model_as_stored() {
    for name in ["stored-message-sent-for-a-user", "end-line-sent-for-a-user"] {
        assert_eq!(caught_by(mutant(name)), BTreeSet::from(["model-markers"]), "{name}");
    }
}

#[test]
fn only_model_content_catches_an_assistant_turn_sent_to_the_model_with_its_context() {
    assert_eq!(caught_by(mutant("assistant-context-sent")), BTreeSet::from(["model-content"]));
}

#[test]
fn both_model_checks_catch_an_assistant_turn_with_its_marker_lines() {
    for name in ["stored-message-sent", "moved-marker-sent"] {
        assert_eq!(caught_by(mutant(name)), BTreeSet::from(["model-markers", "model-content"]), "{name}");
    }
}

#[test]
fn text_line_does_not_become_a_marker_line_for_the_model() {
    let messages = [
        // One CR too many before the LF; the label of the user then turns the rest into a line ending.
        "]]>openui:content\n]]>openui:end\r\r\n]]>openui:context\n1\n]]>openui:end",
        // The two sides of an end line are joined by a LF.
        "]]>openui:content\n]]>openui:end\r\r\n]]>openui:end\nb",
        "]]>openui:content\n]]>openui:end\n]]>openui:end\r",
        "]]>openui:content\na]]>openui:content\nb\na]]>openui:content\r",
        "see ]]>openui:end\n]]>openui:context\n]]>openui:context\r\r\n]]>openui:end",
        "context and form values = ]]>openui:content\nHi\n]]>openui:context\n]]>openui:content\r\r\n]]>openui:end",
        "context and form values = x]]>openui:content\nHi\n]]>openui:context\nx]]>openui:content\r\r\n]]>openui:end",
    ];
    let points = [
        ("openui.marker.cr-at-end", ["marker", "text"]),
        ("openui.marker.mid-line-cr-at-end", ["marker", "text"]),
        ("openui.read.several-contexts", ["last", "first"]),
        ("openui.model.text-context", ["text", "json-string"]),
    ];
    for (profile, bits) in
        FORMATS.profiles().flat_map(|profile| (0..1 << points.len()).map(move |bits| (profile, bits)))
    {
        let chosen =
            points.iter().enumerate().map(|(at, (rule, names))| ((*rule).to_owned(), names[bits >> at & 1].to_owned()));
        let chosen: BTreeMap<String, String> = chosen.collect();
        let right = options(profile, &chosen);
        for raw in messages {
            for check in ["model-markers", "model-content"].map(named) {
                // Judged by its own choices, and with choices that no request has revealed.
                for judged in [right.clone(), options(profile, &BTreeMap::new())] {
                    let mut reader = InProcess::new(right.clone());
                    let outcome = on_message(check, raw, &judged, &mut reader);
                    assert_eq!(outcome, CheckOutcome::Holds, "{check:?} on {raw:?} in {profile:?} with {chosen:?}");
                }
            }
        }
    }
}

#[test]
fn unknown_section_check_skips_messages_read_as_envelopes() {
    // The white space around an envelope is unspecified; this reader accepts all Unicode white space.
    let options = Settings::of(formats::openui::CHAT);
    let trims = |raw: &str| match read_with(raw, options.clone()) {
        result if raw.contains("]]>openui:") => result,
        _ => read_with(raw.trim(), options.clone()),
    };
    let raw = "\u{a0}<content>root = Card([])</content>\u{2003}";
    let mut envelopes = implementation(options.clone(), reader(options.clone(), |raw, _| trims(raw)));
    let outcome = on_message(named("unknown-section"), raw, &options, &mut envelopes);
    assert_eq!(outcome, CheckOutcome::Holds);
    // A visible section is still found after a text without an envelope.
    let mut shows = implementation(
        options.clone(),
        reader(options.clone(), |raw, _| with_content(read_with(raw, options.clone()), raw)),
    );
    let outcome = on_message(named("unknown-section"), "Hello", &options, &mut shows);
    assert!(matches!(outcome, CheckOutcome::Failed(_)), "{outcome:?}");
}

/// Reads a whole message with the reference and these options.
fn read_with(raw: &str, options: Settings) -> Json {
    let params = Json::object([("raw", raw.into())]).to_ascii();
    match reference(options)(&Ask { method: formats::openui::PARSE, params: &params }) {
        Answer::Result(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn checks_never_exceed_the_level_of_their_case() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let cases: Vec<&Case> = corpus
        .cases
        .iter()
        .filter(|case| case.profiles.contains(&formats::openui::CORE) && case.params.len() < 1_000)
        .collect();
    let options = Settings::default();
    let right = reference(options.clone());
    let wrong = |ask: &Ask<'_>| match ask.method.name() {
        // The built message has a different content, and forbidden text reaches the model.
        "openui.build" => match right(ask) {
            Answer::Result(result) => {
                let message = result.get("message").and_then(Json::as_str).unwrap_or("").replacen('\n', "\nx", 1);
                Answer::Result(Json::object([("message", Json::from(message.as_str()))]))
            }
            other => other,
        },
        "glossen.to_model_messages" => Answer::Result(json::parse(ask.params).expect("params are JSON")),
        _ => right(ask),
    };
    let refuses = |_: &Ask<'_>| Answer::Refusal { kind: "bad-params".to_owned(), message: String::new() };
    let mut seen: BTreeSet<(&str, Level)> = BTreeSet::new();
    let both = [
        run_checks(&cases, &options, &mut implementation(options.clone(), wrong), &AtomicBool::new(false)),
        run_checks(&cases, &options, &mut implementation(options.clone(), refuses), &AtomicBool::new(false)),
    ];
    for outcome in both.iter().flatten().filter(|outcome| outcome.evidence.is_some()) {
        let allowed = match outcome.case.level {
            Level::Must => [Verdict::Fail, Verdict::Warn].as_slice(),
            Level::Should => &[Verdict::Warn],
            Level::May => &[Verdict::Info],
        };
        assert!(allowed.contains(&outcome.verdict), "{}: {:?}", outcome.id(), outcome.verdict);
        if matches!(outcome.evidence, Some(Evidence::Failed { .. })) {
            seen.insert((outcome.check.name, outcome.case.level));
        }
    }
    for case in [("rewrite", Level::May), ("rewrite", Level::Should), ("rewrite", Level::Must)] {
        assert!(seen.contains(&case), "{case:?}");
    }
    assert!(seen.iter().any(|(check, _)| *check == "unseen"), "{seen:?}");
}
