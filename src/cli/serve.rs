//! `serve`: runs the reference as an adapter.

use super::choices::read_choices;
use super::exit::Exit;
use super::names::profile_parser;
use crate::adapter::{InProcessAdapter, serve};
use crate::formats::FORMATS;
use crate::mutation::mutant_adapter;
use crate::nearest::did_you_mean;
use crate::run::options;
use crate::settings::ProfileName;

/// Arguments of `serve`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Use this profile, whatever the handshake requests
    #[arg(long, value_name = "P", value_parser = profile_parser())]
    profile: Option<ProfileName>,
    /// Use this choice, whatever the handshake requests
    #[arg(long = "choice", value_name = "RULE=NAME")]
    choices: Vec<String>,
    /// Serve this mutant instead of the reference; `prove` lists the mutants
    #[arg(long, value_name = "NAME")]
    mutant: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Exit> {
    let profile = arguments.profile.unwrap_or_default();
    let chosen = read_choices(&arguments.choices, profile)?;
    let fixed = arguments.profile.is_some() || !chosen.is_empty();
    let adapter = match &arguments.mutant {
        None => InProcessAdapter::reference(),
        Some(name) => {
            let mutant = FORMATS.mutant(name).ok_or_else(|| {
                let question = did_you_mean(name, FORMATS.mutants().map(|mutant| mutant.name));
                Exit::usage(format!("expected the name of a mutant (`prove` lists them), but found {name}{question}"))
            })?;
            mutant_adapter(mutant)
        }
    };
    serve(adapter, std::io::stdin().lock(), std::io::stdout().lock(), fixed.then(|| options(profile, &chosen)))?;
    Ok(Exit::success())
}
