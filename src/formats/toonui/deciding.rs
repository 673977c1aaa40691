//! The rules that decide the answer to a request, among them each one that leaves more room than the others.

use std::collections::BTreeSet;

use genui_toonui::trace_content;

use crate::formats::values::members;
use crate::json::Json;
use crate::settings::Settings;

type Rules = BTreeSet<&'static str>;

/// Of a reply that is made.
pub(super) fn of_reply(params: &Json, _: &Settings) -> Rules {
    of_event(params.get("context"), &["toonui.event.reply"])
}

/// Of a submit that is made.
pub(super) fn of_submit(params: &Json, _: &Settings) -> Rules {
    of_event(params.get("values"), &["toonui.event.submit", "toonui.event.form-title"])
}

fn of_event(given: Option<&Json>, of_members: &[&'static str]) -> Rules {
    let is_none = matches!(given, None | Some(Json::Null));
    of_members.iter().copied().chain(is_none.then_some("toonui.event.defaults")).collect()
}

/// Of a payload whose content is written.
pub(super) fn of_content(params: &Json, _: &Settings) -> Rules {
    written(params, content)
}

/// Of a payload whose display text is written.
pub(super) fn of_display(params: &Json, _: &Settings) -> Rules {
    written(params, display)
}

/// Of a payload for which a message for the model is made.
pub(super) fn of_model_message(params: &Json, _: &Settings) -> Rules {
    written(params, |payload| &(&content(payload) | &display(payload)) | &Rules::from(["toonui.message.model"]))
}

/// Of a payload for which a message for a chat's state is made.
pub(super) fn of_ui_message(params: &Json, _: &Settings) -> Rules {
    let own = ["toonui.message.ui", "toonui.message.id"];
    written(params, |payload| &(&content(payload) | &display(payload)) | &Rules::from(own))
}

/// The rules of a payload, or the one that refuses it.
fn written(params: &Json, rules: impl FnOnce(&Json) -> Rules) -> Rules {
    match params.get("payload") {
        Some(payload) if trace_content(payload).is_ok() => rules(payload),
        _ => Rules::from(["toonui.input.missing"]),
    }
}

fn content(payload: &Json) -> Rules {
    let mut rules: Rules = trace_content(payload).into_iter().flatten().map(|line| line.rule).collect();
    let fields: &[&str] = if is_reply(payload) {
        &["eventId", "value", "source", "component"]
    } else {
        &["eventId", "intent", "formTitle"]
    };
    for text in fields.iter().filter_map(|name| payload.get(name)?.as_str()) {
        if text.is_empty() {
            rules.insert("toonui.content.layout");
        } else if !is_plain(text) {
            rules.insert("toonui.content.raw");
        }
    }
    rules
}

fn display(payload: &Json) -> Rules {
    let text = |name: &str| payload.get(name).and_then(Json::as_str).unwrap_or_default();
    if is_reply(payload) {
        let forges = text("value").contains('\n').then_some("toonui.content.forgery");
        return std::iter::once("toonui.display.reply").chain(forges).collect();
    }
    let mut rules = Rules::from(["toonui.display.submit"]);
    let values = members(payload.get("values"));
    if !values.is_empty() {
        rules.insert("toonui.display.layout");
    }
    if payload.get("node").is_some() {
        rules.insert("toonui.display.labels");
    }
    if text("formTitle").contains('\n') || values.iter().any(|(name, _)| name.to_text().contains('\n')) {
        rules.insert("toonui.content.forgery");
    }
    if payload.get("kind").and_then(Json::as_str) != Some("ui_submit") {
        rules.insert("toonui.content.kind");
    }
    rules
}

fn is_reply(payload: &Json) -> bool {
    payload.get("kind").and_then(Json::as_str) == Some("ui_reply")
}

/// Whether a text has nothing in it that `toonui.content.raw` is about: whether it is words, or an id.
fn is_plain(text: &str) -> bool {
    let is_edge = |character: Option<char>| character.is_some_and(|character| character.is_ascii_alphanumeric());
    let is_within = |character: char| character.is_ascii_alphanumeric() || "_-. ".contains(character);
    is_edge(text.chars().next())
        && is_edge(text.chars().next_back())
        && text.chars().all(is_within)
        && !text.contains("  ")
        && crate::json::parse(text).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[track_caller]
    fn decide(rules: fn(&Json, &Settings) -> Rules, params: &str, expected: &[&str]) {
        let found = rules(&json::parse(params).expect("is JSON"), &Settings::default());
        let names: Vec<&str> = found.iter().map(|rule| rule.strip_prefix("toonui.").expect("is of ToonUI")).collect();
        assert_eq!(names, expected, "{params}");
    }

    #[test]
    fn an_event_without_entries_follows_from_the_defaults() {
        decide(of_reply, r#"{"value":"a","context":false}"#, &["event.reply"]);
        decide(of_reply, r#"{"value":"a"}"#, &["event.defaults", "event.reply"]);
        decide(of_submit, r#"{"intent":"a","values":null}"#, &["event.defaults", "event.form-title", "event.submit"]);
    }

    #[test]
    fn raw_fields_that_are_no_plain_words_lower_the_level() {
        let of = |value: &str| {
            format!(
                r#"{{"payload":{{"kind":"ui_reply","eventId":"r_1","source":"button","component":"button","value":{value}}}}}"#
            )
        };
        decide(of_content, &of(r#""Show the menu""#), &["content.reply"]);
        for odd in [r#"" a""#, r#""a  b""#, r#""42""#, r#""true""#, r#""a<b""#, r#""\u00e9""#] {
            decide(of_content, &of(odd), &["content.raw", "content.reply"]);
        }
        decide(of_content, &of(r#""""#), &["content.layout", "content.reply"]);
        decide(of_display, &of(r#""a<b""#), &["display.reply"]);
        decide(of_display, &of(r#""a\nb""#), &["content.forgery", "display.reply"]);
        decide(of_ui_message, &of(r#""a""#), &["content.reply", "display.reply", "message.id", "message.ui"]);
    }

    #[test]
    fn the_display_text_of_a_form_follows_from_rules_of_its_own() {
        let of = |more: &str| {
            format!(
                r#"{{"payload":{{"kind":"ui_submit","eventId":"s","source":"form","intent":"i","formTitle":"t",{more}}}}}"#
            )
        };
        decide(of_display, &of(r#""values":{}"#), &["display.submit"]);
        decide(of_display, &of(r#""values":{"eventId":1}"#), &["display.layout", "display.submit"]);
        let with_node = of(r#""values":{"a\nb":1},"node":{}"#);
        decide(of_display, &with_node, &["content.forgery", "display.labels", "display.layout", "display.submit"]);
        let with_number = of(r#""values":{"a":1}"#);
        decide(
            of_model_message,
            &with_number,
            &["content.numbers", "content.submit", "display.layout", "display.submit", "message.model"],
        );
        decide(of_content, r#"{"payload":null}"#, &["input.missing"]);
    }
}
