//! The derived checks: a correct reader passes them on whatever is generated, and for each there is a wrong reader
//! that only it catches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::case::{Case, Corpus};
use genui_conform::json::{self, Json};
use genui_conform::openui::{Mode, PREFIX, Profile, trace};
use genui_conform::options::Options;
use genui_conform::protocol::{Format, Handshake, Method, Refusal, Request, Response};
use genui_conform::run::derived::{Check, Evidence, Finding, examine_message, sweep, sweep_checks};
use genui_conform::run::{Plan, Verdict, execute, options};
use genui_conform::settled::is_askable;
use genui_conform::{mutants, naive};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

#[path = "support/generate.rs"]
mod generate;

/// Messages for the properties: a few in every run, many where `DERIVED_MESSAGES` asks for them.
fn messages() -> u32 {
    std::env::var("DERIVED_MESSAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500)
}

/// An implementation that answers as the function says.
struct Reader<F> {
    handshake: Handshake,
    answer: F,
}

impl<F: Fn(&Ask<'_>) -> Answer> Implementation for Reader<F> {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn ask_all(&mut self, asks: &[Ask<'_>], _: &AtomicBool, _: &(dyn Fn() + Sync)) -> Vec<Answer> {
        asks.iter().map(&self.answer).collect()
    }
}

/// Answers in this process, by a function from requests to responses.
fn answering(
    answer: impl Fn(&Request, &Options) -> Result<Response, Refusal>,
    options: Options,
) -> impl Fn(&Ask<'_>) -> Answer {
    move |ask| {
        let request = Request::read(ask.method, ask.params).expect("params fit");
        match answer(&request, &options) {
            Ok(response) => Answer::Result(response.to_json()),
            Err(refusal) => Answer::Refusal { kind: refusal.kind.name().to_owned(), message: refusal.message },
        }
    }
}

fn reference(options: Options) -> impl Fn(&Ask<'_>) -> Answer {
    answering(genui_conform::reference::answer, options)
}

/// A mutant of the catalogue.
fn mutant(name: &str) -> impl Fn(&Ask<'_>) -> Answer {
    let mutant = mutants::named(name).unwrap_or_else(|| panic!("no mutant {name}"));
    answering(|request, options| mutant.answer(request, options), Options::default())
}

/// What the reference reads.
fn read(raw: &str, streaming: bool) -> Json {
    let params = Json::object([("raw", raw.into()), ("streaming", streaming.into())]).to_ascii();
    match reference(Options::default())(&Ask { method: Method::OpenuiParse, params: &params }) {
        Answer::Result(result) => result,
        other => panic!("{other:?}"),
    }
}

/// A reader that reads as the function says, and again after each chunk of a stream; it writes as the reference.
fn reader(options: Options, read: impl Fn(&str, bool) -> Json) -> impl Fn(&Ask<'_>) -> Answer {
    let reference = reference(options);
    move |ask| match Request::read(ask.method, ask.params).expect("params fit") {
        Request::OpenuiParse(params) => Answer::Result(read(&params.raw, params.streaming == Some(true))),
        Request::OpenuiStream(params) => {
            let mut text = String::new();
            let mut snapshot = |chunk: &String| {
                text.push_str(chunk);
                read(&text, true)
            };
            let snapshots = params.chunks.iter().map(&mut snapshot).collect();
            Answer::Result(Json::object([("snapshots", Json::Array(snapshots)), ("final", read(&text, false))]))
        }
        _ => reference(ask),
    }
}

/// The word-for-word reading.
fn oracle(options: Options) -> impl Fn(&Ask<'_>) -> Answer {
    let empty_is_absent = options.chosen("openui.context.empty") == Some("absent");
    reader(options, move |raw, streaming| {
        let reading = naive::read(raw, if streaming { Mode::Streaming } else { Mode::Whole }, &options.openui);
        let context = match reading.context {
            Some(text) if text.is_empty() && empty_is_absent => Json::Null,
            Some(text) => json::parse(&text).unwrap_or_else(|_| Json::from(text.as_str())),
            None => Json::Null,
        };
        Json::object([("content", reading.content.as_str().into()), ("context", context), ("end", reading.end.into())])
    })
}

fn implementation<F: Fn(&Ask<'_>) -> Answer>(options: Options, answer: F) -> Reader<F> {
    Reader { handshake: InProcess::new(options).handshake().clone(), answer }
}

fn passes_everything(raw: &str, options: &Options, implementation: &mut dyn Implementation) {
    for check in Check::ALL {
        let finding = examine_message(check, raw, options, implementation, &AtomicBool::new(false));
        assert_eq!(finding, Finding::Holds, "{check:?} on {raw:?} with {options:?}");
    }
}

