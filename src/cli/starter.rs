//! `starter`: prints a starter adapter.

use std::io::Write;

use clap::ValueEnum;

use super::exit::Exit;
use super::session::Session;

/// Arguments of `starter`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print the starter in this language
    #[arg(value_name = "LANGUAGE", value_enum)]
    language: Language,
}

/// A language with a starter.
#[derive(Clone, Copy, ValueEnum)]
enum Language {
    Python,
    Javascript,
    Java,
    Go,
    Ruby,
}

impl Language {
    /// Returns the text of the starter.
    fn starter(self) -> &'static str {
        match self {
            Language::Python => include_str!("../../adapters/python/starter.py"),
            Language::Javascript => include_str!("../../adapters/javascript/starter.mjs"),
            Language::Java => include_str!("../../adapters/java/Starter.java"),
            Language::Go => include_str!("../../adapters/go/starter/starter.go"),
            Language::Ruby => include_str!("../../adapters/ruby/starter.rb"),
        }
    }
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    session.bytes().write_all(arguments.language.starter().as_bytes())?;
    Ok(Exit::success())
}
