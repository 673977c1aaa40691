//! From the bytes of a fuzzer to what a property takes.
//!
//! An input is a few bytes of choices, and then either text as it is or bytes to draw a message from. Most are text: the
//! fuzzer sees through to it, so that its dictionary and the comparisons that it watches help, and a file under
//! `seeds/` or `regressions/` can be read and changed by hand. What is drawn depends on the generators and means
//! something else once they change, so regressions are kept as text.

use std::borrow::Cow;

use arbitrary::{Arbitrary, Unstructured};
use genui_conform::formats::openui;
use genui_conform::formats::openui::{FORMAT, reader_options};
use genui_conform::generate::{self, Draw, DrawExt};
use genui_conform::openui::Options;
use genui_conform::settings::Settings;

/// An input, from which one thing after the other is taken. Once it is used up, all that comes is 0 and empty text.
#[derive(Debug)]
pub struct Input<'a>(Unstructured<'a>);

impl Draw for Input<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound.saturating_sub(1)).unwrap_or(0)
    }
}

impl<'a> Input<'a> {
    /// The input of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Input<'a> {
        Input(Unstructured::new(bytes))
    }

    /// One byte.
    pub fn byte(&mut self) -> u8 {
        u8::arbitrary(&mut self.0).unwrap_or(0)
    }

    /// The next byte, which stays.
    #[must_use]
    pub fn peek(&self) -> u8 {
        self.0.peek_bytes(1).map_or(0, |bytes| bytes[0])
    }

    /// Three bytes: the profile, by its place in the list, and a bit for each open point that goes the other way, the
    /// first one's the lowest of the first byte. All three are written as digits and what comes after them in ASCII, so
    /// that `000` is the profile `core` with the reference's choices.
    pub fn options(&mut self) -> Options {
        let profiles = FORMAT.profiles();
        let mut settings = Settings::of(profiles[usize::from(self.byte() ^ b'0') % profiles.len()]);
        let bits = u16::from_le_bytes([self.byte() ^ b'0', self.byte() ^ b'0']);
        for (index, point) in FORMAT.open_points().iter().enumerate().filter(|(index, _)| bits >> index & 1 == 1) {
            assert!(settings.choose(point.rule, point.names[1]), "point {index} has no second choice");
        }
        reader_options(&settings)
    }

    /// Whether it is used up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left, as it is.
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::replace(&mut self.0, Unstructured::new(&[])).take_rest()
    }

    /// One byte, and the rest as text: unchanged after a `=`, else made of these pieces, one for each byte or so.
    pub fn text_of(&mut self, pieces: &[&str]) -> Cow<'a, str> {
        if self.is_text() {
            return String::from_utf8_lossy(self.rest());
        }
        let mut text = String::new();
        while !self.is_empty() {
            text.push_str(self.pick(pieces));
        }
        text.into()
    }

    /// One byte, and the rest as a message: unchanged after a `=`, else a generated one, which is mutated if there are
    /// bytes left for it.
    pub fn message(&mut self) -> Cow<'a, str> {
        if self.is_text() {
            return String::from_utf8_lossy(self.rest());
        }
        let message = openui::generate::message(self);
        if self.is_empty() {
            return message.into();
        }
        let other = openui::generate::message(self);
        generate::mutated(self, &message, &other).into()
    }

    /// One byte: whether the following bytes are text. They are after every odd byte, since few mutations of an input
    /// should change all of it; people write a `=`.
    pub fn is_text(&mut self) -> bool {
        self.byte() & 1 == b'=' & 1
    }
}
