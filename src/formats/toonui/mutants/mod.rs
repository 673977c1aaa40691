//! Mutants of ToonUI: makers and writers of events, texts and messages.

use super::reference::refusal;
use std::collections::HashMap;

use super::reference::{self, member};
use super::wire::{PayloadParams, Request};
use crate::format::Method;
use crate::format::optional_value;
use crate::format::{self, Reply};
use crate::formats::values::{changed, members, with, without};
use crate::json::{self, Json, JsonString};
use crate::protocol::{Refusal, RefusalKind};
use crate::settings::Settings;
use crate::toonui::{reply, to_content, to_display_content, to_model_message, to_ui_message, trace_content};

/// Every mutant, in the order of the rules.
pub(super) fn all() -> Vec<format::Mutant> {
    let list: &'static [Mutant] = MUTANTS;
    list.iter().map(Mutant::listed).collect()
}

/// A row of the list: a wrong implementation.
#[derive(Clone, Copy, Debug)]
struct Mutant {
    name: &'static str,
    about: &'static str,
    rule: &'static str,
    fault: Fault,
}

impl Mutant {
    fn listed(&'static self) -> format::Mutant {
        let Mutant { name, about, rule, ref fault } = *self;
        format::Mutant { name, about, rule, profiles: None, fault }
    }
}

/// A row: the rule that it violates and how, in the order in which people read it.
const fn mutant(rule: &'static str, name: &'static str, about: &'static str, fault: Fault) -> Mutant {
    Mutant { name, about, rule, fault }
}

/// What a mutant does differently.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Changes the payload of an event.
    Event(fn(Json) -> Json),
    /// Changes the payload of a form that was given values; gets these.
    Form(fn(Json, Json) -> Json),
    /// Uses another payload instead of the given one.
    Payload(fn(&Json) -> Json),
    /// Writes the content of a payload, also in messages.
    Content(fn(&Json) -> Text),
    /// Writes the display text of a payload, also in messages.
    Display(fn(&Json) -> Text),
    /// Changes the message for the model.
    ModelMessage(fn(Json) -> Json),
    /// Changes the message for a chat's state.
    UiMessage(fn(Json) -> Json),
}

impl format::Fault for Fault {
    fn answer(&self, method: Method, params: &str, _options: &Settings) -> Option<Reply> {
        Request::read(method, params).map_or_else(|error| Some(Err(error.into())), |request| self.reply(&request))
    }
}

impl Fault {
    fn reply(&self, request: &Request) -> Option<Reply> {
        let of_event = |change: &dyn Fn(Json) -> Json| {
            let payload = reference::answer(request)?.get("payload").cloned().unwrap_or_default();
            Ok(member("payload", change(payload)))
        };
        Some(match (self, request) {
            (Fault::Event(change), Request::Reply(_) | Request::Submit(_)) => of_event(change),
            (Fault::Form(change), Request::Submit(params)) => {
                match params.values.as_deref().map(|values| optional_value(Some(values))) {
                    Some(Ok(values)) => of_event(&|payload| change(payload, values.clone())),
                    Some(Err(error)) => Err(error.into()),
                    None => return None,
                }
            }
            (_, Request::ToContent(params)) => {
                self.payload(params).and_then(|payload| Ok(member("text", self.content(&payload)?.into())))
            }
            (_, Request::ToDisplayContent(params)) => {
                self.payload(params).and_then(|payload| Ok(member("text", self.display(&payload)?.into())))
            }
            (_, Request::ToModelMessage(params)) => self.payload(params).and_then(|payload| {
                let message =
                    with(&to_model_message(&payload).map_err(refusal)?, "content", self.content(&payload)?.into());
                let message = with(&message, "displayContent", self.display(&payload)?.into());
                Ok(member("message", if let Fault::ModelMessage(change) = self { change(message) } else { message }))
            }),
            (_, Request::ToUiMessage(params)) => self.payload(params).and_then(|payload| {
                let part = Json::object([("type", "text".into()), ("text", self.content(&payload)?.into())]);
                let message = with(&to_ui_message(&payload).map_err(refusal)?, "parts", Json::Array(vec![part]));
                let display = self.display(&payload)?;
                let message = changed(message, "metadata", |metadata| with(metadata, "displayContent", display.into()));
                Ok(member("message", if let Fault::UiMessage(change) = self { change(message) } else { message }))
            }),
            _ => return None,
        })
    }

