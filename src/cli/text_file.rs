//! Text files that a user names.

use std::io::Read;
use std::path::Path;

use super::exit::Exit;

/// Reads a text file that a user names; not without end, as some devices give.
pub(super) fn read_text(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(file)?.take(LONGEST_FILE + 1).read_to_string(&mut text)?;
    if read as u64 > LONGEST_FILE {
        return Err(std::io::Error::other(format!("expected at most {LONGEST_FILE} bytes")));
    }
    Ok(text)
}

/// No baseline and no report of ours is longer.
const LONGEST_FILE: u64 = 64 * 1024 * 1024;

/// Reads the message, or the JSON, that a command is about, from a file or, for `-`, from standard input; not without end.
/// Gives the text, and the name of where it comes from, for messages.
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
        wrong(format!("expected UTF-8, but found other bytes from byte {at} on"))
    })?;
    Ok((text, name))
}

/// No stored message that people look at is longer.
const LONGEST_INPUT: u64 = 16 * 1024 * 1024;
