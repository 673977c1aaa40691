//! Attributes of the winning content marker, decoded when asked for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::choices::{Choices, DuplicateAttribute, EmptyName};

/// The one name to which the documents give a meaning; every other is carried all the same.
const MEANT: &str = "library";

/// The attributes of the winning content marker, still as its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    text: &'a str,
    choices: Choices,
}

impl<'a> Attributes<'a> {
    pub(crate) fn new(text: &'a str, choices: Choices) -> Attributes<'a> {
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
        let mut places = HashMap::new();
        for (name, value) in form_urlencoded::parse(self.text.as_bytes()) {
            if name.is_empty() && self.choices.empty_name == EmptyName::Dropped {
                continue;
            }
            match places.entry(name.clone()) {
                Entry::Vacant(place) => {
                    place.insert(pairs.len());
                    pairs.push((name, value));
                }
                Entry::Occupied(place) => {
                    if self.choices.duplicate_attribute == DuplicateAttribute::Last {
                        pairs[*place.get()].1 = value;
                    }
                }
            }
        }
        pairs
    }

    /// Every pair in its order, decoded as [`Attributes::decode`] decodes it, with what is said of it.
    #[must_use]
    pub fn pairs(&self) -> Vec<AttributePair<'a>> {
        let mut pairs: Vec<AttributePair<'a>> = Vec::new();
        let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
        for piece in self.text.split('&') {
            // A piece with nothing in it is no pair.
            let Some((name, value)) = form_urlencoded::parse(piece.as_bytes()).next() else { continue };
            let mut pair = AttributePair { name, value, counts: true, also: Vec::new() };
            if is_malformed(piece) {
                pair.also.push("openui.attributes.malformed");
            }
            if holds_control(piece) {
                pair.also.push("openui.attributes.control-characters");
            }
            if !piece.contains('=') {
                pair.also.push("openui.attributes.no-value");
            }
            if !pair.name.is_empty() && pair.name != MEANT {
                pair.also.push("openui.attributes.any-name");
            }
            if pair.name.is_empty() {
                pair.also.push("openui.attributes.empty-name");
                pair.counts = self.choices.empty_name == EmptyName::Kept;
            }
            if pair.counts {
                match places.entry(pair.name.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(pairs.len());
                    }
                    Entry::Occupied(mut place) => {
                        let other = &mut pairs[*place.get()];
                        pair.also.push("openui.attributes.duplicate");
                        if !other.also.contains(&"openui.attributes.duplicate") {
                            other.also.push("openui.attributes.duplicate");
                        }
                        match self.choices.duplicate_attribute {
                            DuplicateAttribute::First => pair.counts = false,
                            DuplicateAttribute::Last => {
                                other.counts = false;
                                place.insert(pairs.len());
                            }
                        }
                    }
                }
            }
            pairs.push(pair);
        }
        pairs
    }
}

/// A pair of attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributePair<'a> {
    /// Its name, decoded.
    pub name: Cow<'a, str>,
    /// Its value, decoded.
    pub value: Cow<'a, str>,
    /// Whether it is among the attributes of a message that has this marker: neither dropped nor shadowed by another.
    pub counts: bool,
    /// The ids of the rules beside `openui.attributes.decode` that decide what becomes of it.
    pub also: Vec<&'static str>,
}

/// Whether a `%` lacks its two digits, or the bytes that come out are no UTF-8.
fn is_malformed(piece: &str) -> bool {
    let is_whole = |behind: &str| behind.len() >= 2 && behind.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    !piece.split('%').skip(1).all(is_whole) || percent_encoding::percent_decode_str(piece).decode_utf8().is_err()
}

/// Whether attributes hold a character that no writer leaves unencoded, and that some readers take for the end of the
/// line.
pub(crate) fn holds_control(text: &str) -> bool {
    text.contains(|character: char| {
        character != ' ' && (character.is_control() || character.is_whitespace() || character == '\u{feff}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pairs_that_count_are_the_attributes() {
        let text = "a=1&b&=x&a=2&&c=%zz&A=3&b=%F6&a=2&=&d=a=b+c";
        let all = [DuplicateAttribute::Last, DuplicateAttribute::First]
            .into_iter()
            .flat_map(|duplicate| [EmptyName::Dropped, EmptyName::Kept].map(|empty| (duplicate, empty)));
        for (duplicate_attribute, empty_name) in all {
            let choices = Choices { duplicate_attribute, empty_name, ..Choices::default() };
            let attributes = Attributes::new(text, choices);
            let mut counting: Vec<(Cow<'_, str>, Cow<'_, str>)> =
                attributes.pairs().into_iter().filter(|pair| pair.counts).map(|pair| (pair.name, pair.value)).collect();
            // Where the last value counts, its pair stands behind the name's first place.
            let mut decoded = attributes.decode();
            counting.sort();
            decoded.sort();
            assert_eq!(counting, decoded, "{choices:?}");
        }
    }

    #[test]
    fn what_is_odd_about_a_pair_is_named() {
        let odd = |text| -> Vec<Vec<&'static str>> {
            let pairs = Attributes::new(text, Choices::default()).pairs().into_iter();
            let others = |rule: &&'static str| *rule != "openui.attributes.any-name";
            pairs.map(|pair| pair.also.into_iter().filter(others).collect()).collect()
        };
        let names = Attributes::new("library=1&Library=2&=3", Choices::default()).pairs();
        let any_name = names.iter().map(|pair| pair.also.contains(&"openui.attributes.any-name"));
        assert_eq!(any_name.collect::<Vec<_>>(), [false, true, false]);
        let twice = "openui.attributes.duplicate";
        assert_eq!(odd("a=1&b=2"), [Vec::<&str>::new(), Vec::new()]);
        assert_eq!(odd("a=1&l&%61=2"), [vec![twice], vec!["openui.attributes.no-value"], vec![twice]]);
        assert_eq!(
            odd("a=100%&b=%F6&c=%C3%B6"),
            [vec!["openui.attributes.malformed"], vec!["openui.attributes.malformed"], vec![]]
        );
        assert_eq!(odd("=de"), [vec!["openui.attributes.empty-name"]]);
        let control = "openui.attributes.control-characters";
        assert_eq!(odd("a=x\ry&b=x y&c=\u{2028}&d=%0D"), [vec![control], vec![], vec![control], vec![]]);
    }
}
