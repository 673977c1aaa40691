//! Runs the checks on the inputs of all cases: sends requests in rounds for many cases together, then judges, then
//! shrinks the inputs of failures.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::all_checks;
use super::input::CheckInput;
use crate::adapter::{Answer, Ask, Fault, FaultKind, Implementation};
use crate::case::Case;
use crate::checks::{Answers, Check, CheckFailure, CheckOutcome, Request, Subject};
use crate::rules::{self, Level};
use crate::run::verdict::Verdict;
use crate::settings::Settings;
use crate::settled::is_askable;

/// Cases whose requests are sent together: enough to keep every child busy, and few enough that their answers fit in
/// memory.
const CASES_TOGETHER: usize = 64;

/// Failures of one check that are shrunk. One shows what is wrong; hundreds would show the same, and each costs some
/// hundred requests.
const SHRUNK: usize = 2;

/// Smaller inputs that are tried for each failure.
const SHRINK_ATTEMPTS: usize = 300;

/// A derived check of a case.
#[derive(Clone, Debug)]
pub struct CheckResult<'c> {
    /// The case whose input was checked.
    pub case: &'c Case,
    /// The check.
    pub check: Check,
    /// The rule that was judged.
    pub rule: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// The evidence of a failure.
    pub evidence: Option<Evidence>,
}

/// The evidence that a check fails.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A failure.
    Failed {
        /// The failure on the input of the case.
        whole: CheckFailure,
        /// A smaller input, as a report shows it, and the failure on it.
        shrunk: Option<(String, CheckFailure)>,
    },
    /// A request that got no result.
    NoAnswer(Request, Answer),
}

impl CheckResult<'_> {
    /// Whether a request of the check was refused, although the implementation lists the method and does not declare to
    /// omit a feature that the request needs.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.evidence, Some(Evidence::NoAnswer(_, Answer::Unsupported(_))))
    }

    /// Whether it fails the run under every policy.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.fails() || self.is_refusal()
    }

    /// Returns the id in filters, baselines and reports: the case's, `#`, and the check's name.
    #[must_use]
    pub fn id(&self) -> String {
        check_id(&self.case.id, self.check)
    }
}

/// Returns the id of a check on the message of a case.
#[must_use]
pub(in crate::run) fn check_id(case: &str, check: Check) -> String {
    format!("{case}#{}", check.name)
}

