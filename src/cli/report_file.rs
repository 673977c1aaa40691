//! Report files. They are opened before the first request, so that an error is reported at once, and written at the
//! end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::exit::Exit;
use crate::nearest::{nearest, suggestion};

/// The kind of a report file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportKind {
    Json,
    Junit,
    Markdown,
    Html,
    Badge,
}

impl ReportKind {
    /// The kinds for a run.
    pub(super) fn of_a_run() -> &'static [ReportKind] {
        ReportKind::value_variants()
    }

    /// The kinds for a comparison.
    pub(super) const OF_A_COMPARISON: &[ReportKind] = &[ReportKind::Json, ReportKind::Markdown, ReportKind::Html];

    /// Returns the name on the command line.
    fn name(self) -> String {
        self.to_possible_value().expect("no kind is hidden").get_name().to_owned()
    }
}

/// An error in the value of `--report`.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReportError {
    #[error("expected one of {known}, but found `{text}`{question}")]
    Kind { known: String, text: String, question: String },
    #[error("expected a file after `=`")]
    NoFile,
}

/// Parses `KIND=FILE` with one of these kinds.
pub(super) fn parse_report(text: &str, kinds: &[ReportKind]) -> Result<(ReportKind, PathBuf), ReportError> {
    let (name, file) = text.split_once('=').unwrap_or((text, ""));
    let names: Vec<String> = kinds.iter().map(|kind| kind.name()).collect();
    let Some(at) = names.iter().position(|known| known == name) else {
        let known = names.iter().map(|name| format!("{name}=FILE")).collect::<Vec<_>>().join(", ");
        let meant = nearest(name, names.iter().map(String::as_str));
        let question = meant.map_or_else(String::new, |kind| {
            suggestion(format!("{kind}={}", if file.is_empty() { "FILE" } else { file }))
        });
        return Err(ReportError::Kind { known, text: text.to_owned(), question });
    };
    match file {
        "" | "-" => Err(ReportError::NoFile),
        file => Ok((kinds[at], PathBuf::from(file))),
    }
}

/// The open report files.
pub(super) struct ReportFiles(Vec<(ReportKind, PathBuf, std::fs::File)>);

impl ReportFiles {
    /// Opens all files.
    pub(super) fn open(reports: &[(ReportKind, PathBuf)]) -> Result<ReportFiles, Exit> {
        for (at, (_, file)) in reports.iter().enumerate() {
            if reports[..at].iter().any(|(_, other)| other == file) {
                let file = file.display();
                return Err(Exit::usage(format!("expected a different file for each report, but found {file} twice")));
            }
        }
        let open = |(kind, path): &(ReportKind, PathBuf)| {
            let file = std::fs::File::create(path).map_err(|error| cannot_write(path, &error))?;
            Ok((*kind, path.clone(), file))
        };
        reports.iter().map(open).collect::<Result<_, _>>().map(ReportFiles)
    }

    /// Returns whether there is a report of one of these kinds.
    pub(super) fn has(&self, kinds: &[ReportKind]) -> bool {
        self.0.iter().any(|(kind, ..)| kinds.contains(kind))
    }

    /// Returns whether there are no reports.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes all reports and returns an error for each one that could not be written.
    pub(super) fn write(self, write: impl Fn(ReportKind, &mut dyn Write) -> io::Result<()>) -> Vec<Exit> {
        let failed = |(kind, path, file): (ReportKind, PathBuf, std::fs::File)| {
            let mut out = io::BufWriter::new(file);
            write(kind, &mut out).and_then(|()| out.flush()).err().map(|error| cannot_write(&path, &error))
        };
        self.0.into_iter().filter_map(failed).collect()
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Exit {
    Exit::usage(format!("the report {} cannot be written: {error}", path.display()))
}
