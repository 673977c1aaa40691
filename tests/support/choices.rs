//! Selects the choices for each profile.

use genui_conform::format::Format;
use genui_conform::formats::FORMATS;
use genui_conform::open_points::OpenPoint;
use genui_conform::rules;
use genui_conform::settings::ProfileName;

/// Returns whether a profile leaves the point open. A point of a format without profiles is tried only in the first one.
pub(crate) fn is_tried_in(profile: ProfileName, point: &OpenPoint) -> bool {
    let has_profiles = FORMATS.format_of(point.rule).is_some_and(Format::has_profiles);
    rules::named(point.rule).is_some_and(|rule| rule.open_in.contains(&profile))
        && (has_profiles || profile == ProfileName::default())
}
