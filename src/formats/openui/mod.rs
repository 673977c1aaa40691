//! The definition of OpenUI stored messages.

mod methods;

use crate::format::{FormatDef, MethodDef};
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