    /// Returns the payload that the mutant uses instead of the given one.
    fn payload(&self, params: &PayloadParams) -> Result<Json, Refusal> {
        let given = reference::payload(params)?;
        Ok(if let Fault::Payload(change) = self { change(&given) } else { given })
    }

    fn content(&self, payload: &Json) -> Text {
        if let Fault::Content(write) = self { write(payload) } else { Ok(to_content(payload).map_err(refusal)?) }
    }

    fn display(&self, payload: &Json) -> Text {
        if let Fault::Display(write) = self {
            write(payload)
        } else {
            Ok(to_display_content(payload).map_err(refusal)?)
        }
    }
}

/// A text, or the refusal to write one.
type Text = Result<String, Refusal>;

/// A line of a content: its member or entry, and the text after the colon.
struct Line {
    name: String,
    value: String,
}

/// The number of lines before the entries: the kind, and the header.
fn header_len(payload: &Json) -> usize {
    if is_reply(payload) { 5 } else { 4 }
}

fn is_reply(payload: &Json) -> bool {
    payload.get("kind").and_then(Json::as_str) == Some("ui_reply")
}

/// Returns the header lines and the entry lines of the right content.
fn lines(payload: &Json) -> Result<(Vec<Line>, Vec<Line>), Refusal> {
    let content = to_content(payload).map_err(refusal)?;
    let mut lines = Vec::new();
    for line in trace_content(payload).map_err(refusal)?.into_iter().skip(1) {
        let value = content[line.span]["\n  : ".len() + line.of.name().len()..].to_owned();
        lines.push(Line { name: line.of.name().to_owned(), value });
    }
    let entries = lines.split_off(header_len(payload) - 1);
    Ok((lines, entries))
}

fn joined(payload: &Json, lines: impl IntoIterator<Item = Line>) -> String {
    let kind = if is_reply(payload) { "ui_reply:" } else { "ui_submit:" };
    let lines = lines.into_iter().map(|Line { name, value }| format!("\n  {name}: {value}"));
    std::iter::once(kind.to_owned()).chain(lines).collect()
}

/// Returns the content after its header lines have been changed.
fn with_header(payload: &Json, change: impl FnOnce(Vec<Line>) -> Vec<Line>) -> Text {
    let (header, entries) = lines(payload)?;
    Ok(joined(payload, change(header).into_iter().chain(entries)))
}

/// Returns the content after its entry lines have been changed.
fn with_entries(payload: &Json, change: impl FnOnce(Vec<Line>) -> Vec<Line>) -> Text {
    let (header, entries) = lines(payload)?;
    Ok(joined(payload, header.into_iter().chain(change(entries))))
}

/// Returns the content with another text for each entry for which `write` gives one. `write` gets the value as it was
/// given and the right line.
fn with_given(payload: &Json, write: impl Fn(&Json, &Line) -> Option<String>) -> Text {
    let given = once_each(entries_of(payload));
    with_entries(payload, |entries| {
        let other = |line: &Line| {
            let (_, value) = given.iter().find(|(name, _)| name.as_str() == Some(&line.name[..]))?;
            write(value, line)
        };
        entries.into_iter().map(|line| Line { value: other(&line).unwrap_or(line.value), name: line.name }).collect()
    })
}

/// Returns the content with the value of each entry written another way.
fn with_values(payload: &Json, write: impl Fn(&Json) -> String) -> Text {
    with_entries(payload, |entries| {
        entries.into_iter().map(|line| Line { value: write(&parsed(&line.value)), name: line.name }).collect()
    })
}

/// Returns the content whose entries are these members of the payload, in the given order, each written by `write`.
fn with_members(payload: &Json, members: Vec<(JsonString, Json)>, write: impl Fn(&Json) -> String) -> Text {
    with_entries(payload, |_| {
        let lines = members.iter().map(|(name, value)| Line { name: name.to_text().into_owned(), value: write(value) });
        lines.collect()
    })
}

/// Returns the display text of a submit with names and values shown another way; that of a reply is right.
fn shown_with(payload: &Json, name: impl Fn(&str) -> String, value: impl Fn(&Json) -> String) -> Text {
    let right = to_display_content(payload).map_err(refusal)?;
    if is_reply(payload) {
        return Ok(right);
    }
    let title = payload.get("formTitle").and_then(Json::as_str).unwrap_or_default().to_owned();
    let (_, entries) = lines(payload)?;
    let entries = entries.iter().map(|line| format!("\n{}: {}", name(&line.name), value(&parsed(&line.value))));
    Ok(std::iter::once(title).chain(entries).collect())
}

