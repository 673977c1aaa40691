//! Inputs for which the documents of a format specify no answer.

use super::Formats;
use super::Method;
use crate::json::Json;

/// Inputs for which a rule specifies no answer. The fact `unspecified` of the rule's section names them.
#[derive(Clone, Copy, Debug)]
pub struct Unspecified {
    /// The rule's id.
    pub rule: &'static str,
    /// The name in the fact of the rule.
    pub name: &'static str,
    /// Whether an input is one of them.
    pub covers: fn(&UnspecifiedInput<'_>) -> bool,
}

/// A request, and perhaps a difference between two answers to it.
#[derive(Clone, Copy, Debug)]
pub struct UnspecifiedInput<'a> {
    /// The method.
    pub method: Method,
    /// The params, which fit the method.
    pub params: &'a Json,
    /// Two values that differ in the answers, if there are such.
    pub difference: Option<(&'a Json, &'a Json)>,
}

impl Formats {
    /// The first rule and name by which the documents specify no answer to a request, or leave open the difference between
    /// two answers; `None` if they specify it.
    #[must_use]
    pub fn unspecified(self, input: &UnspecifiedInput<'_>) -> Option<&'static Unspecified> {
        input.method.format().unspecified().iter().find(|unspecified| (unspecified.covers)(input))
    }
}
