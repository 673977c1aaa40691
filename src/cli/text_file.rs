//! Text files that a user names.

use std::io::Read;
use std::path::Path;

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
