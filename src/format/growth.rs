//! Inputs of a method that can be made longer and longer, to measure how the time of its answers grows.

use std::fmt;

use crate::generate::Draw;
use crate::json::Json;

/// A text or a list of a method's params that can be made as long as one likes.
#[derive(Clone, Copy)]
pub struct GrowthPoint {
    /// The JSON pointer of the text or list.
    pub at: &'static str,
    /// Texts of which one may come before the repeated fragment, once.
    pub prefixes: &'static [&'static str],
    /// Draws a fragment: a piece of a text, or the JSON text of an item.
    pub fragment: fn(&mut dyn Draw) -> String,
    /// The params with the prefix, and then the fragment so many times.
    pub params: fn(&str, &str, usize) -> Json,
}

impl fmt::Debug for GrowthPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GrowthPoint").field(&self.at).finish()
    }
}
