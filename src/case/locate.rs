//! Places in a file.

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

    /// Returns the first place where `word` occurs in quotes, such as a key or a rule's id; the start of the text if it
    /// does not occur.
    #[must_use]
    pub fn of_word(text: &str, word: &str) -> Place {
        Place::of_path(text, &[word])
    }

    /// Returns the place of the last of these words, each of which is looked for in quotes after the previous one, as
    /// [`Place::of_word`] does; if one is missing, the place of the previous one.
    #[must_use]
    pub fn of_path(text: &str, words: &[&str]) -> Place {
        let (mut from, mut found) = (0, 0);
        for word in words {
            let quoted = format!("\"{word}\"");
            let Some(at) = text[from..].find(&quoted) else { break };
            found = from + at;
            from = found + quoted.len();
        }
        Place::of_offset(text, found)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
