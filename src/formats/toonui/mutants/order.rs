//! Mutants that put the entries of the content in the wrong order.

use super::text::{Line, entries_of, once_each, printed, to_content_of, with_entries, with_given, with_members};
use super::{Fault, Mutant, mutant};
use crate::json::{Json, JsonString};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.content.key-order",
        "entries-as-given",
        "Entries come in the given order, index names too.",
        Fault::Content(|payload| with_members(payload, once_each(entries_of(payload)), printed)),
    ),
    mutant(
        "toonui.content.key-order",
        "entries-sorted",
        "Entries are sorted by name.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                entries.sort_by(|left, right| left.name.cmp(&right.name));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "nested-order-as-given",
        "Only the entries come in JavaScript's order; objects in their values keep the given one.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                value @ (Json::Object(_) | Json::Array(_)) => Some(value.to_compact()),
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "index-limit-too-high",
        "4294967295 and greater numbers count as array indexes.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                entries.sort_by_key(|line| index_of(&line.name, u64::MAX - 1).unwrap_or(u64::MAX));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "index-limit-at-an-int",
        "Only numbers up to 2147483647 count as array indexes.",
        Fault::Content(|payload| {
            let mut sorted = once_each(entries_of(payload));
            let index = |name: &JsonString| name.as_str().and_then(|name| index_of(name, 0x7fff_ffff));
            sorted.sort_by_key(|(name, _)| index(name).unwrap_or(u64::MAX));
            with_members(payload, sorted, printed)
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "leading-zeros-are-an-index",
        "Names of digits are array indexes, even with leading zeros.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                let index =
                    |name: &str| name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse::<u32>().ok());
                entries.sort_by_key(|line| index(&line.name).flatten().map_or(u64::MAX, u64::from));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "first-of-two-values",
        "If a name is given twice, the first value counts.",
        Fault::Content(|payload| {
            let given = entries_of(payload);
            with_entries(payload, |entries| {
                let first = |name: &str| given.iter().find(|(known, _)| known.as_str() == Some(name));
                let line = |line: Line| match first(&line.name) {
                    Some((_, value)) => Line { value: printed(value), ..line },
                    None => line,
                };
                entries.into_iter().map(line).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "last-place-of-two",
        "If a name is given twice, the last place counts, as in a map from which the entry is removed first.",
        Fault::Content(|payload| {
            let given = entries_of(payload);
            let is_last = |(at, (name, _)): &(usize, &(JsonString, Json))| {
                !given[at + 1..].iter().any(|(later, _)| later == name)
            };
            let kept = given.iter().enumerate().filter(is_last).map(|(_, member)| member.clone()).collect();
            to_content_of(payload, kept)
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "names-in-any-case-are-one",
        "Of names that differ only in capitals, the first place and the last value count.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| {
                let mut kept: Vec<Line> = Vec::new();
                for line in entries {
                    match kept.iter_mut().find(|known| known.name.eq_ignore_ascii_case(&line.name)) {
                        Some(known) => known.value = line.value,
                        None => kept.push(line),
                    }
                }
                kept
            })
        }),
    ),
];

fn index_of(name: &str, most: u64) -> Option<u64> {
    name.parse().ok().filter(|index: &u64| index.to_string() == name && *index <= most)
}
