//! Making an input smaller while something about it stays true. Pure: what stays true is asked of a closure.

mod text;
mod value;

pub use text::text;
pub use value::value;
