//! JSON values: members and items are removed first, then text within strings.

use crate::json::{Json, JsonString};

/// Returns the smallest value for which `holds` is still true, found within this many attempts. `value` itself is taken
/// to hold.
pub fn value(value: &Json, attempts: usize, holds: &mut dyn FnMut(&Json) -> bool) -> Json {
    let mut left = attempts;
    let mut ask = |value: &Json, left: &mut usize| {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        holds(value)
    };
    let mut small = value.clone();
    loop {
        let before = small.clone();
        small = without_parts(small, &mut |value| ask(value, &mut left));
        for place in places(&small) {
            let Some(text) = text_at(&small, &place).map(str::to_owned) else { continue };
            let budget = left;
            let shorter =
                super::text(&text, budget, &mut |candidate| ask(&with_text(&small, &place, candidate), &mut left));
            small = with_text(&small, &place, &shorter);
        }
        if small == before || left == 0 {
            return small;
        }
    }
}

/// A place in a value: the index of a member or item, level by level.
type Place = Vec<usize>;

/// Removes members and items, one at a time, and joins neighbouring texts of a list, as long as `holds` stays true.
fn without_parts(value: Json, holds: &mut dyn FnMut(&Json) -> bool) -> Json {
    let mut value = value;
    let mut candidates = smaller(&value);
    let mut at = 0;
    while at < candidates.len() {
        if holds(&candidates[at]) {
            value = candidates.swap_remove(at);
            candidates = smaller(&value);
            // What was before this one did not hold of the larger value, and is tried again only in the next round.
            at = at.min(candidates.len());
        } else {
            at += 1;
        }
    }
    value
}

/// Returns each value that lacks one part of this one.
fn smaller(value: &Json) -> Vec<Json> {
    match value {
        Json::Array(items) => {
            let lacking = (0..items.len()).map(|at| {
                let mut items = items.clone();
                items.remove(at);
                Json::Array(items)
            });
            let joined = (1..items.len()).filter_map(|at| {
                let text = format!("{}{}", items[at - 1].as_str()?, items[at].as_str()?);
                let mut items = items.clone();
                items[at - 1] = Json::from(text);
                items.remove(at);
                Some(Json::Array(items))
            });
            let within = items.iter().enumerate().flat_map(|(at, item)| {
                smaller(item).into_iter().map(move |item| (at, item)).map(|(at, item)| {
                    let mut items = items.clone();
                    items[at] = item;
                    Json::Array(items)
                })
            });
            lacking.chain(joined).chain(within).collect()
        }
        Json::Object(members) => {
            let lacking = (0..members.len()).map(|at| {
                let mut members = members.clone();
                members.remove(at);
                Json::Object(members)
            });
            let within = members.iter().enumerate().flat_map(|(at, (_, value))| {
                smaller(value).into_iter().map(move |value| (at, value)).map(|(at, value)| {
                    let mut members = members.clone();
                    members[at].1 = value;
                    Json::Object(members)
                })
            });
            lacking.chain(within).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns where strings are.
fn places(value: &Json) -> Vec<Place> {
    let inner = |at: usize, value: &Json| {
        places(value).into_iter().map(move |mut place| {
            place.insert(0, at);
            place
        })
    };
    match value {
        Json::String(JsonString::Unicode(_)) => vec![Vec::new()],
        Json::Array(items) => items.iter().enumerate().flat_map(|(at, item)| inner(at, item)).collect(),
        Json::Object(members) => members.iter().enumerate().flat_map(|(at, (_, value))| inner(at, value)).collect(),
        _ => Vec::new(),
    }
}

fn text_at<'v>(value: &'v Json, place: &[usize]) -> Option<&'v str> {
    match (value, place) {
        (Json::String(text), []) => text.as_str(),
        (Json::Array(items), [at, rest @ ..]) => text_at(items.get(*at)?, rest),
        (Json::Object(members), [at, rest @ ..]) => text_at(&members.get(*at)?.1, rest),
        _ => None,
    }
}

fn with_text(value: &Json, place: &[usize], text: &str) -> Json {
    match (value, place) {
        (Json::String(_), []) => Json::from(text),
        (Json::Array(items), [at, rest @ ..]) => {
            let mut items = items.clone();
            items[*at] = with_text(&items[*at], rest, text);
            Json::Array(items)
        }
        (Json::Object(members), [at, rest @ ..]) => {
            let mut members = members.clone();
            members[*at].1 = with_text(&members[*at].1, rest, text);
            Json::Object(members)
        }
        (other, _) => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn parsed(text: &str) -> Json {
        json::parse(text).expect("is JSON")
    }

    #[test]
    fn only_what_matters_is_left() {
        let whole = parsed(
            r#"{"content":"first\nsecond ]] line","context":{"a":[1,2,"x"]},"attributes":[["a","1"],["b","2"]],"end":true}"#,
        );
        let small = value(&whole, 2_000, &mut |value| {
            value.get("content").and_then(Json::as_str).is_some_and(|text| text.contains("]]"))
                && value.to_ascii().contains("\"b\"")
        });
        assert_eq!(small.to_ascii(), r#"{"content":"]]","attributes":[["b"]]}"#);
    }

    #[test]
    fn neighbouring_texts_are_joined() {
        let small = value(&parsed(r#"["a","]","]",">","","b"]"#), 2_000, &mut |value| {
            let Json::Array(chunks) = value else { return false };
            chunks.iter().filter_map(Json::as_str).collect::<String>().contains("]]>") && chunks.len() > 1
        });
        let Json::Array(chunks) = small else { panic!("no list") };
        assert_eq!(chunks.len(), 2);
    }
}
