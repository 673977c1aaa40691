//! What the rules take over from JavaScript: the order of members, `JSON.stringify`, `String()` and the text of numbers.

use genui_json::{Json, JsonString};

use crate::oracle::double::fewest_digits;

/// The entries of `values` or of a `context`, in their order.
pub(super) fn entries(of: Option<&Json>) -> Vec<(JsonString, Json)> {
    let indexed = |items: Vec<Json>| {
        let name = |index: usize| JsonString::from(index.to_string());
        items.into_iter().enumerate().map(|(index, item)| (name(index), item)).collect()
    };
    match of {
        Some(Json::Object(members)) => in_order(members),
        // `toonui.input.odd`: an entry for each item or UTF-16 code unit, with its index as the name.
        Some(Json::Array(items)) => indexed(items.clone()),
        Some(Json::String(string)) => {
            indexed(units(string).into_iter().map(|unit| Json::String(vec![unit].into())).collect())
        }
        // `toonui.content.context`: no context and null give no line. `toonui.input.odd`: a number or boolean neither.
        Some(Json::Number(_) | Json::Bool(_) | Json::Null) | None => Vec::new(),
    }
}

/// `toonui.content.key-order`: the members in the order in which JavaScript keeps them.
fn in_order(members: &[(JsonString, Json)]) -> Vec<(JsonString, Json)> {
    // If a name occurs twice, its first place and its last value count.
    let mut once: Vec<(JsonString, Json)> = Vec::new();
    for (name, value) in members {
        match once.iter_mut().find(|(earlier, _)| earlier == name) {
            Some((_, earlier)) => *earlier = value.clone(),
            None => once.push((name.clone(), value.clone())),
        }
    }
    // Array indexes come first, in ascending order. All other names follow in the given order.
    let (mut indexes, others): (Vec<_>, Vec<_>) = once.into_iter().partition(|(name, _)| array_index(name).is_some());
    indexes.sort_by_key(|(name, _)| array_index(name));
    indexes.into_iter().chain(others).collect()
}

/// `toonui.content.key-order`: an array index is `0` to `4294967294` in digits without a sign or a leading zero.
fn array_index(name: &JsonString) -> Option<u64> {
    let text = name.as_str()?;
    let number: u64 = text.parse().ok()?;
    (number <= 4_294_967_294 && number.to_string() == text).then_some(number)
}

/// `toonui.content.value`: the value as `JSON.stringify` writes it, without white space.
pub(super) fn json_text(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => truth.to_string(),
        // `toonui.content.number-value`, `toonui.content.numbers`
        Json::Number(number) => finite(number.as_str()).map_or_else(|| "null".to_owned(), number_text),
        Json::String(string) => quoted(string),
        Json::Array(items) => format!("[{}]", items.iter().map(json_text).collect::<Vec<_>>().join(",")),
        Json::Object(members) => {
            let member = |(name, value): &(JsonString, Json)| format!("{}:{}", quoted(name), json_text(value));
            format!("{{{}}}", in_order(members).iter().map(member).collect::<Vec<_>>().join(","))
        }
    }
}

/// `toonui.content.string-value`: a string is in double quotes. `toonui.content.value` lists the escapes.
fn quoted(string: &JsonString) -> String {
    let mut text = String::from("\"");
    for character in char::decode_utf16(units(string)) {
        match character {
            Ok('"') => text.push_str("\\\""),
            Ok('\\') => text.push_str("\\\\"),
            Ok('\u{8}') => text.push_str("\\b"),
            Ok('\u{c}') => text.push_str("\\f"),
            Ok('\n') => text.push_str("\\n"),
            Ok('\r') => text.push_str("\\r"),
            Ok('\t') => text.push_str("\\t"),
            Ok(control) if control < ' ' => text.push_str(&format!("\\u{:04x}", u32::from(control))),
            Ok(other) => text.push(other),
            // Half of a surrogate pair is written as JavaScript writes it inside JSON.
            Err(half) => text.push_str(&format!("\\u{:04x}", half.unpaired_surrogate())),
        }
    }
    text + "\""
}

/// `toonui.display.layout`: the value as `String()` returns it. Half of a surrogate pair is U+FFFD.
pub(super) fn string_text(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => truth.to_string(),
        // As in the content, but one too great for a double is an infinity.
        Json::Number(number) => match finite(number.as_str()) {
            Some(double) => number_text(double),
            None if number.as_str().starts_with('-') => "-Infinity".to_owned(),
            None => "Infinity".to_owned(),
        },
        Json::String(string) => string.to_text().into_owned(),
        // Items are joined with `,`, items that are arrays in the same way, and null as an item gives nothing.
        Json::Array(items) => {
            let item = |item: &Json| if *item == Json::Null { String::new() } else { string_text(item) };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        }
        Json::Object(_) => "[object Object]".to_owned(),
    }
}

/// The double that a number is read as, or `None` if it is too great for any.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|double: &f64| double.is_finite())
}

/// `toonui.content.numbers`: the text of a double, with the fewest digits that represent it.
fn number_text(double: f64) -> String {
    if double == 0.0 {
        return "0".to_owned();
    }
    if double < 0.0 {
        return format!("-{}", number_text(-double));
    }
    let scientific = fewest_digits(double);
    let (mantissa, exponent) = scientific.split_once('e').expect("this form has an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a whole number");
    let digits = mantissa.replace('.', "");
    if (1e-6..1e21).contains(&double) {
        return plain(&digits, exponent);
    }
    // Outside of that range it has the form `1.5e-7` or `1e+21`.
    let sign = if exponent < 0 { "" } else { "+" };
    format!("{mantissa}e{sign}{exponent}")
}

/// The digits in places from ten to the power of `exponent` down, with zeros where there are none.
fn plain(digits: &str, exponent: i32) -> String {
    let last = exponent + 1 - i32::try_from(digits.len()).expect("a double has few digits");
    let digit = |place: i32| usize::try_from(exponent - place).ok().and_then(|at| digits.chars().nth(at));
    let run = |from: i32, to: i32| (to..=from).rev().map(|place| digit(place).unwrap_or('0')).collect::<String>();
    let whole = run(exponent.max(0), 0);
    if last < 0 { format!("{whole}.{}", run(-1, last)) } else { whole }
}

/// The UTF-16 code units of a string, as JavaScript sees it.
pub(super) fn units(string: &JsonString) -> Vec<u16> {
    match string {
        JsonString::Unicode(text) => text.encode_utf16().collect(),
        JsonString::Surrogates(units) => units.clone(),
    }
}
