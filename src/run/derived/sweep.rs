//! All checks on the messages of all cases: rounds of questions for many cases together, then judgement, then
//! shrinking of what departs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::subject::{Input, Subject};
use super::{Check, Departs, Finding, Knowledge, Question};
use crate::adapter::{Answer, Ask, Fault, FaultKind, Implementation};
use crate::case::Case;
use crate::options::Options;
use crate::rules::{self, Level};
use crate::run::verdict::Verdict;

/// Cases whose questions are asked together: enough to keep every child busy, and little enough that their
/// answers fit in memory.
const CASES_TOGETHER: usize = 64;

/// Departures of one check that are shrunk. One shows what is wrong; hundreds would show the same, and each costs
/// some hundred questions.
const SHRUNK: usize = 2;

/// Questions for a smaller message, for each departure.
const SHRINK_ATTEMPTS: usize = 300;

/// A derived check of a case.
#[derive(Clone, Debug)]
pub struct DerivedOutcome<'c> {
    /// The case whose input was checked.
    pub case: &'c Case,
    /// The check.
    pub check: Check,
    /// The rule that was judged.
    pub rule: &'static str,
    /// What it is worth.
    pub verdict: Verdict,
    /// What shows that it does not hold.
    pub evidence: Option<Evidence>,
}

/// What shows that a check does not hold.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A departure.
    Departs {
        /// On the message of the case.
        whole: Departs,
        /// A smaller message, or payload as JSON, and the departure on it.
        shrunk: Option<(String, Departs)>,
    },
    /// A question that got no answer.
    NoAnswer(Question, Answer),
}

impl DerivedOutcome<'_> {
    /// Whether a request of the check was refused, though the implementation lists the method and declares to omit nothing
    /// that the request needs.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.evidence, Some(Evidence::NoAnswer(_, Answer::Unsupported(_))))
    }

    /// Whether it fails the run, whatever the run is strict about.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.verdict.fails() || self.is_refusal()
    }

    /// The id in filters, baselines and reports: the case's, `#`, and the check's name.
    #[must_use]
    pub fn id(&self) -> String {
        check_id(&self.case.id, self.check)
    }
}

/// The id of a check on the message of a case.
#[must_use]
pub(in crate::run) fn check_id(case: &str, check: Check) -> String {
    format!("{case}#{}", check.name())
}

