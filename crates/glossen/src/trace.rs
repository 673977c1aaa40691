//! The type of each message and part, and the rule that decides it.

use super::message::{LimitError, Role, within_limits};
use super::part::{DATA, PAGE, PASSAGE, PLAIN_PARTS, REASONING, SOURCES, STEP, TEXT, is_tool};
use genui_json::{Json, Pointer};

/// A message, a part of one, or a value in the place of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceItem<'a> {
    /// Its place in the list of messages.
    pub at: Pointer,
    /// Its type, in a few words.
    pub what: &'static str,
    /// The id of the rule that decides the type. A value of no known type violates this rule.
    pub rule: &'static str,
    /// The message with its parts, or the part.
    pub value: &'a Json,
}

/// Returns an item for each message, followed by one for each of its parts.
///
/// It does not validate: [`validate()`](crate::validate()) does. A value that is no list gives one item, and an empty list
/// none.
///
/// # Errors
///
/// Returns an error if the value exceeds a limit.
///
/// # Examples
///
/// ```
/// use genui_glossen::trace;
/// use genui_json::parse;
///
/// let messages = parse(r#"[{"id":"q","role":"user","parts":[{"type":"data-page"}]}]"#)?;
/// let items = trace(&messages)?;
/// assert_eq!((items[0].what, items[1].what), ("user message", "page part"));
/// assert_eq!((&*items[1].at.to_string(), items[1].rule), ("/0/parts/0", "glossen.type.page"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace(messages: &Json) -> Result<Vec<TraceItem<'_>>, LimitError> {
    within_limits(messages)?;
    let root = Pointer::default();
    let Json::Array(list) = messages else {
        return Ok(vec![TraceItem { at: root, what: "no list", rule: "glossen.type.message", value: messages }]);
    };
    let mut items = Vec::new();
    for (index, message) in list.iter().enumerate() {
        let at = root.child(index.to_string());
        let parts = match message.get("parts") {
            Some(Json::Array(parts)) => parts.as_slice(),
            _ => &[],
        };
        let at_parts = at.child("parts");
        items.push(TraceItem { at, what: message_name(message), rule: "glossen.type.message", value: message });
        for (index, part) in parts.iter().enumerate() {
            let (what, rule) = part_name(part);
            items.push(TraceItem { at: at_parts.child(index.to_string()), what, rule, value: part });
        }
    }
    Ok(items)
}

fn message_name(message: &Json) -> &'static str {
    match message.get("role").and_then(Json::as_str).and_then(Role::named) {
        _ if !matches!(message, Json::Object(_)) => "no message",
        Some(Role::User) => "user message",
        Some(Role::Assistant) => "assistant message",
        Some(Role::System) => "system message",
        None => "message without a known role",
    }
}

fn part_name(part: &Json) -> (&'static str, &'static str) {
    let Some(kind) = part.get("type").and_then(Json::as_str) else {
        return ("no part", "glossen.type.message");
    };
    match kind {
        TEXT => ("text part", "glossen.type.text"),
        PAGE => ("page part", "glossen.type.page"),
        PASSAGE => ("passage part", "glossen.type.passage"),
        SOURCES => ("sources part", "glossen.type.sources"),
        STEP => ("start of a step", "glossen.type.parts"),
        REASONING => ("reasoning part", "glossen.type.parts"),
        _ if kind.starts_with(DATA) => ("unknown data part", "glossen.type.unknown-data-part"),
        _ if is_tool(kind) => ("tool part", "glossen.type.tool-parts"),
        _ if PLAIN_PARTS.iter().any(|plain| plain.kind == kind) => ("other part of the SDK", "glossen.type.parts"),
        _ => ("unknown part", "glossen.type.parts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genui_json as json;

    #[test]
    fn each_item_has_its_type() {
        let messages = json::parse(
            r#"[{"role":"user","parts":[{"type":"text"},{"type":"data-pages"},{"type":"tool-x"},{"type":"file"},{"type":"zz"},7]},[]]"#,
        )
        .expect("is JSON");
        let items = trace(&messages).expect("is within the limits");
        let named: Vec<(String, &str)> = items.iter().map(|item| (item.at.to_string(), item.what)).collect();
        let expected = [
            ("/0", "user message"),
            ("/0/parts/0", "text part"),
            ("/0/parts/1", "unknown data part"),
            ("/0/parts/2", "tool part"),
            ("/0/parts/3", "other part of the SDK"),
            ("/0/parts/4", "unknown part"),
            ("/0/parts/5", "no part"),
            ("/1", "no message"),
        ];
        assert_eq!(named, expected.map(|(at, what)| (at.to_owned(), what)));
    }
}
