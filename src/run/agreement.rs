//! Comparison of several implementations on the same cases: which ones agree, and which rules need review.

use std::collections::BTreeMap;

use super::compare::case_difference;
use super::judge::Terms;
use super::record::{CaseResult, Failure, RunResult};
use super::verdict::Verdict;
use crate::adapter::Answer;
use crate::case::Case;
use crate::format::Feature;
use crate::formats::FORMATS;

/// The answers of several implementations to a case.
#[derive(Clone, Debug)]
pub struct Agreement<'r, 'c> {
    /// The case.
    pub case: &'c Case,
    /// The outcome of each implementation, in the order of the records; `None` where the case does not run in its
    /// profile.
    pub outcomes: Vec<Option<&'r CaseResult<'c>>>,
    /// Implementations with equal answers, each group by the places of its members in `outcomes`, in the order of their
    /// first ones.
    pub groups: Vec<Vec<usize>>,
    /// Why the rules need review.
    pub review: Option<Review>,
}

/// Why the rules need review: the implementations agree, and differ from the suite. This is not a verdict, since they
/// may all be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Review {
    /// At least two implementations give the same wrong answer, none gives another, and only the reference differs.
    ReferenceDiffers,
    /// All implementations and the reference give the same answer, and the case expects another.
    CaseDiffers,
}

impl Review {
    /// The reason as a sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Review::ReferenceDiffers => "all implementations agree, and the reference differs",
            Review::CaseDiffers => "all implementations and the reference agree, and the case expects something else",
        }
    }
}

/// Compares the records of several implementations: for each case that any of them has, in the order of ids.
/// `is_reference` is true for the record of the built-in reference.
#[must_use]
pub fn agreements<'r, 'c>(records: &[(&'r RunResult<'c>, bool)]) -> Vec<Agreement<'r, 'c>> {
    let mut by_id: BTreeMap<&str, (&'c Case, Vec<Option<&'r CaseResult<'c>>>)> = BTreeMap::new();
    for (at, (record, _)) in records.iter().enumerate() {
        for outcome in &record.outcomes {
            let none = || (outcome.case, vec![None; records.len()]);
            by_id.entry(&outcome.case.id).or_insert_with(none).1[at] = Some(outcome);
        }
    }
    let agreement = |(case, outcomes): (&'c Case, Vec<Option<&'r CaseResult<'c>>>)| {
        let groups = groups(case, records, &outcomes);
        let review = FORMATS.profiles().find_map(|profile| {
            let in_profile = |at: &usize| records[*at].0.profile == profile;
            review(&outcomes, &groups, records, &(0..records.len()).filter(in_profile).collect::<Vec<_>>())
        });
        Agreement { case, outcomes, groups, review }
    };
    by_id.into_values().map(agreement).collect()
}

fn groups(case: &Case, records: &[(&RunResult<'_>, bool)], outcomes: &[Option<&CaseResult<'_>>]) -> Vec<Vec<usize>> {
    // Features that one of them omits do not make two answers different.
    let omitted: Vec<Feature> = records.iter().flat_map(|(record, _)| FORMATS.omitted(&record.handshake)).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, outcome) in outcomes.iter().enumerate() {
        let Some(outcome) = outcome else { continue };
        let same = |group: &&mut Vec<usize>| {
            let terms = Terms { profile: records[group[0]].0.profile, omitted: &omitted };
            outcomes[group[0]].is_some_and(|first| same_answers(case, terms, first, outcome))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// Whether two implementations gave the same answer, also to the other params of a case.
fn same_answers(case: &Case, terms: Terms<'_>, left: &CaseResult<'_>, right: &CaseResult<'_>) -> bool {
    let seconds = match (&left.failure, &right.failure) {
        (Some(Failure::NotSame(left)), Some(Failure::NotSame(right))) => same_answer(case, terms, left, right),
        (Some(Failure::NotSame(_)), _) | (_, Some(Failure::NotSame(_))) => false,
        _ => true,
    };
    seconds && same_answer(case, terms, &left.answer, &right.answer)
}

fn same_answer(case: &Case, terms: Terms<'_>, left: &Answer, right: &Answer) -> bool {
    match (left, right) {
        // Two answers that do not match a pattern are the same nevertheless, if they are equal.
        (Answer::Result(left), Answer::Result(right)) => {
            let (left, right) = (terms.expected(case, left), terms.expected(case, right));
            left == right || case_difference(case, terms.profile, &left, &right).is_none()
        }
        (Answer::Refusal { kind: left, .. }, Answer::Refusal { kind: right, .. }) => left == right,
        // Both are unsupported, whatever the reasons say.
        (
            Answer::Unsupported(_) | Answer::Omitted(_) | Answer::NoSuchMethod,
            Answer::Unsupported(_) | Answer::Omitted(_) | Answer::NoSuchMethod,
        ) => true,
        (Answer::Fault(left), Answer::Fault(right)) => left.kind == right.kind,
        _ => false,
    }
}

fn review(
    outcomes: &[Option<&CaseResult<'_>>],
    groups: &[Vec<usize>],
    records: &[(&RunResult<'_>, bool)],
    in_profile: &[usize],
) -> Option<Review> {
    let answered = |at: &&usize| {
        outcomes[**at].is_some_and(|outcome| matches!(outcome.answer, Answer::Result(_) | Answer::Refusal { .. }))
    };
    let (references, others): (Vec<usize>, Vec<usize>) =
        in_profile.iter().filter(answered).partition(|at| records[**at].1);
    let group_of = |at: &usize| groups.iter().position(|group| group.contains(at));
    let (first, rest) = others.split_first()?;
    let agreed = group_of(first);
    let is_wrong = outcomes[*first].is_some_and(|outcome| !is_right(outcome));
    if !is_wrong || rest.iter().any(|at| group_of(at) != agreed) {
        return None;
    }
    match references.first() {
        Some(reference) if group_of(reference) == agreed => Some(Review::CaseDiffers),
        Some(_) if !rest.is_empty() => Some(Review::ReferenceDiffers),
        _ => None,
    }
}

/// Whether the answer itself is right, whatever warning it has and whichever choice it was judged by.
fn is_right(outcome: &CaseResult<'_>) -> bool {
    outcome.verdict == Verdict::Pass
        || matches!(outcome.failure, Some(Failure::Warning(_) | Failure::Choice { .. } | Failure::Growth(_)))
}
