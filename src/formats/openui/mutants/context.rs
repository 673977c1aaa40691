//! Mutants that read a context wrongly.

use super::Fault::{Build, ModelText, Read, Turn};
use super::mangling::{cut, entities_decoded, in_lf, number_of_digits, with_texts, with_values, without_members};
use super::reference::{BuildInput, Event, ReferenceReader};
use super::{Mutant, mutant};
use crate::formats::openui::wire::ParseResult;
use crate::json::{self, Json, Number};
use crate::openui::CONTEXT_LABEL;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.context.json",
        "context-always-text",
        "The context is never parsed.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| match context {
                Json::Null => Json::Null,
                _ => Json::from(text),
            })
        }),
    ),
    mutant(
        "openui.context.json",
        "falsy-context-is-none",
        "A context of 0, false or \"\" counts as missing.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| match text.trim() {
                "0" | "false" | "\"\"" => Json::Null,
                _ => context,
            })
        }),
    ),
    mutant(
        "openui.context.json",
        "only-objects-and-lists",
        "Only a context that begins with a brace or a bracket is parsed.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| match context {
                Json::Object(_) | Json::Array(_) | Json::Null => context,
                _ => Json::from(text),
            })
        }),
    ),
    mutant(
        "openui.context.text",
        "context-that-is-no-json-is-null",
        "A context that cannot be parsed is dropped.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| {
                if is_text(text, &context) && !text.is_empty() { Json::Null } else { context }
            })
        }),
    ),
    mutant(
        "openui.context.text",
        "context-text-trimmed",
        "A context that is text is trimmed.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| {
                if is_text(text, &context) && !text.trim().is_empty() { Json::from(text.trim()) } else { context }
            })
        }),
    ),
    mutant(
        "openui.context.absent",
        "null-context-is-text",
        "JSON null comes back as the text \"null\".",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| match context {
                Json::Null => Json::from(text),
                _ => context,
            })
        }),
    ),
    mutant(
        "openui.context.absent",
        "absent-context-is-an-empty-object",
        "Without a context there is an empty object.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            if result.context == Json::Null {
                result.context = Json::Object(Vec::new());
            }
            result
        }),
    ),
    mutant(
        "openui.context.empty",
        "empty-context-is-an-empty-object",
        "A context without a character is an empty object.",
        Read(|right, raw, streaming| {
            with_context(
                right,
                raw,
                streaming,
                |text, context| {
                    if text.is_empty() { Json::Object(Vec::new()) } else { context }
                },
            )
        }),
    ),
    mutant(
        "openui.context.empty",
        "blank-context-is-none",
        "A context of white space counts as empty.",
        Read(|right, raw, streaming| {
            with_context(
                right,
                raw,
                streaming,
                |text, context| {
                    if text.trim().is_empty() { Json::Null } else { context }
                },
            )
        }),
    ),
    mutant(
        "openui.context.numbers",
        "big-integers-as-text",
        "Integers beyond 2^53 come back as strings.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            numbers_as_text(&mut result.context);
            result
        }),
    ),
    mutant(
        "openui.context.numbers",
        "only-fractions-exact",
        "Integers beyond 2^53 are rounded, and fractions keep all their digits.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.context = with_numbers(result.context, &|number| match number.as_str().contains(['.', 'e', 'E']) {
                true => number.clone(),
                false => number.to_double(),
            });
            result
        }),
    ),
    mutant(
        "openui.context.numbers",
        "long-integers-overflow",
        "Integers beyond 64 bits overflow.",
        Read(|right, raw, streaming| {
            let mut result = right.read(raw, streaming);
            result.context = with_numbers(result.context, &overflowed);
            result
        }),
    ),
    mutant(
        "openui.context.numbers",
        "written-integers-overflow",
        "Integers beyond 64 bits overflow when they are written.",
        Build(|right, writing| {
            let context = with_numbers(writing.context, &overflowed);
            right.write(&BuildInput { context, ..writing })
        }),
    ),
    mutant(
        "openui.context.numbers",
        "model-gets-doubles",
        "Numbers are read exactly, and are doubles in the text for the model.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            let Some((message, context)) = text.split_once(CONTEXT_LABEL).filter(|_| is_user) else { return text };
            match json::parse(context) {
                Ok(value) => {
                    format!("{message}{CONTEXT_LABEL}{}", with_numbers(value, &Number::to_double).to_compact())
                }
                Err(_) => text,
            }
        }),
    ),
    mutant(
        "openui.context.numbers",
        "turns-have-doubles",
        "Numbers are read exactly, and are doubles in a written turn.",
        Turn(|right, event| {
            let double = |value| with_numbers(value, &Number::to_double);
            let (form_state, context) = (double(event.form_state), double(event.context));
            right.turn(&Event { form_state, context, ..event })
        }),
    ),
    mutant(
        "openui.context.json",
        "strings-of-digits-become-numbers",
        "A string of digits in a context is returned as a number.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |_, context| with_values(context, &number_of_digits))
        }),
    ),
    mutant(
        "openui.context.json",
        "json-in-a-string-read-again",
        "A string in a context that holds an object or a list is read as JSON once more.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |_, context| with_values(context, &read_again))
        }),
    ),
    mutant(
        "openui.context.json",
        "entities-decoded-in-form-values",
        "Entities are decoded in the strings of a context that is JSON.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| {
                if is_text(text, &context) { context } else { with_texts(context, &entities_decoded) }
            })
        }),
    ),
    mutant(
        "openui.context.json",
        "form-values-cut-when-read",
        "Strings in a context are cut at 256 characters.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| {
                if is_text(text, &context) { context } else { with_texts(context, &|text| cut(text, 256)) }
            })
        }),
    ),
    mutant(
        "openui.context.json",
        "null-members-dropped",
        "Members of null are dropped from a context.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |_, context| without_members(context, &|value| *value == Json::Null))
        }),
    ),
    mutant(
        "openui.context.text",
        "null-in-any-case-is-none",
        "A context of NULL, Null or None counts as missing.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| {
                if ["NULL", "Null", "None", "nil"].contains(&text) { Json::Null } else { context }
            })
        }),
    ),
    mutant(
        "openui.context.text",
        "text-context-in-lf",
        "In a context that is text, CRLF becomes LF.",
        Read(|right, raw, streaming| {
            with_context(
                right,
                raw,
                streaming,
                |text, context| if is_text(text, &context) { Json::from(in_lf(text)) } else { context },
            )
        }),
    ),
    mutant(
        "openui.context.text",
        "last-comma-allowed",
        "A comma before a closing bracket is allowed, as in JSON5.",
        Read(|right, raw, streaming| {
            with_context(right, raw, streaming, |text, context| match is_text(text, &context) {
                true => json::parse(&text.replace(",]", "]").replace(",}", "}")).unwrap_or(context),
                false => context,
            })
        }),
    ),
];

