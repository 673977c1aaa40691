//! Mutants that write the values of the content wrongly.

use super::mangling::{trimmed, with_texts, without_members};
use super::text::{quoted, with_entries, with_given, with_values};
use super::{Fault, Mutant, mutant};
use crate::json::Json;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.content.string-value",
        "strings-bare",
        "Strings in values have no quotes.",
        Fault::Content(|payload| {
            with_values(payload, |value| value.as_str().map_or(value.to_compact(), str::to_owned))
        }),
    ),
    mutant(
        "toonui.content.string-value",
        "quotes-where-needed",
        "Strings in values have quotes only if they contain a space or a colon, as in YAML.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value.as_str() {
                Some(text) if !text.is_empty() && !text.contains([' ', ':', '"', '\\', '\n']) => text.to_owned(),
                _ => value.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.string-value",
        "digits-bare",
        "A string of digits has no quotes.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value.as_str() {
                Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => text.to_owned(),
                _ => value.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.number-value",
        "numbers-quoted",
        "Numbers in values have quotes, as form controls give them.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => quoted(number.as_str()),
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.number-value",
        "long-numbers-quoted",
        "A number of more than 15 digits has quotes, as ids have.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) if number.as_str().len() > 15 => quoted(number.as_str()),
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.value",
        "json-with-spaces",
        "JSON in values has spaces after commas and colons, as Python writes it.",
        Fault::Content(|payload| with_values(payload, spaced)),
    ),
    mutant(
        "toonui.content.value",
        "json-in-ascii",
        "Characters beyond ASCII become escapes in values, as Python writes them.",
        Fault::Content(|payload| with_values(payload, Json::to_ascii)),
    ),
    mutant(
        "toonui.content.value",
        "slash-escaped",
        "A slash in a value is escaped, as PHP writes it.",
        Fault::Content(|payload| with_values(payload, |value| value.to_compact().replace('/', "\\/"))),
    ),
    mutant(
        "toonui.content.value",
        "control-escapes-in-capitals",
        "Escapes of control characters have capital digits.",
        Fault::Content(|payload| {
            with_values(payload, |value| {
                let text = value.to_compact();
                let mut pieces = text.split("\\u00");
                let first = pieces.next().unwrap_or_default().to_owned();
                pieces.fold(first, |out, piece| {
                    let (digits, rest) = piece.split_at_checked(2).unwrap_or((piece, ""));
                    format!("{out}\\u00{}{rest}", digits.to_uppercase())
                })
            })
        }),
    ),
    mutant(
        "toonui.content.value",
        "null-values-left-out",
        "An entry whose value is null has no line.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| entries.into_iter().filter(|line| line.value != "null").collect())
        }),
    ),
    mutant(
        "toonui.content.value",
        "markup-escaped",
        "The characters `<`, `>` and `&` are escapes in values, as Go writes them.",
        Fault::Content(|payload| {
            with_values(payload, |value| {
                let escapes = [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")];
                escapes.iter().fold(value.to_compact(), |text, (character, escape)| text.replace(character, escape))
            })
        }),
    ),
    mutant(
        "toonui.content.value",
        "strings-of-values-trimmed",
        "Strings in values lose the white space around them.",
        Fault::Content(|payload| with_values(payload, |value| with_texts(value, &trimmed).to_compact())),
    ),
    mutant(
        "toonui.content.value",
        "null-members-of-values-left-out",
        "Objects in values have no member that is null.",
        Fault::Content(|payload| {
            with_values(payload, |value| without_members(value, &|_, value| *value == Json::Null).to_compact())
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "numbers-as-written",
        "Numbers are kept as they were written.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                Json::Number(number) => Some(number.as_str().to_owned()),
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "whole-numbers-exact",
        "Whole numbers keep all their digits.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                Json::Number(number) if !number.as_str().contains(['.', 'e', 'E']) => {
                    Some(number.as_str().replace("-0", "0"))
                }
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "exponent-without-plus",
        "A great number has no plus in its exponent, as Rust and others write it.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => number.as_str().replace("e+", "e"),
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "small-numbers-with-exponent",
        "Numbers below 0.0001 have an exponent, as Python writes them.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => match number.as_str().strip_prefix("0.0000") {
                    Some(rest) if !rest.is_empty() => {
                        let digits = rest.trim_start_matches('0');
                        let (first, more) = digits.split_at(1);
                        let point = if more.is_empty() { "" } else { "." };
                        format!("{first}{point}{more}e-0{}", 5 + rest.len() - digits.len())
                    }
                    _ => number.as_str().to_owned(),
                },
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "whole-doubles-with-point",
        "A whole number that was written with a point keeps it, as languages with two types of number write it.",
        Fault::Content(|payload| {
            with_given(payload, |given, line| match given {
                Json::Number(number)
                    if number.as_str().contains(['.', 'e', 'E']) && !line.value.contains(['.', 'e', 'u']) =>
                {
                    Some(format!("{}.0", line.value))
                }
                _ => None,
            })
        }),
    ),
];

/// Returns JSON as some other languages write it: with a space after each comma and colon.
fn spaced(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Json::String(name.clone()).to_compact(), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        leaf => leaf.to_compact(),
    }
}
