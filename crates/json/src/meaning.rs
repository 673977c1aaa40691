//! When two values mean the same: numbers by what they are worth, members in any order, and of a name given twice the
//! last.

use std::collections::BTreeMap;

use super::{Json, JsonString, Pointer};

/// Where two values differ, and the value there in each; `None` for nothing.
type ValueDifference<'j> = (Pointer, Option<&'j Json>, Option<&'j Json>);

/// The first place where two values do not mean the same, in the order of the left one; `None` where there is none.
#[must_use]
pub fn first_difference<'j>(left: &'j Json, right: &'j Json) -> Option<ValueDifference<'j>> {
    difference(&Pointer::default(), left, right)
}

/// Whether two values mean the same.
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
            // In the order of the left members: what comes first there matters most.
            let names = || left_members.iter().chain(right_members).map(|(name, _)| name);
            names().find_map(|name| {
                let child = || at.child(name.as_str().map_or_else(|| name.to_ascii(), str::to_owned));
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
