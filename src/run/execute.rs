//! A run: ask everything, then bind and judge in the order of the cases.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::choices::{Bound, BoundBy, check_choice, options};
use super::cost;
use super::derived::sweep;
use super::judge::{bind, judge};
use super::record::{CaseOutcome, Record, Verdict};
use crate::adapter::{Answer, Ask, Implementation};
use crate::case::{Case, Expectation};
use crate::openui::Profile;
use crate::protocol::{Format, Handshake, Method};
use crate::rules;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan<'c> {
    /// The selected cases, in the order of their ids. Those that do not run in the profile are passed over.
    pub cases: Vec<&'c Case>,
    /// The profile.
    pub profile: Profile,
    /// The choices that are asked for, by rule id.
    pub asked: BTreeMap<String, String>,
    /// Whether these are not all cases of the corpus.
    pub partial: bool,
    /// Whether the derived checks run too.
    pub derived: bool,
    /// Whether cases about cost are measured; they are left out otherwise.
    pub cost: bool,
}

/// Why an implementation cannot be run against a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// It does not follow the profile: the run was asked for wrongly.
    Profile(String),
    /// It declares a choice that does not exist: the adapter cannot be used.
    Declaration(String),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Profile(message) | PlanError::Declaration(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for PlanError {}

/// Runs a plan. `progress` is told how many requests there are, and then of each answer; once `stop` is set, what
/// has not been answered is not run.
///
/// # Errors
///
/// When the implementation does not follow the plan's profile, or declares a choice that does not exist.
pub fn execute<'c>(
    plan: &Plan<'c>,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Record<'c>, PlanError> {
    let handshake = implementation.handshake().clone();
    check_profile(plan, &handshake)?;
    let (mut bound, mut notes) = declared(&handshake, plan.profile)?;
    let in_profile = || plan.cases.iter().copied().filter(|case| case.profiles.contains(&plan.profile));
    let (timed, cases): (Vec<&Case>, Vec<&Case>) =
        in_profile().partition(|case| matches!(case.expectation, Expectation::Scale(_)));
    let (timed, left_out) = if plan.cost { (timed, 0) } else { (Vec::new(), timed.len()) };

    let is_listed = |case: &Case| handshake.offers(case.method);
    let asks: Vec<Ask<'_>> = cases
        .iter()
        .filter(|case| is_listed(case))
        .flat_map(|case| {
            [Some(&case.params), case.same.as_ref()]
                .into_iter()
                .flatten()
                .map(|params| Ask { method: case.method, params })
        })
        .collect();
    progress(asks.len());
    let mut answers = implementation.ask_all(&asks, stop, &|| progress(0)).into_iter();

    // Which case each request belongs to, and for each case what came back.
    let mut owners = Vec::new();
    let answered: Vec<(&Case, Option<Answered>)> = cases
        .into_iter()
        .enumerate()
        .map(|(at, case)| {
            let mut next = || {
                owners.push(at);
                answers.next().expect("there is an answer for each request")
            };
            let asked = is_listed(case).then(|| Answered { answer: next(), same: case.same.is_some().then(&mut next) });
            (case, asked)
        })
        .collect();
    for (case, asked) in &answered {
        if let Some(asked) = asked {
            bind(case, plan.profile, &asked.answer, &mut bound);
        }
    }
    let judged = |(case, asked): (&'c Case, Option<Answered>)| match asked {
        None => not_listed(case),
        Some(Answered { answer, same }) => {
            let judgement = judge(case, plan.profile, &answer, same.as_ref(), &bound);
            CaseOutcome { case, verdict: judgement.verdict, departure: judgement.departure, answer }
        }
    };
    let mut outcomes: Vec<CaseOutcome<'_>> = answered.into_iter().map(judged).collect();
    notes.extend(unheeded(plan, &bound));
    // Derived checks ask with the choices as they are bound by now.
    let derived = if plan.derived {
        let chosen = bound.iter().map(|(rule, bound)| (rule.clone(), bound.name.clone())).collect();
        let cases: Vec<&Case> = outcomes.iter().map(|outcome| outcome.case).filter(|case| is_listed(case)).collect();
        sweep(&cases, &options(plan.profile, &chosen), implementation, stop)
    } else {
        Vec::new()
    };
    // Last: nothing else is to be measured with it, and one that hangs here has answered everything before.
    let measured: Vec<CaseOutcome<'_>> = timed
        .iter()
        .map(|case| match &case.expectation {
            Expectation::Scale(scale) if is_listed(case) => cost::measure(case, scale, implementation, stop),
            _ => not_listed(case),
        })
        .collect();
    let farewell = implementation.finish(stop);
    notes.extend(farewell.notes);
    for (number, fault) in farewell.late {
        let owner = owners.get(number).copied();
        if owner.is_none() {
            // It came behind an answer to a derived check or a measurement. The run is not to pass for it.
            notes.push(format!("behind the last case: {}", fault.detail));
        }
        let Some(outcome) = owner.or(outcomes.len().checked_sub(1)).map(|at| &mut outcomes[at]) else { continue };
        if owner.is_some() || !outcome.verdict.fails() {
            outcome.answer = Answer::Fault(fault);
            let judgement = judge(outcome.case, plan.profile, &outcome.answer, None, &bound);
            (outcome.verdict, outcome.departure) = (judgement.verdict, judgement.departure);
        }
    }
    outcomes.extend(measured);
    outcomes.sort_by(|a, b| a.case.id.cmp(&b.case.id));
    Ok(Record {
        profile: plan.profile,
        asked: plan.asked.clone(),
        handshake,
        bound,
        outcomes,
        derived,
        left_out,
        notes,
        interrupted: stop.load(Ordering::Relaxed),
        strict: false,
        partial: plan.partial,
        checked: plan.derived,
        spares_new: false,
        baseline: None,
    })
}

/// What came back for a case: to its params, and to its other params if it has some.
struct Answered {
    answer: Answer,
    same: Option<Answer>,
}

/// The outcome of a case whose method is not offered.
fn not_listed(case: &Case) -> CaseOutcome<'_> {
    CaseOutcome { case, verdict: Verdict::Unsupported, departure: None, answer: Answer::NoSuchMethod }
}

