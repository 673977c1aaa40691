//! Limits of a run: how often cases are sent, and when the run ends early. Requests that are sent twice are compared.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::baseline::{Item, UnknownFailures};
use super::choices::ResolvedChoice;
use super::compare::answers_differ;
use super::derived::CheckResult;
use super::judge::{Judged, Terms, bind, judge};
use super::policy::Policy;
use super::record::{Again, CaseResult, Failure};
use super::verdict::Verdict;
use crate::adapter::{Answer, Ask, Fault, FaultKind, Implementation};
use crate::case::Case;
use crate::format::Method;
use crate::protocol::Handshake;
use crate::settings::ProfileName;

/// Requests that are sent together: their answers are kept no longer than it takes to compare them.
const AGAIN_TOGETHER: usize = 256;

/// What limits a run, apart from its plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds<'b> {
    /// How often each case is sent; `None` means once.
    pub repeat: usize,
    /// Whether the run ends early.
    pub fail_fast: Option<FailFast<'b>>,
}

/// After how many failures a run ends, and what counts as one.
#[derive(Clone, Copy, Debug)]
pub struct FailFast<'b> {
    /// The number of failures that ends the run.
    pub limit: usize,
    /// What counts as a failure.
    pub policy: &'b Policy,
}

/// Failures so far.
pub(super) struct Tally<'b> {
    fail_fast: Option<FailFast<'b>>,
    unknown: UnknownFailures,
    /// The number of failures that count.
    failures: usize,
}

impl<'b> Tally<'b> {
    pub(super) fn new(fail_fast: Option<FailFast<'b>>) -> Tally<'b> {
        Tally { fail_fast, unknown: UnknownFailures::default(), failures: 0 }
    }

    /// Whether there is a limit.
    pub(super) fn counts(&self) -> bool {
        self.fail_fast.is_some()
    }

    /// Returns how many more failures the run allows.
    fn room(&self) -> usize {
        self.fail_fast.map_or(usize::MAX, |fail_fast| fail_fast.limit.saturating_sub(self.failures))
    }

    /// Whether the run is to end.
    pub(super) fn is_full(&self) -> bool {
        self.room() == 0
    }

    pub(super) fn add_case(&mut self, outcome: &CaseResult<'_>, profile: ProfileName) {
        self.add(outcome.case, &Item::of_case(outcome, profile));
    }

    pub(super) fn add_check(&mut self, outcome: &CheckResult<'_>) {
        self.add(outcome.case, &Item::of_check(outcome));
    }

    fn add(&mut self, case: &Case, item: &Item) {
        let Some(FailFast { policy, .. }) = self.fail_fast else { return };
        // A request that was not sent is no failure that ends anything.
        if item.is_failure() && item.verdict != Verdict::NOT_RUN {
            let baseline = policy.baseline.as_ref();
            self.unknown.add(baseline, item, policy.fails(item, case));
            self.failures = self.unknown.count(baseline);
        }
    }

    /// Returns the answer that replaces the one to a request that is no longer sent.
    fn not_run(&self) -> Answer {
        let limit = self.fail_fast.map_or(0, |fail_fast| fail_fast.limit);
        let failures = if limit == 1 { "1 failure".to_owned() } else { format!("{limit} failures") };
        Answer::Fault(Fault::new(FaultKind::NotRun, format!("the run ended at its limit of {failures}")))
    }
}

/// The answers to a case.
pub(super) struct Answered {
    /// The answer to its params.
    pub(super) answer: Answer,
    /// The answer to its other params, if it has some.
    pub(super) same: Option<Answer>,
    /// How long both answers took.
    pub(super) duration: Option<Duration>,
    /// A different answer to the same request.
    pub(super) again: Option<Again>,
}

impl Answered {
    /// Judges the answer by the resolved choices.
    pub(super) fn judge(&self, case: &Case, terms: Terms<'_>, bound: &BTreeMap<String, ResolvedChoice>) -> Judged {
        match &self.again {
            Some(again) => unstable(again.clone()),
            None => judge(case, terms, &self.answer, self.same.as_ref(), bound),
        }
    }
}

/// The verdict on an answer that differs the next time, whatever the case expects.
pub(super) fn unstable(again: Again) -> Judged {
    Judged { verdict: Verdict::NoAnswer(FaultKind::Flaky), failure: Some(Failure::Flaky(again)) }
}

/// The requests of cases to an implementation.
pub(super) struct Asking<'r> {
    pub(super) implementation: &'r mut dyn Implementation,
    pub(super) stop: &'r AtomicBool,
    pub(super) progress: &'r (dyn Fn(usize) + Sync),
    pub(super) terms: Terms<'r>,
    /// How often each is sent.
    pub(super) rounds: usize,
    /// The case of each request that has been sent so far.
    pub(super) owners: Vec<usize>,
}

