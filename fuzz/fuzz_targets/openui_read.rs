//! The reader against the oracle: whole and streaming, every profile, every choice.
//!
//! Input: three bytes of options, then a message.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    properties::openui::reader_matches_oracle(&input.message(), &options);
});
