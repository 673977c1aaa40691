//! Oracles: independent and slow implementations of the rules. They share no code with the references, so that the two
//! can disagree.

mod double;
pub mod glossen;
pub mod openui;
pub mod toonui;
