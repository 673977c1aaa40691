//! The definition of OpenUI stored messages.

mod compare;
mod deciding;
mod features;
mod growth;
mod methods;
mod places;
mod unspecified;
mod unsupported;

use crate::format::{FormatDef, MethodDef, RulePlaces, Unspecified};
use crate::options::Options;
use crate::protocol::{FeatureDef, Format};

/// The definition of OpenUI stored messages.
pub(super) struct Openui;

impl FormatDef for Openui {
    fn format(&self) -> Format {
        Format::Openui
    }

    fn methods(&self) -> &'static [MethodDef] {
        methods::METHODS
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
