//! Reports: what a record says to people. They read records and run nothing.

mod escape;
mod human;
mod repeat;
mod trace;

pub use escape::{excerpt, printable};
pub use human::{HumanReport, write_human};
pub use repeat::Repeat;
pub use trace::write_trace;
