//! How two answers differ, and the signatures of findings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::adapter::{Answer, FaultKind};
use crate::case::Matcher;
use crate::format::Method;
use crate::format::{Unspecified, Volatile};
use crate::formats::FORMATS;
use crate::generate::Input;
use crate::json::Json;
use crate::run::compare::difference;
use crate::settings::ProfileName;
use crate::settings::Settings;
use crate::settled::{is_settled, unspecified};

/// The signature of a finding: findings with the same one are reported once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The method of the request.
    pub method: &'static str,
    /// The difference, as text.
    pub what: String,
    /// The rules by which the reference reads the message of the request, or writes the content of its payload.
    pub rules: BTreeSet<&'static str>,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.method, self.what)
    }
}

/// A request on which two implementations disagree.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its signature.
    pub signature: Signature,
    /// The request, shrunk.
    pub input: Input,
    /// The answer of the first implementation, or of the reference.
    pub left: Answer,
    /// The answer of the second implementation.
    pub right: Answer,
    /// How many requests of the campaign had the same signature before they were shrunk.
    pub count: usize,
}

/// Returns how two answers to the same request differ. Returns `None` if they are the same, if a target does not
/// support the request or did not get it, or if the difference is unspecified. Only methods that both list are sent.
pub(super) fn disagreement(input: &Input, profile: ProfileName, left: &Answer, right: &Answer) -> Option<String> {
    Some(match (left, right) {
        (Answer::Omitted(_), _) | (_, Answer::Omitted(_)) => return None,
        (Answer::Unsupported(reason), _) | (_, Answer::Unsupported(reason)) => {
            // An unspecified request may be refused as well.
            if !is_settled(input.method, &input.params)
                || FORMATS.may_refuse(input.method, &input.params.to_ascii(), reason)
            {
                return None;
            }
            "refused as unsupported, though the method is listed".to_owned()
        }
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _) if fault.kind == FaultKind::NotRun => return None,
        (Answer::NoSuchMethod, _) | (_, Answer::NoSuchMethod) => "no such method, though it is listed".to_owned(),
        // An error is as right as any other answer there; a crash is not.
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _)
            if fault.kind == FaultKind::Error && !is_settled(input.method, &input.params) =>
        {
            return None;
        }
        (_, Answer::Fault(fault)) | (Answer::Fault(fault), _) => format!("no answer, {}", fault_name(fault.kind)),
        _ if !is_settled(input.method, &input.params) => return None,
        (Answer::Result(expected), Answer::Result(found)) => {
            let difference = difference(input.method, profile, matchers(input.method), expected, found)?;
            let values = difference.expected.as_ref().zip(difference.actual.as_ref());
            if unspecified(input.method, &input.params, values).is_some() {
                return None;
            }
            let side = match (&difference.expected, &difference.actual) {
                (Some(Json::String(expected)), Some(Json::String(found))) => {
                    match expected.to_string().len().cmp(&found.to_string().len()) {
                        std::cmp::Ordering::Less => "more text than expected",
                        std::cmp::Ordering::Greater => "less text than expected",
                        std::cmp::Ordering::Equal => "other text",
                    }
                }
                (None, _) => "something where nothing was expected",
                (_, None) => "nothing where something was expected",
                (Some(expected), Some(found)) if expected.kind() == found.kind() => "another value",
                _ => "a value of another type",
            };
            format!("{side} at {}", place(&difference.at.to_string()))
        }
        (Answer::Refusal { kind: left, .. }, Answer::Refusal { kind: right, .. }) if left == right => return None,
        (Answer::Refusal { kind, .. }, Answer::Refusal { .. }) => format!("another refusal than {kind}"),
        (Answer::Refusal { kind, .. }, _) => format!("a result where {kind} was expected"),
        (_, Answer::Refusal { kind, .. }) => format!("the refusal {kind} where a result was expected"),
    })
}

/// Returns the rule and name by which the documents leave the difference of two answers open; `None` if they do not.
pub(super) fn left_open(
    input: &Input,
    profile: ProfileName,
    left: &Answer,
    right: &Answer,
) -> Option<&'static Unspecified> {
    match (left, right) {
        (Answer::Result(expected), Answer::Result(found)) => {
            let difference = difference(input.method, profile, matchers(input.method), expected, found)?;
            let values = difference.expected.as_ref().zip(difference.actual.as_ref());
            unspecified(input.method, &input.params, values)
        }
        _ if left == right => None,
        _ => unspecified(input.method, &input.params, None),
    }
}

/// Returns a place in a result, without the index in a list and the names of a context's members.
fn place(pointer: &str) -> String {
    let steps: Vec<&str> = pointer.split('/').collect();
    match steps[..] {
        [""] => "the whole result".to_owned(),
        ["", "snapshots", _, member, ..] => format!("/snapshots/*/{member}"),
        ["", "final", member, ..] => format!("/final/{member}"),
        ["", member, ..] => format!("/{member}"),
        _ => pointer.to_owned(),
    }
}

/// The patterns of texts that are new in each answer, by method.
static MATCHERS: LazyLock<BTreeMap<Method, Vec<Matcher>>> = LazyLock::new(|| {
    let matcher = |volatile: &Volatile| {
        let pattern = Regex::new(volatile.pattern?).expect("the pattern of a definition is one");
        Some(Matcher { pointer: volatile.at.parse().expect("the place of a definition is one"), pattern })
    };
    let rows = FORMATS.all().flat_map(|def| def.methods());
    rows.map(|row| (*row, row.volatile.iter().filter_map(matcher).collect())).collect()
});

/// Returns the texts that are new in each answer, and so match a pattern instead of being compared.
pub(super) fn matchers(method: Method) -> &'static [Matcher] {
    MATCHERS.get(&method).map_or(&[], Vec::as_slice)
}

fn fault_name(kind: FaultKind) -> &'static str {
    kind.name()
}

/// Returns the rules by which the reference reads the message of a request, or writes the content of its payload, or
/// which its messages violate; none if the request has neither.
pub(super) fn deciding_rules(input: &Input, options: &Settings) -> BTreeSet<&'static str> {
    (input.method.deciding_rules)(&input.params, options)
}
