//! The attributes of a content marker against the oracle, and the oracle against the URL Standard's crate.
//!
//! Input: three bytes of options, then the text after the `?`.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform_fuzz::Input;
use genui_testkit::properties;

/// What attributes are made of.
const PIECES: &[&str] = &[
    "a",
    "b",
    "A",
    "=",
    "=",
    "&",
    "&",
    "+",
    "%",
    "%20",
    "%3D",
    "%26",
    "%61",
    "%c3",
    "%C3%A9",
    "%ff",
    "%ef%bb%bf",
    "%0a",
    "%2540",
    "%e",
    "%zz",
    "%\u{e9}",
    "\u{e9}",
    "\u{feff}",
    "\u{1f600}",
    ";",
    "?",
    "#",
    "@",
    " ",
    "\r",
    "\0",
    "__proto__",
    "]]>openui:content?",
    "\n",
];

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    properties::openui::attributes_match_oracle(&input.text_of(PIECES), &options);
});
