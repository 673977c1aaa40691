//! Runs a plan: sends all requests, then resolves choices and judges in the order of the cases.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::bounds::{Answered, Asking, Bounds, Tally, Watch, unstable};
use super::choices::{ChoiceError, ChoiceSource, ResolvedChoice, check_choice, options};
use super::cost;
use super::derived::{CheckResult, run_checks};
use super::judge::{Judged, Terms, judge, narrow};
use super::record::{CaseResult, RunResult};
use super::verdict::Verdict;
use crate::adapter::{Answer, Ask, Implementation, Omitting};
use crate::case::{Case, Expectation};
use crate::format::{Feature, Format};
use crate::formats::FORMATS;
use crate::json;
use crate::nearest::did_you_mean;
use crate::protocol::Handshake;
use crate::rules;
use crate::settings::ProfileName;
use crate::settings::Settings;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan<'c> {
    /// The selected cases, in the order of their ids. Those that do not run in the profile are skipped.
    pub cases: Vec<&'c Case>,
    /// The profile.
    pub profile: ProfileName,
    /// The choices that are requested, by rule id.
    pub requested: BTreeMap<String, String>,
    /// Whether some cases of the corpus are not selected.
    pub partial: bool,
    /// Whether the derived checks run too.
    pub derived: bool,
    /// Whether cases about cost are measured; they are skipped otherwise.
    pub cost: bool,
}

/// Why an implementation cannot be run against a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// It does not follow the profile: a usage error.
    #[error(
        "expected an adapter that follows the profile {profile}, but it lists {listed}; choose one of its profiles with --profile"
    )]
    UnlistedProfile {
        /// The profile.
        profile: ProfileName,
        /// The profiles that it lists.
        listed: String,
    },
    /// It declares a choice that does not exist: a fault of the adapter.
    #[error("in the adapter's declared choices: {0}")]
    Declaration(#[from] ChoiceError),
}

/// Runs a plan. `progress` gets the number of requests, and then each answer. Once `stop` is set, no further requests
/// are sent.
///
/// # Errors
///
/// If the implementation does not follow the plan's profile, or declares a choice that does not exist.
pub fn execute<'c>(
    plan: &Plan<'c>,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<RunResult<'c>, PlanError> {
    execute_within(plan, &Bounds::default(), implementation, stop, progress)
}