/// Runs a check on a request of its method, and returns how it ended; `None` if the check does not apply to the params.
#[must_use]
pub fn run_check(
    check: Check,
    request: &Request,
    options: &Settings,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Option<CheckOutcome> {
    let input = CheckInput::of(request.method, &request.params)?;
    let subject = input.subject(options).filter(|subject| input.has(check, &**subject))?;
    Some(run_on(&*subject, check, implementation, stop))
}

fn run_on(
    subject: &dyn Subject,
    check: Check,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> CheckOutcome {
    let mut answers = Answers::default();
    loop {
        if let Some(outcome) = subject.run(check, &mut answers) {
            return outcome;
        }
        send_pending(&mut answers, implementation, stop);
    }
}

/// Runs every check on the input of every case that has one of its format, and shrinks the first failures of each.
pub fn run_checks<'c>(
    cases: &[&'c Case],
    options: &Settings,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Vec<CheckResult<'c>> {
    run_these_checks(&all_checks(), SHRUNK, cases, options, implementation, stop)
}

/// Runs these checks, and shrinks the first `shrunk_of_each` failures of each.
pub fn run_these_checks<'c>(
    checks: &[Check],
    shrunk_of_each: usize,
    cases: &[&'c Case],
    options: &Settings,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Vec<CheckResult<'c>> {
    let mut outcomes = Vec::new();
    let mut shrunk: BTreeMap<Check, usize> = BTreeMap::new();
    for together in cases.chunks(CASES_TOGETHER) {
        let inputs: Vec<(&Case, CheckInput)> =
            together.iter().filter_map(|case| Some((*case, CheckInput::of(case.method, &case.params)?))).collect();
        let subjects: Vec<(&Case, &CheckInput, Box<dyn Subject + '_>)> =
            inputs.iter().filter_map(|(case, input)| Some((*case, input, input.subject(options)?))).collect();
        let pairs: Vec<(usize, Check)> = (0..subjects.len())
            .flat_map(|at| checks.iter().map(move |check| (at, *check)))
            .filter(|(at, check)| {
                let (_, input, subject) = &subjects[*at];
                input.has(check, &**subject)
            })
            .collect();
        let mut answers = Answers::default();
        let mut ends: Vec<Option<CheckOutcome>> = vec![None; pairs.len()];
        // Once a run is interrupted, no check continues: building requests that are not sent takes time too.
        while !stop.load(Ordering::Relaxed) {
            for (end, (at, check)) in ends.iter_mut().zip(&pairs).filter(|(end, _)| end.is_none()) {
                *end = subjects[*at].2.run(check, &mut answers);
            }
            if ends.iter().all(Option::is_some) {
                break;
            }
            send_pending(&mut answers, implementation, stop);
        }
        for ((at, check), end) in pairs.into_iter().zip(ends) {
            let (case, input, _) = &subjects[at];
            let mut outcome = match end {
                Some(end) => judge(case, check, end),
                None => not_run(case, check),
            };
            if let Some(Evidence::Failed { shrunk: smaller, .. }) = &mut outcome.evidence {
                let count = shrunk.entry(check).or_default();
                if *count < shrunk_of_each && !stop.load(Ordering::Relaxed) {
                    *count += 1;
                    *smaller = shrink_input(check, input, options, implementation, stop);
                }
            }
            outcomes.push(outcome);
        }
    }
    outcomes
}

fn send_pending(answers: &mut Answers, implementation: &mut dyn Implementation, stop: &AtomicBool) {
    let pending = answers.take_pending();
    let handshake = implementation.handshake();
    let listed = |request: &Request| handshake.offers(request.method.name());
    let (sent, unlisted): (Vec<Request>, Vec<Request>) = pending.into_iter().partition(listed);
    for request in unlisted {
        answers.insert(request, Answer::NoSuchMethod);
    }
    let asks: Vec<Ask<'_>> =
        sent.iter().map(|request| Ask { method: request.method, params: &request.params }).collect();
    let received = implementation.send_all(&asks, stop, &|| {});
    for (request, answer) in sent.into_iter().zip(received) {
        let answer = match answer {
            // Listing a method without supporting it violates the protocol, whatever sent the request.
            Answer::NoSuchMethod => Answer::Fault(Fault::new(FaultKind::Error, "no such method, though it is listed")),
            answer => answer,
        };
        answers.insert(request, answer);
    }
}

fn not_run(case: &Case, check: Check) -> CheckResult<'_> {
    CheckResult { case, check, rule: check.rule, verdict: Verdict::NOT_RUN, evidence: None }
}

fn judge<'c>(case: &'c Case, check: Check, outcome: CheckOutcome) -> CheckResult<'c> {
    let rule = match &outcome {
        CheckOutcome::Failed(CheckFailure { rule: Some(rule), .. }) => rule,
        _ => check.rule,
    };
    let (verdict, evidence) = match outcome {
        CheckOutcome::Holds => (Verdict::Pass, None),
        CheckOutcome::Unsupported => (Verdict::Unsupported, None),
        CheckOutcome::Failed(whole) => {
            let level = rules::named(rule).map_or(Level::Must, |rule| rule.level);
            // What a case leaves unspecified, a check on its input does not test.
            (Verdict::of_wrong_answer(level.min(case.level)), Some(Evidence::Failed { whole, shrunk: None }))
        }
        CheckOutcome::NoAnswer(request, answer) => {
            let verdict = match &answer {
                Answer::Fault(fault) => Verdict::NoAnswer(fault.kind),
                Answer::Unsupported(_) => Verdict::Unsupported,
                // A message can always be read: refusing one is as wrong as a wrong answer to its case.
                _ => Verdict::of_wrong_answer(case.level),
            };
            (verdict, Some(Evidence::NoAnswer(request, answer)))
        }
    };
    CheckResult { case, check, rule, verdict, evidence }
}

fn shrink_input(
    check: Check,
    input: &CheckInput,
    options: &Settings,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Option<(String, CheckFailure)> {
    // Returns how the check fails on an input that a caller may send, and whose result is specified.
    let mut failure = |input: &CheckInput| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let subject = input.subject(options).filter(|subject| input.has(check, &**subject))?;
        if !is_askable(subject.specified_for(check), &input.params) {
            return None;
        }
        match run_on(&*subject, check, implementation, stop) {
            CheckOutcome::Failed(failure) => Some(failure),
            _ => None,
        }
    };
    let small = input.shrunk(SHRINK_ATTEMPTS, &mut |input| failure(input).is_some())?;
    let text = small.to_text();
    if text.len() >= input.to_text().len() {
        return None;
    }
    Some((text, failure(&small)?))
}
