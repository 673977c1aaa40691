//! Mutants that write the display text wrongly.

use super::super::reference::refusal;
use super::mangling::{composed, cut, decoded, escaped, trimmed, with_texts, with_texts_in};
use super::text::{Line, Text, entries_of, is_reply, lines, once_each, parsed, printed, shown};
use super::{Fault, Mutant, mutant};
use crate::formats::values::{changed, members, with, without};
use crate::json::{Json, JsonString};
use crate::toonui::{to_content, to_display_content};
use std::collections::HashMap;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.display.reply",
        "display-with-context",
        "The display text of a reply lists its context.",
        Fault::Display(|payload| {
            let mut text = to_display_content(payload).map_err(refusal)?;
            if is_reply(payload) {
                for (name, value) in entries_of(payload) {
                    text.push_str(&format!("\n{}: {}", name.to_text(), shown(&value)));
                }
            }
            Ok(text)
        }),
    ),
    mutant(
        "toonui.display.reply",
        "display-is-the-content",
        "The display text of a reply is its text for the model.",
        Fault::Display(|payload| {
            if is_reply(payload) {
                Ok(to_content(payload).map_err(refusal)?)
            } else {
                Ok(to_display_content(payload).map_err(refusal)?)
            }
        }),
    ),
    mutant(
        "toonui.display.reply",
        "display-escaped-for-html",
        "The display text of a reply has entities for the characters of markup.",
        Fault::Display(|payload| {
            let change = |text: &str| if is_reply(payload) { escaped(text) } else { text.to_owned() };
            to_display_content(&with_texts_in(payload, &["value"], &change)).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.submit",
        "display-without-title",
        "The display text of a submit starts with its values.",
        Fault::Display(|payload| {
            let text = to_display_content(payload).map_err(refusal)?;
            let title = payload.get("formTitle").and_then(Json::as_str).unwrap_or_default();
            let rest = text.strip_prefix(title).and_then(|rest| rest.strip_prefix('\n'));
            Ok(rest.filter(|_| !is_reply(payload)).unwrap_or(&text).to_owned())
        }),
    ),
    mutant(
        "toonui.display.submit",
        "display-with-intent",
        "The display text of a submit starts with its intent.",
        Fault::Display(|payload| {
            let intent = payload.get("intent").cloned().unwrap_or_default();
            to_display_content(&with(payload, "formTitle", intent)).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.submit",
        "labels-unused",
        "Values show their names, though the form has labels.",
        Fault::Display(|payload| to_display_content(&without(payload, "node")).map_err(refusal)),
    ),
    mutant(
        "toonui.display.submit",
        "display-title-cut-at-100",
        "The form title shows cut after 100 characters.",
        Fault::Display(|payload| {
            to_display_content(&with_texts_in(payload, &["formTitle"], &|text| cut(text, 100))).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.submit",
        "display-title-decoded",
        "Entities in the form title show decoded.",
        Fault::Display(|payload| {
            to_display_content(&with_texts_in(payload, &["formTitle"], &decoded)).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.layout",
        "display-quotes-strings",
        "Strings in the display text have quotes.",
        Fault::Display(|payload| {
            shown_with_labels_of(
                payload,
                |value| if value.as_str().is_some() { value.to_compact() } else { shown(value) },
            )
        }),
    ),
    mutant(
        "toonui.display.layout",
        "display-json",
        "Lists and objects in the display text are JSON.",
        Fault::Display(|payload| {
            shown_with_labels_of(payload, |value| match value {
                Json::Array(_) | Json::Object(_) => printed(value),
                other => shown(other),
            })
        }),
    ),
    mutant(
        "toonui.display.layout",
        "lists-with-spaces",
        "The items of a list are joined with a comma and a space.",
        Fault::Display(|payload| {
            shown_with_labels_of(payload, |value| match value {
                Json::Array(items) => {
                    let items = items.iter().map(|item| shown(&Json::Array(vec![item.clone()])));
                    items.collect::<Vec<_>>().join(", ")
                }
                other => shown(other),
            })
        }),
    ),
    mutant(
        "toonui.display.layout",
        "null-shown-as-nothing",
        "A value of null shows as nothing.",
        Fault::Display(|payload| {
            shown_with_labels_of(payload, |value| if *value == Json::Null { String::new() } else { shown(value) })
        }),
    ),
    mutant(
        "toonui.display.layout",
        "null-in-a-list-shown",
        "Null in a list shows as a word.",
        Fault::Display(|payload| {
            shown_with_labels_of(payload, |value| match value {
                Json::Array(items) => {
                    let items = items.iter().map(|item| match item {
                        Json::Null => "null".to_owned(),
                        other => shown(&Json::Array(vec![other.clone()])),
                    });
                    items.collect::<Vec<_>>().join(",")
                }
                other => shown(other),
            })
        }),
    ),
    mutant(
        "toonui.display.layout",
        "display-strings-composed",
        "Strings in the values show in NFC.",
        Fault::Display(|payload| to_display_content(&with_texts_in(payload, &["values"], &composed)).map_err(refusal)),
    ),
    mutant(
        "toonui.display.layout",
        "display-strings-on-one-line",
        "Line feeds in strings show as spaces.",
        Fault::Display(|payload| {
            to_display_content(&with_texts_in(payload, &["values"], &|text| text.replace('\n', " "))).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.labels",
        "nested-fields-labelled",
        "Fields within cards and rows give labels too.",
        Fault::Display(|payload| {
            fn all(node: &Json) -> Vec<&Json> {
                children(Some(node)).iter().flat_map(|child| std::iter::once(child).chain(all(child))).collect()
            }
            let fields = payload.get("node").map(all).unwrap_or_default();
            shown_with_labels(payload, &labels(fields.into_iter().filter(is_field)))
        }),
    ),
    mutant(
        "toonui.display.labels",
        "first-label-wins",
        "If a name has two labels, the first counts.",
        Fault::Display(|payload| {
            let fields = children(payload.get("node")).iter().filter(is_field);
            shown_with_labels(payload, &labels(fields.rev()))
        }),
    ),
    mutant(
        "toonui.display.labels",
        "any-child-labelled",
        "Every object in the form with a name and a label gives a label.",
        Fault::Display(|payload| shown_with_labels(payload, &labels(children(payload.get("node")).iter()))),
    ),
    mutant(
        "toonui.display.labels",
        "empty-labels-count",
        "An empty label replaces the name.",
        Fault::Display(|payload| {
            let fields = named(children(payload.get("node")).iter().filter(is_field));
            shown_with_labels(payload, &fields.filter(|(name, _)| !name.is_empty()).collect())
        }),
    ),
    mutant(
        "toonui.display.labels",
        "empty-label-takes-the-other-away",
        "If a name has two labels, the last counts, and if that one is empty there is none.",
        Fault::Display(|payload| {
            let last: HashMap<String, String> = named(children(payload.get("node")).iter().filter(is_field)).collect();
            let is_whole = |(name, label): &(String, String)| !name.is_empty() && !label.is_empty();
            shown_with_labels(payload, &last.into_iter().filter(is_whole).collect())
        }),
    ),
    mutant(
        "toonui.display.labels",
        "empty-names-labelled",
        "A field with an empty name labels the value with the empty name.",
        Fault::Display(|payload| {
            let fields = named(children(payload.get("node")).iter().filter(is_field));
            shown_with_labels(payload, &fields.filter(|(_, label)| !label.is_empty()).collect())
        }),
    ),
    mutant(
        "toonui.display.labels",
        "fields-give-the-order",
        "Values come in the order of the form's fields.",
        Fault::Display(|payload| {
            let fields = children(payload.get("node")).iter().filter(is_field);
            let names: Vec<&str> = fields.filter_map(|field| field.get("name")?.as_str()).collect();
            let place =
                |name: &JsonString| names.iter().position(|known| name.as_str() == Some(known)).unwrap_or(names.len());
            let mut values = members(payload.get("values"));
            values.sort_by_key(|(name, _)| place(name));
            let values = if is_reply(payload) || names.is_empty() {
                payload.clone()
            } else {
                with(payload, "values", Json::Object(values))
            };
            to_display_content(&values).map_err(refusal)
        }),
    ),
    mutant(
        "toonui.display.labels",
        "title-of-the-node",
        "The title is that of the form's node, where it has one.",
        Fault::Display(|payload| match payload.get("node").and_then(|node| node.get("title")) {
            Some(title) if !is_reply(payload) => {
                Ok(to_display_content(&with(payload, "formTitle", title.clone())).map_err(refusal)?)
            }
            _ => Ok(to_display_content(payload).map_err(refusal)?),
        }),
    ),
    mutant(
        "toonui.display.labels",
        "labels-trimmed",
        "Labels lose the white space around them.",
        Fault::Display(|payload| with_fields(payload, "label", &trimmed)),
    ),
    mutant(
        "toonui.display.labels",
        "names-of-fields-trimmed",
        "Names of fields lose the white space around them, and then label other values.",
        Fault::Display(|payload| with_fields(payload, "name", &trimmed)),
    ),
    mutant(
        "toonui.display.labels",
        "labels-of-forms-alone",
        "A node whose type is not `form` gives no labels.",
        Fault::Display(|payload| {
            match payload.get("node").and_then(|node| node.get("type")).and_then(Json::as_str) {
                Some("form") => to_display_content(payload),
                _ => to_display_content(&without(payload, "node")),
            }
            .map_err(refusal)
        }),
    ),
];

/// Returns the display text of a submit with names and values shown another way; that of a reply is right.
fn shown_with(payload: &Json, name: impl Fn(&str) -> String, value: impl Fn(&Json) -> String) -> Text {
    let right = to_display_content(payload).map_err(refusal)?;
    if is_reply(payload) {
        return Ok(right);
    }
    let title = payload.get("formTitle").and_then(Json::as_str).unwrap_or_default().to_owned();
    let given = once_each(entries_of(payload));
    let value = |line: &Line| match given.iter().find(|(known, _)| known.as_str() == Some(&line.name[..])) {
        Some((_, given)) => value(given),
        None => value(&parsed(&line.value)),
    };
    let (_, entries) = lines(payload)?;
    let entries = entries.iter().map(|line| format!("\n{}: {}", name(&line.name), value(line)));
    Ok(std::iter::once(title).chain(entries).collect())
}

fn shown_with_labels(payload: &Json, labels: &HashMap<String, String>) -> Text {
    shown_with(payload, |name| labels.get(name).cloned().unwrap_or_else(|| name.to_owned()), shown)
}

/// Returns the display text with the right names, and with values shown another way.
fn shown_with_labels_of(payload: &Json, value: impl Fn(&Json) -> String) -> Text {
    let labels = labels(children(payload.get("node")).iter().filter(is_field));
    shown_with(payload, |name| labels.get(name).cloned().unwrap_or_else(|| name.to_owned()), value)
}

/// Returns the labels that these fields give, the last one for each name.
fn labels<'n>(fields: impl Iterator<Item = &'n Json>) -> HashMap<String, String> {
    named(fields).filter(|(name, label)| !name.is_empty() && !label.is_empty()).collect()
}

/// Returns the names and labels of fields, also empty ones.
fn named<'n>(fields: impl Iterator<Item = &'n Json>) -> impl Iterator<Item = (String, String)> {
    let text = |field: &Json, name: &str| field.get(name).and_then(Json::as_str).map(str::to_owned);
    fields.filter_map(move |field| Some((text(field, "name")?, text(field, "label")?)))
}

fn children(node: Option<&Json>) -> &[Json] {
    match node.and_then(|node| node.get("children")) {
        Some(Json::Array(children)) => children,
        _ => &[],
    }
}

fn is_field(child: &&Json) -> bool {
    child.get("type").and_then(Json::as_str) == Some("field")
}

/// Returns the display text after a member of each child of the form has been changed.
fn with_fields(payload: &Json, member: &str, change: &dyn Fn(&str) -> String) -> Text {
    let field = |child: &Json| changed(child.clone(), member, |text| with_texts(text, change));
    let children = |children: &Json| match children {
        Json::Array(children) => Json::Array(children.iter().map(field).collect()),
        other => other.clone(),
    };
    let payload = changed(payload.clone(), "node", |node| changed(node.clone(), "children", children));
    to_display_content(&payload).map_err(refusal)
}
