//! Attributes of the winning content marker, decoded when asked for.

use std::borrow::Cow;

use super::options::{Choices, DuplicateAttribute, EmptyName};

/// The attributes of the winning content marker, still as its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    text: &'a str,
    choices: Choices,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(text: &'a str, choices: Choices) -> Attributes<'a> {
        Attributes { text, choices }
    }

    /// The text between `?` and the line ending, as it was written; empty where there is none.
    #[must_use]
    pub fn as_text(&self) -> &'a str {
        self.text
    }

    /// Names and values, decoded as `application/x-www-form-urlencoded` (URL Standard), each name once, in the
    /// order of the names' first places. What happens to a name given twice and to an empty one follows the
    /// choices (`openui.attributes.duplicate`, `openui.attributes.empty-name`).
    #[must_use]
    pub fn decode(&self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        let mut pairs: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::new();
        // Many attributes are found again through a map; a search through the list would be quadratic.
        let mut places = std::collections::HashMap::new();
        for (name, value) in form_urlencoded::parse(self.text.as_bytes()) {
            if name.is_empty() && self.choices.empty_name == EmptyName::Dropped {
                continue;
            }
            match places.entry(name.clone()) {
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(pairs.len());
                    pairs.push((name, value));
                }
                std::collections::hash_map::Entry::Occupied(place) => {
                    if self.choices.duplicate_attribute == DuplicateAttribute::Last {
                        pairs[*place.get()].1 = value;
                    }
                }
            }
        }
        pairs
    }
}