#[test]
fn the_reference_passes_on_generated_messages() {
    let config = Config { cases: messages(), failure_persistence: None, ..Config::default() };
    let strategy = (generate::message(), generate::options());
    let run = TestRunner::new(config).run(&strategy, |(raw, options)| {
        let options = options.into();
        passes_everything(&raw, &options, &mut InProcess::new(options));
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_word_for_word_reading_passes_on_generated_messages() {
    // It knows neither the envelope nor numbers as doubles; attributes it leaves as text.
    let config = Config { cases: messages(), failure_persistence: None, ..Config::default() };
    let strategy = (generate::message(), generate::options())
        .prop_filter("not an envelope", |(raw, options)| options.profile != Profile::Chat || !raw.contains("<cont"));
    let run = TestRunner::new(config).run(&strategy, |(raw, options)| {
        let options = options.into();
        let mut oracle = implementation(options, oracle(options));
        for check in Check::ALL {
            let finding = examine_message(check, &raw, &options, &mut oracle, &AtomicBool::new(false));
            assert_eq!(finding, Finding::Holds, "{check:?} on {raw:?} with {options:?}");
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// The checks that find something in the corpus against a wrong reader.
fn caught_by(answer: impl Fn(&Ask<'_>) -> Answer) -> BTreeSet<Check> {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    // Long messages would show the same, and take most of the time.
    let short = |case: &&Case| case.profiles.contains(&Profile::Core) && case.params.len() < 1_000;
    let cases: Vec<&Case> = corpus.cases.iter().filter(short).collect();
    let options = Options::default();
    let outcomes = sweep(&cases, &options, &mut implementation(options, answer), &AtomicBool::new(false));
    assert!(outcomes.len() > 1_000);
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Fail) {
        let Some(Evidence::Departs { whole, .. }) = &outcome.evidence else { panic!("{}", outcome.id()) };
        // Shown when the test fails: what else caught the reader, and on what.
        println!("{}: {} expected {}, but found {}", outcome.id(), whole.question.params, whole.expected, whole.found);
    }
    outcomes.into_iter().filter(|outcome| outcome.verdict.fails()).map(|outcome| outcome.check).collect()
}

/// The value with each string changed, some in another way than others.
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
fn what_a_check_is_shrunk_to_is_settled() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let short = |case: &&Case| case.profiles.contains(&Profile::Core) && case.params.len() < 600;
    let cases: Vec<&Case> = corpus.cases.iter().filter(short).collect();
    let options = Options::default();
    let right = reference(options);
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
    let mut wrong = implementation(options, answer);
    let outcomes = sweep_checks(&Check::ALL, 12, &cases, &options, &mut wrong, &AtomicBool::new(false));
    let mut shrunk: BTreeMap<Check, usize> = BTreeMap::new();
    for outcome in &outcomes {
        let Some(Evidence::Departs { shrunk: Some((text, _)), .. }) = &outcome.evidence else { continue };
        *shrunk.entry(outcome.check).or_default() += 1;
        let value = || json::parse(text).expect("is JSON");
        let (method, params) = match outcome.case.method {
            Method::OpenuiParse => (Method::OpenuiParse, Json::object([("raw", text.as_str().into())])),
            Method::GlossenEdit => (Method::GlossenEdit, value()),
            method @ (Method::GlossenValidate | Method::GlossenToModelMessages) => {
                let is_validated = outcome.check == Check::ValidAgain;
                let method = if is_validated { method } else { Method::GlossenToModelMessages };
                (method, Json::object([("messages", value())]))
            }
            method => (method, Json::object([("payload", value())])),
        };
        assert!(is_askable(method, &params), "{}: {text}", outcome.id());
    }
    for check in [Check::NoFlash, Check::Chunks, Check::Rewrite, Check::ReadsBack, Check::UiText, Check::OneByOne] {
        assert!(shrunk.get(&check).is_some_and(|count| *count > 1), "{check:?} of {shrunk:?}");
    }
    assert!(shrunk.contains_key(&Check::ValidAgain) && shrunk.contains_key(&Check::SamePrefix), "{shrunk:?}");
}

/// A result with another content.
fn with_content(mut result: Json, content: &str) -> Json {
    if let Json::Object(members) = &mut result {
        for (_, value) in members.iter_mut().filter(|(name, _)| name.as_str() == Some("content")) {
            *value = content.into();
        }
    }
    result
}

#[test]
fn the_reference_is_caught_by_nothing() {
    assert_eq!(caught_by(reference(Options::default())), BTreeSet::new());
}

#[test]
fn only_no_flash_catches_a_content_marker_that_shows_until_its_line_ending() {
    let wrong = reader(Options::default(), |raw, streaming| {
        // With its `?` the line is a content marker line whatever comes, so the text that shows is not gone for growth.
        let last = raw.rsplit('\n').next().unwrap_or("");
        let result = read(raw, streaming);
        if streaming && last.starts_with("]]>openui:content?") {
            let text = result.get("content").and_then(Json::as_str).unwrap_or("").to_owned();
            let shown = last[2..].find(']').map_or(last, |at| &last[..at + 2]);
            return with_content(result, &format!("{text}{shown}"));
        }
        result
    });
    assert_eq!(caught_by(wrong), BTreeSet::from([Check::NoFlash]));
}

#[test]
fn only_growth_catches_a_reader_that_shows_nothing_while_it_holds_something() {
    assert_eq!(caught_by(mutant("nothing-shows-while-something-is-held")), BTreeSet::from([Check::Growth]));
}

#[test]
fn only_settle_catches_a_reader_that_shows_nothing_until_the_end() {
    assert_eq!(caught_by(mutant("nothing-shows-until-the-end")), BTreeSet::from([Check::Settle]));
}

#[test]
fn only_chunks_catches_a_reader_that_loses_a_marker_split_over_three_chunks() {
    let reference = reference(Options::default());
    let wrong = move |ask: &Ask<'_>| {
        if ask.method != Method::OpenuiStream {
            return reference(ask);
        }
        let params = json::parse(ask.params).expect("params are JSON");
        let Some(Json::Array(chunks)) = params.get("chunks") else { panic!("no chunks") };
        // It keeps the end of one chunk to complete a marker, and no more: a middle chunk that is all marker is lost.
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
    assert_eq!(caught_by(wrong), BTreeSet::from([Check::Chunks]));
}

#[test]
fn only_line_endings_catches_a_reader_that_turns_crlf_into_lf() {
    let wrong = reader(Options::default(), |raw, streaming| {
        // A second CR stays, so that what shows depends on nothing that comes later.
        let kept = raw.replace("\r\r\n", "\u{e000}");
        read(&kept.replace("\r\n", "\n").replace('\u{e000}', "\r\r\n"), streaming)
    });
    assert_eq!(caught_by(wrong), BTreeSet::from([Check::LineEndings]));
}

#[test]
fn only_unknown_section_catches_a_reader_that_shows_unknown_sections() {
    let wrong = reader(Options::default(), |raw, streaming| {
        let result = read(raw, streaming);
        let shows = raw.split_once("\n]]>openui:zz\n").is_some_and(|(before, _)| !before.contains(PREFIX));
        if shows && !streaming { with_content(result, raw) } else { result }
    });
    assert_eq!(caught_by(wrong), BTreeSet::from([Check::UnknownSection]));
}

#[test]
fn only_rewrite_catches_a_writer_that_adds_a_line_feed() {
    assert_eq!(caught_by(mutant("final-line-feed-written")), BTreeSet::from([Check::Rewrite]));
}

#[test]
fn a_departure_is_shrunk_and_follows_the_bound_choices() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let streams = |case: &&Case| case.topic() == "streaming" && case.profiles.contains(&Profile::Core);
    let cases: Vec<&Case> = corpus.cases.iter().filter(streams).collect();
    let shown =
        options(Profile::Core, &BTreeMap::from([("openui.stream.mid-line-partial".to_owned(), "held".to_owned())]));
    // Judged with the choice that it makes, a reader passes; judged with the other, it does not.
    let mut held = InProcess::new(shown);
    assert!(sweep(&cases, &shown, &mut held, &AtomicBool::new(false)).iter().all(|outcome| !outcome.verdict.fails()));
    let mut pieces_show = InProcess::new(Options::default());
    let outcomes = sweep(&cases, &shown, &mut pieces_show, &AtomicBool::new(false));
    let small = outcomes.iter().find_map(|outcome| match &outcome.evidence {
        Some(Evidence::Departs { shrunk: Some((small, _)), .. }) => Some(small.clone()),
        _ => None,
    });
    let small = small.expect("something departs, and is shrunk");
    assert!(small.chars().count() <= 40, "{small:?}");
    assert!(trace(&small, Mode::Whole, &shown.openui).len() <= 3, "{small:?}");
}

#[test]
fn whoever_offers_one_format_is_checked_on_that_one() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    for format in Format::ALL {
        let mut implementation = implementation(Options::default(), reference(Options::default()));
        implementation.handshake.methods.retain(|method| Format::of(method) == Some(format));
        let plan = Plan {
            cases: corpus.cases.iter().step_by(7).collect(),
            profile: Profile::Core,
            asked: BTreeMap::new(),
            partial: true,
            derived: true,
            cost: false,
        };
        let record = execute(&plan, &mut implementation, &AtomicBool::new(false), &|_| {}).expect("it can be run");
        let formats: BTreeSet<&str> = record.derived.iter().map(|outcome| outcome.check.format().name()).collect();
        assert_eq!(formats, BTreeSet::from([format.name()]));
    }
}
