//! `starter`: prints a starter adapter.

use std::io::Write;

use super::exit::Exit;
use super::names::OneOf;
use super::session::Session;

/// Arguments of `starter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print the starter in this language: python, javascript, java, go or ruby
    #[arg(value_name = "LANGUAGE", value_parser = OneOf(LANGUAGES.map(|(name, _)| name)))]
    language: String,
}

/// The languages with their starters.
const LANGUAGES: [(&str, &str); 5] = [
    ("python", include_str!("../../adapters/python/starter.py")),
    ("javascript", include_str!("../../adapters/javascript/starter.mjs")),
    ("java", include_str!("../../adapters/java/Starter.java")),
    ("go", include_str!("../../adapters/go/starter/starter.go")),
    ("ruby", include_str!("../../adapters/ruby/starter.rb")),
];

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let known = LANGUAGES.into_iter().find(|(name, _)| *name == arguments.language);
    let (_, text) = known.ok_or_else(|| Exit::usage(format!("no starter in {}", arguments.language)))?;
    session.bytes().write_all(text.as_bytes())?;
    Ok(Exit::success())
}
