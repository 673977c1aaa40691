//! What was read, written and read again, where it can be written.
//!
//! Input: three bytes of options, then a message.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    properties::openui::parse_build_round_trip(&input.message(), &options);
});
