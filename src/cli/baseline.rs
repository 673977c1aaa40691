//! Reads and writes baselines.

use std::io::ErrorKind;
use std::path::Path;

use super::exit::Exit;
use super::text_file::read_text;
use crate::case::{Corpus, KnownFailing};
use crate::rules::Level;
use crate::run::{Baseline, NewCases, Policy, RunResult, updated_baseline};

/// Reads a baseline and checks that each pattern matches a case, check or rule.
pub(super) fn read_baseline(file: &Path, corpus: &Corpus) -> Result<Baseline, Exit> {
    let name = file.display();
    let text = read_text(file).map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?;
    let baseline = Baseline::parse(&text).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    baseline.check_names(corpus).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    Ok(baseline)
}

/// Writes the entries that the run needs to pass if wrong answers of this level fail it. Existing entries are kept as long
/// as they match a failure. Returns a message about the file.
pub(super) fn write_baseline(
    file: &Path,
    record: &RunResult<'_>,
    fail_on: Level,
    fixtures: &[KnownFailing],
) -> Result<String, Exit> {
    let name = file.display();
    let text = match read_text(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| Exit::usage(format!("the baseline {name} cannot be read: {error}")))?,
    };
    let baseline = (!text.is_empty()).then(|| Baseline::parse(&text)).transpose();
    let baseline = baseline.map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    let baseline = Baseline::with_fixtures(baseline.map(Baseline::without_limits), fixtures);
    let assessment = Policy { fail_on, new_cases: NewCases::Fail, baseline }.assess(record);
    let text = updated_baseline(&text, &assessment).map_err(|error| Exit::usage(format!("{name}:{error}")))?;
    std::fs::write(file, &text)
        .map_err(|error| Exit::usage(format!("the baseline {name} cannot be written: {error}")))?;
    let (entries, empty) = (text.matches("[[known]]").count(), text.matches("reason = \"\"\n").count());
    let lacking = if empty > 0 { format!("; {empty} of them lack a reason") } else { String::new() };
    Ok(format!("{entries} entries are in {name}{lacking}"))
}
