//! The places at which two results differ, and which rules are about which.
//!
//! A place is a member of a read message, where `content` has a word for how the texts differ (`space`: in white space
//! alone; `marker`: one has more marker prefixes than the other; `text`), or a part of a written message.

use genui_openui::PREFIX;

use crate::format::places::{Places, Reading, RulePlaces, without_space};
use crate::json::{self, Json, json_equal};

pub(super) const RULE_PLACES: &[RulePlaces] = &[
    RulePlaces::new("openui.marker.*", &["content"]),
    RulePlaces::new("openui.section.*", &["content", "context"]),
    RulePlaces::new("openui.section.empty", &["content", "context", "end"]),
    RulePlaces::new("openui.section.crlf", &["content:space", "content:marker", "context"]),
    RulePlaces::new("openui.section.line-ending-before-marker", &["content:space", "context"]),
    RulePlaces::new("openui.read.last-content-wins", &["content:marker", "content:text"]),
    RulePlaces::new("openui.read.context-before-content", &["context"]),
    RulePlaces::new("openui.read.leading-text", &["content"]),
    RulePlaces::new("openui.read.unknown-kind", &["content:marker", "content:text", "context"]),
    RulePlaces::new("openui.read.plain-text", &["content"]),
    RulePlaces::new("openui.read.end", &["end"]),
    RulePlaces::new("openui.read.final-line-ending", &["content:space"]),
    RulePlaces::new("openui.read.text-after-end", &["content"]),
    RulePlaces::new("openui.read.several-contexts", &["context"]),
    RulePlaces::new("openui.read.stale-end", &["end"]),
    RulePlaces::new("openui.read.display", &["content:marker", "content:text"]),
    RulePlaces::new("openui.context.*", &["context"]),
    RulePlaces::new("openui.attributes.*", &["attributes"]),
    RulePlaces::in_reading("openui.stream.*", &["content"], Reading::Streaming),
    RulePlaces::in_reading("openui.stream.only-when-streaming", &["content"], Reading::Whole),
    RulePlaces::in_reading("openui.stream.release", &["content", "context", "attributes", "end"], Reading::Streaming),
    RulePlaces::new("openui.build.layout", &["message:layout"]),
    RulePlaces::new("openui.build.context", &["message:context"]),
    RulePlaces::new("openui.build.json-context", &["message:context"]),
    RulePlaces::new("openui.build.attributes", &["message:marker-line"]),
    RulePlaces::new("openui.build.forged-marker", &["message:content", "message:context", "refusal"]),
    RulePlaces::new("openui.build.not-writable", &["message:content", "refusal"]),
    RulePlaces::new("openui.event.turn", &["message:content", "message:no-list"]),
    RulePlaces::new("openui.event.clicked", &["message:clicked"]),
    RulePlaces::new("openui.event.form-state", &["message:form-state", "message:items"]),
    RulePlaces::new("openui.event.context", &["message:action-context", "message:items"]),
    RulePlaces::new("openui.event.empty-message", &["message:content"]),
];

/// Of two readings of a message.
pub(super) fn parse(params: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::default();
    message(expected, found, has(params, "streaming", |value| *value == Json::Bool(true)), &mut places);
    places
}

/// Of two readings of a streamed message.
pub(super) fn stream(_: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::default();
    let snapshots = [expected, found].map(|result| match result.get("snapshots") {
        Some(Json::Array(snapshots)) => &snapshots[..],
        _ => &[],
    });
    if snapshots[0].len() != snapshots[1].len() {
        places.streaming = true;
        places.add("snapshots");
    }
    for (expected, found) in snapshots[0].iter().zip(snapshots[1]) {
        message(expected, found, true, &mut places);
    }
    if let (Some(expected), Some(found)) = (expected.get("final"), found.get("final")) {
        message(expected, found, false, &mut places);
    }
    places
}

/// Of two written messages.
pub(super) fn build(_: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::of_whole();
    written(message_of(expected), message_of(found), &mut places);
    places
}

/// Of two written turns.
pub(super) fn from_event(params: &str, expected: &Json, found: &Json) -> Places {
    let mut places = Places::of_whole();
    turn(message_of(expected), message_of(found), has(params, "form_state", |_| true), &mut places);
    places
}

/// Whether the params have a member, and it is so.
fn has(params: &str, name: &str, is_so: impl Fn(&Json) -> bool) -> bool {
    json::parse(params).is_ok_and(|params| params.get(name).is_some_and(is_so))
}

fn message_of(result: &Json) -> &str {
    result.get("message").and_then(Json::as_str).unwrap_or_default()
}

/// The members in which two read messages differ. If the contents do, what else differs follows from that: a marker
/// that is not seen shows in every member.
fn message(expected: &Json, found: &Json, streams: bool, places: &mut Places) {
    for name in ["content", "context", "attributes", "end"] {
        let (expected, found) = (expected.get(name), found.get(name));
        if same(expected, found) {
            continue;
        }
        if streams {
            places.streaming = true
        } else {
            places.whole = true
        }
        match (name, expected.and_then(Json::as_str), found.and_then(Json::as_str)) {
            ("content", Some(expected), Some(found)) => {
                places.add(format!("content:{}", text_change(expected, found)));
            }
            ("content", ..) => places.add("content:text"),
            _ => places.add(name),
        }
        if name == "content" {
            return;
        }
    }
}

fn same(left: Option<&Json>, right: Option<&Json>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => json_equal(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// How two texts differ: in white space alone, in how many marker prefixes there are, or otherwise.
fn text_change(expected: &str, found: &str) -> &'static str {
    let marks = |text: &str| text.matches(&PREFIX[..3]).count();
    if without_space(expected) == without_space(found) {
        "space"
    } else if marks(expected) != marks(found) {
        "marker"
    } else {
        "text"
    }
}

/// The parts in which two written messages differ.
fn written(expected: &str, found: &str, places: &mut Places) {
    if without_space(expected) == without_space(found) {
        return places.add("message:layout");
    }
    let mark = format!("\n{PREFIX}context");
    let cut = |text: &str| match text.split_once(&mark) {
        Some((content, context)) => (content.to_owned(), Some(context.to_owned())),
        None => (text.to_owned(), None),
    };
    let ((expected, expected_context), (found, found_context)) = (cut(expected), cut(found));
    if expected_context != found_context {
        places.add("message:context");
    }
    if expected.lines().next() != found.lines().next() {
        places.add("message:marker-line");
    } else if expected != found {
        places.add("message:content");
    }
}

/// The parts in which two written turns differ.
fn turn(expected: &str, found: &str, has_form_state: bool, places: &mut Places) {
    let mark = format!("\n{PREFIX}context\n");
    let cut = |text: &str| match text.split_once(&mark) {
        Some((content, context)) => (content.to_owned(), json::parse(context).ok()),
        None => (text.to_owned(), None),
    };
    let ((expected, expected_context), (found, found_context)) = (cut(expected), cut(found));
    if expected != found {
        places.add("message:content");
    }
    let (Some(Json::Array(expected)), Some(Json::Array(found))) = (expected_context, found_context) else {
        return places.add("message:no-list");
    };
    if !same(expected.first(), found.first()) {
        places.add("message:clicked");
    }
    if expected.len() != found.len() {
        return places.add("message:items");
    }
    // After what was clicked comes the form state, if there is one, and then the context of the action.
    for (at, (left, right)) in expected.iter().zip(&found).enumerate().skip(1) {
        if !json_equal(left, right) {
            places.add(if at == 1 && has_form_state { "message:form-state" } else { "message:action-context" });
        }
    }
}