fn check_profile(plan: &Plan<'_>, handshake: &Handshake) -> Result<(), PlanError> {
    let offers = handshake.methods.iter().any(|method| Format::of(method).is_some_and(Format::has_profiles));
    let asks = plan.cases.iter().any(|case| case.method.format().has_profiles());
    let profile = plan.profile.name();
    if offers && asks && !handshake.profiles.iter().any(|listed| listed == profile) {
        return Err(PlanError::Profile(format!(
            "expected an adapter that follows the profile {profile}, but it lists {}; choose one of its profiles with --profile",
            if handshake.profiles.is_empty() { "none".to_owned() } else { handshake.profiles.join(", ") }
        )));
    }
    Ok(())
}

/// The choices that an adapter declares, as far as the profile leaves them open, and notes on the others.
fn declared(handshake: &Handshake, profile: Profile) -> Result<(BTreeMap<String, Bound>, Vec<String>), PlanError> {
    let mut bound = BTreeMap::new();
    let mut notes = Vec::new();
    for method in handshake.methods.iter().filter(|method| Method::named(method).is_none()) {
        notes.push(format!("the adapter lists {method}, which is no method of this suite"));
    }
    for (id, name) in &handshake.choices {
        match rules::named(id) {
            None => notes.push(format!("the adapter declares a choice for {id}, which this suite does not know")),
            Some(rule) if !rule.open_in.contains(&profile) && rule.choices.contains(name) => {}
            Some(_) => {
                check_choice(id, name, profile)
                    .map_err(|why| PlanError::Declaration(format!("in the adapter's declared choices: {why}")))?;
                bound.insert(id.clone(), Bound { name: name.clone(), by: BoundBy::Declaration });
            }
        }
    }
    Ok((bound, notes))
}

/// Notes on choices that were asked for and are made otherwise.
fn unheeded(plan: &Plan<'_>, bound: &BTreeMap<String, Bound>) -> Vec<String> {
    let otherwise = |(id, name): (&String, &String)| {
        let bound = bound.get(id).filter(|bound| bound.name != *name)?;
        Some(format!("{id}={name} was asked for, but the adapter chooses {}", bound.name))
    };
    plan.asked.iter().filter_map(otherwise).collect()
}