impl Asking<'_> {
    /// Sends the requests of these cases, which come with their places, and resolves the choices that their answers
    /// show. If the run is to end early, no more requests are sent at a time than may fail.
    pub(super) fn ask_cases(
        &mut self,
        cases: &[(usize, &Case)],
        bound: &mut BTreeMap<String, ResolvedChoice>,
        tally: &mut Tally<'_>,
    ) -> Vec<Answered> {
        let requests: usize = cases.iter().map(|(_, case)| case.requests().count()).sum();
        (self.progress)(requests * self.rounds);
        let mut answered: Vec<Answered> = Vec::with_capacity(cases.len());
        while let Some(rest) = cases.get(answered.len()..).filter(|rest| !rest.is_empty()) {
            let room = tally.room();
            if room == 0 {
                let same = |case: &Case| case.same.is_some().then(|| tally.not_run());
                answered.extend(rest.iter().map(|(_, case)| Answered {
                    answer: tally.not_run(),
                    same: same(case),
                    duration: None,
                    again: None,
                }));
                break;
            }
            let together = &rest[..room.min(rest.len())];
            let mut asked = self.ask(together);
            for round in 2..=self.rounds {
                self.ask_again(together, &mut asked, round);
            }
            for ((_, case), asked) in together.iter().zip(&asked) {
                bind(case, self.terms, &asked.answer, bound);
                if tally.counts() {
                    let Judged { verdict, failure } = asked.judge(case, self.terms, bound);
                    let answer = asked.answer.clone();
                    let outcome = CaseResult { case, verdict, failure, answer, duration: None };
                    tally.add_case(&outcome, self.terms.profile);
                }
            }
            answered.extend(asked);
        }
        compare_twins(cases, &mut answered, self.terms.profile);
        answered
    }

    fn ask(&mut self, cases: &[(usize, &Case)]) -> Vec<Answered> {
        let asks: Vec<Ask<'_>> = cases
            .iter()
            .flat_map(|(_, case)| case.requests().map(|params| Ask { method: case.method, params }))
            .collect();
        self.owners.extend(cases.iter().flat_map(|(at, case)| case.requests().map(move |_| *at)));
        let progress = self.progress;
        let mut answers = self.implementation.send_all(&asks, self.stop, &|| progress(0)).into_iter();
        let mut durations = self.implementation.durations().into_iter();
        let mut next = || {
            let answer = answers.next().expect("there is an answer for each request");
            (answer, durations.next().flatten())
        };
        let answered = cases.iter().map(|(_, case)| {
            let (answer, time) = next();
            let (same, more) = case.same.is_some().then(&mut next).unzip();
            let is_answer = |answer: &Answer| !matches!(answer, Answer::Fault(_));
            let duration = match more {
                Some(more) => time.zip(more).map(|(time, more)| time + more),
                None => time,
            };
            let duration = duration.filter(|_| is_answer(&answer) && same.as_ref().is_none_or(is_answer));
            Answered { answer, same, duration, again: None }
        });
        answered.collect()
    }

    fn ask_again(&mut self, cases: &[(usize, &Case)], first: &mut [Answered], round: usize) {
        for (cases, first) in cases.chunks(AGAIN_TOGETHER).zip(first.chunks_mut(AGAIN_TOGETHER)) {
            let again = self.ask(cases);
            for (((_, case), first), again) in cases.iter().zip(first).zip(again) {
                let when = || format!("when it was asked for the {} time", ordinal(round));
                note_difference(case, self.terms.profile, first, &again.answer, when);
                // A missing answer to the other params has to be reported too.
                if let (None, Some(same), Some(answer)) = (&first.again, &first.same, again.same)
                    && let Some(at) = answers_differ(case, self.terms.profile, same, &answer)
                {
                    let when = format!("when the other params were asked for the {} time", ordinal(round));
                    first.again = Some(Again { answer, when, at });
                }
            }
        }
    }
}

