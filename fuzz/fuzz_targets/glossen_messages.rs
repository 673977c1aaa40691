//! Validated messages are accepted again, unchanged; accepted messages convert one by one as all at once; an edit keeps
//! the earlier messages.
//!
//! Input: after a `=`, messages as JSON; after anything else, choices by which messages are drawn.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::formats::glossen::generate;
use genui_conform::json;
use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let messages = if input.is_text() {
        json::parse(&String::from_utf8_lossy(input.rest())).unwrap_or_default()
    } else {
        generate::messages(input, true)
    };
    properties::glossen::validated_messages_are_accepted_and_used(&messages);
});
