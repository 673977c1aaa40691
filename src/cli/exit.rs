//! Exit codes, and the message that goes with one.

use std::io::Write;
use std::process::ExitCode;

use crate::report::{excerpt, printable};

/// A message may carry what an adapter said.
const LONGEST_LINE: usize = 2_000;

/// How the program ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exit {
    code: u8,
    message: Vec<String>,
}

/// What a process that was interrupted exits with, by the custom of shells.
pub(super) const INTERRUPTED: u8 = 130;

impl Exit {
    /// Conformant, or nothing found.
    pub(super) fn success() -> Exit {
        Exit { code: 0, message: Vec::new() }
    }

    /// A failure, which has been printed.
    pub(super) fn failure() -> Exit {
        Exit { code: 1, message: Vec::new() }
    }

    /// Wrong usage: flags, filters and files that the user has to put right.
    pub(super) fn usage(message: impl ToString) -> Exit {
        Exit { code: 2, message: vec![message.to_string()] }
    }

    /// Wrong usage, for several reasons: a line each.
    pub(super) fn usage_lines(message: Vec<String>) -> Exit {
        Exit { code: 2, message }
    }

    /// The adapter cannot be used.
    pub(super) fn unusable_adapter(message: impl ToString) -> Exit {
        Exit { code: 3, message: vec![message.to_string()] }
    }

    /// Nothing ran.
    pub(super) fn nothing_ran(message: impl ToString) -> Exit {
        Exit { code: 4, message: vec![message.to_string()] }
    }

    /// Interrupted; what there was has been printed.
    pub(super) fn interrupted() -> Exit {
        Exit { code: INTERRUPTED, message: Vec::new() }
    }

    /// The same, with a word in front of the message on what it is about.
    pub(super) fn about(mut self, subject: &str) -> Exit {
        if let Some(first) = self.message.first_mut() {
            *first = format!("{subject}: {first}");
        }
        self
    }

    /// Prints the message and gives the code.
    pub(super) fn report(self) -> ExitCode {
        for line in self.message {
            let line = excerpt(&printable(&line), LONGEST_LINE);
            // Nobody can be told that nobody can be told.
            let _ = writeln!(anstream::stderr(), "genui-conform: {line}");
        }
        ExitCode::from(self.code)
    }
}

/// A reader that has gone away is no failure of ours: `genui-conform list | head` ends in silence.
impl From<std::io::Error> for Exit {
    fn from(error: std::io::Error) -> Exit {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Exit::success(),
            _ => Exit { code: 1, message: vec![format!("standard output cannot be written: {error}")] },
        }
    }
}
