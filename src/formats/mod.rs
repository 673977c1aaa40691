//! The definitions of the formats, a folder each. The only list of formats is here.

mod glossen;
mod openui;
mod toonui;

use crate::format::Formats;

/// Every format.
pub static FORMATS: Formats = Formats::new(&[&openui::Openui, &toonui::Toonui, &glossen::Glossen]);
