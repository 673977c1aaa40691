//! Hostile case files: refused with a place, or loaded as cases that can be run, and linted.
//!
//! Input: the file, which begins with a byte whose lowest bit is set, as `{` is; or, after another byte, bytes to draw
//! a file from that is likely to load.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::formats::FORMATS;
use genui_conform::generate::{self, Draw, DrawExt};
use genui_conform::rules;
use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    if input.peek() & 1 == b'{' & 1 {
        properties::case_file::case_file_loads_or_has_an_error(input.rest());
    } else {
        let _ = input.byte();
        properties::case_file::case_file_loads_or_has_an_error(drawn(input).as_bytes());
    }
});

const EXPECTATIONS: &[&str] = &[
    r#""expect":{"result":{}}"#,
    r#""expect":{"result":{"content":"A","context":[1]}},"match":{"/content":"^[A-Z]$"}"#,
    r#""expect":{"error":"not-writable"}"#,
    r#""expect":{"one_of":[{"result":{},"choices":{"openui.read.stale-end":"counts"}},{"error":"forged-marker","choices":{"openui.read.stale-end":"ignored"},"warn":"w"}]}"#,
    r#""scale":{"unit":"a","times":[1,2],"at":"/raw"}"#,
    r#""expect":{"result":{}},"text":{"/context":"[\n1]"}"#,
    r#""expect":{"result":{}},"same":{"raw":""}"#,
];

/// A file with a generated request in it, a little mutated now and then.
fn drawn(input: &mut Input<'_>) -> String {
    let method = input.pick(&FORMATS.methods().collect::<Vec<_>>());
    let mut request = generate::request(input, method);
    if input.one_in(2) {
        request = generate::mutated_request(input, &request, &request);
    }
    let rules = rules::all();
    let rules = [&rules[input.below(rules.len())].id, &rules[input.below(rules.len())].id];
    let level = input.pick(&["must", "should"]);
    let params = request.params.to_compact();
    let expectation = input.pick(EXPECTATIONS);
    let file = format!(
        r#"{{"about":"","rules":{rules:?},"level":"{level}","since":"0.1.0","method":"{method}","params":{params},{expectation}}}"#
    );
    if input.one_in(4) { generate::mutated(input, &file, &file) } else { file }
}
