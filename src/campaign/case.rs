//! Findings as the texts of case files, ready for review.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};

use super::sample::SampledOption;
use super::signature::{Finding, Signature, deciding_rules, matchers};
use crate::SUITE;
use crate::adapter::{Answer, Ask, Implementation, InProcess};
use crate::case::{Case, CaseError, read_case};
use crate::format::{Method, Reply};
use crate::generate::Input;
use crate::json::{self, Json, JsonString, Style};
use crate::rules::{self, Rule};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// Returns the request of a case.
#[must_use]
pub fn input_of(case: &Case) -> Option<Input> {
    Some(Input { method: case.method, params: json::parse(&case.params).ok()? })
}

/// Returns the id of the case for a signature: `FORMAT/finding/parse-less-text-at-content-1a2b3c4d`, its text and a hash
/// of all of it.
#[must_use]
pub fn case_id(signature: &Signature) -> String {
    let hash = Sha256::digest(format!("{signature} {:?}", signature.rules).as_bytes());
    let hash: String = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let (format, method) =
        signature.method.split_once('.').expect("the name of a method begins with that of its format");
    let words = format!("{method} {}", signature.what);
    let words: Vec<&str> =
        words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!("{format}/finding/{}-{hash}", words.join("-").to_ascii_lowercase())
}

/// Returns a finding as a case, and the text of its file. It expects the answer of the reference, or of the first of
/// two implementations, and a person has to decide whether that is right. If the first gave no answer, or none that a
/// case can expect, the expected answer is that of the reference with these options.
///
/// # Errors
///
/// If no case can be made of the request.
pub fn case_of(finding: &Finding, options: &Settings) -> Result<(Case, String), CaseError> {
    let about = format!("Found by a campaign: an implementation gives {}. Not reviewed yet.", finding.signature.what);
    let id = case_id(&finding.signature);
    let with = |answer: &Answer| {
        let text = draft(&about, &finding.input, answer, &finding.signature.rules, options.profile())?;
        Some(read_case(&id, &text).map(|case| (case, text)))
    };
    match with(&finding.left) {
        Some(Ok(case)) => Ok(case),
        _ => with(&reference_answer(&finding.input, options)).expect("the reference answers every request"),
    }
}

fn reference_answer(input: &Input, options: &Settings) -> Answer {
    let params = input.params.to_ascii();
    let asks = [Ask { method: input.method, params: &params }];
    let mut answers = InProcess::new(options.clone()).send_all(&asks, &AtomicBool::new(false), &|| {});
    answers.pop().expect("there is an answer for each request")
}

/// Returns a request and its answer as the text of a case file that a person has to review. It lists the rules by which
/// the reference reads the request, and expects the given answer. `None` if the answer is none that a case can expect.
#[must_use]
pub fn scaffold(input: &Input, answer: &Answer, options: &Settings) -> Option<String> {
    let about = "Say in a sentence why the case exists.";
    draft(about, input, answer, &deciding_rules(input, options), options.profile())
}

fn draft(
    about: &str,
    input: &Input,
    answer: &Answer,
    rules: &BTreeSet<&'static str>,
    profile: ProfileName,
) -> Option<String> {
    let method = input.method;
    let rules = listed_rules(method, rules, profile);
    let expect = match answer {
        Answer::Result(result) => Json::object([("result", result.clone())]),
        Answer::Refusal { kind, .. } => Json::object([("error", kind.as_str().into())]),
        Answer::Unsupported(_) | Answer::Omitted(_) | Answer::NoSuchMethod | Answer::Fault(_) => return None,
    };
    Some(case_text(about, true, input, &rules, expect, matches!(answer, Answer::Result(_)), profile))
}

/// Returns the text of a case file. Texts of a result that are new in each answer are matched by their patterns.
fn case_text(
    about: &str,
    unreviewed: bool,
    input: &Input,
    rules: &[&'static Rule],
    expect: Json,
    has_result: bool,
    profile: ProfileName,
) -> String {
    let method = input.method;
    let level = rules.iter().map(|rule| rule.level).min().unwrap_or(crate::rules::Level::Must);
    let names = |names: &mut dyn Iterator<Item = &str>| Json::Array(names.map(Json::from).collect());
    let mut members = vec![
        ("about", about.into()),
        ("unreviewed", Json::Bool(unreviewed)),
        ("rules", names(&mut rules.iter().map(|rule| &rule.id[..]))),
        ("level", level.name().into()),
        ("since", SUITE.into()),
    ];
    if method.format().has_profiles() {
        members.push(("profiles", names(&mut std::iter::once(profile.name()))));
    }
    members.extend([("method", method.name().into()), ("params", input.params.clone()), ("expect", expect)]);
    let matched: Vec<(JsonString, Json)> = matchers(method)
        .iter()
        .map(|matcher| (matcher.pointer.to_string().as_str().into(), matcher.pattern.as_str().into()))
        .collect();
    if !matched.is_empty() && has_result {
        members.push(("match", Json::Object(matched)));
    }
    let case = Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect());
    case.write(Style::Indented) + "\n"
}

/// Returns a sampled request as a case, with the answers that are right for the choices that bear on it. `None` if an
/// answer is none that a case can expect.
pub(super) fn sampled_case(
    id: &str,
    input: &Input,
    deciding: &BTreeSet<&'static str>,
    open: &[&'static str],
    options: &[SampledOption],
    profile: ProfileName,
) -> Option<Case> {
    let answer = |reply: &Reply| match reply {
        Ok(result) => ("result", result.clone()),
        Err(refusal) => ("error", refusal.kind.name().into()),
    };
    let expect = match options {
        [only] => Json::object([answer(&only.answer)]),
        several => {
            let option = |option: &SampledOption| {
                let choices = option.choices.iter().map(|(rule, name)| ((*rule).into(), Json::from(*name)));
                Json::object([answer(&option.answer), ("choices", Json::Object(choices.collect()))])
            };
            Json::object([("one_of", Json::Array(several.iter().map(option).collect()))])
        }
    };
    let rules = listed_rules(input.method, deciding, profile);
    let rules = rules.into_iter().chain(open.iter().filter_map(|id| rules::named(id))).collect::<Vec<_>>();
    let has_result = options.iter().all(|option| option.answer.is_ok());
    let text =
        case_text("A sampled request; the reference answers it.", false, input, &rules, expect, has_result, profile);
    read_case(id, &text).ok()
}

/// Returns the rules that decide the request, as far as a case with one expectation can list them.
fn listed_rules(method: Method, deciding: &BTreeSet<&'static str>, profile: ProfileName) -> Vec<&'static Rule> {
    let can_be_listed = |rule: &&Rule| !rule.is_open() && !rule.derived && rule.applies_in(profile);
    let deciding = deciding.iter().filter_map(|id| rules::named(id));
    let listed: Vec<&Rule> = deciding.filter(can_be_listed).collect();
    if !listed.is_empty() {
        return listed;
    }
    rules::named(method.default_rule).into_iter().collect()
}
