//! A stream after each chunk against the text so far, and at its end against the whole.
//!
//! Input: three bytes of options, then four digits, the lengths of the chunks, over and over, then a message.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform_fuzz::Input;
use genui_testkit::properties;

/// As many chunks get a length; the rest of a long message is one. The property reads the text so far at each cut.
const CUTS: usize = 64;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let options = input.options();
    let lengths = [input.byte(), input.byte(), input.byte(), input.byte()].map(|byte| byte % 16);
    let message = input.message();
    let ends = lengths.iter().cycle().take(CUTS).scan(0, |end, length| {
        *end += usize::from(*length);
        Some(*end)
    });
    let cuts: Vec<usize> = ends.take_while(|end| *end < message.len()).collect();
    properties::openui::stream_matches_whole(&message, &cuts, &options);
});
