//! The definition of ToonUI events and messages.

mod compare;
mod deciding;
mod growth;
mod methods;
mod places;
mod unspecified;

use crate::format::{FormatDef, MethodDef, RulePlaces, Unspecified};
use crate::protocol::Format;

/// The definition of ToonUI events and messages.
pub(super) struct Toonui;

impl FormatDef for Toonui {
    fn format(&self) -> Format {
        Format::Toonui
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
