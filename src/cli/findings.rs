//! A folder of findings: case files, each named after its signature. Whole files only, so that a campaign that is killed loses
//! nothing and goes on from there.

use std::path::{Path, PathBuf};

use super::exit::Exit;
use crate::campaign::{Finding, case_id, case_of, input_of};
use crate::case::{Case, Corpus};
use crate::generate::Input;
use crate::settings::Settings;

pub(super) struct Findings {
    folder: PathBuf,
    cases: Vec<Case>,
}

impl Findings {
    /// Opens a folder, which is made where it is missing, and reads what is there.
    pub(super) fn open(folder: &Path) -> Result<Findings, Exit> {
        std::fs::create_dir_all(folder)
            .map_err(|error| Exit::usage(format!("{} cannot be written: {error}", folder.display())))?;
        let (corpus, errors) = Corpus::from_folder_with_errors(folder);
        // That there is no case yet is no error here.
        match errors.into_iter().find(|error| error.file != folder) {
            Some(error) => Err(Exit::usage(format!("expected cases in the folder of findings: {error}"))),
            None => Ok(Findings { folder: folder.to_owned(), cases: corpus.cases }),
        }
    }

    /// The requests of what was found before, to begin with.
    pub(super) fn inputs(&self) -> Vec<Input> {
        self.cases.iter().filter_map(input_of).collect()
    }

    /// Writes a finding, if there is none with its signature: to a file beside, which then takes its name. Nothing is written that
    /// could not be read again.
    pub(super) fn keep(&mut self, finding: &Finding, options: &Settings) -> Result<(), Exit> {
        let id = case_id(&finding.signature);
        if self.cases.iter().any(|case| case.id == id) {
            return Ok(());
        }
        let (case, text) = case_of(finding, options)
            .map_err(|error| Exit::usage(format!("{id} cannot be kept as a case: {error}")))?;
        write_whole(&self.folder.join(format!("{id}.json")), &text)?;
        self.cases.push(case);
        Ok(())
    }
}

/// Writes a file that is there whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Exit> {
    // No case file ends like this.
    let beside = path.with_extension(format!("{}.part", std::process::id()));
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&beside, text))
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|error| Exit::usage(format!("{} cannot be written: {error}", path.display())))
}
