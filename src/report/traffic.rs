//! The messages between the suite and an adapter as human-readable lines.

use std::io::{self, Write};
use std::time::Duration;

use super::escape::printable;
use crate::adapter::{Direction, TrafficEvent};

/// Writes one event, `elapsed` after the start: seconds, the process, `->` for a line sent to it, `<-` for an answer, `!!`
/// for a line on its standard error, `**` for an event of the process; then the whole line with unprintable characters
/// escaped.
///
/// # Errors
///
/// When writing fails.
pub fn write_traffic(traffic: &TrafficEvent<'_>, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let way = match traffic.way {
        Direction::In => "->",
        Direction::Out => "<-",
        Direction::Log => "!!",
        Direction::Event => "**",
    };
    let text = String::from_utf8_lossy(traffic.bytes);
    // A CR before the LF stays visible.
    for line in text.strip_suffix('\n').unwrap_or(&text).split('\n') {
        writeln!(out, "{:9.3} {:>7} {way} {}", elapsed.as_secs_f64(), traffic.process, printable(line))?;
    }
    Ok(())
}