/// Returns the reference's reading after `change` of the context's text and value; `change` is called only if there is
/// a text.
fn with_context(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl Fn(&str, Json) -> Json,
) -> ParseResult {
    let mut result = right.read(raw, streaming);
    if let Some(text) = right.context_text(raw, streaming) {
        result.context = change(&text, result.context);
    }
    result
}

/// Whether a context was returned as its own text.
fn is_text(text: &str, context: &Json) -> bool {
    context.as_str() == Some(text)
}

/// Returns the object or list that a string holds as JSON.
fn read_again(value: Json) -> Json {
    match value.as_str().map(json::parse) {
        Some(Ok(inner @ (Json::Object(_) | Json::Array(_)))) => inner,
        _ => value,
    }
}

/// Returns a value with each of its numbers changed.
fn with_numbers(value: Json, change: &dyn Fn(&Number) -> Number) -> Json {
    with_values(value, &|value| match value {
        Json::Number(number) => Json::Number(change(&number)),
        other => other,
    })
}

/// Returns the lowest 64 bits of an integer.
fn overflowed(number: &Number) -> Number {
    let lowest = number.as_str().parse::<i128>().ok().map(|integer| integer as u64);
    lowest.map_or_else(|| number.clone(), Number::from)
}

fn numbers_as_text(value: &mut Json) {
    match value {
        Json::Number(number) => {
            let digits = number.as_str().trim_start_matches('-');
            if digits.len() > 15 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                *value = Json::from(number.as_str());
            }
        }
        Json::Array(items) => items.iter_mut().for_each(numbers_as_text),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| numbers_as_text(value)),
        _ => {}
    }
}
