//! Open points: where the documents of a format are silent, and the choices that an implementation can make there.
//!
//! The crates of the formats have the choices as types. Their names, which case files and the protocol use, are given
//! here only.

/// A rule that leaves a point open, and the names of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPoint {
    /// The rule's id.
    pub rule: &'static str,
    /// The names of its choices, two or more, the reference's default first.
    pub names: &'static [&'static str],
}

/// Names the open points of a format and their choices once. Generates `OPEN_POINTS`, and `chosen` and `choose`, which
/// read and make a choice by its name. A choice without a name does not compile.
macro_rules! open_points {
    ($choices:path: $($field:ident: $type:path = $rule:literal { $($variant:ident = $name:literal),+ $(,)? };)*) => {
        /// Every open point of the format, in the order of the rules.
        pub(crate) const OPEN_POINTS: &[$crate::open_points::OpenPoint] =
            &[$($crate::open_points::OpenPoint { rule: $rule, names: &[$($name),+] },)*];

        /// The name of the choice on a rule's point; `None` if the rule leaves none open.
        pub(crate) fn chosen(choices: &$choices, rule: &str) -> Option<&'static str> {
            match rule {
                $($rule => {
                    use $type as Choice;
                    Some(match choices.$field { $(Choice::$variant => $name,)+ })
                })*
                _ => None,
            }
        }

        /// Makes the choice of this name on a rule's point; `false` if there is none of that name.
        pub(crate) fn choose(choices: &mut $choices, rule: &str, name: &str) -> bool {
            match rule {
                $($rule => {
                    use $type as Choice;
                    choices.$field = match name { $($name => Choice::$variant,)+ _ => return false };
                    true
                })*
                _ => false,
            }
        }
    };
}

/// The open points of OpenUI.
pub(crate) mod openui {
    use genui_openui::choices::*;

    open_points! { Choices:
        cr_at_end: CrAtEnd = "openui.marker.cr-at-end" { Marker = "marker", Text = "text" };
        mid_line_cr_at_end: MidLineCrAtEnd = "openui.marker.mid-line-cr-at-end" { Text = "text", Marker = "marker" };
        several_contexts: SeveralContexts = "openui.read.several-contexts" { Last = "last", First = "first" };
        stale_end: StaleEnd = "openui.read.stale-end" { Counts = "counts", Ignored = "ignored" };
        empty_context: EmptyContext = "openui.context.empty" { EmptyString = "empty-string", Absent = "absent" };
        numbers: Numbers = "openui.context.numbers" {
            Exact = "exact",
            Double = "double",
            ExactIntegers = "exact-integers",
            Integers64Bit = "64-bit-integers",
        };
        duplicate_attribute: DuplicateAttribute = "openui.attributes.duplicate" { Last = "last", First = "first" };
        empty_name: EmptyName = "openui.attributes.empty-name" { Dropped = "dropped", Kept = "kept" };
        hold_impossible: HoldImpossible = "openui.stream.hold-impossible" { Held = "held", Shown = "shown" };
        mid_line_partial: MidLinePartial = "openui.stream.mid-line-partial" { Shown = "shown", Held = "held" };
        forged_marker: ForgedMarker = "openui.build.forged-marker" { Refused = "refused", Written = "written" };
        not_writable: NotWritable = "openui.build.not-writable" { Refused = "refused", Written = "written" };
        text_context: TextContext = "openui.model.text-context" { Text = "text", JsonString = "json-string" };
        empty_message: EmptyMessage = "openui.event.empty-message" {
            ContentLine = "content-line",
            NoContentLine = "no-content-line",
        };
        legacy_streaming: LegacyStreaming = "openui.legacy.streaming" { Raw = "raw", Held = "held" };
    }
}

/// The open points of Glossen.
pub(crate) mod glossen {
    use genui_glossen::choices::*;

    open_points! { Choices:
        extra_keys: ExtraKeys = "glossen.type.extra-keys" { Stripped = "stripped", Kept = "kept" };
        url: UrlCheck = "glossen.type.url" { AnyString = "any-string", Checked = "checked" };
        order: OrderCheck = "glossen.validate.order" { NotEnforced = "not-enforced", Enforced = "enforced" };
        file_data: FileData = "glossen.model.file" { String = "string", Object = "object" };
        stray_key: StrayKey = "glossen.edit.stray-key" { Dropped = "dropped", Kept = "kept" };
    }
}
