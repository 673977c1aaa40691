//! JSON values that lose nothing: the text of numbers, the order of members, names given twice, and escapes
//! of lone surrogates all survive reading and writing.
//!
//! The suite judges what other programs write, so its own reader may not be narrower than theirs: a correct
//! adapter in JavaScript or Python may write `"\ud800"`, `1e400` or a list nested 900 deep. `serde_json` reads
//! the files and the protocol's fixed members; the values that are compared are read here.
//!
//! Not supported: comments, `NaN`, trailing commas or anything else that RFC 8259 does not allow.

mod meaning;
mod number;
mod parse;
mod pointer;
mod value;
mod write;

pub use meaning::{first_difference, json_equal};
pub use number::Number;
pub use parse::{Error, parse, parse_within};
pub use pointer::{Pointer, PointerError};
pub use value::{Json, JsonString};
pub use write::Style;

/// The deepest nesting that a protocol line may have: far more than any real message, and little enough that
/// recursion over a value is safe on every thread's stack.
pub const MAX_DEPTH: usize = 1_000;
