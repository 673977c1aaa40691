//! What is written reads back, or is refused for a reason.
//!
//! Input: three bytes of options, a byte for the shape of the rest, then content, context, and names and values.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::formats;
use genui_conform::generate;
use genui_conform::json::{self, Json};
use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    let (content, context, attributes, end) = if input.is_text() { given(input) } else { drawn(input) };
    properties::openui::build_parse_round_trip(&content, &context, &attributes, end, &options);
});

type Parts = (String, Json, Vec<(String, String)>, bool);

/// A byte whose lowest bit asks for an end line, and one that says how the context is meant: 0 for none, 1 for text,
/// else a value where it is JSON. The texts follow, with a byte 0xFF, which is in no text, between each two.
fn given(input: &mut Input<'_>) -> Parts {
    let (end, meant) = (input.byte() & 1 == 1, input.byte() % 4);
    let mut texts = input.rest().split(|byte| *byte == 0xff).map(|text| String::from_utf8_lossy(text).into_owned());
    let content = texts.next().unwrap_or_default();
    let text = texts.next().unwrap_or_default();
    let context = match json::parse(&text) {
        _ if meant == 0 => Json::Null,
        Ok(value) if meant != 1 => value,
        _ => Json::from(text),
    };
    let attributes = std::iter::from_fn(|| Some((texts.next()?, texts.next().unwrap_or_default()))).collect();
    (content, context, attributes, end)
}

/// The params of a generated request.
fn drawn(input: &mut Input<'_>) -> Parts {
    let params = generate::request(input, formats::openui::BUILD).params;
    let text = |value: Option<&Json>| value.and_then(Json::as_str).unwrap_or_default().to_owned();
    let pairs = match params.get("attributes") {
        Some(Json::Array(pairs)) => &pairs[..],
        _ => &[],
    };
    let attributes = pairs.iter().filter_map(|pair| match pair {
        Json::Array(pair) => Some((text(pair.first()), text(pair.get(1)))),
        _ => None,
    });
    let context = params.get("context").cloned().unwrap_or_default();
    (text(params.get("content")), context, attributes.collect(), params.get("end") == Some(&Json::Bool(true)))
}
