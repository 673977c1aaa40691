//! Oracles: independent and slow implementations of the rules. They share no code with the references, so that the two
//! can disagree.

pub mod glossen;
pub mod openui;
