//! Where in a file something stands.

use std::fmt;

/// A place in a text: line and column, both from 1; a column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The start of a text.
    pub const START: Place = Place { line: 1, column: 1 };

    /// The place of a byte offset.
    #[must_use]
    pub fn of_offset(text: &str, offset: usize) -> Place {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    /// The first place where `word` stands in quotes, such as a key or a rule's id; the start of the text where
    /// it does not.
    #[must_use]
    pub fn of_word(text: &str, word: &str) -> Place {
        text.find(&format!("\"{word}\"")).map_or(Place::START, |at| Place::of_offset(text, at))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
