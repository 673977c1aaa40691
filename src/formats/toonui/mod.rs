//! The definition of ToonUI events and messages.

mod checks;
mod compare;
mod deciding;
mod explain;
pub mod generate;
mod growth;
mod methods;
mod mutants;
mod places;
mod reference;
mod shape;
mod unspecified;
mod wire;

pub use explain::explain_toonui;
pub use methods::{REPLY, SUBMIT, TO_CONTENT, TO_DISPLAY_CONTENT, TO_MODEL_MESSAGE, TO_UI_MESSAGE};

use crate::explain::Explanation;
use crate::format::{Document, Format, FormatDef, Method, Mutant, Reference, RulePlaces, Unspecified, json_text};
use crate::json::Json;
use crate::protocol::ParamsError;
use crate::settings::Settings;

/// The definition of ToonUI events and messages.
pub(super) struct Toonui;

/// The format.
pub const FORMAT: Format = Format::new(&Toonui);

impl FormatDef for Toonui {
    fn name(&self) -> &'static str {
        "toonui"
    }

    fn document(&self) -> Document {
        Document { path: "spec/toonui.md", text: include_str!("../../../spec/toonui.md") }
    }

    fn methods(&self) -> &'static [Method] {
        methods::METHODS
    }
    fn reference(&self, _options: &Settings) -> Box<dyn Reference> {
        Box::new(reference::Toonui)
    }

    fn mutants(&self) -> Vec<Mutant> {
        mutants::all()
    }

    fn usual_method(&self) -> Method {
        methods::TO_CONTENT
    }

    fn recognises(&self, value: Option<&Json>) -> bool {
        matches!(value, Some(Json::Object(_))) && value.is_some_and(|value| value.get("kind").is_some())
    }

    fn explain<'a>(&self, text: &'a str, streaming: bool, options: &Settings) -> Result<Explanation<'a>, ParamsError> {
        let _ = (streaming, options);
        Ok(explain::explain_toonui(&json_text(self.name(), text)?))
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}
