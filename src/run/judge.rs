//! Judges answers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::choices::{ChoiceSource, ResolvedChoice};
use super::compare::{Difference, case_difference};
use super::evidence::level;
use super::record::Failure;
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::{Case, CaseOption, Outcome};
use crate::format::Feature;
use crate::formats::FORMATS;
use crate::json::Json;
use crate::rules::{Level, named};
use crate::settings::ProfileName;

/// A verdict, and the reason if it is no plain pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub failure: Option<Failure>,
}

/// What an implementation is judged by, apart from its choices.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The profile.
    pub profile: ProfileName,
    /// The features that it declares to omit: results are judged without their members.
    pub omitted: &'a [Feature],
}

impl Terms<'_> {
    /// Returns an expected result without the members that the implementation omits.
    pub(super) fn expected<'r>(&self, case: &Case, expected: &'r Json) -> Cow<'r, Json> {
        if self.omitted.is_empty() {
            Cow::Borrowed(expected)
        } else {
            Cow::Owned(Feature::strip(self.omitted, case.method, expected.clone()))
        }
    }
}

/// Resolves the choices that the answer to a case shows: all choices of an option, if the answer fits only this option
/// and contradicts no earlier choice. Call it for the cases in the order of their ids, and judge when all choices are
/// resolved.
pub fn bind(case: &Case, terms: Terms<'_>, answer: &Answer, bound: &mut BTreeMap<String, ResolvedChoice>) {
    let mut right = case.options().iter().filter(|option| fit(case, terms, &option.outcome, answer) == Match::Right);
    if let (Some(option), None) = (right.next(), right.next())
        && against(option, bound).is_none()
    {
        for (rule, name) in &option.choices {
            let by = || ResolvedChoice { name: name.clone(), by: ChoiceSource::Case(case.id.clone()) };
            bound.entry(rule.clone()).or_insert_with(by);
        }
    }
}

/// Narrows down the choices that [`bind`] has left open: an answer that fits several options rules out every choice
/// that none of them makes. Takes all cases with their answers, in the order of the ids.
pub fn narrow(answered: &[(&Case, &Answer)], terms: Terms<'_>, bound: &mut BTreeMap<String, ResolvedChoice>) {
    let fitting = |(case, answer): &(&'_ Case, &Answer)| -> Vec<usize> {
        let options = case.options().iter().enumerate().filter(|(_, option)| !option.choices.is_empty());
        options
            .filter(|(_, option)| fit(case, terms, &option.outcome, answer) == Match::Right)
            .map(|(at, _)| at)
            .collect()
    };
    let fits: Vec<(&Case, Vec<usize>)> = answered.iter().map(|pair| (pair.0, fitting(pair))).collect();
    // A choice that is ruled out on one point may leave fewer options of an earlier case, and so rule out more on
    // another.
    let mut narrowed = true;
    while narrowed {
        narrowed = false;
        for (case, fits) in &fits {
            let options = fits.iter().map(|at| &case.options()[*at]);
            let allowed: Vec<&CaseOption> = options.filter(|option| against(option, bound).is_none()).collect();
            let Some(first) = allowed.first() else { continue };
            for rule in first.choices.keys() {
                let made: Vec<&String> = allowed.iter().filter_map(|option| option.choices.get(rule)).collect();
                // An option without a choice on the point fits each of them.
                if made.len() == allowed.len() {
                    narrowed |= keep(rule, &made, &case.id, bound);
                }
            }
        }
    }
}

