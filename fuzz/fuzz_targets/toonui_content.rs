//! The compact text of a payload reads back as the payload; and a text that reads is the content of what was read.
//!
//! Input: after a `=`, a payload as JSON, or else a text to be read as a content; after anything else, choices by which
//! a payload is drawn.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::{generate, json, props};
use genui_conform_fuzz::Input;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    if !input.is_text() {
        return props::content_reads_back(&generate::payload(input));
    }
    let text = String::from_utf8_lossy(input.rest());
    match json::parse(&text) {
        Ok(payload) => props::content_reads_back(&payload),
        Err(_) => props::text_is_the_content_of_what_is_read(&text),
    }
});
