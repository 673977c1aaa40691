//! The numbers of a context (`openui.context.numbers`), by how they are written.

use genui_json::{self as json, Json};
use genui_openui::Options;
use genui_openui::choices::Numbers;

use crate::oracle::double::fewest_digits;

/// Returns the value of a context's body, with the chosen numbers, or its text if it is not JSON. The caller handles
/// the empty body.
#[must_use]
pub fn context(text: &str, options: &Options) -> Json {
    // JSON that nests deeper may be text (`openui.context.limits`), as in the reference.
    json::parse_within(text, json::MAX_DEPTH - 10)
        .map_or_else(|_| Json::from(text), |value| with_numbers(&value, options))
}

/// Returns a value as a context has it, read or written.
#[must_use]
pub fn with_numbers(value: &Json, options: &Options) -> Json {
    match value {
        Json::Number(number) => with_number(number.as_str(), options),
        Json::Array(items) => Json::Array(items.iter().map(|item| with_numbers(item, options)).collect()),
        Json::Object(members) => {
            let member = |(name, value): &(_, _)| (Clone::clone(name), with_numbers(value, options));
            Json::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

fn with_number(text: &str, options: &Options) -> Json {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_integer = digits.chars().all(|character| character.is_ascii_digit());
    // 2^63 with a minus, and 2^64 - 1, have 19 and 20 digits: numbers of this length are compared digit by digit.
    let greatest = if text == digits { "18446744073709551615" } else { "9223372036854775808" };
    let fits_64_bits = digits.len() < greatest.len() || digits.len() == greatest.len() && digits <= greatest;
    let is_exact = match options.choices.numbers {
        Numbers::ExactIntegers => is_integer,
        Numbers::Integers64Bit => is_integer && fits_64_bits,
        Numbers::Double => false,
        Numbers::Exact => true,
    };
    let written = if is_exact { text.to_owned() } else { double(text) };
    json::parse(&written).expect("a number is JSON")
}

/// Returns the nearest double with the fewest digits; a number that is near none is unchanged
/// (`openui.context.limits`).
fn double(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(double) if double.is_finite() => fewest_digits(double),
        _ => text.to_owned(),
    }
}
