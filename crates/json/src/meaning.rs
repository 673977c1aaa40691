//! Comparison by meaning: numbers by value, members in any order, and of a repeated name the last.

use std::collections::BTreeMap;

use super::{Json, JsonString, Pointer};

/// The place where two values differ, and the value there in each.
type ValueDifference<'j> = (Pointer, Option<&'j Json>, Option<&'j Json>);

/// Returns the first place where two values differ in meaning, and the value there in each.
///
/// The order is that of `left`. A value is `None` if its side has nothing at that place. The result is `None` if the
/// values are equal by [`json_equal`].
///
/// # Examples
///
/// ```
/// use genui_json::{first_difference, parse};
///
/// let (left, right) = (parse(r#"{"a":1,"b":[2]}"#)?, parse(r#"{"b":[3],"a":1.0}"#)?);
/// let (place, expected, found) = first_difference(&left, &right).expect("they differ");
/// assert_eq!(place.to_string(), "/b/0");
/// assert_eq!((expected.unwrap().to_compact(), found.unwrap().to_compact()), ("2".into(), "3".into()));
/// # Ok::<(), genui_json::Error>(())
/// ```
#[must_use]
pub fn first_difference<'j>(left: &'j Json, right: &'j Json) -> Option<ValueDifference<'j>> {
    difference(&Pointer::default(), left, right)
}

/// Returns whether two values have the same meaning.
///
/// Numbers are compared by their exact value, members in any order. If a name is repeated, its last value counts.
///
/// # Examples
///
/// ```
/// use genui_json::{json_equal, parse};
///
/// assert!(json_equal(&parse(r#"{"a":1,"b":10e-1}"#)?, &parse(r#"{"b":1,"a":1.0}"#)?));
/// assert!(!json_equal(&parse("9007199254740993")?, &parse("9007199254740992")?));
/// # Ok::<(), genui_json::Error>(())
/// ```
#[must_use]
pub fn json_equal(left: &Json, right: &Json) -> bool {
    first_difference(left, right).is_none()
}

fn difference<'j>(at: &Pointer, left: &'j Json, right: &'j Json) -> Option<ValueDifference<'j>> {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) if left.decimal() == right.decimal() => None,
        (Json::Array(left), Json::Array(right)) => {
            (0..left.len().max(right.len())).find_map(|index| match (left.get(index), right.get(index)) {
                (Some(left), Some(right)) => difference(&at.child(index.to_string()), left, right),
                (left, right) => Some((at.child(index.to_string()), left, right)),
            })
        }
        (Json::Object(left_members), Json::Object(right_members)) => {
            let (left, right) = (by_name(left_members), by_name(right_members));
            // In the order of the left members, so that the reported difference is the first one for its reader. A pair
            // is compared once: twice on each level would take twice the time for each level.
            let others = right_members.iter().filter(|(name, _)| !left.contains_key(name));
            let mut names = left_members.iter().chain(others).map(|(name, _)| name);
            names.find_map(|name| {
                let child = || at.child(name.as_str().map_or_else(|| name.to_string(), str::to_owned));
                match (left.get(name), right.get(name)) {
                    (Some(left), Some(right)) => difference(&child(), left, right),
                    (left, right) => Some((child(), left.copied(), right.copied())),
                }
            })
        }
        (left, right) if left == right => None,
        (left, right) => Some((at.clone(), Some(left), Some(right))),
    }
}

fn by_name(members: &[(JsonString, Json)]) -> BTreeMap<&JsonString, &Json> {
    members.iter().map(|(name, value)| (name, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_of_a_value_take_no_more_time_each() {
        let nested = |depth: usize| (0..depth).fold(Json::Null, |inner, _| Json::object([("n", inner)]));
        assert!(json_equal(&nested(200), &nested(200)));
        assert!(!json_equal(&nested(200), &nested(201)));
    }

    #[test]
    fn a_member_that_only_one_value_has_is_a_difference() {
        let parsed = |text: &str| crate::parse(text).expect("is JSON");
        let (less, more) = (parsed(r#"{"a":1}"#), parsed(r#"{"b":2,"a":1}"#));
        for (left, right) in [(&less, &more), (&more, &less)] {
            let (at, left, right) = first_difference(left, right).expect("is a difference");
            assert_eq!((at.to_string().as_str(), left.is_some()), ("/b", right.is_none()));
        }
    }
}
