//! The reader against the oracle: whole and streaming, every profile, every choice.
//!
//! Input: three bytes of options, then a message.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::props;
use genui_conform_fuzz::Input;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    props::reads_as_the_rules_say(&input.message(), &options);
});
