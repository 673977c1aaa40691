//! Inputs for which `spec/toonui.md` specifies no answer.

use crate::format::{Unspecified, UnspecifiedInput};
use crate::json::Json;

pub(super) const UNSPECIFIED: &[Unspecified] = &[
    Unspecified {
        rule: "toonui.display.layout",
        name: "to-string-members",
        covers: |input| of_object(input, has_to_string),
    },
    Unspecified {
        rule: "toonui.display.labels",
        name: "other-nodes",
        covers: |input| of_object(input, |payload| !is_form_or_none(payload.get("node"))),
    },
    Unspecified { rule: "toonui.message.model", name: "nearest-doubles", covers: is_same_double },
    // In JavaScript every list has something called `values`.
    Unspecified {
        rule: "toonui.input.missing",
        name: "list-payloads",
        covers: |input| matches!(input.params.get("payload"), Some(Json::Array(_))),
    },
    Unspecified {
        rule: "toonui.input.odd",
        name: "other-raw-members",
        covers: |input| of_object(input, has_odd_raw_member),
    },
    Unspecified { rule: "toonui.input.odd", name: "other-entries", covers: |input| of_object(input, has_odd_entries) },
];

/// Whether the payload is an object of which this is true.
fn of_object(input: &UnspecifiedInput<'_>, is_so: impl Fn(&Json) -> bool) -> bool {
    input.params.get("payload").is_some_and(|payload| matches!(payload, Json::Object(_)) && is_so(payload))
}

fn is_object_or_none(value: Option<&Json>) -> bool {
    matches!(value, None | Some(Json::Null | Json::Object(_)))
}

fn is_reply(payload: &Json) -> bool {
    payload.get("kind").and_then(Json::as_str) == Some("ui_reply")
}

/// Whether a member is absent or no string that goes into a text as it is. A submit without values is refused, whatever
/// else it has.
fn has_odd_raw_member(payload: &Json) -> bool {
    let names: &[&str] = match payload.get("values") {
        _ if is_reply(payload) => &["eventId", "value", "source", "component"],
        Some(Json::Object(_)) => &["eventId", "intent", "formTitle"],
        _ => &[],
    };
    names.iter().any(|name| !matches!(payload.get(name), Some(Json::String(_))))
}

/// Whether the entries are neither in an object nor absent.
fn has_odd_entries(payload: &Json) -> bool {
    !is_object_or_none(payload.get(if is_reply(payload) { "context" } else { "values" }))
}

/// Whether some object in the value has a member that JavaScript's `String()` would call.
fn has_to_string(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.iter().any(has_to_string),
        Json::Object(members) => {
            members.iter().any(|(name, value)| name.as_str() == Some("toString") || has_to_string(value))
        }
        _ => false,
    }
}

/// Whether the form of a submit is an object with a list of objects as children, whose names and labels are strings.
fn is_form_or_none(node: Option<&Json>) -> bool {
    let is_text_or_none = |value: Option<&Json>| matches!(value, None | Some(Json::String(_)));
    let is_child = |child: &Json| {
        matches!(child, Json::Object(_)) && is_text_or_none(child.get("name")) && is_text_or_none(child.get("label"))
    };
    match node {
        None => true,
        Some(node @ Json::Object(_)) => match node.get("children") {
            None => true,
            Some(Json::Array(children)) => children.iter().all(is_child),
            Some(_) => false,
        },
        Some(_) => false,
    }
}

/// Whether two answers differ in two numbers that are the same double: what numbers of a payload may come back as.
fn is_same_double(input: &UnspecifiedInput<'_>) -> bool {
    match input.difference {
        Some((Json::Number(expected), Json::Number(found))) => expected.to_double() == found.to_double(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Method;
    use crate::formats::toonui::methods;
    use crate::json;

    fn name(method: Method, params: &str) -> Option<&'static str> {
        let params = json::parse(params).expect("is JSON");
        let input = UnspecifiedInput { method, params: &params, difference: None };
        UNSPECIFIED.iter().find(|row| (row.covers)(&input)).map(|row| row.name)
    }

    #[test]
    fn members_of_a_payload_have_the_types_of_the_document() {
        let reply = r#""kind":"ui_reply","eventId":"r","source":"button","component":"button","value":"Go""#;
        let submit = r#""kind":"ui_submit","eventId":"s","intent":"i","formTitle":"t""#;
        for (payload, expected) in [
            ("null", None),
            ("[]", Some("list-payloads")),
            ("{}", None),
            (&format!("{{{reply}}}"), None),
            (&format!("{{{reply},\"context\":null}}"), None),
            (&format!("{{{reply},\"context\":[1]}}"), Some("other-entries")),
            (&format!("{{{reply},\"value\":5}}"), Some("other-raw-members")),
            (r#"{"kind":"ui_reply","value":"Go"}"#, Some("other-raw-members")),
            (&format!("{{{submit}}}"), None),
            (r#"{"kind":"ui_submit","eventId":5}"#, None),
            (&format!("{{{submit},\"values\":{{\"a\":[1]}}}}"), None),
            (&format!("{{{submit},\"values\":\"ab\"}}"), Some("other-entries")),
            (&format!("{{{submit},\"values\":{{\"a\":{{\"toString\":1}}}}}}"), Some("to-string-members")),
            (r#"{"kind":"ui_submit","eventId":"s","intent":"i","values":{}}"#, Some("other-raw-members")),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[{{\"label\":\"A\"}}]}}}}"), None),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[{{\"label\":\"\"}}]}}}}"), None),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":[5]}}}}"), Some("other-nodes")),
            (&format!("{{{submit},\"values\":{{}},\"node\":{{\"children\":{{}}}}}}"), Some("other-nodes")),
            (&format!("{{{submit},\"values\":{{}},\"node\":[]}}"), Some("other-nodes")),
        ] {
            let params = format!("{{\"payload\":{payload}}}");
            assert_eq!(name(methods::TO_CONTENT, &params), expected, "{payload}");
        }
        assert_eq!(name(methods::SUBMIT, r#"{"intent":"i","values":null}"#), None);
        assert_eq!(name(methods::SUBMIT, r#"{"intent":"i","values":[]}"#), None);
        assert_eq!(name(methods::REPLY, r#"{"value":"v","context":7}"#), None);
        assert_eq!(name(methods::REPLY, r#"{"value":"v","context":null}"#), None);
    }

    #[test]
    fn numbers_that_are_the_same_double_may_differ() {
        let params = Json::object([]);
        let differ = |expected: &str, found: &str| {
            let values = [expected, found].map(|text| json::parse(text).expect("is JSON"));
            let difference = Some((&values[0], &values[1]));
            is_same_double(&UnspecifiedInput { method: methods::TO_MODEL_MESSAGE, params: &params, difference })
        };
        assert!(differ("9007199254740993", "9007199254740992"));
        assert!(!differ("1", "2") && !differ("1", "\"1\""));
    }
}
