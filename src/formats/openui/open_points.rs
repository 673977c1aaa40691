//! The names of the open points of OpenUI and of their choices.

use genui_openui::choices::*;

crate::open_points::open_points! { Choices:
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
