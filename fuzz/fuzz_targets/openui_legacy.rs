//! The older envelope against the oracle.
//!
//! Input: three bytes of options, then a text.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform_fuzz::Input;
use genui_testkit::properties;

/// What an envelope is made of, and what looks like it.
const PIECES: &[&str] = &[
    "<content>",
    "</content>",
    "<context>",
    "</context>",
    "<content a=\"1\">",
    "<content\n>",
    "<content",
    "<contents>",
    "<context v>",
    "</content >",
    "<Content>",
    ">",
    "<",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u{b}",
    "\u{c}",
    "\u{a0}",
    "\u{2028}",
    "root = Card([])",
    "[1]",
    "null",
    "text",
    "]",
    "]]>",
    "]]>openui",
    "]]>openui:",
    "]]>openui:content",
    "]]>openui:content\n",
    "\n]]>openui:end\n",
];

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    properties::openui::envelope_matches_oracle(&input.text_of(PIECES), &options);
});
