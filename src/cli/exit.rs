//! Exit codes and their messages.

use std::io::Write;
use std::process::ExitCode;

use crate::report::{excerpt, printable};

/// The maximum length of a line: a message may quote text from an adapter.
const LONGEST_LINE: usize = 2_000;

/// The prefix of messages about an adapter that cannot be used.
pub(super) const UNUSABLE: &str = "the adapter cannot be used: ";

/// An exit code with its message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exit {
    code: u8,
    message: Vec<String>,
}

/// The exit code of an interrupted process, by shell convention. [`super::session::Session`] replaces it by the code of the
/// signal.
const INTERRUPTED: u8 = 130;

impl Exit {
    /// Conformant, or nothing found.
    pub(super) fn success() -> Exit {
        Exit { code: 0, message: Vec::new() }
    }

    /// A failure, which has been printed.
    pub(super) fn failure() -> Exit {
        Exit { code: 1, message: Vec::new() }
    }

    /// A usage error: the user has to fix flags, filters or files.
    pub(super) fn usage(message: impl ToString) -> Exit {
        Exit { code: 2, message: vec![message.to_string()] }
    }

    /// Usage errors, one line each.
    pub(super) fn usage_lines(message: Vec<String>) -> Exit {
        Exit { code: 2, message }
    }

    /// The adapter cannot be used; `why` is the reason.
    pub(super) fn unusable_adapter(why: impl std::fmt::Display) -> Exit {
        Exit { code: 3, message: vec![format!("{UNUSABLE}{why}")] }
    }

    /// Some of several adapters cannot be used: one line for each.
    pub(super) fn unusable_adapters(message: Vec<String>) -> Exit {
        Exit { code: 3, message }
    }

    /// Nothing ran.
    pub(super) fn nothing_ran(message: impl ToString) -> Exit {
        Exit { code: 4, message: vec![message.to_string()] }
    }

    /// Interrupted, after the partial results were printed.
    pub(super) fn interrupted() -> Exit {
        Exit { code: INTERRUPTED, message: Vec::new() }
    }

    /// Returns the message without the code.
    pub(super) fn message(self) -> String {
        self.message.join("; ")
    }

    /// Replaces the code.
    pub(super) fn with_code(mut self, code: u8) -> Exit {
        self.code = code;
        self
    }

    /// Joins both messages and keeps the code of this exit, unless it is a success.
    pub(super) fn and(mut self, other: Exit) -> Exit {
        self.message.extend(other.message);
        if self.code == 0 { self.with_code(other.code) } else { self }
    }

    /// Prints the message and returns the code.
    pub(super) fn report(self) -> ExitCode {
        for line in self.message {
            let line = excerpt(&printable(&line), LONGEST_LINE);
            // Standard error is gone; there is nowhere left to report this.
            let _ = writeln!(anstream::stderr(), "genui-conform: {line}");
        }
        ExitCode::from(self.code)
    }
}

/// An error on standard output. A reader that closed it is not an error: see [`super::session::Output`].
impl From<std::io::Error> for Exit {
    fn from(error: std::io::Error) -> Exit {
        Exit { code: 1, message: vec![format!("standard output cannot be written: {error}")] }
    }
}
