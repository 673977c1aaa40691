//! Generated messages and options.

use genui_conform::formats::openui::{FORMAT, reader_options};
use genui_conform::openui::Options;
use genui_conform::settings::Settings;
use proptest::prelude::*;

/// What messages are made of: whole and cut markers, line endings, odd characters, and a little text.
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
    settings().prop_map(|settings| reader_options(&settings))
}

/// A profile with a choice on each of OpenUI's open points.
pub(crate) fn settings() -> impl Strategy<Value = Settings> {
    let points = || FORMAT.open_points().iter();
    let choices: Vec<_> = points().map(|point| prop::sample::select(point.names)).collect();
    (prop::sample::select(FORMAT.profiles()), choices).prop_map(move |(profile, names)| {
        let mut settings = Settings::of(profile);
        for (point, name) in points().zip(names) {
            assert!(settings.choose(point.rule, name));
        }
        settings
    })
}
