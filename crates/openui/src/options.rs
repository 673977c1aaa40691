//! What a reader or writer is asked to follow: the profile, and a choice for each open point.

use crate::choices::{Choices, HoldImpossible};
use crate::names::names;

/// Which set of the rules holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// The documented reader and writer, without the legacy envelope.
    #[default]
    Core,
    /// The react-ui chat: `core`, and the older XML envelope where a message does not hold the prefix.
    Chat,
    /// As the OpenUI 1.0 specification reads the middle of a line: a content marker there is ordinary text.
    LineStart,
}

impl Profile {
    /// The three profiles, the default first.
    pub const ALL: [Profile; 3] = [Profile::Core, Profile::Chat, Profile::LineStart];

    /// Whether a content marker in the middle of a line is moved onto its own line
    /// (`openui.marker.mid-line-content`).
    #[must_use]
    pub(crate) fn moves_content_markers(self) -> bool {
        self != Profile::LineStart
    }
}

names!(Profile { Core = "core", Chat = "chat", LineStart = "line-start" });

/// The profile and the choices, together all that changes how a message is read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which set of the rules holds.
    pub profile: Profile,
    /// A choice for each open point.
    pub choices: Choices,
}

impl From<Profile> for Options {
    /// Returns options with this profile and the default choices.
    fn from(profile: Profile) -> Options {
        Options { profile, choices: Choices::default() }
    }
}

impl Options {
    /// Whether a last line that starts with the prefix but can no longer become a marker line is held back.
    /// `line-start` does not leave the point open (`openui.stream.hold-impossible`).
    pub(crate) fn holds_impossible(&self) -> bool {
        self.profile == Profile::LineStart || self.choices.hold_impossible == HoldImpossible::Held
    }
}
