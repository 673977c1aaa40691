//! The params of a request, parsed, with the checks of its method.

use super::checks_of;
use crate::checks::{Check, InputChecks, Shrink, Subject};
use crate::format::Method;
use crate::json::{self, Json, Pointer};
use crate::settings::Settings;
use crate::shrink;

/// An input on which checks run.
#[derive(Clone)]
pub(super) struct CheckInput {
    pub(super) method: Method,
    pub(super) params: Json,
    checks: InputChecks,
}

impl CheckInput {
    /// The input of a request; `None` if there are no checks on its method.
    pub(super) fn of(method: Method, params: &str) -> Option<CheckInput> {
        let checks = checks_of(method)?;
        Some(CheckInput { method, params: json::parse(params).ok()?, checks })
    }

    /// Prepares the input for its checks; `None` if none applies.
    pub(super) fn subject<'a>(&'a self, options: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
        (self.checks.prepare)(self.method, &self.params, options)
    }

    /// Whether a check is one of the method's, and applies to the prepared input.
    pub(super) fn has(&self, check: Check, subject: &dyn Subject) -> bool {
        self.checks.checks.contains(check) && subject.applies(check)
    }

    /// The text that a report shows.
    pub(super) fn to_text(&self) -> String {
        match self.checks.shrink {
            Shrink::Text(at) => self.member(at).and_then(Json::as_str).unwrap_or_default().to_owned(),
            Shrink::Member(at) => self.member(at).unwrap_or(&Json::Null).to_ascii(),
            Shrink::Params | Shrink::Never => self.params.to_ascii(),
        }
    }

    /// Returns the smallest input for which `holds` is still true, found within this many attempts; `None` if inputs of
    /// the method are never shrunk.
    pub(super) fn shrunk(&self, attempts: usize, holds: &mut dyn FnMut(&CheckInput) -> bool) -> Option<CheckInput> {
        match self.checks.shrink {
            Shrink::Text(at) => {
                let text = self.member(at)?.as_str()?;
                let small = shrink::text(text, attempts, &mut |text| holds(&self.with(at, text.into())));
                Some(self.with(at, small.into()))
            }
            Shrink::Member(at) => {
                let small =
                    shrink::value(self.member(at)?, attempts, &mut |value| holds(&self.with(at, value.clone())));
                Some(self.with(at, small))
            }
            Shrink::Params => {
                let with = |params| CheckInput { params, ..self.clone() };
                let small = shrink::value(&self.params, attempts, &mut |params| holds(&with(params.clone())));
                Some(with(small))
            }
            Shrink::Never => None,
        }
    }

    fn member(&self, at: &str) -> Option<&Json> {
        at.parse::<Pointer>().ok()?.find(&self.params)
    }

    fn with(&self, at: &str, value: Json) -> CheckInput {
        let mut input = self.clone();
        if let Some(place) = at.parse::<Pointer>().ok().and_then(|pointer| pointer.find_mut(&mut input.params)) {
            *place = value;
        }
        input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Corpus;

    #[test]
    fn the_shrunk_member_is_in_the_params_of_every_case() {
        let corpus = Corpus::embedded().expect("the corpus can be used");
        let mut seen = 0;
        for case in &corpus.cases {
            let Some(input) = CheckInput::of(case.method, &case.params) else { continue };
            let found = match input.checks.shrink {
                Shrink::Text(at) => input.member(at).is_some_and(|text| text.as_str().is_some()),
                Shrink::Member(at) => input.member(at).is_some(),
                Shrink::Params | Shrink::Never => true,
            };
            assert!(found, "{}", case.id);
            seen += 1;
        }
        assert!(seen > 500, "{seen}");
    }
}
