//! `explain`: a message line by line, or part by part, and the rules that say so.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::adapter::parse_profile;
use super::exit::Exit;
use crate::explain::{Expected, Explanation, Input, explain_glossen, explain_openui, explain_toonui};
use crate::openui::{Mode, Profile};
use crate::options::Options;
use crate::protocol::Format;
use crate::report::{write_explanation, write_explanation_json};
use crate::run::{options, read_choice};

/// No stored message that people look at is longer.
const LONGEST_MESSAGE: u64 = 16 * 1024 * 1024;

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
    profile: Profile,
    /// Make a choice on a point that the documents leave open
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// Print JSON, by spec/schemas/explanation.json, with every text whole
    #[arg(long)]
    json: bool,
    /// The file with the message; `-` or none is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    let known = Format::ALL.map(Format::name).join(", ");
    Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| format!("expected one of {known}"))
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let options = chosen(arguments)?;
    let file = arguments.file.as_deref().filter(|file| *file != Path::new("-"));
    let name = file.map_or_else(|| "standard input".to_owned(), |file| file.display().to_string());
    let text = read(file).map_err(|why| Exit::usage(format!("{name}: {why}")))?;
    let input = Input::read(&text, arguments.format).map_err(|why| Exit::usage(format!("{name}: {why}")))?;
    let mode = if arguments.streaming { Mode::Streaming } else { Mode::Whole };
    let explanation = match &input {
        Input::Openui(raw) => explain_openui(raw, mode, &options.openui),
        Input::Toonui(payload) => explain_toonui(payload),
        Input::Glossen(messages) => {
            let expected = Expected { choices: options.glossen, pages: None, streaming: arguments.streaming };
            explain_glossen(messages, &expected)
        }
    };
    let mut out = std::io::BufWriter::new(anstream::stdout());
    write(&explanation, arguments.json, &mut out)?;
    out.flush()?;
    Ok(Exit::success())
}

fn write(explanation: &Explanation<'_>, json: bool, out: &mut dyn Write) -> std::io::Result<()> {
    if json { write_explanation_json(explanation, out) } else { write_explanation(explanation, out) }
}

fn chosen(arguments: &Arguments) -> Result<Options, Exit> {
    let mut asked = BTreeMap::new();
    for choice in &arguments.choices {
        let (rule, name) =
            read_choice(choice, arguments.profile).map_err(|error| Exit::usage(format!("--choice: {error}")))?;
        if let Some(other) = asked.insert(rule.clone(), name.clone()).filter(|other| *other != name) {
            return Err(Exit::usage(format!("--choice: expected one choice for {rule}, but found {other} and {name}")));
        }
    }
    Ok(options(arguments.profile, &asked))
}

/// Reads the message; not without end, as some devices give.
fn read(file: Option<&Path>) -> Result<String, String> {
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = match file {
        Some(file) => Box::new(std::fs::File::open(file).map_err(|error| format!("cannot be read: {error}"))?),
        None => Box::new(std::io::stdin()),
    };
    let read = source.take(LONGEST_MESSAGE + 1).read_to_end(&mut bytes);
    let read = read.map_err(|error| format!("cannot be read: {error}"))?;
    if read as u64 > LONGEST_MESSAGE {
        return Err(format!("expected at most {LONGEST_MESSAGE} bytes, but found more"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("expected UTF-8, but found other bytes from byte {at} on")
    })
}