/// Rules out all other choices on a point. Returns whether there was one to rule out.
fn keep(rule: &str, made: &[&String], case: &str, bound: &mut BTreeMap<String, ResolvedChoice>) -> bool {
    let known = || named(rule).map(|rule| rule.choices.iter().map(String::as_str).collect::<Vec<_>>());
    let possible = bound.get(rule).map(|bound| bound.names().collect()).or_else(known).unwrap_or_default();
    let kept: Vec<String> =
        possible.iter().filter(|name| made.iter().any(|made| made == *name)).map(|name| (*name).to_owned()).collect();
    let is_new = kept.len() < possible.len();
    if let Some((name, others)) = kept.split_first().filter(|_| is_new) {
        let by = match others {
            [] => ChoiceSource::Case(case.to_owned()),
            others => ChoiceSource::Narrowed { case: case.to_owned(), others: others.to_vec() },
        };
        bound.insert(rule.to_owned(), ResolvedChoice { name: name.clone(), by });
        return true;
    }
    false
}

/// Judges the answer to a case, and that to its other params if it has some, by the resolved choices.
#[must_use]
pub fn judge(
    case: &Case,
    terms: Terms<'_>,
    answer: &Answer,
    same: Option<&Answer>,
    bound: &BTreeMap<String, ResolvedChoice>,
) -> Judged {
    let first = judge_answer(case, terms, answer, bound);
    let judged = match same {
        Some(same) => judge_same(case, terms, (answer, first), same),
        None => first,
    };
    let verdict = match &judged.failure {
        Some(failure) if is_wrong(answer, failure) => {
            Verdict::of_wrong_answer(level(case, terms.profile, answer, failure))
        }
        _ => judged.verdict,
    };
    Judged { verdict, ..judged }
}

/// Whether the places at which an answer differs decide its level. A refusal of another kind is judged as should.
fn is_wrong(answer: &Answer, failure: &Failure) -> bool {
    match failure {
        Failure::Result { .. } | Failure::Choice { .. } | Failure::NotSame(Answer::Result(_)) => true,
        Failure::Outcome => matches!(answer, Answer::Result(_)),
        _ => false,
    }
}

fn judge_answer(case: &Case, terms: Terms<'_>, answer: &Answer, bound: &BTreeMap<String, ResolvedChoice>) -> Judged {
    let wrong = |failure| Judged { verdict: Verdict::of_wrong_answer(case.level), failure: Some(failure) };
    match answer {
        Answer::Fault(fault) => {
            return Judged { verdict: Verdict::NoAnswer(fault.kind), failure: Some(Failure::NoAnswer) };
        }
        Answer::Unsupported(reason) => {
            let failure = (!FORMATS.may_refuse(case.method, &case.params, reason)).then_some(Failure::Refused);
            return Judged { verdict: Verdict::Unsupported, failure };
        }
        Answer::Omitted(_) => return Judged { verdict: Verdict::Unsupported, failure: None },
        // Listing a method without supporting it violates the protocol, whatever the case is about.
        Answer::NoSuchMethod => {
            return Judged { verdict: Verdict::Fail, failure: Some(Failure::ListedButMissing) };
        }
        Answer::Result(_) | Answer::Refusal { .. } => {}
    }
    let fits: Vec<(&CaseOption, Match)> =
        case.options().iter().map(|option| (option, fit(case, terms, &option.outcome, answer))).collect();
    let allowed = |option: &CaseOption| against(option, bound).is_none();
    let right = || fits.iter().filter(|(_, fit)| *fit == Match::Right).map(|(option, _)| *option);
    let Some(option) = right().find(|option| allowed(option)) else {
        return match right().find_map(|option| against(option, bound)) {
            Some((rule, chosen, bound)) => wrong(Failure::Choice { rule, chosen, bound }),
            // A refusal was right, but its kind is wrong: that is judged as should.
            None if fits.iter().any(|(option, fit)| *fit == Match::OtherKind && allowed(option)) => Judged {
                verdict: Verdict::of_wrong_answer(case.level.min(Level::Should)),
                failure: Some(Failure::Outcome),
            },
            None => wrong(nearest(case, terms, &fits, allowed)),
        };
    };
    match &option.warning {
        Some(warning) => Judged { verdict: Verdict::Warn, failure: Some(Failure::Warning(warning.clone())) },
        None => Judged { verdict: Verdict::Pass, failure: None },
    }
}

