//! What a reader or writer is asked to follow: the profile, and a choice for each open point.

use std::fmt;

use crate::open_points::open_points;

/// Which set of the rules holds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
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

    /// The name in case files, on the command line and in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Core => "core",
            Profile::Chat => "chat",
            Profile::LineStart => "line-start",
        }
    }

    /// The profile of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether a content marker in the middle of a line is moved onto its own line
    /// (`openui.marker.mid-line-content`).
    #[must_use]
    pub fn moves_content_markers(self) -> bool {
        self != Profile::LineStart
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The profile and the choices, together all that changes how a message is read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which set of the rules holds.
    pub profile: Profile,
    /// A choice for each open point.
    pub choices: Choices,
}

impl Options {
    /// This profile with the choices that are named first.
    #[must_use]
    pub fn of(profile: Profile) -> Options {
        Options { profile, choices: Choices::default() }
    }

    /// Whether a last line that starts with the prefix but can no longer become a marker line is held back.
    /// `line-start` does not leave the point open (`openui.stream.hold-impossible`).
    pub(super) fn holds_impossible(&self) -> bool {
        self.profile == Profile::LineStart || self.choices.hold_impossible == HoldImpossible::Held
    }
}

open_points! {
    /// What a CR that ends the message right behind a marker at the start of a line leaves of it.
    cr_at_end: CrAtEnd, "openui.marker.cr-at-end", Marker = "marker", Text = "text";
    /// The same for a content marker in the middle of a line.
    mid_line_cr_at_end: MidLineCrAtEnd, "openui.marker.mid-line-cr-at-end", Text = "text", Marker = "marker";
    /// Which of several contexts behind the winning content counts.
    several_contexts: SeveralContexts, "openui.read.several-contexts", Last = "last", First = "first";
    /// Whether an end line before the winning content counts.
    stale_end: StaleEnd, "openui.read.stale-end", Counts = "counts", Ignored = "ignored";
    /// What an empty context reads as.
    empty_context: EmptyContext, "openui.context.empty", EmptyString = "empty-string", Absent = "absent";
    /// How exactly the numbers of a context come back, and are written.
    numbers: Numbers, "openui.context.numbers", Exact = "exact", Double = "double",
        ExactIntegers = "exact-integers", Integers64Bit = "64-bit-integers";
    /// Which value of a name given twice counts.
    duplicate_attribute: DuplicateAttribute, "openui.attributes.duplicate", Last = "last", First = "first";
    /// What becomes of an attribute whose name is empty.
    empty_name: EmptyName, "openui.attributes.empty-name", Dropped = "dropped", Kept = "kept";
    /// Whether a last line is held that starts with the prefix but can no longer become a marker line.
    hold_impossible: HoldImpossible, "openui.stream.hold-impossible", Held = "held", Shown = "shown";
    /// Whether a piece of a content marker at the end of a line of text is shown.
    mid_line_partial: MidLinePartial, "openui.stream.mid-line-partial", Shown = "shown", Held = "held";
    /// What a writer does with a marker line in what it is given.
    forged_marker: ForgedMarker, "openui.build.forged-marker", Refused = "refused", Written = "written";
    /// What a writer does with whatever else would not read back.
    not_writable: NotWritable, "openui.build.not-writable", Refused = "refused", Written = "written";
    /// How a context that is not JSON follows a user's message in the model's text.
    text_context: TextContext, "openui.model.text-context", Text = "text", JsonString = "json-string";
    /// How a turn with an empty message begins.
    empty_message: EmptyMessage, "openui.event.empty-message", ContentLine = "content-line", NoContentLine = "no-content-line";
    /// What shows while a legacy envelope is not closed yet.
    legacy_streaming: LegacyStreaming, "openui.legacy.streaming", Raw = "raw", Held = "held";
}
