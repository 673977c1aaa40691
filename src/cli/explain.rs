//! `explain`: a message line by line, or part by part, and the rules that say so.

use std::io::Write;
use std::path::PathBuf;

use super::adapter::parse_profile;
use super::choices::read_choices;
use super::exit::Exit;
use super::names::parse_format;
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
    /// What the input is: openui, a stored message; toonui, a payload; glossen, a list of messages or one of them
    /// [default: glossen for a JSON list or an object with a role, toonui for an object with a kind, otherwise openui]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Option<Format>,
    /// Read the beginning of a message of which more may come
    #[arg(long)]
    streaming: bool,
    /// The OpenUI profile: core, chat or line-start
    #[arg(long, value_name = "P", default_value = "core", value_parser = parse_profile)]
    profile: ProfileName,
    /// Make a choice on a point that the documents leave open
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// Print JSON, by spec/schemas/explanation.json, with every text whole
    #[arg(long)]
    json: bool,
    /// The file with the message; `-` is standard input
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
