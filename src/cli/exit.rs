//! Exit codes, and the message that goes with one.

use std::io::Write;
use std::process::ExitCode;

use crate::report::{excerpt, printable};

/// A message may carry what an adapter said.
const LONGEST_LINE: usize = 2_000;

/// What the message on an adapter that cannot be used begins with.
pub(super) const UNUSABLE: &str = "the adapter cannot be used: ";

/// How the program ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exit {
    code: u8,
    message: Vec<String>,
}

/// What a process that was interrupted exits with, by the custom of shells; [`super::session::Session`] puts the code of the
/// signal in its place.
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

    /// Wrong usage: flags, filters and files that the user has to put right.
    pub(super) fn usage(message: impl ToString) -> Exit {
        Exit { code: 2, message: vec![message.to_string()] }
    }

    /// Wrong usage, for several reasons: a line each.
    pub(super) fn usage_lines(message: Vec<String>) -> Exit {
        Exit { code: 2, message }
    }

    /// The adapter cannot be used, and why.
    pub(super) fn unusable_adapter(why: impl std::fmt::Display) -> Exit {
        Exit { code: 3, message: vec![format!("{UNUSABLE}{why}")] }
    }

    /// Some of several adapters cannot be used: a line for each.
    pub(super) fn unusable_adapters(message: Vec<String>) -> Exit {
        Exit { code: 3, message }
    }

    /// Nothing ran.
    pub(super) fn nothing_ran(message: impl ToString) -> Exit {
        Exit { code: 4, message: vec![message.to_string()] }
    }

    /// Interrupted; what there was has been printed.
    pub(super) fn interrupted() -> Exit {
        Exit { code: INTERRUPTED, message: Vec::new() }
    }

    /// The message, without its code.
    pub(super) fn message(self) -> String {
        self.message.join("; ")
    }

    /// The same with another code.
    pub(super) fn with_code(mut self, code: u8) -> Exit {
        self.code = code;
        self
    }

    /// Both messages; the code of this one, unless it is a success.
    pub(super) fn and(mut self, other: Exit) -> Exit {
        self.message.extend(other.message);
        if self.code == 0 { self.with_code(other.code) } else { self }
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

/// What went wrong on standard output. A reader that has gone away is no error there: see [`super::session::Output`].
impl From<std::io::Error> for Exit {
    fn from(error: std::io::Error) -> Exit {
        Exit { code: 1, message: vec![format!("standard output cannot be written: {error}")] }
    }
}
