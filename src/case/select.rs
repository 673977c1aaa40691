//! Selecting cases.

use std::collections::BTreeSet;
use std::fmt;

use globset::{Glob, GlobMatcher};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Case, Corpus};
use crate::nearest::{nearest, nearest_glob, suggestion};

/// What to select by: `KEY:GLOB`, or a bare glob for the id.
#[derive(Clone, Debug)]
pub struct Filter {
    key: Key,
    glob: GlobMatcher,
    /// The name after the `#` of an id.
    check: Option<GlobMatcher>,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Id,
    Rule,
    Topic,
    Level,
    Method,
}

const KEYS: [(&str, Key); 5] =
    [("id", Key::Id), ("rule", Key::Rule), ("topic", Key::Topic), ("level", Key::Level), ("method", Key::Method)];

/// Why a text selects nothing: it is no filter, or no part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// No key of filters is called so.
    #[error("expected a filter that starts with one of {known}, but found `{text}`{question}")]
    UnknownKey {
        /// The filter.
        text: String,
        /// The keys.
        known: String,
        /// Whether a similar key was meant.
        question: String,
    },
    /// The pattern is no glob.
    #[error("expected a glob in the filter `{text}`: {}", source.kind())]
    NoGlob {
        /// The filter.
        text: String,
        /// Why the pattern is none.
        source: globset::Error,
    },
    /// The text names no part of a corpus.
    #[error("expected I/N, such as 1/3, with I from 1 to N, but found `{0}`")]
    NoPart(String),
}

impl Filter {
    /// Reads a filter. In a glob `*` matches any characters, `/` too, `?` for one, `[ab]` for one of these,
    /// `{a,b}` for one of these words. A bare folder selects everything in it.
    ///
    /// # Errors
    ///
    /// Returns what was expected.
    pub fn parse(text: &str) -> Result<Filter, SelectionError> {
        let (key, pattern) = match text.split_once(':') {
            Some((name, pattern)) => match KEYS.iter().find(|(known, _)| *known == name) {
                Some((_, key)) => (*key, pattern),
                None => {
                    let known = KEYS.map(|(name, _)| format!("{name}:")).join(" ");
                    let meant = nearest(name, KEYS.map(|(name, _)| name));
                    let question = meant.map_or_else(String::new, |name| suggestion(format!("{name}:{pattern}")));
                    return Err(SelectionError::UnknownKey { text: text.to_owned(), known, question });
                }
            },
            None => (Key::Id, text),
        };
        // The id of a derived check selects its case, with all its checks.
        let (pattern, check) = match pattern.split_once('#') {
            Some((case, check)) if key == Key::Id => (case, Some(check)),
            _ => (pattern, None),
        };
        let matcher = |pattern: &str| match Glob::new(pattern) {
            Ok(glob) => Ok(glob.compile_matcher()),
            Err(source) => Err(SelectionError::NoGlob { text: text.to_owned(), source }),
        };
        let check = check.map(matcher).transpose()?;
        Ok(Filter { key, glob: matcher(pattern.trim_end_matches('/'))?, check, text: text.to_owned() })
    }

    /// The filter as it was given.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.text
    }

    /// Whether the filter names derived checks, and this one among them.
    #[must_use]
    pub fn names_check(&self, check: &str) -> Option<bool> {
        self.check.as_ref().map(|glob| glob.is_match(check))
    }

    /// The cases of a corpus that this filter selects by itself.
    pub fn cases<'c>(&self, corpus: &'c Corpus) -> impl Iterator<Item = &'c Case> {
        corpus.cases.iter().filter(|case| self.matches(case, corpus))
    }

    /// Returns the filter that was probably meant by one that selects nothing; `None` if nothing is near.
    #[must_use]
    pub fn meant(&self, corpus: &Corpus) -> Option<String> {
        let (prefix, pattern) = match self.text.split_once(':') {
            Some((key, pattern)) => (format!("{key}:"), pattern),
            None => (String::new(), &self.text[..]),
        };
        let pattern = pattern.split('#').next().unwrap_or(pattern).trim_end_matches('/');
        // The right name with the wrong key.
        let others = KEYS.iter().filter(|(_, key)| *key != self.key);
        let elsewhere = others.into_iter().find(|(_, key)| key.names(corpus).contains(pattern));
        if let Some((key, _)) = elsewhere {
            return Some(if *key == "id" { pattern.to_owned() } else { format!("{key}:{pattern}") });
        }
        if let Some(meant) = nearest_glob(pattern, &self.key.names(corpus)) {
            return Some(prefix + &meant);
        }
        // A name without a key.
        let others = KEYS.iter().filter(|(_, key)| prefix.is_empty() && *key != self.key);
        others
            .into_iter()
            .find_map(|(word, key)| nearest_glob(pattern, &key.names(corpus)).map(|meant| format!("{word}:{meant}")))
    }

    /// Whether the filter looks at the id of a case alone.
    pub(super) fn is_on_ids(&self) -> bool {
        self.key == Key::Id
    }

    /// Whether an id, or a folder of it, matches the glob.
    pub(super) fn matches_id(&self, id: &str) -> bool {
        self.glob.is_match(id) || folders(id).any(|folder| self.glob.is_match(folder))
    }

    fn matches(&self, case: &Case, corpus: &Corpus) -> bool {
        match self.key {
            Key::Id => corpus.ids_of(&case.id).any(|id| self.matches_id(id)),
            Key::Rule => case.rules.iter().any(|rule| self.glob.is_match(rule)),
            Key::Topic => self.glob.is_match(case.topic()),
            Key::Level => self.glob.is_match(case.level.name()),
            Key::Method => self.glob.is_match(case.method.name()),
        }
    }
}

