//! Which choices are tried where.

use genui_conform::format::Format;
use genui_conform::formats::FORMATS;
use genui_conform::open_points::OpenPoint;
use genui_conform::rules;
use genui_conform::settings::ProfileName;

/// Whether a profile leaves the point open. One of a format without profiles is tried in the first of them alone.
pub(crate) fn is_tried_in(profile: ProfileName, point: &OpenPoint) -> bool {
    let has_profiles = FORMATS.format_of(point.rule).is_some_and(Format::has_profiles);
    rules::named(point.rule).is_some_and(|rule| rule.open_in.contains(&profile))
        && (has_profiles || profile == ProfileName::default())
}
