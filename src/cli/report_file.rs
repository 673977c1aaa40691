//! Report files. They are opened before the first request, so that an error is reported at once, and written at the
//! end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::Exit;
use crate::nearest::{nearest, suggestion};

/// The kind of a report file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportKind {
    Json,
    Junit,
    Markdown,
    Html,
    Badge,
}

impl ReportKind {
    /// The kinds for a run.
    pub(super) const OF_A_RUN: &[ReportKind] =
        &[ReportKind::Json, ReportKind::Junit, ReportKind::Markdown, ReportKind::Html, ReportKind::Badge];
    /// The kinds for a comparison.
    pub(super) const OF_A_COMPARISON: &[ReportKind] = &[ReportKind::Json, ReportKind::Markdown, ReportKind::Html];

    fn name(self) -> &'static str {
        match self {
            ReportKind::Json => "json",
            ReportKind::Junit => "junit",
            ReportKind::Markdown => "markdown",
            ReportKind::Html => "html",
            ReportKind::Badge => "badge",
        }
    }
}

/// Parses `KIND=FILE` with one of these kinds.
pub(super) fn parse_report(text: &str, kinds: &[ReportKind]) -> Result<(ReportKind, PathBuf), String> {
    let (name, file) = text.split_once('=').unwrap_or((text, ""));
    let Some(kind) = kinds.iter().find(|kind| kind.name() == name) else {
        let known = kinds.iter().map(|kind| format!("{}=FILE", kind.name())).collect::<Vec<_>>().join(", ");
        let meant = nearest(name, kinds.iter().map(|kind| kind.name()));
        let question = meant.map_or_else(String::new, |kind| {
            suggestion(format!("{kind}={}", if file.is_empty() { "FILE" } else { file }))
        });
        return Err(format!("expected one of {known}, but found `{text}`{question}"));
    };
    if matches!(file, "" | "-") {
        Err("expected a file after `=`".to_owned())
    } else {
        Ok((*kind, PathBuf::from(file)))
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
