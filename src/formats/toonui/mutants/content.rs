//! Mutants that write the content wrongly, the text for the model: its header, and which lines it has.

use super::super::reference::refusal;
use super::mangling::{composed, escaped, replaced, unmarked, with_texts, with_texts_in};
use super::text::{
    Line, Text, is_reply, joined, lines, printed, printing, quoted, with_entries, with_header, with_values,
};
use super::{Fault, Mutant, mutant};
use crate::formats::values::{members, with};
use crate::json::{Json, JsonString};
use crate::protocol::{Refusal, RefusalKind};
use crate::toonui::to_content;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "toonui.content.reply",
        "value-after-component",
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
        "toonui.content.submit",
        "title-like-the-intent-left-out",
        "A form title that is the same as the intent has no line.",
        Fault::Content(|payload| {
            with_header(payload, |header| {
                let intent = header.iter().find(|line| line.name == "intent").map(|line| line.value.clone());
                let is_new = |line: &Line| line.name != "formTitle" || Some(&line.value) != intent.as_ref();
                header.into_iter().filter(is_new).collect()
            })
        }),
    ),
    mutant(
        "toonui.content.context",
        "context-not-printed",
        "A reply's context is dropped, as in the documentation's example.",
        Fault::Content(|payload| with_entries(payload, |entries| if is_reply(payload) { Vec::new() } else { entries })),
    ),
    mutant(
        "toonui.content.context",
        "context-of-scalars-alone",
        "Lists and objects in a context have no line.",
        Fault::Content(|payload| {
            with_entries(payload, |entries| {
                let is_kept = |line: &Line| !is_reply(payload) || !line.value.starts_with(['[', '{']);
                entries.into_iter().filter(is_kept).collect()
            })
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
        "toonui.content.raw",
        "raw-fields-composed",
        "Raw fields are written in NFC.",
        Fault::Content(|payload| with_raw(payload, &composed)),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-escaped-for-html",
        "Raw fields have entities for the characters of markup.",
        Fault::Content(|payload| with_raw(payload, &escaped)),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-through-a-replacement",
        "Raw fields are put into the text by a replacement that reads `$$` and `$&`.",
        Fault::Content(|payload| with_raw(payload, &replaced)),
    ),
    mutant(
        "toonui.content.raw",
        "raw-fields-without-their-mark",
        "A byte order mark at the start of a raw field is lost.",
        Fault::Content(|payload| with_raw(payload, &unmarked)),
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
        "toonui.content.left-out",
        "context-of-a-submit-printed",
        "A submit's text has the entries of its context too, if it has one.",
        Fault::Content(|payload| {
            with_entries(payload, |mut entries| {
                if !is_reply(payload) {
                    let line = |(name, value): (JsonString, Json)| Line {
                        name: name.to_text().into_owned(),
                        value: printed(&value),
                    };
                    entries.extend(members(payload.get("context")).into_iter().map(line));
                }
                entries
            })
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
        "toonui.content.layout",
        "empty-fields-left-out",
        "A field of the header that is empty has no line.",
        Fault::Content(|payload| {
            with_header(payload, |header| header.into_iter().filter(|line| !line.value.is_empty()).collect())
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
        "toonui.content.kind",
        "kind-in-any-case",
        "A kind in capitals counts as a reply.",
        Fault::Content(|payload| {
            match payload.get("kind").and_then(Json::as_str) {
                Some(kind) if kind.eq_ignore_ascii_case("ui_reply") => {
                    to_content(&with(payload, "kind", "ui_reply".into()))
                }
                _ => to_content(payload),
            }
            .map_err(refusal)
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
];

fn bad_payload() -> Refusal {
    Refusal { kind: RefusalKind::BadPayload, message: "expected another kind".to_owned() }
}

/// Returns the content with the texts of raw fields changed.
fn with_raw(payload: &Json, change: &dyn Fn(&str) -> String) -> Text {
    let names = ["eventId", "value", "source", "component", "intent", "formTitle"];
    to_content(&with_texts_in(payload, &names, change)).map_err(refusal)
}
