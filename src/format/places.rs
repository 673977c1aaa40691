//! The places at which two results differ, and which rules are about which places.

use std::collections::BTreeSet;

use crate::json::{Json, JsonString, json_equal};

/// Places that are kept of one failure; more say no more.
const MOST: usize = 64;

/// The rules that are about certain places of a result.
///
/// A place is a word of the format, or a JSON pointer with `*` for each index. A pointer has `:space` or `:text` after
/// it where texts differ in white space alone or otherwise, and `#` where lists differ in length. `refusal` is a result
/// where a refusal was expected, or the other way round. `*:space` is any text that differs in white space alone.
#[derive(Clone, Copy, Debug)]
pub struct RulePlaces {
    /// The id of a rule, or the beginning of the ids of several and `*`. The longest that fits a rule counts.
    pub rules: &'static str,
    /// The places.
    pub places: &'static [&'static str],
    /// Which reading of a message the rules are about.
    pub reading: Reading,
}

/// A reading of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Any.
    Any,
    /// As the beginning of a message of which more may come.
    Streaming,
    /// As a finished message.
    Whole,
}

impl RulePlaces {
    /// Rules that are about these places, however a message is read.
    #[must_use]
    pub const fn new(rules: &'static str, places: &'static [&'static str]) -> RulePlaces {
        RulePlaces { rules, places, reading: Reading::Any }
    }

    /// Rules that are about these places in one reading of a message.
    #[must_use]
    pub const fn in_reading(rules: &'static str, places: &'static [&'static str], reading: Reading) -> RulePlaces {
        RulePlaces { rules, places, reading }
    }

    /// Whether these are rows for the rule of this id.
    #[must_use]
    pub fn names(&self, id: &str) -> bool {
        self.rules.strip_suffix('*').map_or(id == self.rules, |start| id.starts_with(start))
    }
}

/// Where a result differs from the expected one.
#[derive(Debug, Default)]
pub struct Places {
    words: BTreeSet<String>,
    /// Whether something differs that was read while more was to come.
    pub streaming: bool,
    /// Whether something differs that was read whole.
    pub whole: bool,
}

impl Places {
    /// Of a whole reading, with no place yet.
    #[must_use]
    pub fn of_whole() -> Places {
        Places { whole: true, ..Places::default() }
    }

    /// One place.
    #[must_use]
    pub fn one(word: &str) -> Places {
        Places { words: BTreeSet::from([word.to_owned()]), ..Places::of_whole() }
    }

    /// The places.
    #[must_use]
    pub fn words(&self) -> &BTreeSet<String> {
        &self.words
    }

    /// Adds a place.
    pub fn add(&mut self, word: impl Into<String>) {
        if self.words.len() < MOST {
            self.words.insert(word.into());
        }
    }

    /// Calls a place by another word, if it is there.
    pub fn rename(&mut self, word: &str, new: &str) {
        if self.words.remove(word) {
            self.words.insert(new.to_owned());
        }
    }

    /// Adds the innermost places at which two results differ.
    pub fn add_leaves(&mut self, expected: &Json, found: &Json) {
        self.leaves("", expected, found);
    }

    fn leaves(&mut self, at: &str, expected: &Json, found: &Json) {
        if self.words.len() >= MOST || json_equal(expected, found) {
            return;
        }
        match (expected, found) {
            (Json::Object(left), Json::Object(right)) => {
                let names: BTreeSet<&JsonString> = left.iter().chain(right).map(|(name, _)| name).collect();
                for name in names {
                    let name = name.to_text();
                    let place = format!("{at}/{name}");
                    match (expected.get(&name), found.get(&name)) {
                        (Some(left), Some(right)) => self.leaves(&place, left, right),
                        _ => self.add(place),
                    }
                }
            }
            (Json::Array(left), Json::Array(right)) => {
                if left.len() != right.len() {
                    // One too many or too few moves all after it.
                    return self.add(format!("{at}#"));
                }
                let place = format!("{at}/*");
                left.iter().zip(right).for_each(|(left, right)| self.leaves(&place, left, right));
            }
            (Json::String(left), Json::String(right)) => {
                let is_space = without_space(&left.to_text()) == without_space(&right.to_text());
                self.add(format!("{at}:{}", if is_space { "space" } else { "text" }));
            }
            _ => self.add(at),
        }
    }
}

/// The places at which two results differ, which are the innermost ones: for methods whose results have no places of
/// their own.
#[must_use]
pub fn leaves(_params: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::of_whole();
    places.add_leaves(expected, found);
    places
}

/// A text without its white space.
#[must_use]
pub fn without_space(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}
