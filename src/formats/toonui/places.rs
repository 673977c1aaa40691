//! Which rules are about which places of a result.

use crate::format::RulePlaces;
use crate::format::places::{Places, leaves};
use crate::json::{Json, Pointer};

/// The texts of a result: their pointers, and the same with `*` for an index.
const TEXTS: [(&str, &str); 5] = [
    ("/text", "/text"),
    ("/message/content", "/message/content"),
    ("/message/parts/0/text", "/message/parts/*/text"),
    ("/message/displayContent", "/message/displayContent"),
    ("/message/metadata/displayContent", "/message/metadata/displayContent"),
];

pub(super) const RULE_PLACES: &[RulePlaces] = &[
    RulePlaces::new("toonui.event.id", &["/payload/eventId"]),
    RulePlaces::new("toonui.event.form-title", &["/payload/formTitle"]),
    RulePlaces::new("toonui.event.defaults", &["/payload/context", "/payload/values"]),
    RulePlaces::new("toonui.content.*", &["/text", "/message/content", "/message/parts"]),
    RulePlaces::new("toonui.content.context", &["/text", "/message/content", "/message/parts", "more-lines"]),
    RulePlaces::new("toonui.content.left-out", &["/text", "/message/content", "/message/parts", "more-lines"]),
    RulePlaces::new("toonui.content.layout", &["*:space", "/text", "/message/content", "/message/parts", "line-ends"]),
    RulePlaces::new(
        "toonui.content.key-order",
        &["/text", "/message/content", "/message/parts", "/message/displayContent", "/message/metadata/displayContent"],
    ),
    RulePlaces::new(
        "toonui.content.numbers",
        &["/text", "/message/content", "/message/parts", "/message/displayContent", "/message/metadata/displayContent"],
    ),
    RulePlaces::new("toonui.content.forgery", &["/text", "/message", "refusal"]),
    RulePlaces::new("toonui.content.kind", &["/text", "/message", "refusal"]),
    RulePlaces::new("toonui.display.*", &["/text", "/message/displayContent", "/message/metadata/displayContent"]),
    RulePlaces::new("toonui.message.*", &["/message"]),
    RulePlaces::new("toonui.message.id", &["/message/id"]),
    RulePlaces::new("toonui.input.missing", &["refusal"]),
];

/// The innermost places at which two results differ. A text that differs in its line ends alone, or has more lines, is a
/// place of its own: `line-ends`, `more-lines`.
pub(super) fn of_texts(params: &str, expected: &Json, found: &Json) -> Places {
    let mut places = leaves(params, expected, found);
    for (pointer, place) in TEXTS {
        let Ok(pointer) = pointer.parse::<Pointer>() else { continue };
        let text = |result| pointer.find(result).and_then(Json::as_str);
        let (Some(expected), Some(found)) = (text(expected), text(found)) else { continue };
        let word = if lines(expected) == lines(found) {
            "line-ends"
        } else if has_more_lines(expected, found) {
            "more-lines"
        } else {
            continue;
        };
        places.rename(&format!("{place}:space"), word);
        places.rename(&format!("{place}:text"), word);
    }
    places
}

/// The lines of a text, whatever ends them.
fn lines(text: &str) -> Vec<&str> {
    text.trim_end_matches(['\r', '\n']).lines().collect()
}

/// Whether the one text has all lines of the other in their order, and others between them.
fn has_more_lines(expected: &str, found: &str) -> bool {
    let mut rest = found.split('\n');
    let has = expected.split('\n').all(|line| rest.any(|other| other == line));
    has && expected != found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn differ(expected: &str, found: &str, places: &[&str]) {
        let result = |text: &str| Json::object([("text", text.into())]);
        let words = of_texts("{}", &result(expected), &result(found));
        assert_eq!(words.words().iter().map(String::as_str).collect::<Vec<_>>(), places, "{found:?}");
    }

    #[test]
    fn line_ends_and_lines_are_places() {
        let right = "ui_reply:\n  value: a";
        differ(right, right, &[]);
        differ(right, "ui_reply:\n  value: a\n", &["line-ends"]);
        differ(right, "ui_reply:\r\n  value: a", &["line-ends"]);
        differ(right, "ui_reply:\n  line: 5\n  value: a", &["more-lines"]);
        differ(right, "ui_reply:\n  value: a\n  line: 5", &["more-lines"]);
        differ(right, "ui_reply:\n  value:  a", &["/text:space"]);
        differ(right, "ui_reply:\n  value: \"a\"\n  line: 5", &["/text:text"]);
        differ(right, "ui_reply:", &["/text:text"]);
    }
}
