//! Mutants that write the content wrongly, the text for the model.

use super::super::reference::refusal;
use super::text::{
    Line, entries_of, is_reply, joined, lines, once_each, printed, printing, to_content_of, with_entries, with_given,
    with_header, with_members, with_values,
};
use super::{Fault, Mutant, mutant};
use crate::formats::values::members;
use crate::json::{Json, JsonString};
use crate::protocol::{Refusal, RefusalKind};
use crate::toonui::to_content;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.content.reply",
        "value-after-component",
        "The value comes last in a reply's header.",
        Fault::Content(|payload| {
            with_header(payload, |mut header| {
                if is_reply(payload) {
                    let value = header.remove(1);
                    header.push(value);
                }
                header
            })
        }),
    ),
    mutant(
        "toonui.content.reply",
        "source-left-out",
        "A reply's text has no source, like a submit's.",
        Fault::Content(|payload| {
            with_header(payload, |header| header.into_iter().filter(|line| line.name != "source").collect())
        }),
    ),
    mutant(
        "toonui.content.submit",
        "title-left-out-of-content",
        "A submit's text has no form title, since that repeats the intent.",
        Fault::Content(|payload| {
            with_header(payload, |header| header.into_iter().filter(|line| line.name != "formTitle").collect())
        }),
    ),
    mutant(
        "toonui.content.submit",
        "values-under-a-heading",
        "The values are indented, under a line of their own.",
        Fault::Content(|payload| {
            let (header, entries) = lines(payload)?;
            if is_reply(payload) || entries.is_empty() {
                return to_content(payload).map_err(refusal);
            }
            let entries = entries.iter().map(|line| format!("\n    {}: {}", line.name, line.value));
            Ok(format!("{}\n  values:{}", joined(payload, header), entries.collect::<String>()))
        }),
    ),
    mutant(
        "toonui.content.context",
        "context-not-printed",
        "A reply's context is dropped, as in the documentation's example.",
        Fault::Content(|payload| with_entries(payload, |entries| if is_reply(payload) { Vec::new() } else { entries })),
    ),
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
        "toonui.content.raw",
        "raw-fields-quoted",
        "Intent, title and a reply's value have quotes, as values have.",
        Fault::Content(|payload| {
            with_header(payload, |header| {
                let quote = |line: Line| match &line.name[..] {
                    "value" | "intent" | "formTitle" if line.value.contains([' ', '"', ':', '\t']) => {
                        Line { value: quoted(&line.value), name: line.name }
                    }
                    _ => line,
                };
                header.into_iter().map(quote).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-trimmed",
        "White space around a raw field is cut off.",
        Fault::Content(|payload| {
            with_header(payload, |header| {
                header.into_iter().map(|line| Line { value: line.value.trim().to_owned(), ..line }).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.raw",
        "odd-names-quoted",
        "A name that is no word has quotes, as in YAML.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| {
                let is_word = |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let name = |line: &Line| if is_word(&line.name) { line.name.clone() } else { quoted(&line.name) };
                entries.into_iter().map(|line| Line { name: name(&line), value: line.value }).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.left-out",
        "line-number-printed",
        "The `line` of a payload is in its text.",
        Fault::Content(|payload| printing(payload, &["line"])),
    ),
    mutant(
        "toonui.content.left-out",
        "submit-source-printed",
        "A submit's text has its source, like a reply's.",
        Fault::Content(|payload| {
            if is_reply(payload) { Ok(to_content(payload).map_err(refusal)?) } else { printing(payload, &["source"]) }
        }),
    ),
    mutant(
        "toonui.content.left-out",
        "all-members-printed",
        "Members that the format does not know are in the text.",
        Fault::Content(|payload| {
            let known = [
                "kind",
                "eventId",
                "value",
                "source",
                "component",
                "context",
                "intent",
                "formTitle",
                "values",
                "line",
                "node",
            ];
            let all = members(Some(payload));
            let names: Vec<&str> =
                all.iter().filter_map(|(name, _)| name.as_str()).filter(|name| !known.contains(name)).collect();
            printing(payload, &names)
        }),
    ),
    mutant(
        "toonui.content.layout",
        "final-line-feed-in-content",
        "The text ends with a line feed.",
        Fault::Content(|payload| Ok(to_content(payload).map_err(refusal)? + "\n")),
    ),
    mutant(
        "toonui.content.layout",
        "content-with-crlf",
        "The lines of the text end in CRLF.",
        Fault::Content(|payload| Ok(to_content(payload).map_err(refusal)?.replace('\n', "\r\n"))),
    ),
    mutant(
        "toonui.content.layout",
        "no-space-before-nothing",
        "Where a member is empty, no space follows the colon.",
        Fault::Content(|payload| {
            let content = to_content(payload).map_err(refusal)?;
            Ok(content
                .split('\n')
                .map(|line| line.strip_suffix(": ").map_or(line.to_owned(), |name| format!("{name}:")))
                .collect::<Vec<_>>()
                .join("\n"))
        }),
    ),
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
    mutant(
        "toonui.content.kind",
        "unknown-kind-refused",
        "A payload of another kind is refused.",
        Fault::Content(|payload| match payload.get("kind").and_then(Json::as_str) {
            Some("ui_reply" | "ui_submit") => Ok(to_content(payload).map_err(refusal)?),
            _ => Err(bad_payload()),
        }),
    ),
    mutant(
        "toonui.content.kind",
        "kind-printed-as-given",
        "The first line has the kind of the payload, whichever it is.",
        Fault::Content(|payload| {
            let content = to_content(payload).map_err(refusal)?;
            let kind = payload.get("kind").and_then(Json::as_str).unwrap_or("ui_submit");
            Ok(content.split_once(':').map_or(content.clone(), |(_, rest)| format!("{kind}:{rest}")))
        }),
    ),
    mutant(
        "toonui.content.recoverable",
        "long-values-cut",
        "A string of more than 40 characters is cut off.",
        Fault::Content(|payload| {
            let cut = |text: &str| match text.char_indices().nth(40) {
                Some((at, _)) => format!("{}\u{2026}", &text[..at]),
                None => text.to_owned(),
            };
            with_values(payload, |value| with_texts(value, &cut).to_compact())
        }),
    ),
    mutant(
        "toonui.content.recoverable",
        "empty-values-left-out",
        "An entry whose value is the empty string has no line.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| entries.into_iter().filter(|line| line.value != "\"\"").collect())
        }),
    ),
];

fn bad_payload() -> Refusal {
    Refusal { kind: RefusalKind::BadPayload, message: "expected another kind".to_owned() }
}

fn index_of(name: &str, most: u64) -> Option<u64> {
    name.parse().ok().filter(|index: &u64| index.to_string() == name && *index <= most)
}

fn quoted(text: &str) -> String {
    Json::from(text).to_compact()
}

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

/// Returns the value with the strings within it changed; names are unchanged.
fn with_texts(value: &Json, change: &dyn Fn(&str) -> String) -> Json {
    match value {
        Json::String(text) => change(&text.to_text()).into(),
        Json::Array(items) => Json::Array(items.iter().map(|item| with_texts(item, change)).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), with_texts(value, change))).collect())
        }
        leaf => leaf.clone(),
    }
}
