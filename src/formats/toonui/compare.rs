//! Ids of results, which may be new each time.

use crate::format::Volatile;

pub(super) const REPLY_ID: Volatile = Volatile { at: "/payload/eventId", pattern: Some("^reply_[0-9a-z]{0,8}$") };
pub(super) const SUBMIT_ID: Volatile = Volatile { at: "/payload/eventId", pattern: Some("^submit_[0-9a-z]{0,8}$") };
/// The id of a UI message is that of its payload (`toonui.message.id`). An implementation that makes up a new one each
/// time violates that rule, and is not called unsteady as well.
pub(super) const MESSAGE_ID: Volatile = Volatile { at: "/message/id", pattern: None };