impl Key {
    /// Returns the names that a filter with this key can match in a corpus.
    fn names(self, corpus: &Corpus) -> BTreeSet<&str> {
        let cases = corpus.cases.iter();
        match self {
            Key::Id => {
                let ids = cases.map(|case| &case.id[..]).chain(corpus.aliases.keys().map(String::as_str));
                ids.flat_map(|id| folders(id).chain([id])).collect()
            }
            Key::Rule => cases.flat_map(|case| case.rules.iter().map(String::as_str)).collect(),
            Key::Topic => cases.map(Case::topic).collect(),
            Key::Level => cases.map(|case| case.level.name()).collect(),
            Key::Method => cases.map(|case| case.method.name()).collect(),
        }
    }
}

/// Returns the folders of an id.
fn folders(id: &str) -> impl Iterator<Item = &str> {
    id.match_indices('/').map(|(at, _)| &id[..at])
}

/// Several filters: of those with the same key one has to match, for each key that occurs.
#[derive(Clone, Debug, Default)]
pub struct Selection(Vec<Filter>);

impl Selection {
    /// Reads filters; no filter selects everything.
    ///
    /// # Errors
    ///
    /// Returns what was expected in the first text that is no filter.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Selection, SelectionError> {
        texts.iter().map(|text| Filter::parse(text.as_ref())).collect::<Result<_, _>>().map(Selection)
    }

    /// The filters.
    #[must_use]
    pub fn filters(&self) -> &[Filter] {
        &self.0
    }

    /// The cases of a corpus that are selected, in the order of their ids.
    #[must_use]
    pub fn select<'c>(&self, corpus: &'c Corpus) -> Vec<&'c Case> {
        let selected = |case: &&Case| {
            let keys = KEYS.iter().map(|(_, key)| *key);
            keys.into_iter().all(|key| {
                let mut of_key = self.0.iter().filter(|filter| filter.key == key).peekable();
                of_key.peek().is_none() || of_key.any(|filter| filter.matches(case, corpus))
            })
        };
        corpus.cases.iter().filter(selected).collect()
    }
}

/// One of several parts of a corpus, which together are all of it, and of which no two have a case in common. The part
/// of a case depends on its id alone, so that new cases move no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: u64,
    count: u64,
}

impl Shard {
    /// Reads `I/N`, the I-th of N parts.
    ///
    /// # Errors
    ///
    /// Returns what was expected.
    pub fn parse(text: &str) -> Result<Shard, SelectionError> {
        let number = |digits: &str| {
            let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            are_digits.then(|| digits.parse::<u32>().ok()).flatten().map(u64::from)
        };
        let numbers = text.split_once('/').and_then(|(index, count)| Some((number(index)?, number(count)?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index: index - 1, count }),
            _ => Err(SelectionError::NoPart(text.to_owned())),
        }
    }

    /// Whether the part has what goes by this id: by the first eight bytes of the id's SHA-256, as a number modulo the
    /// count.
    #[must_use]
    pub fn has(self, id: &str) -> bool {
        let hash = Sha256::digest(id.as_bytes());
        let number = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        number % self.count == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}
