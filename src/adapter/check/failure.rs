//! Why a step of the protocol check fails.

use thiserror::Error;

use crate::adapter::{Answer, StartError};
use crate::format::result_shape::ShapeError;
use crate::format::{Format, Method};
use crate::settings::ProfileName;

/// Why an adapter does not follow the protocol in a step.
#[derive(Debug, Error)]
pub(super) enum StepFailure {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("interrupted")]
    Interrupted,
    #[error("expected `{member}` among {known}, but found {found}{hint}")]
    UnknownName { member: &'static str, known: String, found: String, hint: String },
    #[error("expected at least one method in `methods`, but found none")]
    NoMethods,
    #[error("expected at least one profile in `profiles` beside {0} methods, but found none")]
    NoProfiles(Format),
    #[error("expected `choices` for open rules, but found {found}{hint}")]
    UnknownRule { found: String, hint: String },
    #[error("expected {known} for {rule}, but found {found}{hint}")]
    UnknownChoice { rule: String, known: String, found: String, hint: String },
    #[error("expected null to count as absent, so the answer {expected}, but found {found}")]
    NullIsNotAbsent { expected: Answer, found: Answer },
    #[error("expected {expected} at character {at} of the content, but found {found}{hint}")]
    OtherContent { at: usize, expected: String, found: String, hint: &'static str },
    #[error("expected the content as it was sent, but found {0}")]
    NoContent(Answer),
    #[error("expected each answer under the id of its request, but that to {text:?} was {found}")]
    OtherRequest { text: String, found: Answer },
    #[error("expected all {sent} bytes of the message in the content, but found {found} bytes")]
    OtherLength { sent: usize, found: usize },
    #[error("expected an answer to a message of {sent} bytes, but found {found}")]
    NoLongAnswer { sent: usize, found: Answer },
    #[error("expected the same answer to the same request, but found {first}, and later {second}")]
    Differs { first: Answer, second: Answer },
    #[error("expected the error -32601, but found {0}")]
    NoMethodError(Answer),
    #[error("expected {profile} to be listed when it is asked for as well, but found {listed}")]
    ProfileUnlisted { profile: ProfileName, listed: String },
    #[error("expected a method")]
    NoMethod,
    #[error("expected silence after the last answer, but {0}")]
    LateFault(String),
    #[error("unexpected answer to {0} after the last request")]
    LateAnswer(u64),
    #[error("expected an end with exit status 0, but {0}")]
    End(String),
    #[error("expected an answer, but found none")]
    NoAnswer,
    #[error("expected one answer to request {0}, but found two")]
    TwoAnswers(u64),
    #[error("expected the answer to request {expected}, but found one to {found}")]
    OtherAnswer { expected: u64, found: u64 },
    #[error("expected the answer to request {request}, but {fault}")]
    Fault { request: u64, fault: String },
    #[error("expected the answer to request {request} within {seconds} s, but {why}{last_words}")]
    Timeout { request: u64, seconds: f32, why: &'static str, last_words: String },
    #[error(
        "expected an answer, since `methods` lists {method}, but found a refusal (code 2): {reason}; a feature that is not \
         there is declared in `omits`"
    )]
    Unsupported { method: Method, reason: String },
    #[error("expected a kind of refusal ({known}), but found {found}{hint}")]
    UnknownRefusal { known: String, found: String, hint: String },
    #[error("expected {0} to be there, as `methods` says, but found -32601")]
    MethodMissing(Method),
    #[error("expected an answer, but found an error: {0}")]
    ErrorAnswer(String),
}
