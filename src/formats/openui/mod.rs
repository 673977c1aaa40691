//! The definition of OpenUI stored messages.

mod checks;
mod methods;

use crate::format::{FormatDef, MethodDef};
use crate::options::Options;
use crate::protocol::Format;

/// The definition of OpenUI stored messages.
pub(super) struct Openui;

impl FormatDef for Openui {
    fn format(&self) -> Format {
        Format::Openui
    }

    fn methods(&self) -> &'static [MethodDef] {
        methods::METHODS
    }
}

/// The options of the reader.
fn options(options: &Options) -> crate::openui::Options {
    options.openui
}
