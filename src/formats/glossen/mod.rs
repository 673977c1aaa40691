//! The definition of the Glossen message contract.

mod checks;
mod methods;

use crate::format::{FormatDef, MethodDef};
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
}

/// The choices of the reference.
fn choices(options: &Options) -> crate::glossen::Choices {
    options.glossen
}
