//! The definition of OpenUI stored messages.

mod checks;
mod compare;
mod deciding;
mod explain;
mod features;
pub mod fixtures;
pub(crate) mod generate;
mod growth;
mod methods;
mod mutants;
mod places;
mod reference;
mod shape;
mod unspecified;
mod unsupported;
mod wire;

pub use explain::explain_openui;
pub use methods::{BUILD, FROM_EVENT, MODEL_TEXT, PARSE, STREAM};

use crate::explain::Explanation;
use crate::format::{FeatureDef, Format, FormatDef, Method, Mutant, Reference, RulePlaces, Unspecified};
use crate::json::Json;
use crate::openui::Mode;
use crate::options::Options;
use crate::protocol::ParamsError;

/// The definition of OpenUI stored messages.
pub(super) struct Openui;

/// The format.
pub const FORMAT: Format = Format::new(&Openui);

impl FormatDef for Openui {
    fn name(&self) -> &'static str {
        "openui"
    }

    fn has_profiles(&self) -> bool {
        true
    }

    fn methods(&self) -> &'static [Method] {
        methods::METHODS
    }

    fn reference(&self, options: &Options) -> Box<dyn Reference> {
        Box::new(options.openui)
    }

    fn mutants(&self) -> Vec<Mutant> {
        mutants::all()
    }

    fn usual_method(&self) -> Method {
        methods::PARSE
    }

    fn recognises(&self, value: Option<&Json>) -> bool {
        // Every text reads as a message.
        let _ = value;
        true
    }

    fn explain<'a>(
        &self,
        text: &'a str,
        streaming: bool,
        options: &'a Options,
    ) -> Result<Explanation<'a>, ParamsError> {
        let mode = if streaming { Mode::Streaming } else { Mode::Whole };
        Ok(explain::explain_openui(text, mode, &options.openui))
    }

    fn features(&self) -> &'static [FeatureDef] {
        features::FEATURES
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}

/// The choices of the reader, as its crate takes them.
fn reader_options(options: &Options) -> genui_openui::Options {
    options.openui
}
