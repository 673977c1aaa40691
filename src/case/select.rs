//! Selecting cases.

use std::fmt;

use globset::{Glob, GlobMatcher};

use super::{Case, Corpus};

/// What to select by: `KEY:GLOB`, or a bare glob for the id.
#[derive(Clone, Debug)]
pub struct Filter {
    key: Key,
    glob: GlobMatcher,
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

/// Why a text is no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FilterError {}

impl Filter {
    /// Reads a filter. In a glob `*` stands for any characters, `/` too, `?` for one, `[ab]` for one of these,
    /// `{a,b}` for one of these words. A bare folder selects everything in it.
    ///
    /// # Errors
    ///
    /// Says what was expected.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let (key, pattern) = match text.split_once(':') {
            Some((name, pattern)) => match KEYS.iter().find(|(known, _)| *known == name) {
                Some((_, key)) => (*key, pattern),
                None => {
                    let known = KEYS.map(|(name, _)| format!("{name}:")).join(" ");
                    return Err(FilterError(format!(
                        "expected a filter that starts with one of {known}, but found `{text}`"
                    )));
                }
            },
            None => (Key::Id, text),
        };
        // The id of a derived check selects its case, with all its checks.
        let pattern = if key == Key::Id { pattern.split('#').next().unwrap_or(pattern) } else { pattern };
        let glob = Glob::new(pattern.trim_end_matches('/'))
            .map_err(|error| FilterError(format!("expected a glob in the filter `{text}`: {}", error.kind())))?;
        Ok(Filter { key, glob: glob.compile_matcher(), text: text.to_owned() })
    }

    /// The filter as it was given.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.text
    }

    fn matches(&self, case: &Case, aliases: &[&str]) -> bool {
        match self.key {
            Key::Id => [&case.id[..]]
                .iter()
                .chain(aliases)
                .any(|id| self.glob.is_match(id) || id.match_indices('/').any(|(at, _)| self.glob.is_match(&id[..at]))),
            Key::Rule => case.rules.iter().any(|rule| self.glob.is_match(rule)),
            Key::Topic => self.glob.is_match(case.topic()),
            Key::Level => self.glob.is_match(case.level.name()),
            Key::Method => self.glob.is_match(case.method.name()),
        }
    }
}

/// Several filters: of those with the same key one has to match, and of each key that is there.
#[derive(Clone, Debug, Default)]
pub struct Selection(Vec<Filter>);

impl Selection {
    /// Reads filters; no filter selects everything.
    ///
    /// # Errors
    ///
    /// Says what was expected in the first text that is no filter.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Selection, FilterError> {
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
            let aliases = corpus.aliases.iter().filter(|(_, id)| **id == case.id).map(|(old, _)| old.as_str());
            let aliases: Vec<&str> = aliases.collect();
            let keys = KEYS.iter().map(|(_, key)| *key);
            keys.into_iter().all(|key| {
                let mut of_key = self.0.iter().filter(|filter| filter.key == key).peekable();
                of_key.peek().is_none() || of_key.any(|filter| filter.matches(case, &aliases))
            })
        };
        corpus.cases.iter().filter(selected).collect()
    }
}
