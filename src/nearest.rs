//! "Did you mean": finds the known name that was probably meant by a misspelt one.

use std::collections::BTreeSet;
use std::fmt::Display;

use globset::Glob;

/// Letters that may be wrong in a long part of a name. In a short one it is a third of them, and one at least.
const MOST_SLIPS: usize = 4;

/// What separates the parts of ids.
const SEPARATORS: [char; 3] = ['/', '.', '#'];

/// The known name that is nearest to what was given: but for case, a few slips away; or the one that ends with it, where
/// only the last parts of an id were given. `None` where nothing is near. Of equally near ones the first counts.
///
/// # Example
///
/// ```
/// use genui_conform::nearest::nearest;
///
/// assert_eq!(nearest("corr", ["chat", "core"]), Some("core"));
/// assert_eq!(nearest("read.end", ["format.read.end"]), Some("format.read.end"));
/// assert_eq!(nearest("python", ["chat", "core"]), None);
/// ```
#[must_use]
pub fn nearest<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        if let Some(slips) = slips(given, name)
            && best.is_none_or(|(least, _)| slips < least)
        {
            best = Some((slips, name));
        }
    }
    best.map(|(_, name)| name)
}

/// How many slips lead from a name to what was given; `None` where they are too many, or there is none.
fn slips(given: &str, name: &str) -> Option<usize> {
    if given.is_empty() || given == name {
        return None;
    }
    if name.strip_suffix(given).is_some_and(|before| before.ends_with(SEPARATORS)) {
        // Nearer than any slip, for every letter is right.
        return Some(0);
    }
    // Parts that are right make no slip in another one likelier.
    let same = given.bytes().zip(name.bytes()).take_while(|(given, name)| given == name).count();
    let from = given.as_bytes()[..same].iter().rposition(|byte| SEPARATORS.contains(&char::from(*byte)));
    let from = from.map_or(0, |at| at + 1);
    let (given, name) = (given[from..].to_lowercase(), name[from..].to_lowercase());
    let length = given.chars().count();
    let most = (length / 3).clamp(1, MOST_SLIPS);
    if length < 2 || name.chars().count().abs_diff(length) > most {
        return None;
    }
    Some(strsim::damerau_levenshtein(&given, &name)).filter(|slips| *slips <= most)
}

/// Returns the same for a glob over these names: the part before its first wildcard is corrected, if the glob then
/// matches something. A text without a wildcard is a name.
#[must_use]
pub fn nearest_glob(given: &str, known: &BTreeSet<&str>) -> Option<String> {
    let Some(wildcard) = given.find(['*', '?', '[', '{']) else {
        return nearest(given, known.iter().copied()).map(str::to_owned);
    };
    let cut = given[..wildcard].rfind(SEPARATORS)?;
    let (head, tail) = given.split_at(cut);
    let heads: BTreeSet<&str> =
        known.iter().flat_map(|name| name.match_indices(SEPARATORS).map(|(at, _)| &name[..at])).collect();
    let meant = format!("{}{tail}", nearest(head, heads)?);
    let glob = Glob::new(&meant).ok()?.compile_matcher();
    known.iter().any(|name| glob.is_match(name)).then_some(meant)
}

/// Returns a question whether the nearest known name was meant, to be appended to an error; empty if none is near.
#[must_use]
pub fn did_you_mean<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(given, known).map_or_else(String::new, suggestion)
}

/// The question whether this was meant.
pub fn suggestion(meant: impl Display) -> String {
    format!("; did you mean `{meant}`?")
}

/// Returns the error for an unknown name where one of a few is expected.
#[must_use]
pub fn expected_one_of(known: &[&str], given: &str) -> String {
    let question = did_you_mean(given, known.iter().copied());
    format!("expected one of {}, but found `{given}`{question}", known.join(", "))
}
