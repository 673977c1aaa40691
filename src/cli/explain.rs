//! `explain`: shows each line or part of a message with the rules that apply.

use std::io::Write;
use std::path::PathBuf;

use super::choices::read_choices;
use super::exit::Exit;
use super::names::{format_parser, profile_parser};
use super::session::Session;
use super::text_file::read_input;
use crate::explain::{Explanation, format_of};
use crate::format::Format;
use crate::formats::FORMATS;
use crate::report::{write_explanation, write_explanation_json};
use crate::run::options;
use crate::settings::ProfileName;

/// Arguments of `explain`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Explain the input in this format [default: detected]
    ///
    /// The input is a stored message as text, a payload as JSON, or a message or a list of messages as JSON. By default, a
    /// JSON list or an object with a role is read as messages, an object with a kind as a payload, and anything else as a
    /// stored message.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,
    /// Explain the beginning of an incomplete message
    #[arg(long)]
    streaming: bool,
    /// Use this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser())]
    profile: ProfileName,
    /// Make a choice on an open point
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// Print JSON with all texts in full, by spec/schemas/explanation.json
    #[arg(long)]
    json: bool,
    /// Read the message from this file, or from standard input if it is `-`
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let options = options(arguments.profile, &read_choices(&arguments.choices, arguments.profile)?);
    let (text, name) = read_input(&arguments.file)?;
    let usage = |why: &dyn std::fmt::Display| Exit::usage(format!("{name}: {why}"));
    let format = match arguments.format {
        Some(format) => format,
        None => format_of(FORMATS, &text).map_err(|why| usage(&why))?,
    };
    let explanation = format.explain(&text, arguments.streaming, &options).map_err(|why| usage(&why))?;
    write(&explanation, arguments.json, &mut session.out)?;
    Ok(Exit::success())
}

fn write(explanation: &Explanation<'_>, json: bool, out: &mut dyn Write) -> std::io::Result<()> {
    if json { write_explanation_json(explanation, out) } else { write_explanation(explanation, out) }
}
