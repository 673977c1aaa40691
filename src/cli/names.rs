//! Names on the command line that come from a closed list.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;

use crate::format::{Format, Method};
use crate::formats::FORMATS;
use crate::nearest::expected_one_of;

pub(super) fn parse_method(text: &str) -> Result<Method, String> {
    FORMATS.method(text).ok_or_else(|| expected_one_of(&FORMATS.method_names(), text))
}

pub(super) fn parse_format(text: &str) -> Result<Format, String> {
    let named = FORMATS.all().find(|format| format.name() == text);
    named.ok_or_else(|| expected_one_of(&FORMATS.all().map(Format::name).collect::<Vec<_>>(), text))
}

/// A word from a short list, which the help shows.
#[derive(Clone, Copy)]
pub(super) struct OneOf<const N: usize>(pub(super) [&'static str; N]);

impl<const N: usize> TypedValueParser for OneOf<N> {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = value.to_string_lossy();
        if self.0.contains(&&*text) {
            return Ok(text.into_owned());
        }
        let (text, why) = (text.escape_debug(), expected_one_of(&self.0, &text));
        let name = argument.map_or_else(String::new, ToString::to_string);
        let message = format!("invalid value '{text}' for '{name}': {why}\n");
        Err(clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}
