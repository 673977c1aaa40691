//! `show`: cases whole.

use std::io::Write;

use super::CaseArguments;
use super::exit::Exit;
use super::session::Session;
use crate::case::Case;
use crate::explain::{Expected, Explanation, explain_glossen, explain_openui, explain_toonui};
use crate::openui::Mode;
use crate::options::Options;
use crate::protocol::{Format, Request, request_value};
use crate::report::{printable, write_parts};
use crate::rules;

/// Arguments of `show`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    cases: CaseArguments,
}

pub(super) fn run(arguments: &Arguments, session: &mut Session) -> Result<Exit, Exit> {
    let corpus = arguments.cases.corpus.corpus()?;
    let cases = arguments.cases.select(&corpus)?;
    let out = &mut session.out;
    for (index, case) in cases.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        show(case, out)?;
    }
    Ok(Exit::success())
}

fn show(case: &Case, out: &mut dyn Write) -> std::io::Result<()> {
    let profiles: Vec<&str> = case.profiles.iter().map(|profile| profile.name()).collect();
    writeln!(out, "{}", printable(&case.id))?;
    writeln!(out, "  {}", printable(&case.about))?;
    writeln!(out, "  level {}, since {}, profiles {}", case.level, case.since, profiles.join(", "))?;
    for id in &case.rules {
        match rules::named(id) {
            Some(rule) => writeln!(out, "\n  {id} ({}): {}", rule.level_name(), rule.text)?,
            None => writeln!(out, "\n  {}: no rule of this suite", printable(id))?,
        }
    }
    // The file says it best: what is asked and expected, in the words of whoever wrote it.
    writeln!(out)?;
    for line in case.source.lines() {
        writeln!(out, "  {}", printable(line))?;
    }
    let Some(profile) = case.profiles.first() else { return Ok(()) };
    let Ok(request) = Request::read(case.method, &case.params) else { return Ok(()) };
    let options = Options::of(*profile);
    let chunks = match &request {
        Request::OpenuiStream(params) => params.chunks.concat(),
        _ => String::new(),
    };
    if let Some(explanation) = explain(&request, &chunks, &options) {
        let in_profile = match explanation.format {
            Format::Openui => format!(" in profile {profile}"),
            Format::Toonui | Format::Glossen => String::new(),
        };
        writeln!(out, "\n  how the reference reads it{in_profile}")?;
        write_parts(&explanation, "  ", out)?;
    }
    Ok(())
}

/// What the reference makes of the message, the payload or the messages that a request has; `None` where it has none
/// of these.
fn explain<'a>(request: &'a Request, chunks: &'a str, options: &'a Options) -> Option<Explanation<'a>> {
    let openui = |raw, mode| Some(explain_openui(raw, mode, &options.openui));
    let glossen = |value, pages, streaming| {
        let value = request_value(value).ok()?;
        Some(explain_glossen(&value, &Expected { choices: options.glossen, pages, streaming }))
    };
    match request {
        Request::OpenuiParse(params) if params.streaming == Some(true) => openui(&params.raw, Mode::Streaming),
        Request::OpenuiParse(params) => openui(&params.raw, Mode::Whole),
        Request::OpenuiModelText(params) => openui(&params.raw, Mode::Whole),
        Request::OpenuiStream(_) => openui(chunks, Mode::Whole),
        Request::ToonuiToContent(params)
        | Request::ToonuiToDisplayContent(params)
        | Request::ToonuiToModelMessage(params)
        | Request::ToonuiToUiMessage(params) => {
            request_value(Some(&params.payload)).ok().map(|payload| explain_toonui(&payload))
        }
        Request::GlossenValidate(params) | Request::GlossenToModelMessages(params) => {
            glossen(Some(&params.messages), None, true)
        }
        Request::GlossenCheck(params) => {
            glossen(Some(&params.message), params.pages.as_deref(), params.finished != Some(true))
        }
        Request::GlossenEdit(params) => glossen(Some(&params.messages), None, true),
        _ => None,
    }
}
