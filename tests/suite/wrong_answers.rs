//! Wrong implementations that people wrote who had not seen the suite: each line of the fixture is a request, and the
//! answer that one of them gives to it. All else they answer as the reference does. A case or a sampled request catches
//! each of them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::campaign::{SAMPLE_SIZE, Sampler};
use genui_conform::case::{Case, Corpus};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::json::{self, Json, json_equal};
use genui_conform::protocol::Handshake;
use genui_conform::run::{Plan, execute};
use genui_conform::settings::{ProfileName, Settings};
use genui_conform::settled::is_askable;

const WRONG_ANSWERS: &str = include_str!("../fixtures/wrong-answers.jsonl");

/// Lines of the fixture whose answers are right: a link that no parenthesis closes is none (`glossen.sources.links`), and
/// the lines are from before that was known.
const RIGHT: [usize; 7] = [206, 208, 210, 216, 217, 220, 230];

/// Lines that no case can catch: the documents specify no answer to their requests. They have an integer that fits 64 bits
/// only without a sign, white space of other kinds around an envelope, and files whose urls are no urls.
const UNSPECIFIED: [usize; 6] = [7, 96, 235, 244, 250, 251];

/// The reference, but for its answer to one request.
struct WrongOnce {
    reference: InProcess,
    method: Method,
    params: Json,
    answer: Answer,
}

impl WrongOnce {
    /// Whether the reference gives the same answer.
    fn is_right(&mut self) -> bool {
        let params = self.params.to_ascii();
        let ask = Ask { method: self.method, params: &params };
        match (&self.reference.send_all(&[ask], &AtomicBool::new(false), &|| {})[..], &self.answer) {
            ([Answer::Result(right)], Answer::Result(answer)) => json_equal(right, answer),
            _ => false,
        }
    }

    fn is_asked(&self, method: Method, params: &str) -> bool {
        method == self.method && json::parse(params).is_ok_and(|params| json_equal(&params, &self.params))
    }
}

impl Implementation for WrongOnce {
    fn handshake(&self) -> &Handshake {
        self.reference.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let right = self.reference.send_all(asks, stop, progress);
        let answer = |(ask, right): (&Ask<'_>, Answer)| {
            if self.is_asked(ask.method, ask.params) { self.answer.clone() } else { right }
        };
        asks.iter().zip(right).map(answer).collect()
    }
}

fn text_of<'l>(line: &'l Json, name: &str) -> &'l str {
    line.get(name).and_then(Json::as_str).expect("each line has its members")
}

fn wrong_once(line: &Json, profile: ProfileName) -> WrongOnce {
    let wrong = line.get("wrong").expect("each line has a wrong answer");
    let answer = match wrong.get("error").and_then(Json::as_str) {
        Some(kind) => Answer::Refusal { kind: kind.to_owned(), message: String::new() },
        None => Answer::Result(wrong.clone()),
    };
    WrongOnce {
        reference: InProcess::new(Settings::of(profile)),
        method: FORMATS.method(text_of(line, "method")).expect("the method exists"),
        params: line.get("params").expect("each line has params").clone(),
        answer,
    }
}

#[test]
fn every_wrong_answer_is_caught() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let mut sampled: BTreeMap<(ProfileName, Method), Vec<Case>> = BTreeMap::new();
    let mut missed = Vec::new();
    for (number, line) in (1..).zip(WRONG_ANSWERS.lines()) {
        let line = json::parse(line).expect("each line is JSON");
        let profile = FORMATS.profile(text_of(&line, "profile")).expect("the profile exists");
        let mut wrong = wrong_once(&line, profile);
        let sampled = sampled
            .entry((profile, wrong.method))
            .or_insert_with(|| Sampler::sample(profile, &[wrong.method], SAMPLE_SIZE, &AtomicBool::new(false)));
        let is_it = |case: &&Case| case.profiles.contains(&profile) && wrong.is_asked(case.method, &case.params);
        // An answer to any other request is that of the reference, which other tests run.
        let cases = corpus.cases.iter().chain(sampled.iter()).filter(is_it).collect();
        let plan = Plan { cases, profile, requested: BTreeMap::new(), partial: true, derived: false, cost: false };
        let record = execute(&plan, &mut wrong, &AtomicBool::new(false), &|_| {}).expect("it can be run");
        let is_caught = record.outcomes.iter().any(|outcome| outcome.verdict.is_failure());
        let is_excused = if UNSPECIFIED.contains(&number) {
            !is_askable(wrong.method, &wrong.params)
        } else {
            RIGHT.contains(&number) && wrong.is_right()
        };
        if is_caught == is_excused {
            missed.push(format!(
                "{number}: {} {} {}",
                text_of(&line, "rule"),
                wrong.method.name(),
                wrong.params.to_ascii()
            ));
        }
    }
    assert!(missed.is_empty(), "{} wrong answers:\n{}", missed.len(), missed.join("\n"));
}
