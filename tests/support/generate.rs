//! Generated messages and options.

use genui_conform::openui::{Options, Profile};
use genui_conform::options::{self, open_points};
use proptest::prelude::*;

/// The pieces of messages: complete and truncated markers, line endings, unusual characters, and some text.
const PIECES: &[&str] = &[
    "]]>openui:content",
    "]]>openui:content?",
    "]]>openui:context",
    "]]>openui:end",
    "]]>openui:thinking",
    "]]>openui:",
    "]]>openui:content?a=1&b",
    "]]>openui:end?x",
    "]]>openui:scripts {\"count\":1}",
    "]]>op",
    "]]>openui:con",
    "]]",
    "]",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "?",
    "A",
    "root = A()",
    "{\"a\":1}",
    "null",
    "42",
    "{\"n\":9007199254740993}",
    "[61440000000010240001,-1.0e2,0.5000000000000000000001]",
    " ",
    "\t",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{1f600}",
    "é",
    "\0",
    "s",
    "Foo",
    "<content>",
    "</content>",
    "<context>",
    "</context>",
    "<content a>",
    "=",
    "&",
    "%",
    "%2",
];

pub(crate) fn message() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..14).prop_map(|pieces| pieces.concat())
}

pub(crate) fn options() -> impl Strategy<Value = Options> {
    let points = || open_points().filter(|point| point.rule.starts_with("openui."));
    let choices: Vec<_> = points().map(|point| prop::sample::select(point.names)).collect();
    (prop::sample::select(&Profile::ALL[..]), choices).prop_map(move |(profile, names)| {
        let mut options = options::Options::of(profile);
        for (point, name) in points().zip(names) {
            assert!(options.choose(point.rule, name));
        }
        options.openui
    })
}
