//! What goes between the suite and an adapter, for people who look for what their adapter does: a line each.

use std::io::{self, Write};
use std::time::Duration;

use super::escape::printable;
use crate::adapter::{Traffic, Way};

/// Writes what went by, `elapsed` after the start: seconds, the process, `->` for what it was sent, `<-` for what it
/// answered, `!!` for what it wrote to standard error, `**` for what happened to it; then the line, whole, with
/// everything odd escaped.
///
/// # Errors
///
/// When writing fails.
pub fn write_traffic(traffic: &Traffic<'_>, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let way = match traffic.way {
        Way::In => "->",
        Way::Out => "<-",
        Way::Log => "!!",
        Way::Event => "**",
    };
    let text = String::from_utf8_lossy(traffic.bytes);
    // A CR in front of the LF is for the reader to see.
    for line in text.strip_suffix('\n').unwrap_or(&text).split('\n') {
        writeln!(out, "{:9.3} {:>7} {way} {}", elapsed.as_secs_f64(), traffic.process, printable(line))?;
    }
    Ok(())
}
