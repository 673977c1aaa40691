//! Makes an input smaller while a condition stays true. A closure decides the condition.

mod text;
mod value;

pub use text::text;
pub use value::value;