/// Keeps the first answer that differs from the first one. A request that never got an answer is not unstable.
fn note_difference(
    case: &Case,
    profile: ProfileName,
    first: &mut Answered,
    answer: &Answer,
    when: impl FnOnce() -> String,
) {
    if first.again.is_none()
        && let Some(at) = answers_differ(case, profile, &first.answer, answer)
    {
        first.again = Some(Again { answer: answer.clone(), when: when(), at });
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Compares the answers of cases that send the same request. A missing answer counts against its own case only.
fn compare_twins(cases: &[(usize, &Case)], answered: &mut [Answered], profile: ProfileName) {
    let mut first_of: HashMap<(Method, &str), usize> = HashMap::new();
    for (at, (_, case)) in cases.iter().enumerate().take(answered.len()) {
        let twin = *first_of.entry((case.method, &case.params[..])).or_insert(at);
        let is_fault = |at: usize| matches!(answered[at].answer, Answer::Fault(_));
        if twin == at || is_fault(at) || is_fault(twin) {
            continue;
        }
        for (of, other) in [(twin, at), (at, twin)] {
            let (case, id) = (cases[of].1, &cases[other].1.id);
            let answer = answered[other].answer.clone();
            note_difference(case, profile, &mut answered[of], &answer, || format!("for {id}, which asks the same"));
        }
    }
}

/// An implementation, observed after its cases: a request that a case has sent before must get the same answer, whoever
/// sends it.
pub(super) struct Watch<'r> {
    implementation: &'r mut dyn Implementation,
    profile: ProfileName,
    /// The requests of the written cases that got an answer, in the order in which they were sent.
    sent: Vec<(Method, &'r str)>,
    known: HashMap<(Method, &'r str), (usize, &'r Case, &'r Answer)>,
    /// A different answer to the request of a case, by the place of the case.
    pub(super) unstable: BTreeMap<usize, Again>,
    /// The answer to each further request, once nothing more is sent.
    closed: Option<Answer>,
}

impl<'r> Watch<'r> {
    /// Observes the requests of these cases, which come with their places and answers.
    pub(super) fn new(
        implementation: &'r mut dyn Implementation,
        profile: ProfileName,
        answered: impl Iterator<Item = (usize, &'r Case, &'r Answer)>,
    ) -> Watch<'r> {
        let mut known = HashMap::new();
        let mut sent = Vec::new();
        for (at, case, answer) in answered.filter(|(.., answer)| !matches!(answer, Answer::Fault(_))) {
            let request = (case.method, &case.params[..]);
            known.entry(request).or_insert_with(|| {
                // Sampled requests are many, and much alike.
                if !case.is_sampled() {
                    sent.push(request);
                }
                (at, case, answer)
            });
        }
        Watch { implementation, profile, sent, known, unstable: BTreeMap::new(), closed: None }
    }

    /// Sends the requests of all written cases again, the last one first. What an implementation keeps of a request, and gives to
    /// another one, shows: each now comes after others than before.
    pub(super) fn ask_in_reverse(&mut self, stop: &AtomicBool) {
        let handshake = self.implementation.handshake().clone();
        let offered: Vec<(Method, &str)> =
            self.sent.iter().rev().copied().filter(|(method, _)| handshake.offers(method.name())).collect();
        for requests in offered.chunks(AGAIN_TOGETHER) {
            if self.closed.is_some() || stop.load(Ordering::Relaxed) {
                return;
            }
            let asks: Vec<Ask<'_>> = requests.iter().map(|(method, params)| Ask { method: *method, params }).collect();
            let answers = self.implementation.send_all(&asks, stop, &|| {});
            for (ask, answer) in asks.iter().zip(&answers) {
                if !matches!(answer, Answer::Fault(fault) if fault.kind == FaultKind::NotRun) {
                    self.compare(ask, answer, "when all requests were sent again, the last one first");
                }
            }
        }
    }

    /// Notes an answer that differs from the first one to the same request.
    fn compare(&mut self, ask: &Ask<'_>, answer: &Answer, when: &str) {
        let Some((at, case, first)) = self.known.get(&(ask.method, ask.params)) else { return };
        if !self.unstable.contains_key(at)
            && let Some(place) = answers_differ(case, self.profile, first, answer)
        {
            self.unstable.insert(*at, Again { answer: answer.clone(), when: when.to_owned(), at: place });
        }
    }

    /// Sends nothing more once the run is to end.
    pub(super) fn close_if_full(&mut self, tally: &Tally<'_>) {
        if self.closed.is_none() && tally.is_full() {
            self.closed = Some(tally.not_run());
        }
    }
}

impl Implementation for Watch<'_> {
    fn handshake(&self) -> &Handshake {
        self.implementation.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        if let Some(answer) = &self.closed {
            return vec![answer.clone(); asks.len()];
        }
        let answers = self.implementation.send_all(asks, stop, progress);
        for (ask, answer) in asks.iter().zip(&answers) {
            // A missing answer fails the check itself.
            if !matches!(answer, Answer::Fault(_)) {
                self.compare(ask, answer, "when a derived check asked it again");
            }
        }
        answers
    }
}
