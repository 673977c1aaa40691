//! Attributes of the winning content marker, decoded on request.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::choices::{Choices, DuplicateAttribute, EmptyName};

/// The one name with a documented meaning; every other name is kept too.
const MEANT: &str = "library";

/// The attributes of the winning content marker, as their text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attributes<'a> {
    text: &'a str,
    choices: Choices,
}

impl<'a> Attributes<'a> {
    pub(crate) fn new(text: &'a str, choices: Choices) -> Attributes<'a> {
        Attributes { text, choices }
    }

    /// Returns the text between `?` and the line ending, not decoded; empty if there is none.
    #[must_use]
    pub fn as_text(&self) -> &'a str {
        self.text
    }

    /// Returns names and values, decoded as `application/x-www-form-urlencoded` (URL Standard).
    ///
    /// Each name occurs once, at the place of its first occurrence. The choices decide about repeated names and empty
    /// names (`openui.attributes.decode`, `openui.attributes.duplicate`, `openui.attributes.empty-name`).
    ///
    /// # Examples
    ///
    /// ```
    /// use genui_openui::{Options, parse};
    ///
    /// let message = parse("]]>openui:content?library=support%401.2.0&a=1&a=2\n", &Options::default());
    /// let expected = [("library".into(), "support@1.2.0".into()), ("a".into(), "2".into())];
    /// assert_eq!(message.attributes.decode(), expected);
    /// ```
    #[must_use]
    pub fn decode(&self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        let mut pairs: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::new();
        // A map finds repeated names; a search through the list would take quadratic time.
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

    /// Returns every pair in its order, dropped and repeated ones included, with the rules that decide about it.
    #[must_use]
    pub fn pairs(&self) -> Vec<AttributePair<'a>> {
        let mut pairs: Vec<AttributePair<'a>> = Vec::new();
        let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
        for piece in self.text.split('&') {
            // An empty piece is no pair.
            let Some((name, value)) = form_urlencoded::parse(piece.as_bytes()).next() else { continue };
            let mut pair = AttributePair { name, value, counts: true, also: Vec::new() };
            if is_malformed(piece) {
                pair.also.push("openui.attributes.malformed");
            }
            if contains_control(piece) {
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

/// An attribute as it was written: a name and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributePair<'a> {
    /// Its name, decoded.
    pub name: Cow<'a, str>,
    /// Its value, decoded.
    pub value: Cow<'a, str>,
    /// Whether [`Attributes::decode`] returns it: it is neither dropped nor replaced by another.
    pub counts: bool,
    /// The ids of the rules besides `openui.attributes.decode` that decide something about it.
    pub also: Vec<&'static str>,
}

/// Returns whether a `%` lacks its two digits, or the decoded bytes are not UTF-8.
fn is_malformed(piece: &str) -> bool {
    let is_whole = |after: &str| after.len() >= 2 && after.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    !piece.split('%').skip(1).all(is_whole) || percent_encoding::percent_decode_str(piece).decode_utf8().is_err()
}

/// Returns whether attributes contain a character that every writer encodes, and that some readers treat as the end of
/// the line.
pub(crate) fn contains_control(text: &str) -> bool {
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
            // If the last value counts, its pair is after the first place of the name.
            let mut decoded = attributes.decode();
            counting.sort();
            decoded.sort();
            assert_eq!(counting, decoded, "{choices:?}");
        }
    }

    #[test]
    fn each_pair_names_its_rules() {
        let rules = |text| -> Vec<Vec<&'static str>> {
            let pairs = Attributes::new(text, Choices::default()).pairs().into_iter();
            let others = |rule: &&'static str| *rule != "openui.attributes.any-name";
            pairs.map(|pair| pair.also.into_iter().filter(others).collect()).collect()
        };
        let names = Attributes::new("library=1&Library=2&=3", Choices::default()).pairs();
        let any_name = names.iter().map(|pair| pair.also.contains(&"openui.attributes.any-name"));
        assert_eq!(any_name.collect::<Vec<_>>(), [false, true, false]);
        let twice = "openui.attributes.duplicate";
        assert_eq!(rules("a=1&b=2"), [Vec::<&str>::new(), Vec::new()]);
        assert_eq!(rules("a=1&l&%61=2"), [vec![twice], vec!["openui.attributes.no-value"], vec![twice]]);
        assert_eq!(
            rules("a=100%&b=%F6&c=%C3%B6"),
            [vec!["openui.attributes.malformed"], vec!["openui.attributes.malformed"], vec![]]
        );
        assert_eq!(rules("=de"), [vec!["openui.attributes.empty-name"]]);
        let control = "openui.attributes.control-characters";
        assert_eq!(rules("a=x\ry&b=x y&c=\u{2028}&d=%0D"), [vec![control], vec![], vec![control], vec![]]);
    }
}
