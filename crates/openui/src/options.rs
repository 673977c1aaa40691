//! The options of readers and writers: the profile, and a choice for each open point.

use crate::choices::{Choices, HoldImpossible};
use crate::names::names;

/// A set of rules that apply. The names are `core`, `chat` and `line-start`.
///
/// # Examples
///
/// ```
/// use genui_openui::{Options, Profile};
///
/// let profile: Profile = "chat".parse()?;
/// assert_eq!(profile, Profile::Chat);
/// assert_eq!(Options::from(profile).profile.to_string(), "chat");
/// # Ok::<(), genui_openui::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// The documented reader and writer, without the legacy envelope.
    #[default]
    Core,
    /// The react-ui chat: `core`, and the legacy XML envelope if a message does not contain the prefix.
    Chat,
    /// As the OpenUI 1.0 specification: a content marker in the middle of a line is ordinary text.
    LineStart,
}

impl Profile {
    /// The three profiles, the default first.
    pub const ALL: [Profile; 3] = [Profile::Core, Profile::Chat, Profile::LineStart];

    /// Returns whether a content marker in the middle of a line is moved onto its own
    /// (`openui.marker.mid-line-content`).
    pub(crate) fn moves_content_markers(self) -> bool {
        self != Profile::LineStart
    }
}

names!(Profile { Core = "core", Chat = "chat", LineStart = "line-start" });

/// Everything that changes how a message is read or written: a profile, and a choice for each open point.
///
/// # Examples
///
/// ```
/// use genui_openui::choices::{Choices, SeveralContexts};
/// use genui_openui::{Options, parse};
///
/// let choices = Choices { several_contexts: SeveralContexts::First, ..Choices::default() };
/// let options = Options { choices, ..Options::default() };
/// let message = parse("Hi\n]]>openui:context\n1\n]]>openui:context\n2", &options);
/// assert_eq!(message.context_json(), 1.into());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The set of rules that apply.
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
    /// Returns whether a last line is held back that starts with the prefix and can no longer become a marker line.
    /// The profile `line-start` does not leave this point open (`openui.stream.hold-impossible`).
    pub(crate) fn holds_impossible(&self) -> bool {
        self.profile == Profile::LineStart || self.choices.hold_impossible == HoldImpossible::Held
    }
}
