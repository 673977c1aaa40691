//! A corpus: a folder of case files, or the one that is compiled in.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;
use walkdir::WalkDir;

use super::embedded;
use super::load::{Case, read_case};
use super::locate::Place;
use super::select::{Filter, Selection};

/// The file with the old ids of cases.
const ALIASES: &str = "aliases.json";
/// The vectors of the comparison; no case.
const COMPARE: &str = "compare.json";

/// Cases, in the order of their ids.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The cases.
    pub cases: Vec<Case>,
    /// Old ids, and the ids that the cases have now.
    pub aliases: BTreeMap<String, String>,
    /// Whether only some of the cases are here.
    pub is_part: bool,
}

/// A file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {message}", located(&file.display().to_string(), *place))]
pub struct CorpusError {
    /// The file.
    pub file: PathBuf,
    /// The place in it; `None` if it cannot be read at all.
    pub place: Option<Place>,
    /// What was expected, and what was found.
    pub message: String,
}

/// Returns a file and a place in it, as messages name them.
pub(crate) fn located(file: &str, place: Option<Place>) -> String {
    place.map_or_else(|| file.to_owned(), |place| format!("{file}:{place}"))
}

impl Corpus {
    /// The corpus that is compiled in.
    ///
    /// # Errors
    ///
    /// Returns all files that cannot be used; a test checks that there are none.
    pub fn embedded() -> Result<Corpus, Vec<CorpusError>> {
        Corpus::embedded_where(&|_| true)
    }

    fn embedded_where(is_read: &dyn Fn(&str) -> bool) -> Result<Corpus, Vec<CorpusError>> {
        let file = |(path, text): (&str, String)| {
            (path.to_owned(), PathBuf::from(format!("corpus/{path}")), Ok(text.into_bytes()))
        };
        whole(Corpus::read(embedded::files(is_read).map(file)))
    }

    /// The cases of the corpus that is compiled in of which a filter on ids can select any; the others are not decoded.
    /// The whole corpus if a filter is on something else, or selects none.
    ///
    /// # Errors
    ///
    /// All files that cannot be used; a test checks that there are none.
    pub fn embedded_for(selection: &Selection) -> Result<Corpus, Vec<CorpusError>> {
        if selection.filters().is_empty() || !selection.filters().iter().all(Filter::is_on_ids) {
            return Corpus::embedded();
        }
        let mut part = Corpus::embedded_where(&|path| path == ALIASES)?;
        let selects = |filter: &Filter, id: &str| part.ids_of(id).any(|id| filter.matches_id(id));
        let ids = embedded::paths().filter_map(|path| path.strip_suffix(".json"));
        let is_selected = |id: &str| selection.filters().iter().any(|filter| selects(filter, id));
        let selected: BTreeSet<&str> = ids.filter(|id| is_selected(id)).collect();
        let selects_any = |filter: &Filter| selected.iter().any(|id| selects(filter, id));
        if !selection.filters().iter().all(selects_any) {
            return Corpus::embedded();
        }
        let is_file = |path: &str| path.strip_suffix(".json").is_some_and(|id| selected.contains(id));
        part.cases = Corpus::embedded_where(&is_file)?.cases;
        part.is_part = true;
        Ok(part)
    }

    /// The corpus in a folder: every `.json` file below it, but for `aliases.json` and `compare.json` at its top.
    ///
    /// # Errors
    ///
    /// All files that cannot be read or used. A folder without a case is an error too.
    pub fn from_folder(folder: &Path) -> Result<Corpus, Vec<CorpusError>> {
        whole(Corpus::from_folder_with_errors(folder))
    }

    /// Returns the usable part of the corpus in a folder, and all files that cannot be used.
    #[must_use]
    pub fn from_folder_with_errors(folder: &Path) -> (Corpus, Vec<CorpusError>) {
        let unreadable = |file: &Path, message: String| CorpusError { file: file.to_owned(), place: None, message };
        let mut errors = Vec::new();
        let mut files = Vec::new();
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    errors.push(unreadable(error.path().unwrap_or(folder), format!("cannot be read: {error}")));
                    continue;
                }
            };
            let path = entry.path();
            if entry.file_type().is_file() && path.extension().is_some_and(|extension| extension == "json") {
                let relative = path.strip_prefix(folder).unwrap_or(path);
                let name = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
                files.push((name.join("/"), path.to_owned(), std::fs::read(path)));
            }
        }
        let (corpus, unusable) = Corpus::read(files.into_iter());
        errors.extend(unusable);
        if corpus.cases.is_empty() && errors.is_empty() {
            errors.push(unreadable(folder, "expected case files (*.json), but found none".to_owned()));
        }
        (corpus, errors)
    }

    fn read(files: impl Iterator<Item = (String, PathBuf, io::Result<Vec<u8>>)>) -> (Corpus, Vec<CorpusError>) {
        let mut corpus = Corpus::default();
        let mut errors = Vec::new();
        for (name, file, bytes) in files.filter(|(name, ..)| name != COMPARE) {
            let bytes = bytes.map_err(|error| (None, format!("cannot be read: {error}")));
            let read = bytes.and_then(|bytes| corpus.read_file(&name, bytes));
            if let Err((place, message)) = read {
                errors.push(CorpusError { file, place, message });
            }
        }
        corpus.cases.sort_by(|a, b| a.id.cmp(&b.id));
        for pair in corpus.cases.windows(2).filter(|pair| pair[0].id == pair[1].id) {
            let file = PathBuf::from(format!("{}.json", pair[0].id));
            let message = "expected one file for each id, but the names of two read the same".to_owned();
            errors.push(CorpusError { file, place: None, message });
        }
        (corpus, errors)
    }

    fn read_file(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), (Option<Place>, String)> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let place = Place::of_offset(&String::from_utf8_lossy(error.as_bytes()), valid);
            (Some(place), "expected UTF-8, but found other bytes".to_owned())
        })?;
        if name == ALIASES {
            self.aliases = serde_json::from_str(&text)
                .map_err(|error| (Some(Place { line: error.line(), column: error.column() }), error.to_string()))?;
        } else {
            let id = name.strip_suffix(".json").unwrap_or(name);
            self.cases.push(read_case(id, &text).map_err(|error| (Some(error.place), error.fault.to_string()))?);
        }
        Ok(())
    }

    /// The SHA-256 of all case files, in hexadecimal: over each id and its text, in the order of the ids, each ended
    /// by a NUL. Two reports with the same hash speak of the same cases.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for case in &self.cases {
            for part in [&case.id, &case.source] {
                hash.update(part.as_bytes());
                hash.update([0]);
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The id of a case, and then its old ids.
    pub(super) fn ids_of<'c>(&'c self, id: &'c str) -> impl Iterator<Item = &'c str> {
        let old = self.aliases.iter().filter(move |(_, now)| *now == id).map(|(old, _)| &old[..]);
        std::iter::once(id).chain(old)
    }

    /// The case of this id, or of this old id.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        let id = self.aliases.get(id).map_or(id, String::as_str);
        self.cases.binary_search_by(|case| case.id.as_str().cmp(id)).ok().map(|at| &self.cases[at])
    }
}

/// The vectors of the comparison, as the text of their file.
pub(super) fn comparison_vectors() -> String {
    embedded::files(&|path| path == COMPARE).map(|(_, text)| text).next().expect("the corpus has the vectors")
}

fn whole((corpus, errors): (Corpus, Vec<CorpusError>)) -> Result<Corpus, Vec<CorpusError>> {
    if errors.is_empty() { Ok(corpus) } else { Err(errors) }
}
