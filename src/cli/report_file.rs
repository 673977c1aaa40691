//! Report files: opened before anything is asked, so that what cannot be written is told at once, and written when all
//! is over.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::Exit;
use crate::nearest::{asks, nearest};

/// What a report file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportKind {
    Json,
    Junit,
    Markdown,
    Html,
    Badge,
}

impl ReportKind {
    /// What a run can write.
    pub(super) const OF_A_RUN: &[ReportKind] =
        &[ReportKind::Json, ReportKind::Junit, ReportKind::Markdown, ReportKind::Html, ReportKind::Badge];
    /// What a comparison can write.
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

/// Reads `KIND=FILE`, where the kind is one of these.
pub(super) fn parse_report(text: &str, kinds: &[ReportKind]) -> Result<(ReportKind, PathBuf), String> {
    let (name, file) = text.split_once('=').unwrap_or((text, ""));
    let Some(kind) = kinds.iter().find(|kind| kind.name() == name) else {
        let known = kinds.iter().map(|kind| format!("{}=FILE", kind.name())).collect::<Vec<_>>().join(", ");
        let meant = nearest(name, kinds.iter().map(|kind| kind.name()));
        let question = meant
            .map_or_else(String::new, |kind| asks(format!("{kind}={}", if file.is_empty() { "FILE" } else { file })));
        return Err(format!("expected one of {known}, but found `{text}`{question}"));
    };
    if matches!(file, "" | "-") {
        Err("expected a file behind `=`".to_owned())
    } else {
        Ok((*kind, PathBuf::from(file)))
    }
}

/// Report files that are open.
pub(super) struct ReportFiles(Vec<(ReportKind, PathBuf, std::fs::File)>);

impl ReportFiles {
    /// Opens them all.
    pub(super) fn open(reports: &[(ReportKind, PathBuf)]) -> Result<ReportFiles, Exit> {
        for (at, (_, file)) in reports.iter().enumerate() {
            if reports[..at].iter().any(|(_, other)| other == file) {
                let file = file.display();
                return Err(Exit::usage(format!("expected a file of its own for each report, but found {file} twice")));
            }
        }
        let open = |(kind, path): &(ReportKind, PathBuf)| {
            let file = std::fs::File::create(path).map_err(|error| cannot_write(path, &error))?;
            Ok((*kind, path.clone(), file))
        };
        reports.iter().map(open).collect::<Result<_, _>>().map(ReportFiles)
    }

    /// Whether there is one of these kinds.
    pub(super) fn has(&self, kinds: &[ReportKind]) -> bool {
        self.0.iter().any(|(kind, ..)| kinds.contains(kind))
    }

    /// Whether there is none at all.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes each, and says which could not be.
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