/// Runs a plan within bounds.
///
/// # Errors
///
/// As [`execute`].
pub fn execute_within<'c>(
    plan: &Plan<'c>,
    bounds: &Bounds<'_>,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<RunResult<'c>, PlanError> {
    let handshake = implementation.handshake().clone();
    check_profile(plan, &handshake)?;
    let (mut bound, mut notes) = declared(&handshake, plan.profile)?;
    let in_profile = || plan.cases.iter().copied().filter(|case| case.profiles.contains(&plan.profile));
    let (timed, cases): (Vec<&'c Case>, Vec<&'c Case>) =
        in_profile().partition(|case| matches!(case.expectation, Expectation::Scale(_)));
    let (timed, left_out) = if plan.cost { (timed, 0) } else { (Vec::new(), timed.len()) };

    let omitted = FORMATS.omitted(&handshake);
    let terms = Terms { profile: plan.profile, omitted: &omitted };
    let mut implementation = Omitting::new(implementation);
    let why_not_asked = |case: &Case| why_not_asked(case, &handshake, &omitted);
    let mut tally = Tally::new(bounds.fail_fast);
    let cases: Vec<(&'c Case, Option<Answer>)> = cases.into_iter().map(|case| (case, why_not_asked(case))).collect();
    let is_asked = |(_, (_, why)): &(usize, &(&Case, Option<Answer>))| why.is_none();
    let asked: Vec<(usize, &Case)> =
        cases.iter().enumerate().filter(is_asked).map(|(at, (case, _))| (at, *case)).collect();
    let rounds = bounds.repeat.max(1);
    let mut asking = Asking { implementation: &mut implementation, stop, progress, terms, rounds, owners: Vec::new() };
    let answered = asking.ask_cases(&asked, &mut bound, &mut tally);
    let owners = asking.owners;
    let answers: Vec<(&Case, &Answer)> =
        asked.iter().zip(&answered).map(|((_, case), answered)| (*case, &answered.answer)).collect();
    narrow(&answers, terms, &mut bound);
    let mut answered = answered.into_iter();
    let judged = |(case, why): (&'c Case, Option<Answer>)| match why {
        Some(why) => not_asked(case, why),
        None => {
            let answered = answered.next().expect("there is an answer for each case that is asked");
            let judgement = answered.judge(case, terms, &bound);
            let Answered { answer, duration, .. } = answered;
            CaseResult { case, verdict: judgement.verdict, failure: judgement.failure, answer, duration }
        }
    };
    let mut outcomes: Vec<CaseResult<'_>> = cases.into_iter().map(judged).collect();
    notes.extend(ignored_requests(plan, &bound));
    // From here on, requests that have been sent before are observed.
    let answers = outcomes.iter().enumerate().map(|(at, outcome)| (at, outcome.case, &outcome.answer));
    let mut watch = Watch::new(&mut implementation, plan.profile, answers);
    // Derived checks use the choices that are resolved by now.
    let derived = if plan.derived {
        watch.close_if_full(&tally);
        watch.ask_in_reverse(stop);
        let chosen = bound.iter().map(|(rule, bound)| (rule.clone(), bound.name.clone())).collect();
        // Sampled requests are too many for derived checks.
        let is_listed = |case: &&Case| handshake.offers(case.method.name()) && !case.is_sampled();
        let cases: Vec<&Case> = outcomes.iter().map(|outcome| outcome.case).filter(is_listed).collect();
        run_checks_within(&cases, &options(plan.profile, &chosen), &mut watch, &mut tally, stop)
    } else {
        Vec::new()
    };
    // Last, since an adapter that hangs here has answered everything else before.
    watch.close_if_full(&tally);
    let measured: Vec<CaseResult<'_>> = timed
        .iter()
        .map(|case| match (&case.expectation, why_not_asked(case)) {
            (Expectation::Scale(scale), None) => cost::measure(case, scale, &mut watch, stop),
            (_, why) => not_asked(case, why.unwrap_or(Answer::NoSuchMethod)),
        })
        .collect();
    for (at, again) in std::mem::take(&mut watch.unstable) {
        let judgement = unstable(again);
        (outcomes[at].verdict, outcomes[at].failure) = (judgement.verdict, judgement.failure);
    }
    let shutdown = implementation.finish(stop);
    notes.extend(shutdown.notes);
    for (number, fault) in shutdown.late {
        let owner = owners.get(number).copied();
        if owner.is_none() {
            // It came after an answer to a derived check or a measurement. The run must not pass.
            notes.push(format!("after the last case: {}", fault.detail));
        }
        let Some(outcome) = owner.or(outcomes.len().checked_sub(1)).map(|at| &mut outcomes[at]) else { continue };
        if owner.is_some() || !outcome.verdict.fails() {
            outcome.answer = Answer::Fault(fault);
            let judgement = judge(outcome.case, terms, &outcome.answer, None, &bound);
            (outcome.verdict, outcome.failure, outcome.duration) = (judgement.verdict, judgement.failure, None);
        }
    }
    outcomes.extend(measured);
    outcomes.sort_by(|a, b| a.case.id.cmp(&b.case.id));
    let not_run = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::NOT_RUN).count();
    let unchecked = derived.iter().filter(|outcome| outcome.verdict == Verdict::NOT_RUN).count();
    let ended_early = tally.is_full() && not_run + unchecked > 0;
    if ended_early {
        notes.push(format!("the run ended early: cases not run: {not_run}; derived checks not run: {unchecked}"));
    }
    Ok(RunResult {
        profile: plan.profile,
        requested: plan.requested.clone(),
        handshake,
        bound,
        outcomes,
        derived,
        left_out,
        notes,
        interrupted: stop.load(Ordering::Relaxed),
        ended_early,
        partial: plan.partial || ended_early,
        checked: plan.derived,
        unsampled: false,
    })
}

/// Sends the request of a case once more, or a smaller one that takes its place, and judges the answer by the choices
/// that a run has resolved.
pub fn judge_again<'c>(
    case: &'c Case,
    record: &RunResult<'_>,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> CaseResult<'c> {
    let omitted = FORMATS.omitted(&record.handshake);
    let terms = Terms { profile: record.profile, omitted: &omitted };
    let ask = Ask { method: case.method, params: &case.params };
    let mut answers = Omitting::of(implementation, omitted.clone()).send_all(&[ask], stop, &|| {});
    let answer = answers.pop().expect("there is an answer for each request");
    let Judged { verdict, failure } = judge(case, terms, &answer, None, &record.bound);
    CaseResult { case, verdict, failure, answer, duration: None }
}

