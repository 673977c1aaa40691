//! Values with something changed.

use crate::json::{Json, JsonString};

/// An object without this member.
pub(super) fn without(value: &Json, name: &str) -> Json {
    Json::Object(members(Some(value)).into_iter().filter(|(known, _)| known.as_str() != Some(name)).collect())
}

/// An object with this member, in its old place where it has one.
pub(super) fn with(value: &Json, name: &str, new: Json) -> Json {
    let mut all = members(Some(value));
    match all.iter_mut().find(|(known, _)| known.as_str() == Some(name)) {
        Some((_, old)) => *old = new,
        None => all.push((name.into(), new)),
    }
    Json::Object(all)
}

/// An object with one member changed, if it has it.
pub(super) fn changed(value: Json, name: &str, change: impl FnOnce(&Json) -> Json) -> Json {
    match value.get(name) {
        Some(old) => {
            let new = change(old);
            with(&value, name, new)
        }
        None => value,
    }
}

/// The members of an object; none of anything else.
pub(super) fn members(value: Option<&Json>) -> Vec<(JsonString, Json)> {
    match value {
        Some(Json::Object(members)) => members.clone(),
        _ => Vec::new(),
    }
}
