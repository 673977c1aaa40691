//! Text files named by the user.

use std::io::Read;
use std::path::Path;

use super::exit::Exit;

/// Reads a text file named by the user. The length is limited because some devices are endless.
pub(super) fn read_text(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(file)?.take(LONGEST_FILE + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST_FILE {
        return Err(std::io::Error::other(format!("expected at most {LONGEST_FILE} bytes")));
    }
    Ok(text)
}

/// The maximum file length; baselines and reports are shorter.
const LONGEST_FILE: u64 = 64 * 1024 * 1024;

/// Reads the input of a command from a file, or from standard input if it is `-`, up to a maximum length. Returns the text
/// and the name of its source for messages.
pub(super) fn read_input(file: &Path) -> Result<(String, String), Exit> {
    let is_standard = file == Path::new("-");
    let name = if is_standard { "standard input".to_owned() } else { file.display().to_string() };
    let wrong = |why: String| Exit::usage(format!("{name}: {why}"));
    let cannot = |error: std::io::Error| wrong(format!("cannot be read: {error}"));
    let source: Box<dyn Read> =
        if is_standard { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(file).map_err(cannot)?) };
    let mut bytes = Vec::new();
    let read = source.take(LONGEST_INPUT + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if read as u64 > LONGEST_INPUT {
        return Err(wrong(format!("expected at most {LONGEST_INPUT} bytes, but found more")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        wrong(format!("expected UTF-8, but found invalid bytes at byte {at}"))
    })?;
    Ok((text, name))
}

/// The maximum length of the input; stored messages are shorter.
const LONGEST_INPUT: u64 = 16 * 1024 * 1024;
