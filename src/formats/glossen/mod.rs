//! The definition of the Glossen message contract.

mod checks;
mod compare;
mod deciding;
mod explain;
pub mod generate;
mod growth;
mod methods;
mod mutants;
pub(crate) mod open_points;
mod places;
mod reference;
mod shape;
mod unspecified;
mod wire;

pub use explain::{Expected, explain_glossen};
pub use methods::{CHECK, EDIT, SOURCES, TO_MODEL_MESSAGES, VALIDATE};

use crate::explain::Explanation;
use crate::format::{
    Document, Format, FormatDef, Method, Mutant, PartKind, Reference, RulePlaces, Unspecified, json_text,
};
use crate::json::Json;
use crate::open_points::OpenPoint;
use crate::protocol::ParamsError;
use crate::settings::Settings;

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

    fn open_points(&self) -> &'static [OpenPoint] {
        open_points::OPEN_POINTS
    }

    fn document(&self) -> Document {
        Document { path: "spec/glossen.md", text: include_str!("../../../spec/glossen.md") }
    }

    fn methods(&self) -> &'static [Method] {
        methods::METHODS
    }
    fn reference(&self, options: &Settings) -> Box<dyn Reference> {
        Box::new(choices(options))
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

    fn explain<'a>(&self, text: &'a str, streaming: bool, options: &Settings) -> Result<Explanation<'a>, ParamsError> {
        let expected = explain::Expected { choices: choices(options), pages: None, streaming };
        Ok(explain::explain_glossen(&json_text(self.name(), text)?, &expected))
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}

/// The choices as the reference takes them.
#[must_use]
pub fn choices(settings: &Settings) -> genui_glossen::Choices {
    let mut choices = genui_glossen::Choices::default();
    for (rule, name) in settings.other_choices() {
        // Choices of other formats are none of the contract's.
        let _ = open_points::choose(&mut choices, rule, name);
    }
    choices
}
