//! Hostile lines of adapters: refused, or answers of bounded depth; and what `serde_json` makes of them.
//!
//! Input: either a byte `=` and the line; or a byte with another lowest bit, and bytes to put a line together from.

#![cfg_attr(feature = "libfuzzer", no_main)]

use std::borrow::Cow;

use genui_conform::generate::{Draw, DrawExt};
use genui_conform_fuzz::Input;
use genui_testkit::properties;

/// What a line is made of.
const PIECES: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":",
    "}",
    "}",
    "{",
    "[",
    "]",
    ",",
    ":",
    "\"jsonrpc\"",
    "\"2.0\"",
    "\"id\"",
    "\"result\"",
    "\"error\"",
    "\"code\"",
    "\"message\"",
    "\"data\"",
    "\"kind\"",
    "\"reason\"",
    "\"not_writable\"",
    "1",
    "2",
    "-32601",
    "-0",
    "1e2",
    "18446744073709551616",
    "null",
    "true",
    "NaN",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "{\"code\":1,\"message\":\"m\",\"data\":{\"kind\":\"k\"}}",
    " ",
    "\r",
];

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let line = if input.is_text() { input.rest().into() } else { drawn(input) };
    properties::protocol::answer_line_parses_or_is_malformed(&line);
});

/// Pieces, and now and then as many of one as are needed to nest too deep.
fn drawn(input: &mut Input<'_>) -> Cow<'static, [u8]> {
    let mut line = String::new();
    while !input.is_empty() {
        let times = if input.one_in(16) { input.below(2000) } else { 1 };
        line.push_str(&input.pick(PIECES).repeat(times));
    }
    line.into_bytes().into()
}
