//! Mutants that give the model the wrong text.

use super::Fault::ModelText;
use super::mangling::{cut, entities_decoded, number_of_digits, replaced, with_texts, with_values, without_members};
use super::reference::ReferenceReader;
use super::{Mutant, mutant, mutant_in};
use crate::formats::openui::{CHAT, CORE};
use crate::json::{self, Json};
use crate::openui::{CONTEXT_LABEL, Options, PREFIX, Profile};

pub(super) const MUTANTS: &[Mutant] = &[
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
        "openui.model.assistant",
        "entities-decoded-for-the-model",
        "Entities in the content of an assistant are decoded for the model.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            if is_user { text } else { entities_decoded(&text) }
        }),
    ),
    mutant(
        "openui.model.assistant",
        "blank-answer-is-empty",
        "The content of an assistant that is white space is an empty text for the model.",
        ModelText(|right, raw, is_user| {
            let text = right.model_text(raw, is_user);
            if !is_user && text.trim().is_empty() { String::new() } else { text }
        }),
    ),
    mutant(
        "openui.model.user",
        "strings-of-digits-sent-as-numbers",
        "Strings of digits in a context go to the model as numbers.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| {
                json_changed(context, |value| with_values(value, &number_of_digits))
            })
        }),
    ),
    mutant(
        "openui.model.user",
        "false-not-sent",
        "Members that are false are left out of the context for the model.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| {
                json_changed(context, |value| without_members(value, &|value| *value == Json::Bool(false)))
            })
        }),
    ),
    mutant(
        "openui.model.user",
        "form-values-cut-for-the-model",
        "Form values are cut at 500 characters for the model.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| {
                json_changed(context, |value| with_texts(value, &|text| cut(text, 500)))
            })
        }),
    ),
    mutant(
        "openui.model.user",
        "context-through-a-replacement-for-the-model",
        "Strings in a context go through `String.replace` for the model, which reads `$$` and `$&`.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| json_changed(context, |value| with_texts(value, &replaced)))
        }),
    ),
    mutant(
        "openui.model.user",
        "program-hides-the-context",
        "The context of a user is not sent where the content looks like a program.",
        ModelText(|right, raw, is_user| {
            let is_program = right.model_text(raw, false).starts_with("root =");
            right.model_text(raw, is_user && !is_program)
        }),
    ),
    mutant(
        "openui.model.text-context",
        "text-that-begins-like-json-quoted",
        "A text context that begins with a bracket or brace goes to the model as a JSON string, other text as it is.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| {
                let is_cut = context.starts_with(['{', '[']) && json::parse(context).is_err();
                if is_cut { Json::from(context).to_compact() } else { context.to_owned() }
            })
        }),
    ),
    mutant(
        "openui.model.text-context",
        "last-line-feed-not-sent",
        "A LF at the end of a text context is dropped for the model.",
        ModelText(|right, raw, is_user| {
            context_changed(right, raw, is_user, |context| context.strip_suffix('\n').unwrap_or(context).to_owned())
        }),
    ),
    mutant(
        "openui.model.no-marker-line",
        "brackets-not-sent",
        "Every `]]>` is removed from the text for the model, to be sure that no marker is left.",
        ModelText(|right, raw, is_user| right.model_text(raw, is_user).replace("]]>", "")),
    ),
];

/// Returns the text for the model after the context in it has been changed.
fn context_changed(right: &ReferenceReader<'_>, raw: &str, is_user: bool, change: impl Fn(&str) -> String) -> String {
    let text = right.model_text(raw, is_user);
    let from = right.model_text(raw, false).len() + CONTEXT_LABEL.len();
    match text.get(from..) {
        Some(context) => format!("{}{}", &text[..from], change(context)),
        None => text,
    }
}

/// Returns a context that is JSON after its value has been changed, and any other as it is.
fn json_changed(context: &str, change: impl Fn(Json) -> Json) -> String {
    let Ok(value) = json::parse(context) else { return context.to_owned() };
    let changed = change(value.clone());
    if changed == value { context.to_owned() } else { changed.to_compact() }
}
