//! The definitions of the formats, a folder each. The only list of formats is here.

pub mod glossen;
pub mod openui;
pub mod toonui;
mod values;

use crate::format::Formats;

/// Every format.
pub const FORMATS: Formats = Formats::new(&[openui::FORMAT, toonui::FORMAT, glossen::FORMAT]);
