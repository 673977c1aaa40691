//! The definition of the Glossen message contract.

mod checks;
mod compare;
mod deciding;
mod explain;
pub(crate) mod generate;
mod growth;
mod methods;
mod mutants;
mod places;
mod reference;
mod shape;
mod unspecified;
mod wire;

pub use explain::{Expected, explain_glossen};
pub use methods::{CHECK, EDIT, SOURCES, TO_MODEL_MESSAGES, VALIDATE};

use crate::explain::Explanation;
use crate::format::{Format, FormatDef, Method, Mutant, PartKind, Reference, RulePlaces, Unspecified, json_text};
use crate::json::Json;
use crate::options::Options;
use crate::protocol::ParamsError;

/// The definition of the Glossen message contract.
pub(super) struct Glossen;

/// The format.
pub const FORMAT: Format = Format::new(&Glossen);

impl FormatDef for Glossen {
    fn name(&self) -> &'static str {
        "glossen"
    }

    fn parts(&self) -> PartKind {
        PartKind::Places
    }

    fn methods(&self) -> &'static [Method] {
        methods::METHODS
    }
    fn reference(&self, options: &Options) -> Box<dyn Reference> {
        Box::new(options.glossen)
    }

    fn mutants(&self) -> Vec<Mutant> {
        mutants::all()
    }

    fn usual_method(&self) -> Method {
        methods::VALIDATE
    }

    fn recognises(&self, value: Option<&Json>) -> bool {
        match value {
            Some(Json::Array(_)) => true,
            Some(value @ Json::Object(_)) => value.get("role").is_some(),
            _ => false,
        }
    }

    fn explain<'a>(
        &self,
        text: &'a str,
        streaming: bool,
        options: &'a Options,
    ) -> Result<Explanation<'a>, ParamsError> {
        let expected = explain::Expected { choices: options.glossen, pages: None, streaming };
        Ok(explain::explain_glossen(&json_text(self.name(), text)?, &expected))
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}

/// The choices of the contract's reference, as its crate takes them.
fn choices(options: &Options) -> genui_glossen::Choices {
    options.glossen
}