/// Returns a value as a right display text shows it.
fn shown(value: &Json) -> String {
    let payload = Json::object([
        ("kind", "ui_submit".into()),
        ("formTitle", "".into()),
        ("values", Json::object([("x", value.clone())])),
    ]);
    to_display_content(&payload).map(|text| text["\nx: ".len()..].to_owned()).unwrap_or_default()
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

fn shown_with_labels(payload: &Json, labels: &HashMap<String, String>) -> Text {
    shown_with(payload, |name| labels.get(name).cloned().unwrap_or_else(|| name.to_owned()), shown)
}

fn parsed(text: &str) -> Json {
    json::parse(text).unwrap_or_else(|_| Json::from(text))
}

fn entries_of(payload: &Json) -> Vec<(JsonString, Json)> {
    members(payload.get(if is_reply(payload) { "context" } else { "values" }))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_compact()
}

/// Returns JSON as some other languages write it: with a space after each comma and colon.
fn spaced(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| format!("{}: {}", Json::String(name.clone()).to_compact(), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        leaf => leaf.to_compact(),
    }
}

/// Returns the value with the strings within it changed; names are unchanged.
fn with_texts(value: &Json, change: &dyn Fn(&str) -> String) -> Json {
    match value {
        Json::String(text) => change(&text.to_text()).into(),
        Json::Array(items) => Json::Array(items.iter().map(|item| with_texts(item, change)).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), with_texts(value, change))).collect())
        }
        leaf => leaf.clone(),
    }
}

/// Returns a value as the right content has it.
fn printed(value: &Json) -> String {
    let payload = Json::object([("kind", "ui_submit".into()), ("values", Json::object([("x", value.clone())]))]);
    let content = to_content(&payload).unwrap_or_default();
    content.rsplit_once("\n  x: ").map(|(_, value)| value.to_owned()).unwrap_or_default()
}

fn index_of(name: &str, most: u64) -> Option<u64> {
    name.parse().ok().filter(|index: &u64| index.to_string() == name && *index <= most)
}

