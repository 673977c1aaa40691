//! JSON pointers (RFC 6901): where in a value something stands.

use std::fmt;
use std::str::FromStr;

use super::{Json, JsonString};

/// A JSON pointer: the member names and list indices that lead to a place. The empty one is the whole value.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(Vec<String>);

/// The error of reading a [`Pointer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerError(&'static str);

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for PointerError {}

impl FromStr for Pointer {
    type Err = PointerError;

    /// Reads the text of a pointer: empty, or `/` before each step, with `~1` for `/` and `~0` for `~`.
    fn from_str(text: &str) -> Result<Pointer, PointerError> {
        if text.is_empty() {
            return Ok(Pointer::default());
        }
        let steps = text.strip_prefix('/').ok_or(PointerError("expected a JSON pointer that starts with `/`"))?;
        let well_escaped = |step: &str| step.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
        if !steps.split('/').all(well_escaped) {
            return Err(PointerError("expected `~0` or `~1` in a JSON pointer, but found another `~`"));
        }
        Ok(Pointer(steps.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect()))
    }
}

impl Pointer {
    /// This pointer with one more step.
    #[must_use]
    pub fn child(&self, step: impl Into<String>) -> Pointer {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Pointer(steps)
    }

    /// The value at this place; `None` where there is none.
    #[must_use]
    pub fn find<'a>(&self, value: &'a Json) -> Option<&'a Json> {
        self.0.iter().try_fold(value, |value, step| match value {
            Json::Object(_) => value.get(step),
            Json::Array(items) => items.get(index(step)?),
            _ => None,
        })
    }

    /// The value at this place, to be changed; `None` where there is none.
    pub fn find_mut<'a>(&self, value: &'a mut Json) -> Option<&'a mut Json> {
        self.0.iter().try_fold(value, |value, step| match value {
            Json::Object(members) => members
                .iter_mut()
                .rev()
                .find(|(name, _)| *name == JsonString::from(step.as_str()))
                .map(|(_, value)| value),
            Json::Array(items) => items.get_mut(index(step)?),
            _ => None,
        })
    }
}

/// The list index that a step names: digits, without a zero in front.
fn index(step: &str) -> Option<usize> {
    let canonical = step == "0" || !step.starts_with('0');
    (canonical && step.bytes().all(|byte| byte.is_ascii_digit())).then(|| step.parse().ok()).flatten()
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "/{}", step.replace('~', "~0").replace('/', "~1")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn the_examples_of_the_standard_resolve() {
        let value = parse(r#"{"foo":["bar","baz"],"":0,"a/b":1,"m~n":8}"#).expect("is JSON");
        for (pointer, found) in [
            ("/foo/0", Some("\"bar\"")),
            ("/", Some("0")),
            ("/a~1b", Some("1")),
            ("/m~0n", Some("8")),
            ("/foo/00", None),
        ] {
            let pointer: Pointer = pointer.parse().expect("is a pointer");
            assert_eq!(pointer.find(&value).map(Json::to_compact).as_deref(), found);
        }
        assert!("foo".parse::<Pointer>().is_err());
        assert!("/~2".parse::<Pointer>().is_err());
    }
}
