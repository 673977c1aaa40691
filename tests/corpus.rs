//! The suite against the reference: a trial for each case and profile, for the derived checks, and for the sampled
//! requests. For each case that reads a message, a snapshot of how each line of it was read.

use std::collections::BTreeMap;
use std::sync::Arc;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::campaign::{SAMPLE_SIZE, Sampler};
use genui_conform::case::{Case, Corpus, Expectation, Outcome, Selection, lint};
use genui_conform::format::Format;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::formats::openui::{explain_openui, reader_options};
use genui_conform::json::{self, Json};
use genui_conform::openui::Mode;
use genui_conform::report::write_parts;
use genui_conform::rules;
use genui_conform::run::derived::run_checks;
use genui_conform::run::{Plan, Terms, Verdict, execute, judge, options};
use genui_conform::settings::{ProfileName, Settings};
use libtest_mimic::{Arguments, Failed, Trial};
use sha2::{Digest, Sha256};

#[path = "support/choices.rs"]
mod choices;
use choices::is_tried_in;
#[path = "support/plain.rs"]
mod plain;
use plain::plain;
#[path = "support/snapshots.rs"]
mod snapshots;
use snapshots::kept_in;

fn main() {
    let corpus = Arc::new(Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}")));
    assert!(corpus.cases.len() >= 200, "expected the corpus, but found {} cases", corpus.cases.len());
    let mut trials = Vec::new();
    for index in 0..corpus.cases.len() {
        let case = &corpus.cases[index];
        for profile in case.profiles.clone() {
            let corpus = Arc::clone(&corpus);
            trials.push(trial(format!("{}@{profile}", case.id), move || conforms(&corpus.cases[index], profile)));
        }
        // A cost case is meaningless without growth.
        if case.method == formats::openui::PARSE && matches!(case.expectation, Expectation::Answer(_)) {
            let corpus = Arc::clone(&corpus);
            trials.push(trial(format!("trace::{}", case.id), move || trace_is_kept(&corpus.cases[index])));
        }
    }
    let whole = |name: &str, test: fn(&Corpus) -> Result<(), Failed>| {
        let corpus = Arc::clone(&corpus);
        trial(name.to_owned(), move || test(&corpus))
    };
    trials.push(whole("corpus::lint_finds_nothing", lint_finds_nothing));
    trials.push(whole("corpus::every_rule_has_a_case", every_rule_has_a_case));
    trials.push(whole("corpus::every_profile_has_cases", every_profile_has_cases));
    for profile in FORMATS.profiles() {
        for point in FORMATS.open_points().filter(|point| is_tried_in(profile, point)) {
            for choice in &point.names[1..] {
                let corpus = Arc::clone(&corpus);
                let name = format!("choices::{profile}::{}={choice}", point.rule);
                trials.push(trial(name, move || conforms_with(&corpus, profile, (point.rule, choice))));
            }
        }
    }
    for profile in FORMATS.profiles() {
        for format in FORMATS.all().filter(|format| format.has_profiles() || profile == ProfileName::default()) {
            let corpus = Arc::clone(&corpus);
            let name = format!("derived::{profile}::{format}");
            trials.push(trial(name, move || passes_derived_checks(&corpus, profile, format)));
            trials.push(trial(format!("sampled::{profile}::{format}"), move || {
                sample_is_the_released_one(profile, format)
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A trial. With the variable `GENUI_CONFORM_FAIL_FAST`, the first failure ends the process: mutation testing asks only
/// whether there is one.
fn trial(name: String, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    let fails_fast = std::env::var_os("GENUI_CONFORM_FAIL_FAST").is_some();
    let shown = name.clone();
    Trial::test(name, move || {
        if !fails_fast {
            return test();
        }
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(test)) {
            Ok(Ok(())) => Ok(()),
            failed => {
                println!("{shown} failed: {failed:?}");
                std::process::exit(101)
            }
        }
    })
}

fn conforms(case: &Case, profile: ProfileName) -> Result<(), Failed> {
    if let Expectation::Scale(_) = case.expectation {
        return Ok(());
    }
    let mut reference = InProcess::new(Settings::of(profile));
    let mut ask = |params: &String| -> Answer {
        let asks = [Ask { method: case.method, params }];
        reference.send_all(&asks, &Default::default(), &|| {}).pop().expect("one answer for one request")
    };
    let answer = ask(&case.params);
    let same = case.same.as_ref().map(ask);
    let judgement = judge(case, Terms { profile, omitted: &[] }, &answer, same.as_ref(), &BTreeMap::new());
    if judgement.verdict == Verdict::Pass {
        return Ok(());
    }
    Err(format!(
        "{}\nasked {} {}\n{:?}\n{answer:?}\nrepeat: cargo run -- run --profile {profile} {}",
        case.about, case.method, case.params, judgement, case.id
    )
    .into())
}

/// The reference also passes every case with each other choice on one point.
fn conforms_with(corpus: &Corpus, profile: ProfileName, (rule, choice): (&str, &str)) -> Result<(), Failed> {
    let asked = BTreeMap::from([(rule.to_owned(), choice.to_owned())]);
    let mut reference = InProcess::new(options(profile, &asked));
    let cases = Selection::default().select(corpus);
    let plan = Plan { cases, profile, requested: asked, partial: false, derived: false, cost: false };
    let record = execute(&plan, &mut reference, &Default::default(), &|_| {})?;
    let failing = record.outcomes.iter().filter(|outcome| outcome.verdict.fails() || outcome.warns());
    let failing: Vec<String> = failing.map(|outcome| format!("{}: {:?}", outcome.case.id, outcome.failure)).collect();
    if failing.is_empty() { Ok(()) } else { Err(failing.join("\n").into()) }
}

fn passes_derived_checks(corpus: &Corpus, profile: ProfileName, format: Format) -> Result<(), Failed> {
    let settings = Settings::of(profile);
    let is_of = |case: &&Case| case.method.format() == format && case.profiles.contains(&profile);
    let cases: Vec<&Case> = corpus.cases.iter().filter(is_of).collect();
    let outcomes = run_checks(&cases, &settings, &mut InProcess::new(settings.clone()), &Default::default());
    let failing: Vec<String> =
        outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Pass).map(|outcome| outcome.id()).collect();
    match (outcomes.is_empty(), failing.is_empty()) {
        (true, _) => Err("no check applies".into()),
        (false, true) => Ok(()),
        (false, false) => Err(failing.join("\n").into()),
    }
}

/// Within a release the same requests are sampled, with the same answers: a hash of them for each method. Whoever changes
/// a generator or a rule reviews that it changes, and a change of the reference that nobody meant shows here.
fn sample_is_the_released_one(profile: ProfileName, format: Format) -> Result<(), Failed> {
    let mut text = String::new();
    for method in FORMATS.methods().filter(|method| method.format() == format) {
        let cases = Sampler::sample(profile, &[method], SAMPLE_SIZE, &Default::default());
        let mut hash = Sha256::new();
        for case in &cases {
            hash.update(format!("{} {}\n", case.id, case.params));
            for option in case.options() {
                let mut outcome = option.outcome.clone();
                if let Outcome::Result(result) = &mut outcome {
                    for matcher in &case.matchers {
                        // An id that is new in each process.
                        if let Some(place) = matcher.pointer.find_mut(result) {
                            *place = Json::Null;
                        }
                    }
                }
                hash.update(format!("{:?} {outcome:?}\n", option.choices));
            }
        }
        let hash: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{method}: {} requests, {hash}\n", cases.len());
    }
    let mut settings = kept_in("sample");
    settings.set_description(format!("profile {profile}"));
    settings.bind(|| insta::assert_snapshot!(format!("{profile}-{format}"), text));
    Ok(())
}

fn trace_is_kept(case: &Case) -> Result<(), Failed> {
    let params = json::parse(&case.params)?;
    let raw = params.get("raw").and_then(Json::as_str).ok_or("no message")?;
    let is_streaming = params.get("streaming") == Some(&Json::Bool(true));
    let mode = if is_streaming { Mode::Streaming } else { Mode::Whole };
    let mut text = Vec::new();
    let profile = case.profiles.first().ok_or("no profile")?;
    let options = reader_options(&Settings::of(*profile));
    write_parts(&explain_openui(raw, mode, &options), "  ", &mut text)?;
    let text = plain(&String::from_utf8(text)?);
    let mut settings = kept_in("traces");
    settings.set_description(format!("{} in profile {profile}", case.id));
    settings.bind(|| insta::assert_snapshot!(case.id.replace('/', "-"), text));
    Ok(())
}

fn lint_finds_nothing(corpus: &Corpus) -> Result<(), Failed> {
    let findings = lint(corpus);
    if findings.is_empty() { Ok(()) } else { Err(format!("{findings:#?}").into()) }
}

fn every_rule_has_a_case(corpus: &Corpus) -> Result<(), Failed> {
    let untested: Vec<&str> = rules::all()
        .iter()
        .filter(|rule| !rule.derived && !corpus.cases.iter().any(|case| case.rules.contains(&rule.id)))
        .map(|rule| rule.id.as_str())
        .collect();
    if untested.is_empty() { Ok(()) } else { Err(format!("without a case: {untested:?}").into()) }
}

fn every_profile_has_cases(corpus: &Corpus) -> Result<(), Failed> {
    for profile in FORMATS.profiles() {
        let count = Selection::default().select(corpus).iter().filter(|case| case.profiles.contains(&profile)).count();
        if count < 150 {
            return Err(format!("expected at least 150 cases in profile {profile}, but found {count}").into());
        }
    }
    Ok(())
}
