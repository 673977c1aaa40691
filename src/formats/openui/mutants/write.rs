//! Mutants that write messages wrongly.

use super::Fault::Build;
use super::mangling::{
    composed, cut, escapes_read, in_lf, number_of_digits, replaced, unmarked, with_values, without_members,
};
use super::reference::{BuildInput, ReferenceReader, is_falsy, with_strings};
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::{CHAT, CORE};
use crate::json::Json;
use crate::openui::choices::{Choices, ForgedMarker};
use crate::openui::{Options, PREFIX};
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
        "openui.build.round-trip",
        "byte-order-mark-not-written",
        "A byte order mark at the start of the content is not written.",
        Build(|right, writing| content_changed(right, writing, unmarked)),
    ),
    mutant(
        "openui.build.layout",
        "escapes-in-the-content-read",
        "The content goes through `re.sub`, which reads a backslash and n as LF.",
        Build(|right, writing| content_changed(right, writing, escapes_read)),
    ),
    mutant(
        "openui.build.layout",
        "content-composed-when-written",
        "Letters and accents of the content are composed (NFC) when it is written.",
        Build(|right, writing| content_changed(right, writing, composed)),
    ),
    mutant(
        "openui.build.layout",
        "end-of-false-written",
        "An end line is written as soon as `end` is given, also as false.",
        Build(|right, writing| right.write(&BuildInput { end: writing.end_given, ..writing })),
    ),
    mutant(
        "openui.build.context",
        "string-context-in-lf",
        "In a context that is a string, CRLF is written as LF.",
        Build(|right, writing| right.write(&BuildInput { context: string_changed(writing.context, in_lf), ..writing })),
    ),
    mutant(
        "openui.build.context",
        "string-context-cut",
        "A context that is a string is cut at 1,000 characters.",
        Build(|right, writing| {
            right.write(&BuildInput { context: string_changed(writing.context, |text| cut(text, 1000)), ..writing })
        }),
    ),
    mutant(
        "openui.build.context",
        "string-context-through-a-replacement",
        "A context that is a string goes through `String.replace`, which reads `$$` and `$&`.",
        Build(|right, writing| {
            right.write(&BuildInput { context: string_changed(writing.context, replaced), ..writing })
        }),
    ),
    mutant(
        "openui.build.context",
        "empty-strings-not-written",
        "Members that are empty strings are left out of the context.",
        Build(|right, writing| {
            right.write(&BuildInput {
                context: without_members(writing.context, &|value| value.as_str() == Some("")),
                ..writing
            })
        }),
    ),
    mutant(
        "openui.build.context",
        "strings-of-digits-written-as-numbers",
        "Strings of digits within a context are written as numbers.",
        Build(|right, writing| {
            let context = match writing.context {
                string @ Json::String(_) => string,
                value => with_values(value, &number_of_digits),
            };
            right.write(&BuildInput { context, ..writing })
        }),
    ),
    mutant(
        "openui.build.attributes",
        "only-20-attributes",
        "At most 20 attributes are written.",
        Build(|right, mut writing| {
            writing.attributes.truncate(20);
            right.write(&writing)
        }),
    ),
    mutant(
        "openui.build.attributes",
        "long-attribute-values-cut",
        "Values of attributes are cut at 255 characters.",
        Build(|right, writing| values_changed(right, writing, |value| cut(value, 255))),
    ),
    mutant(
        "openui.build.attributes",
        "attribute-values-through-a-replacement",
        "Values of attributes go through `String.replace`, which reads `$$` and `$&`.",
        Build(|right, writing| values_changed(right, writing, replaced)),
    ),
    mutant(
        "openui.build.attributes",
        "equals-sign-left-out",
        "An attribute with an empty value is written without its `=`.",
        Build(|right, writing| {
            let message = right.write(&writing)?;
            let (line, rest) = message.split_once('\n').unwrap_or((&message, ""));
            let pairs = line.split('&').map(|pair| pair.strip_suffix('=').unwrap_or(pair)).collect::<Vec<_>>();
            Ok(format!("{}\n{rest}", pairs.join("&")))
        }),
    ),
    mutant(
        "openui.build.round-trip",
        "marker-in-an-attribute-refused",
        "A marker in the value of an attribute is refused, although it is encoded.",
        Build(|right, writing| match writing.attributes.iter().find(|(_, value)| value.contains(PREFIX)) {
            Some((name, _)) => Err(Refusal::new(RefusalKind::ForgedMarker, format!("a marker is in {name}"))),
            None => right.write(&writing),
        }),
    ),
    mutant(
        "openui.build.forged-marker",
        "unknown-kinds-are-not-forged",
        "Only lines of the three known kinds are refused.",
        Build(|right, writing| match right.write(&writing) {
            Err(refusal) if refusal.kind == RefusalKind::ForgedMarker && !has_known_marker(&writing) => {
                let forged_marker = ForgedMarker::Written;
                let options = Options { choices: Choices { forged_marker, ..right.options.choices }, ..*right.options };
                ReferenceReader { options: &options }.write(&writing)
            }
            other => other,
        }),
    ),
    mutant(
        "openui.build.round-trip",
        "blank-string-context-refused",
        "A context that is a string of white space is refused.",
        Build(|right, writing| match writing.context.as_str() {
            Some(text) if !text.is_empty() && text.trim().is_empty() => {
                Err(Refusal::new(RefusalKind::NotWritable, "the context is blank"))
            }
            _ => right.write(&writing),
        }),
    ),
];

/// Writes a message after its content has been changed.
fn content_changed(
    right: &ReferenceReader<'_>,
    writing: BuildInput,
    change: impl Fn(&str) -> String,
) -> Result<String, Refusal> {
    right.write(&BuildInput { content: change(&writing.content), ..writing })
}

/// Writes a message after the value of each attribute has been changed.
fn values_changed(
    right: &ReferenceReader<'_>,
    mut writing: BuildInput,
    change: impl Fn(&str) -> String,
) -> Result<String, Refusal> {
    for (_, value) in &mut writing.attributes {
        *value = change(value);
    }
    right.write(&writing)
}

/// Returns a context that is a string after it has been changed, and any other as it is.
fn string_changed(context: Json, change: impl Fn(&str) -> String) -> Json {
    context.as_str().map(change).map_or_else(|| context.clone(), Json::from)
}

/// Whether a line of the content or of a string context begins with a marker of a known kind.
fn has_known_marker(writing: &BuildInput) -> bool {
    let texts = [&writing.content[..], writing.context.as_str().unwrap_or("")];
    let is_known = |line: &str| {
        let kind = line.strip_prefix(PREFIX).unwrap_or("");
        ["content", "context", "end"].iter().any(|known| kind.starts_with(known))
    };
    texts.into_iter().any(|text| text.lines().any(is_known))
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
