//! The definition of ToonUI events and messages.

mod checks;
mod methods;

use crate::format::{FormatDef, MethodDef};
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
}