/// Returns a choice of the option that is resolved otherwise or ruled out: the rule, what the option chooses, and the
/// source.
fn against(option: &CaseOption, bound: &BTreeMap<String, ResolvedChoice>) -> Option<(String, String, ResolvedChoice)> {
    option.choices.iter().find_map(|(rule, name)| {
        let bound = bound.get(rule).filter(|bound| !bound.allows(name))?;
        Some((rule.clone(), name.clone(), bound.clone()))
    })
}

/// Judges the answer to the other params of a case together with that to the first.
fn judge_same(case: &Case, terms: Terms<'_>, (first, judged): (&Answer, Judged), second: &Answer) -> Judged {
    let not_same = |verdict| Judged { verdict, failure: Some(Failure::NotSame(second.clone())) };
    match (first, second) {
        (Answer::Fault(_), _) => judged,
        // A missing or invalid answer fails at every level, whatever the first one was worth.
        (_, Answer::Fault(fault)) => not_same(Verdict::NoAnswer(fault.kind)),
        (_, Answer::NoSuchMethod) => not_same(Verdict::Fail),
        // A refusal fails at every level too.
        (_, Answer::Unsupported(reason))
            if !judged.verdict.fails()
                && !FORMATS.may_refuse(case.method, case.same.as_deref().unwrap_or_default(), reason) =>
        {
            not_same(Verdict::Unsupported)
        }
        _ if !matches!(judged.failure, None | Some(Failure::Warning(_))) => judged,
        (Answer::Unsupported(_) | Answer::Omitted(_), _) => judged,
        (_, Answer::Unsupported(_) | Answer::Omitted(_)) => Judged { verdict: Verdict::Unsupported, failure: None },
        (Answer::Result(first), Answer::Result(second))
            if case_difference(case, terms.profile, first, second).is_none() =>
        {
            judged
        }
        (Answer::Refusal { kind: first, .. }, Answer::Refusal { kind: second, .. }) if first == second => judged,
        (Answer::Refusal { .. }, Answer::Refusal { .. }) => {
            not_same(Verdict::of_wrong_answer(case.level.min(Level::Should)))
        }
        _ => not_same(Verdict::of_wrong_answer(case.level)),
    }
}

/// How well an answer fits an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Match {
    Right,
    /// A refusal, but of another kind.
    OtherKind,
    /// A result, but another one.
    Other(Difference),
    /// A refusal instead of a result, or the other way round.
    Otherwise,
}

fn fit(case: &Case, terms: Terms<'_>, outcome: &Outcome, answer: &Answer) -> Match {
    match (outcome, answer) {
        (Outcome::Result(expected), Answer::Result(found)) => {
            case_difference(case, terms.profile, &terms.expected(case, expected), found)
                .map_or(Match::Right, Match::Other)
        }
        (Outcome::Refusal(expected), Answer::Refusal { kind, .. }) if expected.name() == kind => Match::Right,
        (Outcome::Refusal(_), Answer::Refusal { .. }) => Match::OtherKind,
        _ => Match::Otherwise,
    }
}

/// Returns the failure by an option that the resolved choices allow; a differing result comes first.
fn nearest(
    case: &Case,
    terms: Terms<'_>,
    fits: &[(&CaseOption, Match)],
    allowed: impl Fn(&CaseOption) -> bool,
) -> Failure {
    let differences = || {
        fits.iter().filter_map(|(option, fit)| match (&option.outcome, fit) {
            (Outcome::Result(expected), Match::Other(difference)) => Some((*option, expected, difference)),
            _ => None,
        })
    };
    match differences().find(|(option, ..)| allowed(option)).or_else(|| differences().next()) {
        Some((_, expected, difference)) => {
            let expected = terms.expected(case, expected).into_owned();
            Failure::Result { expected, difference: difference.clone() }
        }
        None => Failure::Outcome,
    }
}
