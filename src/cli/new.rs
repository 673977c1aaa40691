//! `new`: writes a case for the corpus, from a finding or a message.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use super::exit::Exit;
use super::findings::write_whole;
use super::names::{method_parser, profile_parser};
use super::session::Session;
use super::text_file::{read_input, read_text};
use crate::adapter::{Ask, Implementation, InProcess};
use crate::campaign::scaffold;
use crate::case::{is_well_formed_id, read_case};
use crate::format::{Format, Method};
use crate::formats::FORMATS;
use crate::generate::Input;
use crate::nearest::{nearest, suggestion};
use crate::settings::ProfileName;
use crate::settings::Settings;

/// Arguments of `new`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Use this id for the new case, with the format as its first part: FORMAT/TOPIC/NAME
    #[arg(value_name = "ID")]
    id: String,
    /// Read the input from this file, or from standard input if it is `-`
    ///
    /// The input is the message itself for methods that read a stored message, the payload or the messages as JSON for
    /// methods that take one, and the params as JSON for all others.
    #[arg(value_name = "FILE", default_value = "-", conflicts_with = "from")]
    input: PathBuf,
    /// Import a case file written by `fuzz --save`; the original is deleted
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Use this method [default: the usual one of the format]
    #[arg(long, value_name = "METHOD", conflicts_with = "from", value_parser = method_parser(), hide_possible_values = true)]
    method: Option<Method>,
    /// Treat the message as incomplete
    #[arg(long, conflicts_with = "from")]
    streaming: bool,
    /// Run the case in this profile
    #[arg(long, value_name = "P", default_value = "core", value_parser = profile_parser(), conflicts_with = "from")]
    profile: ProfileName,
    /// Write the case file to this folder
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    cases: PathBuf,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let id = &arguments.id;
    if !is_well_formed_id(id) || FORMATS.format_of(id).is_none() {
        let format = id.split('/').next().unwrap_or_default();
        let question = nearest(format, FORMATS.all().map(Format::name))
            .map_or_else(String::new, |meant| suggestion(id.replacen(format, meant, 1)));
        let formats = FORMATS.all().map(Format::name).collect::<Vec<_>>().join(", ");
        return Err(Exit::usage(format!(
            "expected an id `format/topic/name` of a-z, 0-9 and `-`, where the format is one of {formats}, \
             but found `{id}`{question}"
        )));
    }
    let path = arguments.cases.join(format!("{id}.json"));
    if path.exists() {
        return Err(Exit::usage(format!("expected a new id, but {} exists", path.display())));
    }
    let (text, name) = match &arguments.from {
        Some(from) => {
            let text =
                read_text(from).map_err(|error| Exit::usage(format!("{} cannot be read: {error}", from.display())))?;
            (text, from.display().to_string())
        }
        None => (scaffolded(arguments)?, path.display().to_string()),
    };
    read_case(id, &text).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    write_whole(&path, &text)?;
    if let Some(from) = &arguments.from {
        std::fs::remove_file(from)
            .map_err(|error| Exit::usage(format!("{} cannot be deleted: {error}", from.display())))?;
    }
    let what = "say why the case exists, check its rules and its expected result, then remove `unreviewed`";
    writeln!(session.out, "{}: {what}", path.display())?;
    Ok(Exit::success())
}

/// Writes a case that expects the answer of the reference.
fn scaffolded(arguments: &Arguments) -> Result<String, Exit> {
    let usual = || FORMATS.format_of(&arguments.id).map(|format| format.usual_method());
    let method = arguments.method.or_else(usual).ok_or_else(|| Exit::usage("expected the id of a format"))?;
    if FORMATS.format_of(&arguments.id) != Some(method.format()) {
        return Err(Exit::usage(format!("expected an id that begins with {}/ for {method}", method.format())));
    }
    if arguments.streaming && !method.reads_streaming {
        let streaming: Vec<&str> =
            FORMATS.methods().filter(|method| method.reads_streaming).map(|method| method.name()).collect();
        let streaming = streaming.join(", ");
        return Err(Exit::usage(format!("expected --streaming only with {streaming}, but the method is {method}")));
    }
    let (text, name) = read_input(&arguments.input)?;
    let params = (method.from_text)(&text, arguments.streaming).map_err(|why| Exit::usage(format!("{name}: {why}")))?;
    let line = params.to_ascii();
    (method.params.check)(&line).map_err(|why| Exit::usage(format!("{name}: expected params of {method}: {why}")))?;
    let options = Settings::of(arguments.profile);
    let ask = Ask { method, params: &line };
    let answers = InProcess::new(options.clone()).send_all(&[ask], &AtomicBool::new(false), &|| {});
    match answers.first() {
        Some(answer) => scaffold(&Input { method, params }, answer, &options)
            .ok_or_else(|| Exit::usage(format!("{name}: the reference gives no answer: {answer}"))),
        None => Err(Exit::usage(format!("{name}: the reference gives no answer"))),
    }
}
