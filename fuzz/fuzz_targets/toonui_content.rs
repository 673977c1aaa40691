//! The compact text of a payload reads back as the payload; and a text that reads is the content of what was read.
//!
//! Input: after a `=`, a payload as JSON, or else a text to be read as a content; after anything else, choices by which
//! a payload is drawn.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::formats::toonui::generate;
use genui_conform::json;
use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    if !input.is_text() {
        return properties::toonui::content_round_trip(&generate::payload(input));
    }
    let text = String::from_utf8_lossy(input.rest());
    match json::parse(&text) {
        Ok(payload) => properties::toonui::content_round_trip(&payload),
        Err(_) => properties::toonui::read_content_matches_text(&text),
    }
});