/// Runs the derived checks on the inputs of cases: all together, or case by case if the run may end early.
fn run_checks_within<'c>(
    cases: &[&'c Case],
    options: &Settings,
    watch: &mut Watch<'_>,
    tally: &mut Tally<'_>,
    stop: &AtomicBool,
) -> Vec<CheckResult<'c>> {
    if !tally.counts() {
        return run_checks(cases, options, watch, stop);
    }
    let mut outcomes = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        watch.close_if_full(tally);
        if tally.is_full() {
            for mut outcome in run_checks(&cases[at..], options, watch, stop) {
                // A check that needed no requests did not run either.
                if outcome.verdict == Verdict::Pass {
                    outcome.verdict = Verdict::NOT_RUN;
                }
                outcomes.push(outcome);
            }
            break;
        }
        let seen: Vec<usize> = watch.unstable.keys().copied().collect();
        let found = run_checks(&[*case], options, watch, stop);
        found.iter().for_each(|outcome| tally.add_check(outcome));
        for (_, again) in watch.unstable.iter().filter(|(at, _)| !seen.contains(at)) {
            let Judged { verdict, failure } = unstable(again.clone());
            let outcome = CaseResult { case, verdict, failure, answer: again.answer.clone(), duration: None };
            tally.add_case(&outcome, options.profile());
        }
        outcomes.extend(found);
    }
    outcomes
}

/// Returns why a case is not sent: its method is unsupported, or it needs a feature that is omitted. `None` if it is
/// sent.
fn why_not_asked(case: &Case, handshake: &Handshake, omitted: &[Feature]) -> Option<Answer> {
    if !handshake.offers(case.method.name()) {
        return Some(Answer::NoSuchMethod);
    }
    let mut features = omitted.iter().copied().filter(|feature| feature.is_of(case.method)).peekable();
    features.peek()?;
    // The loader has read the params.
    let params: Vec<json::Json> = case.requests().filter_map(|text| json::parse(text).ok()).collect();
    // A case that compares only an omitted member has nothing left to be judged.
    let counts_nothing_else = |feature: Feature| {
        let counted = case.members.as_ref();
        counted.is_some_and(|members| {
            members.iter().all(|name| omitted.iter().any(|feature| feature.members().contains(name)))
                && members.iter().any(|name| feature.members().contains(name))
        })
    };
    let needs = |feature: &Feature| {
        params.iter().any(|params| feature.is_needed(case.method, params)) || counts_nothing_else(*feature)
    };
    features.find(needs).map(|feature| Answer::Omitted(feature.name().to_owned()))
}

/// The outcome of a case that is not sent.
fn not_asked(case: &Case, why: Answer) -> CaseResult<'_> {
    CaseResult { case, verdict: Verdict::Unsupported, failure: None, answer: why, duration: None }
}

fn check_profile(plan: &Plan<'_>, handshake: &Handshake) -> Result<(), PlanError> {
    let offers = handshake.methods.iter().any(|method| FORMATS.format_of(method).is_some_and(Format::has_profiles));
    let asks = plan.cases.iter().any(|case| case.method.format().has_profiles());
    let profile = plan.profile;
    if offers && asks && !handshake.profiles.iter().any(|listed| listed == profile.name()) {
        let listed = if handshake.profiles.is_empty() { "none".to_owned() } else { handshake.profiles.join(", ") };
        return Err(PlanError::UnlistedProfile { profile, listed });
    }
    Ok(())
}

/// Returns the choices that an adapter declares, if the profile leaves them open, and notes on the others.
fn declared(
    handshake: &Handshake,
    profile: ProfileName,
) -> Result<(BTreeMap<String, ResolvedChoice>, Vec<String>), PlanError> {
    let mut bound = BTreeMap::new();
    let mut notes = Vec::new();
    for method in handshake.methods.iter().filter(|method| FORMATS.method(method).is_none()) {
        let question = did_you_mean(method, FORMATS.method_names());
        notes.push(format!("the adapter lists {method}, which is no method of this suite{question}"));
    }
    for name in handshake.omits.iter().filter(|name| !FORMATS.features().any(|feature| feature.name() == *name)) {
        let known = FORMATS.features().map(Feature::name).collect::<Vec<_>>().join(", ");
        notes.push(format!("the adapter omits {name}, which is no feature of this suite ({known})"));
    }
    for (id, name) in &handshake.choices {
        match rules::named(id) {
            None => {
                let open = rules::all().iter().filter(|rule| rule.is_open()).map(|rule| &rule.id[..]);
                let question = did_you_mean(id, open);
                notes.push(format!("the adapter declares a choice for {id}, which this suite does not know{question}"));
            }
            Some(rule) if !rule.open_in.contains(&profile) && rule.choices.contains(name) => {}
            Some(_) => {
                check_choice(id, name, profile)?;
                bound.insert(id.clone(), ResolvedChoice { name: name.clone(), by: ChoiceSource::Declaration });
            }
        }
    }
    Ok((bound, notes))
}

/// Notes on requested choices that the adapter makes otherwise.
fn ignored_requests(plan: &Plan<'_>, bound: &BTreeMap<String, ResolvedChoice>) -> Vec<String> {
    let otherwise = |(id, name): (&String, &String)| {
        let bound = bound.get(id).filter(|bound| !bound.allows(name))?;
        Some(format!("{id}={name} was requested, but the adapter chooses {}", bound.shown()))
    };
    plan.requested.iter().filter_map(otherwise).collect()
}
