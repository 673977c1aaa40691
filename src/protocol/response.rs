//! Refusals.

use std::fmt;

use super::ParamsError;

/// An implementation's refusal that a case can expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal.
    pub kind: RefusalKind,
    /// What is refused, and where it stands.
    pub message: String,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// Content or a text context holds a marker line.
    ForgedMarker,
    /// What was to be written would not read back.
    NotWritable,
    /// A payload of which no text can be made.
    BadPayload,
    /// No message has the id.
    UnknownId,
    /// The message that has the id is no user's.
    NotAUserMessage,
    /// The params do not fit the method.
    BadParams,
}

impl RefusalKind {
    /// Every kind.
    pub const ALL: [RefusalKind; 6] = [
        RefusalKind::ForgedMarker,
        RefusalKind::NotWritable,
        RefusalKind::BadPayload,
        RefusalKind::UnknownId,
        RefusalKind::NotAUserMessage,
        RefusalKind::BadParams,
    ];

    /// The name in `data.kind` and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RefusalKind::ForgedMarker => "forged-marker",
            RefusalKind::NotWritable => "not-writable",
            RefusalKind::BadPayload => "bad-payload",
            RefusalKind::UnknownId => "unknown-id",
            RefusalKind::NotAUserMessage => "not-a-user-message",
            RefusalKind::BadParams => "bad-params",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RefusalKind> {
        RefusalKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<ParamsError> for Refusal {
    fn from(error: ParamsError) -> Refusal {
        Refusal { kind: RefusalKind::BadParams, message: error.to_string() }
    }
}
