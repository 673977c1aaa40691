//! Which rules are about which places of a result.

use crate::format::RulePlaces;

pub(super) const RULE_PLACES: &[RulePlaces] = &[
    RulePlaces::new("toonui.event.id", &["/payload/eventId"]),
    RulePlaces::new("toonui.event.form-title", &["/payload/formTitle"]),
    RulePlaces::new("toonui.content.layout", &["*:space"]),
];
