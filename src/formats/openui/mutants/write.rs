//! Mutants that write messages, texts for the model and turns wrongly.

use super::Fault::{Build, ModelText, Turn};
use super::reference::{BuildInput, ReferenceReader, with_strings};
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::{CHAT, CORE};
use crate::json::{Json, Style};
use crate::openui::{CONTEXT_LABEL, Options, PREFIX, Profile};
use crate::protocol::{Refusal, RefusalKind};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.build.layout",
        "final-line-feed-written",
        "A written message ends with a LF.",
        Build(|right, writing| right.write(&writing).map(|message| message + "\n")),
    ),
    mutant(
        "openui.build.layout",
        "end-before-the-context",
        "The end line is written before the context.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            let Some(body) = message.strip_suffix("\n]]>openui:end") else { return Ok(message) };
            Ok(match body.rfind("\n]]>openui:context\n").filter(|_| writing.end) {
                Some(at) => format!("{}\n]]>openui:end{}", &body[..at], &body[at..]),
                None => message,
            })
        }),
    ),
    mutant(
        "openui.build.layout",
        "blank-line-before-a-marker",
        "A blank line is written before the context and the end.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            Ok(message
                .replace("\n]]>openui:context", "\n\n]]>openui:context")
                .replace("\n]]>openui:end", "\n\n]]>openui:end"))
        }),
    ),
    mutant(
        "openui.build.context",
        "string-context-quoted",
        "A context that is a string is written as JSON, with quotation marks.",
        Build(|right, writing| {
            let quoted = writing.context.as_str().map(|_| writing.context.to_compact());
            match quoted {
                Some(quoted) => right.write(&BuildInput { context: Json::Null, ..writing.clone() }).map(|message| {
                    let context = format!("\n]]>openui:context\n{quoted}");
                    match message.strip_suffix("\n]]>openui:end").filter(|_| writing.end) {
                        Some(body) => format!("{body}{context}\n]]>openui:end"),
                        None => message + &context,
                    }
                }),
                None => right.write(&writing),
            }
        }),
    ),
    mutant(
        "openui.build.context",
        "null-context-written",
        "A context of null is written, as `null`.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            if writing.context != Json::Null {
                return Ok(message);
            }
            Ok(match message.strip_suffix("\n]]>openui:end").filter(|_| writing.end) {
                Some(body) => format!("{body}\n]]>openui:context\nnull\n]]>openui:end"),
                None => message + "\n]]>openui:context\nnull",
            })
        }),
    ),
    mutant(
        "openui.build.context",
        "falsy-context-left-out",
        "A context of false, 0 or \"\" is dropped.",
        Build(|right, writing| {
            let falsy = is_falsy(&writing.context);
            right.write(&if falsy { BuildInput { context: Json::Null, ..writing } } else { writing })
        }),
    ),
    mutant(
        "openui.build.attributes",
        "spaces-as-percent-20",
        "A space in an attribute is written as %20.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            let (line, rest) = message.split_once('\n').unwrap_or((&message, ""));
            Ok(format!("{}\n{rest}", line.replace('+', "%20")))
        }),
    ),
    mutant(
        "openui.build.attributes",
        "attributes-sorted",
        "Attributes are written in the order of their names.",
        Build(|right, mut writing| {
            writing.attributes.sort();
            right.write(&writing)
        }),
    ),
    mutant(
        "openui.build.attributes",
        "marks-left-unencoded",
        "The characters ~!'() are unchanged, as encodeURIComponent leaves them.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            let (line, rest) = message.split_once('\n').unwrap_or((&message, ""));
            let line = [("%7E", "~"), ("%21", "!"), ("%27", "'"), ("%28", "("), ("%29", ")")]
                .iter()
                .fold(line.to_owned(), |line, (encoded, plain)| line.replace(encoded, plain));
            Ok(format!("{line}\n{rest}"))
        }),
    ),
    mutant(
        "openui.build.attributes",
        "lower-case-digits",
        "Bytes are written with lower-case hexadecimal digits.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            let (line, rest) = message.split_once('\n').unwrap_or((&message, ""));
            let mut parts = line.split('%');
            let mut lower = parts.next().unwrap_or("").to_owned();
            for part in parts {
                lower.push('%');
                lower.push_str(&part[..2].to_ascii_lowercase());
                lower.push_str(&part[2..]);
            }
            Ok(format!("{lower}\n{rest}"))
        }),
    ),
    mutant(
        "openui.build.attributes",
        "question-mark-without-attributes",
        "The `?` is written even without attributes.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            Ok(if writing.attributes.is_empty() {
                message.replacen("]]>openui:content", "]]>openui:content?", 1)
            } else {
                message
            })
        }),
    ),
    mutant(
        "openui.build.whole-number-names",
        "whole-number-names-first",
        "Attributes are kept in a JavaScript object, which has names that look like whole numbers first.",
        Build(|right, mut writing| {
            let index = |name: &str| name.parse::<u32>().ok().filter(|number| number.to_string() == name);
            writing.attributes.sort_by_key(|(name, _)| index(name).map_or((true, 0), |number| (false, number)));
            right.write(&writing)
        }),
    ),
    mutant_in(
        &[CORE, CHAT],
        mutant(
            "openui.build.json-context",
            "form-value-forges-a-marker",
            "A form value with `]]>openui:content?` is written unchanged, and wins when the message is read.",
            Build(|right, writing| {
                let is_json = !matches!(writing.context, Json::Null | Json::String(_));
                let message = right.write(&writing)?;
                Ok(if is_json { message.replace("content\\u003f", "content?") } else { message })
            }),
        ),
    ),
    mutant(
        "openui.build.json-context",
        "brackets-of-form-values-encoded",
        "The brackets of a marker in a form value are written as HTML entities, and read back as these.",
        Build(|right, writing| {
            let is_json = !matches!(writing.context, Json::Null | Json::String(_));
            let encoded = |text: &str| text.replace("]]>openui:", "]]&gt;openui:");
            right.write(&if is_json {
                BuildInput { context: with_strings(writing.context.clone(), &encoded), ..writing }
            } else {
                writing
            })
        }),
    ),
    mutant(
        "openui.build.round-trip",
        "content-trimmed-when-written",
        "The content is trimmed before it is written.",
        Build(|right, writing| right.write(&BuildInput { content: writing.content.trim().to_owned(), ..writing })),
    ),
    mutant(
        "openui.build.round-trip",
        "content-in-lf-when-written",
        "CRLF in the content is written as LF.",
        Build(|right, writing| right.write(&BuildInput { content: writing.content.replace("\r\n", "\n"), ..writing })),
    ),
    mutant(
        "openui.build.round-trip",
        "every-prefix-taken-apart",
        "A zero-width space is inserted after each prefix in the content, even where it is no marker.",
        Build(|right, writing| match right.write(&writing) {
            Ok(_) => {
                right.write(&BuildInput { content: writing.content.replace(PREFIX, "]]>openui:\u{200b}"), ..writing })
            }
            refused => refused,
        }),
    ),
    mutant(
        "openui.build.forged-marker",
        "marker-line-indented",
        "A marker line in the content is written with a space before it, so that it is text.",
        Build(|right, mut writing| match right.write(&writing) {
            Err(refusal) if refusal.kind == RefusalKind::ForgedMarker => {
                let indent = |text: &str| format!("\n{text}").replace("\n]]>openui:", "\n ]]>openui:")[1..].to_owned();
                writing.content = indent(&writing.content);
                if let Some(text) = writing.context.as_str() {
                    writing.context = Json::from(indent(text));
                }
                right.write(&writing)
            }
            other => other,
        }),
    ),
    mutant(
        "openui.build.not-writable",
        "unwritable-parts-left-out",
        "What would not read back is dropped silently: a repeated name, an empty one, a CR at the end.",
        Build(|right, writing| match right.write(&writing) {
            Err(refusal) if refusal.kind == RefusalKind::NotWritable => left_out(right, writing),
            other => other,
        }),
    ),
    mutant(
        "openui.model.assistant",
        "assistant-context-sent",
        "The context of an assistant turn also goes to the model.",
        ModelText(|right, raw, _| right.model_text(raw, true)),
    ),
    mutant(
        "openui.model.assistant",
        "assistant-text-trimmed",
        "The text for the model of an assistant turn is trimmed.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            if is_user { text } else { text.trim().to_owned() }
        }),
    ),
    mutant(
        "openui.model.user",
        "user-context-not-sent",
        "The context of a user turn does not go to the model.",
        ModelText(|right, raw, _| right.model_text(raw, false)),
    ),
    mutant(
        "openui.model.user",
        "other-label",
        "The context follows under another label.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            if is_user { text.replace(CONTEXT_LABEL, "\ncontext = ") } else { text }
        }),
    ),
    mutant(
        "openui.model.user",
        "null-context-sent",
        "Without a context, the label and null are sent.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            let has = !is_user || text.contains(CONTEXT_LABEL);
            if has { text } else { format!("{text}{CONTEXT_LABEL}null") }
        }),
    ),
    mutant(
        "openui.model.text-context",
        "text-context-not-sent",
        "A context that is not JSON does not go to the model.",
        ModelText(|right, raw, is_user| {
            let is_text = right.read(raw, false).context.as_str().is_some()
                && right.context_text(raw, false).is_some_and(|text| crate::json::parse(&text).is_err());
            right.model_text(raw, is_user && !is_text)
        }),
    ),
    mutant(
        "openui.model.no-marker-line",
        "stored-message-sent",
        "The model gets the message as it is stored.",
        ModelText(|right, raw, is_user| if is_user { right.model_text(raw, true) } else { raw.to_owned() }),
    ),
    mutant(
        "openui.model.no-marker-line",
        "stored-message-sent-for-a-user",
        "The model gets a user's message as it is stored.",
        ModelText(|right, raw, is_user| if is_user { raw.to_owned() } else { right.model_text(raw, false) }),
    ),
    mutant(
        "openui.model.no-marker-line",
        "end-line-sent-for-a-user",
        "The end line of a user's message goes to the model.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            let mut pieces = right.lines(raw).into_iter();
            match pieces.find(|piece| is_user && piece.marker() == Some("end")) {
                Some(piece) => format!("{text}\n{}", piece.text),
                None => text,
            }
        }),
    ),
    mutant_in(
        &[CORE, CHAT],
        mutant(
            "openui.model.no-marker-line",
            "moved-marker-sent",
            "The text for the model is made of the lines as written, so that a content marker in the middle of one stays.",
            ModelText(|right, raw, is_user| {
                let by_lines = Options { profile: Profile::LineStart, ..*right.options };
                let cuts = right.lines(raw).iter().any(|piece| piece.marker().is_some());
                if cuts {
                    ReferenceReader { options: &by_lines }.model_text(raw, is_user)
                } else {
                    right.model_text(raw, is_user)
                }
            }),
        ),
    ),
    mutant(
        "openui.model.no-marker-line",
        "lines-with-the-prefix-stripped",
        "Every line that begins with the prefix is removed from the text for the model, also text.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            text.split_inclusive('\n').filter(|line| !line.starts_with(PREFIX)).collect()
        }),
    ),
    mutant(
        "openui.event.turn",
        "turn-with-an-object",
        "The context of a turn is an object, not a list.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            Ok(message.replacen("\n[\"User clicked: ", "\n{\"action\":[\"User clicked: ", 1) + "}")
        }),
    ),
    mutant(
        "openui.event.turn",
        "turn-with-an-end-line",
        "A turn is written with an end line.",
        Turn(|right, event| right.turn(&event).map(|message| message + "\n]]>openui:end")),
    ),
    mutant(
        "openui.event.turn",
        "turn-without-its-list",
        "Without form state and context, only the message is stored.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            let bare = event.form_state == Json::Null && event.context == Json::Null;
            let end = message.rfind("\n]]>openui:context\n").filter(|_| bare).unwrap_or(message.len());
            Ok(message[..end].to_owned())
        }),
    ),
    mutant(
        "openui.event.clicked",
        "clicked-without-a-label",
        "The first element is the message alone.",
        Turn(|right, event| right.turn(&event).map(|message| message.replacen("[\"User clicked: ", "[\"", 1))),
    ),
    mutant(
        "openui.event.form-state",
        "context-in-place-of-the-form-state",
        "Without form state, the action's context is the second element, without {} before it.",
        Turn(|right, event| {
            let lacks = event.form_state == Json::Null && event.context != Json::Null;
            right.turn(&event).map(|message| if lacks { message.replacen("\",{},", "\",", 1) } else { message })
        }),
    ),
    mutant(
        "openui.event.form-state",
        "form-state-wrapped",
        "The form state is wrapped in an object with the member `formState`.",
        Turn(|right, mut event| {
            if event.form_state != Json::Null {
                event.form_state = Json::object([("formState", event.form_state)]);
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.form-state",
        "empty-form-state-left-out",
        "An empty form state counts as none.",
        Turn(|right, mut event| {
            if event.form_state == Json::Object(Vec::new()) && event.context == Json::Null {
                event.form_state = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "context-before-the-form-state",
        "The action's context comes before the form state.",
        Turn(|right, mut event| {
            if event.context != Json::Null && event.form_state != Json::Null {
                std::mem::swap(&mut event.context, &mut event.form_state);
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "action-context-not-written",
        "The action's context is not written.",
        Turn(|right, mut event| {
            if event.form_state != Json::Null {
                event.context = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "falsy-action-context-left-out",
        "An action's context of false, 0 or \"\" is dropped.",
        Turn(|right, mut event| {
            if is_falsy(&event.context) {
                event.context = Json::Null;
            }
            right.turn(&event)
        }),
    ),
    mutant(
        "openui.event.context",
        "null-action-context-written",
        "A turn without an action's context has null in its place.",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            let lacks = event.context == Json::Null && event.form_state != Json::Null;
            Ok(if lacks { format!("{},null]", message.strip_suffix(']').unwrap_or(&message)) } else { message })
        }),
    ),
    mutant(
        "openui.event.empty-message",
        "empty-message-gets-a-text",
        "A turn without a message says \"(no message)\".",
        Turn(|right, event| {
            let message = right.turn(&event)?;
            Ok(if event.message.is_empty() {
                message.replacen("]]>openui:content\n", "]]>openui:content\n(no message)", 1)
            } else {
                message
            })
        }),
    ),
];

fn is_falsy(value: &Json) -> bool {
    matches!(value.write(Style::Compact).as_str(), "0" | "false" | "\"\"")
}

/// Writes as much of it as can be written.
fn left_out(right: &ReferenceReader<'_>, mut writing: BuildInput) -> Result<String, Refusal> {
    let mut names = std::collections::HashSet::new();
    writing.attributes.retain(|(name, _)| !name.is_empty() && names.insert(name.clone()));
    let text = |text: &str| text.trim_end_matches('\r').replace("]]>openui:content", "");
    writing.content = text(&writing.content);
    if let Some(context) = writing.context.as_str() {
        let is_json = crate::json::parse(context).is_ok();
        writing.context = if is_json || context.is_empty() { Json::Null } else { Json::from(text(context)) };
    }
    right.write(&writing)
}