const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.event.reply",
        "reply-without-component",
        "A reply has no `component`.",
        Fault::Event(|payload| without(&payload, "component")),
    ),
    mutant(
        "toonui.event.reply",
        "reply-value-trimmed",
        "A reply's value loses the white space around it.",
        Fault::Event(|payload| changed(payload, "value", |value| value.as_str().unwrap_or_default().trim().into())),
    ),
    mutant(
        "toonui.event.submit",
        "submit-values-as-text",
        "Values of a submit become strings, as form controls give them.",
        Fault::Event(|payload| {
            changed(payload, "values", |values| {
                let texts = members(Some(values)).into_iter().map(|(name, value)| (name, shown(&value).into()));
                Json::Object(texts.collect())
            })
        }),
    ),
    mutant(
        "toonui.event.submit",
        "submit-with-component",
        "A submit has a `component`, as a reply has.",
        Fault::Event(|payload| if is_reply(&payload) { payload } else { with(&payload, "component", "form".into()) }),
    ),
    mutant(
        "toonui.event.form-title",
        "title-made-readable",
        "The form title is the intent with spaces for its underscores.",
        Fault::Event(|payload| {
            changed(payload, "formTitle", |title| title.as_str().unwrap_or_default().replace('_', " ").into())
        }),
    ),
    mutant(
        "toonui.event.form-title",
        "no-title",
        "A submit has no `formTitle` unless a form gives it one.",
        Fault::Event(|payload| without(&payload, "formTitle")),
    ),
    mutant(
        "toonui.event.id",
        "uuid-for-an-id",
        "The id is a UUID instead of a word and some digits.",
        Fault::Event(|payload| {
            changed(payload, "eventId", |id| {
                let word = id.as_str().unwrap_or_default();
                format!("{}-4b1d-8f00-000000000000", word.rsplit('_').next().unwrap_or_default()).into()
            })
        }),
    ),
    mutant(
        "toonui.event.id",
        "one-id-for-all",
        "Each event gets the same id.",
        Fault::Event(|payload| {
            let word = if is_reply(&payload) { "reply_1" } else { "submit_1" };
            changed(payload, "eventId", |_| word.into())
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "no-entries-no-member",
        "Without a context or values, the payload has no such member.",
        Fault::Event(|payload| {
            let empty: Vec<&str> = ["context", "values"]
                .into_iter()
                .filter(|name| payload.get(name) == Some(&Json::Object(Vec::new())))
                .collect();
            empty.into_iter().fold(payload, |payload, name| without(&payload, name))
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "null-context-is-none",
        "A context of null counts as missing and becomes an empty object.",
        Fault::Event(|payload| {
            changed(payload, "context", |context| match context {
                Json::Null => Json::Object(Vec::new()),
                other => other.clone(),
            })
        }),
    ),
    mutant(
        "toonui.event.defaults",
        "null-values-stay",
        "Values of null stay null.",
        Fault::Form(|payload, values| if values == Json::Null { with(&payload, "values", values) } else { payload }),
    ),
    mutant(
        "toonui.content.reply",
        "value-behind-component",
        "The value comes last in a reply's header.",
        Fault::Content(|payload| {
            with_header(payload, |mut header| {
                if is_reply(payload) {
                    let value = header.remove(1);
                    header.push(value);
                }
                header
            })
        }),
    ),
    mutant(
        "toonui.content.reply",
        "source-left-out",
        "A reply's text has no source, like a submit's.",
        Fault::Content(|payload| {
            with_header(payload, |header| header.into_iter().filter(|line| line.name != "source").collect())
        }),
    ),
    mutant(
        "toonui.content.submit",
        "title-left-out-of-content",
        "A submit's text has no form title, since that repeats the intent.",
        Fault::Content(|payload| {
            with_header(payload, |header| header.into_iter().filter(|line| line.name != "formTitle").collect())
        }),
    ),
    mutant(
        "toonui.content.submit",
        "values-under-a-heading",
        "The values are indented, under a line of their own.",
        Fault::Content(|payload| {
            let (header, entries) = lines(payload)?;
            if is_reply(payload) || entries.is_empty() {
                return to_content(payload).map_err(refusal);
            }
            let entries = entries.iter().map(|line| format!("\n    {}: {}", line.name, line.value));
            Ok(format!("{}\n  values:{}", joined(payload, header), entries.collect::<String>()))
        }),
    ),
    mutant(
        "toonui.content.context",
        "context-not-printed",
        "A reply's context is dropped, as in the documentation's example.",
        Fault::Content(|payload| with_entries(payload, |entries| if is_reply(payload) { Vec::new() } else { entries })),
    ),
    mutant(
        "toonui.content.string-value",
        "strings-bare",
        "Strings in values have no quotes.",
        Fault::Content(|payload| {
            with_values(payload, |value| value.as_str().map_or(value.to_compact(), str::to_owned))
        }),
    ),
    mutant(
        "toonui.content.string-value",
        "quotes-where-needed",
        "Strings in values have quotes only if they contain a space or a colon, as in YAML.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value.as_str() {
                Some(text) if !text.is_empty() && !text.contains([' ', ':', '"', '\\', '\n']) => text.to_owned(),
                _ => value.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.number-value",
        "numbers-quoted",
        "Numbers in values have quotes, as form controls give them.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => quoted(number.as_str()),
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.value",
        "json-with-spaces",
        "JSON in values has spaces after commas and colons, as Python writes it.",
        Fault::Content(|payload| with_values(payload, spaced)),
    ),
    mutant(
        "toonui.content.value",
        "json-in-ascii",
        "Characters beyond ASCII become escapes in values, as Python writes them.",
        Fault::Content(|payload| with_values(payload, Json::to_ascii)),
    ),
    mutant(
        "toonui.content.value",
        "slash-escaped",
        "A slash in a value is escaped, as PHP writes it.",
        Fault::Content(|payload| with_values(payload, |value| value.to_compact().replace('/', "\\/"))),
    ),
    mutant(
        "toonui.content.value",
        "control-escapes-in-capitals",
        "Escapes of control characters have capital digits.",
        Fault::Content(|payload| {
            with_values(payload, |value| {
                let text = value.to_compact();
                let mut pieces = text.split("\\u00");
                let first = pieces.next().unwrap_or_default().to_owned();
                pieces.fold(first, |out, piece| {
                    let (digits, rest) = piece.split_at_checked(2).unwrap_or((piece, ""));
                    format!("{out}\\u00{}{rest}", digits.to_uppercase())
                })
            })
        }),
    ),
    mutant(
        "toonui.content.value",
        "null-values-left-out",
        "An entry whose value is null has no line.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| entries.into_iter().filter(|line| line.value != "null").collect())
        }),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-quoted",
        "Intent, title and a reply's value have quotes, as values have.",
        Fault::Content(|payload| {
            with_header(payload, |header| {
                let quote = |line: Line| match &line.name[..] {
                    "value" | "intent" | "formTitle" if line.value.contains([' ', '"', ':', '\t']) => {
                        Line { value: quoted(&line.value), name: line.name }
                    }
                    _ => line,
                };
                header.into_iter().map(quote).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-trimmed",
        "White space around a raw field is cut off.",
        Fault::Content(|payload| {
            with_header(payload, |header| {
                header.into_iter().map(|line| Line { value: line.value.trim().to_owned(), ..line }).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.raw",
        "odd-names-quoted",
        "A name that is no word has quotes, as in YAML.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| {
                let is_word = |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let name = |line: &Line| if is_word(&line.name) { line.name.clone() } else { quoted(&line.name) };
                entries.into_iter().map(|line| Line { name: name(&line), value: line.value }).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.left-out",
        "line-number-printed",
        "The `line` of a payload is in its text.",
        Fault::Content(|payload| printing(payload, &["line"])),
    ),
    mutant(
        "toonui.content.left-out",
        "submit-source-printed",
        "A submit's text has its source, like a reply's.",
        Fault::Content(|payload| {
            if is_reply(payload) { Ok(to_content(payload).map_err(refusal)?) } else { printing(payload, &["source"]) }
        }),
    ),
    mutant(
        "toonui.content.left-out",
        "all-members-printed",
        "Members that the format does not know are in the text.",
        Fault::Content(|payload| {
            let known = [
                "kind",
                "eventId",
                "value",
                "source",
                "component",
                "context",
                "intent",
                "formTitle",
                "values",
                "line",
                "node",
            ];
            let all = members(Some(payload));
            let names: Vec<&str> =
                all.iter().filter_map(|(name, _)| name.as_str()).filter(|name| !known.contains(name)).collect();
            printing(payload, &names)
        }),
    ),
    mutant(
        "toonui.content.layout",
        "final-line-feed-in-content",
        "The text ends with a line feed.",
        Fault::Content(|payload| Ok(to_content(payload).map_err(refusal)? + "\n")),
    ),
    mutant(
        "toonui.content.layout",
        "content-with-crlf",
        "The lines of the text end in CRLF.",
        Fault::Content(|payload| Ok(to_content(payload).map_err(refusal)?.replace('\n', "\r\n"))),
    ),
    mutant(
        "toonui.content.layout",
        "no-space-before-nothing",
        "Where a member is empty, no space follows the colon.",
        Fault::Content(|payload| {
            let content = to_content(payload).map_err(refusal)?;
            Ok(content
                .split('\n')
                .map(|line| line.strip_suffix(": ").map_or(line.to_owned(), |name| format!("{name}:")))
                .collect::<Vec<_>>()
                .join("\n"))
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "entries-as-given",
        "Entries come in the given order, index names too.",
        Fault::Content(|payload| with_members(payload, once_each(entries_of(payload)), printed)),
    ),
    mutant(
        "toonui.content.key-order",
        "entries-sorted",
        "Entries are sorted by name.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                entries.sort_by(|left, right| left.name.cmp(&right.name));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "nested-order-as-given",
        "Only the entries come in JavaScript's order; objects in their values keep the given one.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                value @ (Json::Object(_) | Json::Array(_)) => Some(value.to_compact()),
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "index-limit-too-high",
        "4294967295 and greater numbers count as array indexes.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                entries.sort_by_key(|line| index_of(&line.name, u64::MAX - 1).unwrap_or(u64::MAX));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "index-limit-at-an-int",
        "Only numbers up to 2147483647 count as array indexes.",
        Fault::Content(|payload| {
            let mut sorted = once_each(entries_of(payload));
            let index = |name: &JsonString| name.as_str().and_then(|name| index_of(name, 0x7fff_ffff));
            sorted.sort_by_key(|(name, _)| index(name).unwrap_or(u64::MAX));
            with_members(payload, sorted, printed)
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "leading-zeros-are-an-index",
        "Names of digits are array indexes, even with leading zeros.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                let index =
                    |name: &str| name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse::<u32>().ok());
                entries.sort_by_key(|line| index(&line.name).flatten().map_or(u64::MAX, u64::from));
                entries
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "first-of-two-values",
        "If a name is given twice, the first value counts.",
        Fault::Content(|payload| {
            let given = entries_of(payload);
            with_entries(payload, |entries| {
                let first = |name: &str| given.iter().find(|(known, _)| known.as_str() == Some(name));
                let line = |line: Line| match first(&line.name) {
                    Some((_, value)) => Line { value: printed(value), ..line },
                    None => line,
                };
                entries.into_iter().map(line).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.key-order",
        "last-place-of-two",
        "If a name is given twice, the last place counts, as in a map from which the entry is removed first.",
        Fault::Content(|payload| {
            let given = entries_of(payload);
            let is_last = |(at, (name, _)): &(usize, &(JsonString, Json))| {
                !given[at + 1..].iter().any(|(later, _)| later == name)
            };
            let kept = given.iter().enumerate().filter(is_last).map(|(_, member)| member.clone()).collect();
            to_content_of(payload, kept)
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "numbers-as-written",
        "Numbers are kept as they were written.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                Json::Number(number) => Some(number.as_str().to_owned()),
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "whole-numbers-exact",
        "Whole numbers keep all their digits.",
        Fault::Content(|payload| {
            with_given(payload, |given, _| match given {
                Json::Number(number) if !number.as_str().contains(['.', 'e', 'E']) => {
                    Some(number.as_str().replace("-0", "0"))
                }
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "exponent-without-plus",
        "A great number has no plus in its exponent, as Rust and others write it.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => number.as_str().replace("e+", "e"),
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "small-numbers-with-exponent",
        "Numbers below 0.0001 have an exponent, as Python writes them.",
        Fault::Content(|payload| {
            with_values(payload, |value| match value {
                Json::Number(number) => match number.as_str().strip_prefix("0.0000") {
                    Some(rest) if !rest.is_empty() => {
                        let digits = rest.trim_start_matches('0');
                        let (first, more) = digits.split_at(1);
                        let point = if more.is_empty() { "" } else { "." };
                        format!("{first}{point}{more}e-0{}", 5 + rest.len() - digits.len())
                    }
                    _ => number.as_str().to_owned(),
                },
                other => other.to_compact(),
            })
        }),
    ),
    mutant(
        "toonui.content.numbers",
        "whole-doubles-with-point",
        "A whole number that was written with a point keeps it, as languages with two types of number write it.",
        Fault::Content(|payload| {
            with_given(payload, |given, line| match given {
                Json::Number(number)
                    if number.as_str().contains(['.', 'e', 'E']) && !line.value.contains(['.', 'e', 'u']) =>
                {
                    Some(format!("{}.0", line.value))
                }
                _ => None,
            })
        }),
    ),
    mutant(
        "toonui.content.kind",
        "unknown-kind-refused",
        "A payload of another kind is refused.",
        Fault::Content(|payload| match payload.get("kind").and_then(Json::as_str) {
            Some("ui_reply" | "ui_submit") => Ok(to_content(payload).map_err(refusal)?),
            _ => Err(bad_payload()),
        }),
    ),
    mutant(
        "toonui.content.kind",
        "kind-printed-as-given",
        "The first line has the kind of the payload, whichever it is.",
        Fault::Content(|payload| {
            let content = to_content(payload).map_err(refusal)?;
            let kind = payload.get("kind").and_then(Json::as_str).unwrap_or("ui_submit");
            Ok(content.split_once(':').map_or(content.clone(), |(_, rest)| format!("{kind}:{rest}")))
        }),
    ),
    mutant(
        "toonui.content.recoverable",
        "long-values-cut",
        "A string of more than 40 characters is cut off.",
        Fault::Content(|payload| {
            let cut = |text: &str| match text.char_indices().nth(40) {
                Some((at, _)) => format!("{}\u{2026}", &text[..at]),
                None => text.to_owned(),
            };
            with_values(payload, |value| with_texts(value, &cut).to_compact())
        }),
    ),
    mutant(
        "toonui.content.recoverable",
        "empty-values-left-out",
        "An entry whose value is the empty string has no line.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| entries.into_iter().filter(|line| line.value != "\"\"").collect())
        }),
    ),
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
                Json::Array(_) | Json::Object(_) => value.to_compact(),
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
        "toonui.message.model",
        "model-message-without-payload",
        "The model message has no payload.",
        Fault::ModelMessage(|message| without(&message, "payload")),
    ),
    mutant(
        "toonui.message.model",
        "display-text-in-content",
        "The content of the model message is the display text.",
        Fault::ModelMessage(|message| {
            let display = message.get("displayContent").cloned().unwrap_or_default();
            with(&message, "content", display)
        }),
    ),
    mutant(
        "toonui.message.model",
        "payload-trimmed-to-known",
        "The payload in the model message lacks its line, its node and everything else that the text leaves out.",
        Fault::ModelMessage(|message| {
            changed(message, "payload", |payload| {
                ["line", "node"].iter().fold(payload.clone(), |payload, name| without(&payload, name))
            })
        }),
    ),
    mutant(
        "toonui.message.ui",
        "ui-message-with-content",
        "The UI message has a `content` as well as its parts, as older messages had.",
        Fault::UiMessage(|message| {
            let text = "/parts/0/text".parse::<json::Pointer>().ok().and_then(|place| place.find(&message).cloned());
            with(&message, "content", text.unwrap_or_default())
        }),
    ),
    mutant(
        "toonui.message.ui",
        "display-text-in-part",
        "The part of the UI message is the display text.",
        Fault::UiMessage(|message| {
            let text = message.get("metadata").and_then(|metadata| metadata.get("displayContent")).cloned();
            let part = Json::object([("type", "text".into()), ("text", text.unwrap_or_default())]);
            with(&message, "parts", Json::Array(vec![part]))
        }),
    ),
    mutant(
        "toonui.message.ui",
        "metadata-without-kind",
        "The metadata of the UI message has no kind.",
        Fault::UiMessage(|message| changed(message, "metadata", |metadata| without(metadata, "kind"))),
    ),
    mutant(
        "toonui.message.id",
        "new-id-for-a-message",
        "The UI message has a new id.",
        Fault::UiMessage(|message| {
            let new = reply("", None);
            changed(message, "id", |_| new.get("eventId").cloned().unwrap_or_default())
        }),
    ),
    mutant(
        "toonui.input.missing",
        "missing-values-are-none",
        "A submit without values counts as one with empty values.",
        Fault::Payload(|payload| match payload {
            Json::Object(_) if !is_reply(payload) && matches!(payload.get("values"), None | Some(Json::Null)) => {
                with(payload, "values", Json::Object(Vec::new()))
            }
            other => other.clone(),
        }),
    ),
    mutant(
        "toonui.input.missing",
        "null-payload-is-empty",
        "A payload of null counts as an empty submit.",
        Fault::Payload(|payload| match payload {
            Json::Null => Json::object([("kind", "ui_submit".into()), ("values", Json::Object(Vec::new()))]),
            other => other.clone(),
        }),
    ),
];

fn bad_payload() -> Refusal {
    Refusal { kind: RefusalKind::BadPayload, message: "expected another kind".to_owned() }
}

/// Returns the content with these members of the payload after its header, where the payload has them.
fn printing(payload: &Json, names: &[&str]) -> Text {
    with_header(payload, |mut header| {
        let there = names.iter().filter_map(|name| Some((name, payload.get(name)?)));
        header.extend(there.map(|(name, value)| Line { name: (*name).to_owned(), value: shown(value) }));
        header
    })
}

/// Returns the content of the payload with other entries.
fn to_content_of(payload: &Json, entries: Vec<(JsonString, Json)>) -> Text {
    let name = if is_reply(payload) { "context" } else { "values" };
    match payload.get(name) {
        Some(Json::Object(_)) => Ok(to_content(&with(payload, name, Json::Object(entries))).map_err(refusal)?),
        _ => Ok(to_content(payload).map_err(refusal)?),
    }
}

/// Returns the members with each name once: in its first place, with its last value.
fn once_each(members: Vec<(JsonString, Json)>) -> Vec<(JsonString, Json)> {
    let mut kept: Vec<(JsonString, Json)> = Vec::new();
    for (name, value) in members {
        match kept.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => kept.push((name, value)),
        }
    }
    kept
}

/// Returns the display text with the right names, and with values shown another way.
fn shown_with_labels_of(payload: &Json, value: impl Fn(&Json) -> String) -> Text {
    let labels = labels(children(payload.get("node")).iter().filter(is_field));
    shown_with(payload, |name| labels.get(name).cloned().unwrap_or_else(|| name.to_owned()), value)
}
