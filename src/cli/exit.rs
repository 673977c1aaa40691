//! Exit codes, and the message that goes with one.

use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exit {
    code: u8,
    message: Option<String>,
}

/// What a process that was interrupted exits with, by the custom of shells.
pub(super) const INTERRUPTED: u8 = 130;

impl Exit {
    /// Conformant, or nothing found.
    pub(super) fn success() -> Exit {
        Exit { code: 0, message: None }
    }

    /// A failure, which has been printed.
    pub(super) fn failure() -> Exit {
        Exit { code: 1, message: None }
    }

    /// Wrong usage: flags, filters and files that the user has to put right.
    pub(super) fn usage(message: impl ToString) -> Exit {
        Exit { code: 2, message: Some(message.to_string()) }
    }

    /// The adapter cannot be used.
    pub(super) fn unusable_adapter(message: impl ToString) -> Exit {
        Exit { code: 3, message: Some(message.to_string()) }
    }

    /// Nothing ran.
    pub(super) fn nothing_ran(message: impl ToString) -> Exit {
        Exit { code: 4, message: Some(message.to_string()) }
    }

    /// Interrupted; what there was has been printed.
    pub(super) fn interrupted() -> Exit {
        Exit { code: INTERRUPTED, message: None }
    }

    /// Prints the message and gives the code.
    pub(super) fn report(self) -> ExitCode {
        if let Some(message) = self.message {
            for line in message.lines() {
                anstream::eprintln!("genui-conform: {}", crate::report::printable(line));
            }
        }
        ExitCode::from(self.code)
    }
}

/// A reader that has gone away is no failure of ours: `genui-conform list | head` ends in silence.
impl From<std::io::Error> for Exit {
    fn from(error: std::io::Error) -> Exit {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Exit::success(),
            _ => Exit { code: 1, message: Some(format!("standard output cannot be written: {error}")) },
        }
    }
}
