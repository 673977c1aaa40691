//! Derived checks: what a definition says of them, what they may request, and how they end.
//!
//! A check compares the answers of one implementation with each other, so it needs no expected result. The checks are
//! in the folders of the formats. The runner sends what they request.

use std::collections::{HashMap, HashSet};

use crate::format::Method;
use crate::formats::FORMATS;
use crate::json::Json;
use crate::protocol::Answer;
use crate::settings::Settings;

/// A derived check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckDef {
    /// The name, which follows the `#` in an id.
    pub name: &'static str,
    /// The rule that a failure violates.
    pub rule: &'static str,
}

/// A derived check, as outcomes refer to it. Two are equal if their names and rules are.
pub type Check = &'static CheckDef;

/// The derived checks on the params of a method.
#[derive(Clone, Copy)]
pub struct InputChecks {
    /// The checks. Some of them may not apply to all params.
    pub checks: &'static [CheckDef],
    /// Which part of the params is shrunk when a check fails.
    pub shrink: Shrink,
    /// Prepares the params for the checks.
    pub prepare: Prepare,
}

/// Prepares the params of a method for the checks; `None` if no check applies to them.
pub type Prepare = for<'a> fn(Method, &'a Json, &'a Settings) -> Option<Box<dyn Subject + 'a>>;

/// Which part of the params of a method is shrunk, and shown as what fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shrink {
    /// All of them.
    Params,
    /// The value at this pointer.
    Member(&'static str),
    /// The string at this pointer, as text.
    Text(&'static str),
    /// Nothing.
    Never,
}

/// Params that were prepared once for all checks.
pub trait Subject {
    /// Whether a check of the method applies to these params.
    fn applies(&self, check: &CheckDef) -> bool;

    /// The method whose result must be specified before the check is made on params that were not written by a person.
    fn specified_for(&self, check: &CheckDef) -> Method;

    /// Runs a check that applies; `None` while answers are pending.
    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome>;
}

/// The definitions in a table of checks.
#[must_use]
pub const fn definitions<R, const N: usize>(table: &[(CheckDef, R); N]) -> [CheckDef; N] {
    let mut definitions = [CheckDef { name: "", rule: "" }; N];
    let mut at = 0;
    while at < N {
        definitions[at] = table[at].0;
        at += 1;
    }
    definitions
}

/// What a table has for a check; `None` if the check is not in the table.
#[must_use]
pub fn find<'t, R>(table: &'t [(CheckDef, R)], check: &CheckDef) -> Option<&'t R> {
    table.iter().find(|(definition, _)| definition == check).map(|(_, run)| run)
}

/// A request: a method, and its params as JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The params, on one line.
    pub params: String,
}

impl Request {
    /// A request with these params.
    #[must_use]
    pub fn new(method: Method, params: &Json) -> Request {
        Request { method, params: params.to_ascii() }
    }
}

/// How a check on some params ended.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckOutcome {
    /// It holds, or says nothing about these params.
    Holds,
    /// The implementation does not support a request that the check needs.
    Unsupported,
    /// It does not hold.
    Failed(CheckFailure),
    /// A request got no result.
    NoAnswer(Request, Answer),
}

/// Why a check does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckFailure {
    /// The request whose answer shows it.
    pub request: Request,
    /// What was expected, in words or as JSON.
    pub expected: String,
    /// What the answer had instead.
    pub actual: String,
    /// The violated rule, if it is not that of the check.
    pub rule: Option<&'static str>,
}

/// A failure that violates the rule of the check.
#[must_use]
pub fn check_failure(request: Request, expected: String, actual: String) -> CheckOutcome {
    check_failure_of(None, request, expected, actual)
}

/// A failure that violates this rule, or that of the check.
#[must_use]
pub fn check_failure_of(
    rule: Option<&'static str>,
    request: Request,
    expected: String,
    actual: String,
) -> CheckOutcome {
    CheckOutcome::Failed(CheckFailure { request, expected, actual, rule })
}

/// The answers that an implementation gave. A check runs on these; what it misses becomes pending, is requested together
/// with what other checks miss, and the check runs again.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    answers: HashMap<Request, Answer>,
    pending: Vec<Request>,
    requested: HashSet<Request>,
}

impl Answers {
    /// The answer to a request; `None` while there is none, and then the request is pending.
    pub fn get(&mut self, request: &Request) -> Option<&Answer> {
        if self.answers.contains_key(request) {
            return self.answers.get(request);
        }
        if self.requested.insert(request.clone()) {
            self.pending.push(request.clone());
        }
        None
    }

    /// Requests several answers at once, so that all of them are sent in one round; `None` while one is pending.
    pub fn request_all<'q>(&mut self, requests: impl IntoIterator<Item = &'q Request>) -> Option<()> {
        let mut complete = true;
        for request in requests {
            complete &= self.get(request).is_some();
        }
        complete.then_some(())
    }

    /// The result of a request; `None` while it is pending.
    ///
    /// # Errors
    ///
    /// Returns how a check ends that needs the result and cannot have it.
    pub fn result(&mut self, request: &Request) -> Option<Result<Json, CheckOutcome>> {
        Some(match self.get(request)? {
            Answer::Result(result) => Ok(result.clone()),
            Answer::Omitted(_) | Answer::NoSuchMethod => Err(CheckOutcome::Unsupported),
            Answer::Unsupported(reason) if FORMATS.may_refuse(request.method, &request.params, reason) => {
                Err(CheckOutcome::Unsupported)
            }
            other => Err(CheckOutcome::NoAnswer(request.clone(), other.clone())),
        })
    }

    /// Takes the pending requests.
    pub fn take_pending(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.pending)
    }

    /// Adds an answer.
    pub fn insert(&mut self, request: Request, answer: Answer) {
        self.answers.insert(request, answer);
    }
}

/// Evaluates to the result of a request. Returns from the check if there is none, or not yet.
macro_rules! result {
    ($answers:expr, $request:expr) => {
        match $answers.result(&$request)? {
            Ok(result) => result,
            Err(outcome) => return Some(outcome),
        }
    };
}
pub(crate) use result;