/// What one check finds out about one message, asked of `implementation`.
#[must_use]
pub fn examine_message(
    check: Check,
    raw: &str,
    options: &Options,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Finding {
    examine_input(check, &Input::Message(raw.to_owned()), options, implementation, stop)
}

fn examine_input(
    check: Check,
    input: &Input,
    options: &Options,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Finding {
    let subject = Subject::new(input, options);
    let mut known = Knowledge::default();
    loop {
        if let Some(finding) = subject.examine(check, &mut known) {
            return finding;
        }
        ask(&mut known, implementation, stop);
    }
}

/// Runs every check on the input of every case that has one of its format, and shrinks the first departures of each.
pub fn sweep<'c>(
    cases: &[&'c Case],
    options: &Options,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Vec<DerivedOutcome<'c>> {
    sweep_checks(&Check::ALL, SHRUNK, cases, options, implementation, stop)
}

/// Runs some checks so, and shrinks the first `shrunk` departures of each.
pub fn sweep_checks<'c>(
    checks: &[Check],
    shrunk_of_each: usize,
    cases: &[&'c Case],
    options: &Options,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Vec<DerivedOutcome<'c>> {
    let mut outcomes = Vec::new();
    let mut shrunk: BTreeMap<Check, usize> = BTreeMap::new();
    for together in cases.chunks(CASES_TOGETHER) {
        let inputs: Vec<(&Case, Input)> = together.iter().filter_map(|case| Some((*case, Input::of(case)?))).collect();
        let subjects: Vec<Subject<'_>> = inputs.iter().map(|(_, input)| Subject::new(input, options)).collect();
        let pairs: Vec<(usize, Check)> = (0..inputs.len())
            .flat_map(|at| checks.iter().map(move |check| (at, *check)))
            .filter(|(at, check)| subjects[*at].looks_at(*check))
            .collect();
        let mut known = Knowledge::default();
        let mut findings: Vec<Option<Finding>> = vec![None; pairs.len()];
        // Once a run is interrupted nothing more is looked at: to build questions that are not asked takes its time.
        while !stop.load(Ordering::Relaxed) {
            for (finding, (at, check)) in findings.iter_mut().zip(&pairs).filter(|(finding, _)| finding.is_none()) {
                *finding = subjects[*at].examine(*check, &mut known);
            }
            if findings.iter().all(Option::is_some) {
                break;
            }
            ask(&mut known, implementation, stop);
        }
        for ((at, check), finding) in pairs.into_iter().zip(findings) {
            let (case, input) = &inputs[at];
            let mut outcome = match finding {
                Some(finding) => judge(case, check, finding),
                None => not_run(case, check),
            };
            if let Some(Evidence::Departs { shrunk: smaller, .. }) = &mut outcome.evidence {
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

fn ask(known: &mut Knowledge, implementation: &mut dyn Implementation, stop: &AtomicBool) {
    let questions = known.take_missing();
    let handshake = implementation.handshake();
    let listed = |question: &Question| handshake.offers(question.method);
    let (asked, unlisted): (Vec<Question>, Vec<Question>) = questions.into_iter().partition(listed);
    for question in unlisted {
        known.learn(question, Answer::NoSuchMethod);
    }
    let asks: Vec<Ask<'_>> =
        asked.iter().map(|question| Ask { method: question.method, params: &question.params }).collect();
    let answers = implementation.ask_all(&asks, stop, &|| {});
    for (question, answer) in asked.into_iter().zip(answers) {
        let answer = match answer {
            // To list a method and not to have it breaks the protocol, whoever asks.
            Answer::NoSuchMethod => Answer::Fault(Fault::new(FaultKind::Error, "no such method, though it is listed")),
            answer => answer,
        };
        known.learn(question, answer);
    }
}

fn not_run(case: &Case, check: Check) -> DerivedOutcome<'_> {
    DerivedOutcome { case, check, rule: check.rule(), verdict: Verdict::NOT_RUN, evidence: None }
}

fn judge<'c>(case: &'c Case, check: Check, finding: Finding) -> DerivedOutcome<'c> {
    let rule = match &finding {
        Finding::Departs(Departs { rule: Some(rule), .. }) => rule,
        _ => check.rule(),
    };
    let (verdict, evidence) = match finding {
        Finding::Holds => (Verdict::Pass, None),
        Finding::Unsupported => (Verdict::Unsupported, None),
        Finding::Departs(whole) => {
            let level = rules::named(rule).map_or(Level::Must, |rule| rule.level);
            // What a case leaves to an implementation, a check on its input does not ask of it.
            (Verdict::of_wrong_answer(level.min(case.level)), Some(Evidence::Departs { whole, shrunk: None }))
        }
        Finding::NoAnswer(question, answer) => {
            let verdict = match &answer {
                Answer::Fault(fault) => Verdict::NoAnswer(fault.kind),
                Answer::Unsupported(_) => Verdict::Unsupported,
                // A message always reads: a refusal of one is as wrong as a wrong answer to its case.
                _ => Verdict::of_wrong_answer(case.level),
            };
            (verdict, Some(Evidence::NoAnswer(question, answer)))
        }
    };
    DerivedOutcome { case, check, rule, verdict, evidence }
}

fn shrink_input(
    check: Check,
    input: &Input,
    options: &Options,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Option<(String, Departs)> {
    let mut departs = |input: &Input| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        match examine_input(check, input, options, implementation, stop) {
            Finding::Departs(departs) => Some(departs),
            _ => None,
        }
    };
    let small = input.shrunk(SHRINK_ATTEMPTS, &mut |input| input.is_askable(check) && departs(input).is_some());
    let evidence = departs(&small)?;
    let text = small.to_text();
    (text.len() < input.to_text().len()).then_some((text, evidence))
}
