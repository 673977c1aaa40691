//! JSON pointers (RFC 6901).

use std::fmt;
use std::str::FromStr;

use super::{Json, JsonString};

/// A JSON pointer: the member names and list indexes that lead to a place in a value.
///
/// The empty pointer is the whole value. `Display` writes a pointer and `FromStr` reads it.
///
/// # Examples
///
/// ```
/// use genui_json::{Json, Pointer, parse};
///
/// let message = parse(r#"{"parts":[{"a/b":true}]}"#)?;
/// let place: Pointer = "/parts/0/a~1b".parse()?;
/// assert_eq!(place.find(&message), Some(&Json::Bool(true)));
/// assert_eq!(Pointer::default().child("parts").child("0").child("a/b"), place);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Returns this pointer with one more step.
    #[must_use]
    pub fn child(&self, step: impl Into<String>) -> Pointer {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Pointer(steps)
    }

    /// Returns the value at this place, or `None` if there is none. Of a repeated name the last counts.
    #[must_use]
    pub fn find<'a>(&self, value: &'a Json) -> Option<&'a Json> {
        self.0.iter().try_fold(value, |value, step| match value {
            Json::Object(_) => value.get(step),
            Json::Array(items) => items.get(index(step)?),
            _ => None,
        })
    }

    /// Returns the value at this place for a change, or `None` if there is none.
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

/// Returns the list index of a step: digits without a leading zero.
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
