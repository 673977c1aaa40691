//! The definition of the Glossen message contract.

mod compare;
mod deciding;
mod growth;
mod methods;
mod places;
mod unspecified;

use crate::format::{FormatDef, MethodDef, RulePlaces, Unspecified};
use crate::options::Options;
use crate::protocol::Format;

/// The definition of the Glossen message contract.
pub(super) struct Glossen;

impl FormatDef for Glossen {
    fn format(&self) -> Format {
        Format::Glossen
    }

    fn methods(&self) -> &'static [MethodDef] {
        methods::METHODS
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
