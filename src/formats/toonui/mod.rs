//! The definition of ToonUI events and messages.

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

pub use explain::explain_toonui;

use crate::explain::Explanation;
use crate::format::{FormatDef, MethodDef, Mutant, Reference, RulePlaces, Unspecified, json_text};
use crate::json::Json;
use crate::options::Options;
use crate::protocol::{Format, Method, ParamsError};

/// The definition of ToonUI events and messages.
pub(super) struct Toonui;

impl FormatDef for Toonui {
    fn format(&self) -> Format {
        Format::Toonui
    }

    fn methods(&self) -> &'static [MethodDef] {
        methods::METHODS
    }
    fn reference(&self, _options: &Options) -> Box<dyn Reference> {
        Box::new(reference::Toonui)
    }

    fn mutants(&self) -> Vec<Mutant> {
        mutants::all()
    }

    fn usual_method(&self) -> Method {
        Method::ToonuiToContent
    }

    fn recognises(&self, value: Option<&Json>) -> bool {
        matches!(value, Some(Json::Object(_))) && value.is_some_and(|value| value.get("kind").is_some())
    }

    fn explain<'a>(
        &self,
        text: &'a str,
        streaming: bool,
        options: &'a Options,
    ) -> Result<Explanation<'a>, ParamsError> {
        let _ = (streaming, options);
        Ok(explain::explain_toonui(&json_text(self.format(), text)?))
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}
