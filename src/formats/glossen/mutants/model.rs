//! Mutants that convert messages for the model wrongly.

use super::super::reference::bad_params;
use super::{Fault, Mutant, each, each_data, each_part, items, kind, member, only_parts, parts, role, text, wrong};
use crate::formats::values::with;
use crate::glossen::choices::FileData;
use crate::glossen::{Choices, to_model_messages};
use crate::json::{Json, JsonString};
use crate::protocol::Refusal;

type Converted = Result<Json, Refusal>;

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.model.convert",
        "nothing-converted",
        "Pages and passages are dropped, as the SDK does unless they are converted.",
        Fault::Convert(|messages, choices| right(&only_parts(messages, &|part| !is_page_or_passage(part)), choices)),
    ),
    wrong(
        "glossen.model.convert",
        "pages-alone-converted",
        "Passages do not reach the model.",
        Fault::Convert(|messages, choices| right(&only_parts(messages, &|part| kind(part) != "data-passage"), choices)),
    ),
    wrong(
        "glossen.model.convert",
        "data-in-front",
        "Pages and passages go before all other parts.",
        Fault::Convert(|messages, choices| {
            right(
                &each(messages, &|message| {
                    member(message, "parts", &|list| {
                        let mut parts = items(Some(list)).to_vec();
                        parts.sort_by_key(|part| !is_page_or_passage(part));
                        Json::Array(parts)
                    })
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.convert",
        "sources-for-the-model",
        "The sources of an answer reach the model.",
        Fault::Convert(|messages, choices| {
            right(
                &each_part(messages, &|part| match (kind(part), part.get("data")) {
                    ("data-sources", Some(data)) => a_text(&format!("Sources: {}", data.to_compact())),
                    _ => part.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.convert",
        "unknown-data-for-the-model",
        "Data parts of unknown names reach the model as JSON.",
        Fault::Convert(|messages, choices| {
            right(
                &each_part(messages, &|part| match (kind(part), part.get("data")) {
                    ("data-page" | "data-passage" | "data-sources", _) => part.clone(),
                    (name, Some(data)) if name.starts_with("data-") => a_text(&data.to_compact()),
                    _ => part.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.convert",
        "metadata-for-the-model",
        "The metadata reach the model.",
        Fault::Convert(|messages, choices| {
            let converted = |message: &Json| match (message.get("metadata"), parts(message).is_empty()) {
                (Some(metadata), false) => {
                    let parts = parts(message).iter().cloned().chain([a_text(&metadata.to_compact())]);
                    with(message, "parts", Json::Array(parts.collect()))
                }
                _ => message.clone(),
            };
            right(&each(messages, &converted), choices)
        }),
    ),
    wrong(
        "glossen.model.convert",
        "repeated-page-dropped",
        "A page that an earlier message had is dropped.",
        Fault::Convert(|messages, choices| {
            let list = items(Some(messages));
            let told_before = |at: usize, part: &Json| list[..at].iter().any(|message| parts(message).contains(part));
            let kept = list.iter().enumerate().map(|(at, message)| {
                let kept = parts(message).iter().filter(|part| kind(part) != "data-page" || !told_before(at, part));
                with(message, "parts", Json::Array(kept.cloned().collect()))
            });
            right(&Json::Array(kept.collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.frame",
        "escaped-passages",
        "The text of a passage is escaped for HTML.",
        Fault::Convert(|messages, choices| {
            right(
                &with_data_texts(messages, "data-passage", "text", &|text| {
                    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.frame",
        "trimmed-passages",
        "White space around the text of a passage is trimmed.",
        Fault::Convert(|messages, choices| {
            right(&with_data_texts(messages, "data-passage", "text", &|text| text.trim().to_owned()), choices)
        }),
    ),
    wrong(
        "glossen.model.frame",
        "passages-on-one-line",
        "A passage is on the line of its tags.",
        Fault::Convert(|messages, choices| {
            with_converted(messages, choices, &|text| {
                text.replacen("<passage>\n", "<passage>", 1).replace("\n</passage>", "</passage>")
            })
        }),
    ),
    wrong(
        "glossen.model.frame",
        "pages-in-other-words",
        "A page is introduced by other words.",
        Fault::Convert(|messages, choices| {
            with_converted(messages, choices, &|text| {
                text.replacen("[Reader's current page (reference data): ", "[Page: ", 1)
            })
        }),
    ),
    wrong(
        "glossen.model.text",
        "empty-heading-shown",
        "An empty heading is written.",
        Fault::Convert(|messages, choices| {
            const NAME: &str = "\u{0}empty\u{0}";
            let named = each_data(messages, "data-passage", &|data| {
                member(data, "heading", &|heading| match heading.as_str() {
                    Some("") => NAME.into(),
                    _ => heading.clone(),
                })
            });
            let converted = right(&named, choices)?;
            Ok(with_texts(&converted, &|text| text.replace("\\u0000empty\\u0000", "")))
        }),
    ),
    wrong(
        "glossen.model.text",
        "quotes-as-they-are",
        "Titles, urls and headings are in quotation marks, without escapes.",
        Fault::Convert(|messages, choices| with_quotes(messages, choices, &|quoted| format!("\"{quoted}\""))),
    ),
    wrong(
        "glossen.model.text",
        "ascii-titles",
        "Characters beyond ASCII are written as escapes.",
        Fault::Convert(|messages, choices| with_quotes(messages, choices, &|text| Json::from(text).to_ascii())),
    ),
    wrong(
        "glossen.model.text",
        "headings-left-out",
        "The heading of a passage is not written.",
        Fault::Convert(|messages, choices| {
            right(
                &each_data(messages, "data-passage", &|data| crate::formats::values::without(data, "heading")),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.shape",
        "steps-together",
        "The steps of an answer are one model message.",
        Fault::Convert(|messages, choices| right(&only_parts(messages, &|part| kind(part) != "step-start"), choices)),
    ),
    wrong(
        "glossen.model.shape",
        "empty-answers-stay",
        "An answer without content is a message without content.",
        Fault::Convert(|messages, choices| {
            let mut converted = Vec::new();
            for message in items(Some(messages)) {
                let given = right(&Json::Array(vec![message.clone()]), choices)?;
                if items(Some(&given)).is_empty() {
                    converted.push(Json::object([("role", "assistant".into()), ("content", Json::Array(Vec::new()))]));
                }
                converted.extend(items(Some(&given)).iter().cloned());
            }
            Ok(Json::Array(converted))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "silent-users-go",
        "A user's message without content is dropped.",
        Fault::Convert(|messages, choices| {
            let given = right(messages, choices)?;
            let is_silent =
                |message: &Json| role(message) == "user" && message.get("content") == Some(&Json::Array(Vec::new()));
            Ok(super::only(&given, &|message| !is_silent(message)))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "system-in-parts",
        "The content of a system message is a list of parts.",
        Fault::Convert(|messages, choices| {
            let given = right(messages, choices)?;
            Ok(each(&given, &|message| match role(message) {
                "system" => member(message, "content", &|content| {
                    Json::Array(vec![a_text(content.as_str().unwrap_or_default())])
                }),
                _ => message.clone(),
            }))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "system-in-lines",
        "The texts of a system message are on lines of their own.",
        Fault::Convert(|messages, choices| {
            right(
                &each(messages, &|message| match role(message) {
                    "system" => member(message, "parts", &|list| {
                        let texts: Vec<&str> = items(Some(list))
                            .iter()
                            .filter(|part| kind(part) == "text")
                            .map(|part| text(part, "text"))
                            .collect();
                        Json::Array(vec![a_text(&texts.join("\n"))])
                    }),
                    _ => message.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.shape",
        "texts-together",
        "Adjacent texts become one part.",
        Fault::Convert(|messages, choices| {
            let given = right(messages, choices)?;
            Ok(each(&given, &|message| {
                member(message, "content", &|content| match content {
                    Json::Array(parts) => {
                        let mut joined: Vec<Json> = Vec::new();
                        for part in parts {
                            match joined.last_mut() {
                                Some(last) if kind(last) == "text" && kind(part) == "text" => {
                                    *last = a_text(&format!("{}{}", text(last, "text"), text(part, "text")));
                                }
                                _ => joined.push(part.clone()),
                            }
                        }
                        Json::Array(joined)
                    }
                    other => other.clone(),
                })
            }))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "users-reason",
        "The reasoning of a user's message reaches the model.",
        Fault::Convert(|messages, choices| {
            right(
                &each(messages, &|message| match role(message) {
                    "user" => member(message, "parts", &|parts| {
                        each(parts, &|part| match kind(part) {
                            "reasoning" => a_text(text(part, "text")),
                            _ => part.clone(),
                        })
                    }),
                    _ => message.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.shape",
        "files-without-names",
        "The name of a file is lost.",
        Fault::Convert(|messages, choices| {
            right(
                &each_part(messages, &|part| match kind(part) {
                    "file" => crate::formats::values::without(part, "filename"),
                    _ => part.clone(),
                }),
                choices,
            )
        }),
    ),
    wrong(
        "glossen.model.shape",
        "silent-answers",
        "The reasoning of an answer does not reach the model.",
        Fault::Convert(|messages, choices| right(&only_parts(messages, &|part| kind(part) != "reasoning"), choices)),
    ),
    wrong(
        "glossen.model.file",
        "files-either-way",
        "The url of a file is a string in a question, and an object in an answer.",
        Fault::Convert(|messages, choices| {
            let mut converted = Vec::new();
            for message in items(Some(messages)) {
                let choices = match role(message) {
                    "user" => Choices { file_data: FileData::String, ..*choices },
                    "assistant" => Choices { file_data: FileData::Object, ..*choices },
                    _ => *choices,
                };
                converted.extend(items(Some(&right(&Json::Array(vec![message.clone()]), &choices)?)).iter().cloned());
            }
            Ok(Json::Array(converted))
        }),
    ),
];

fn right(messages: &Json, choices: &Choices) -> Converted {
    to_model_messages(messages, choices).map_err(bad_params)
}

fn a_text(text: &str) -> Json {
    Json::object([("type", "text".into()), ("text", text.into())])
}

fn is_page_or_passage(part: &Json) -> bool {
    matches!(kind(part), "data-page" | "data-passage")
}

fn with_data_texts(messages: &Json, of: &str, name: &str, change: &dyn Fn(&str) -> String) -> Json {
    each_data(messages, of, &|data| {
        member(data, name, &|value| match value {
            Json::String(JsonString::Unicode(text)) => change(text).into(),
            other => other.clone(),
        })
    })
}

/// Returns the model messages with each of their texts changed.
fn with_texts(model: &Json, change: &dyn Fn(&str) -> String) -> Json {
    each(model, &|message| {
        member(message, "content", &|content| {
            each(content, &|part| {
                member(part, "text", &|text| match text.as_str() {
                    Some(text) => change(text).into(),
                    None => text.clone(),
                })
            })
        })
    })
}

/// Returns the model messages with the texts of pages and passages, and only these, changed.
fn with_converted(messages: &Json, choices: &Choices, change: &dyn Fn(&str) -> String) -> Converted {
    right(
        &each_part(messages, &|part| match is_page_or_passage(part) {
            true => {
                let alone = Json::object([("role", "user".into()), ("parts", Json::Array(vec![part.clone()]))]);
                let converted = to_model_messages(&Json::Array(vec![alone]), choices).unwrap_or_default();
                let contents =
                    items(Some(&converted)).first().map(|message| items(message.get("content"))).unwrap_or_default();
                contents.first().map_or_else(|| part.clone(), |converted| a_text(&change(text(converted, "text"))))
            }
            false => part.clone(),
        }),
        choices,
    )
}

/// Returns the model messages with titles, urls and headings quoted another way.
fn with_quotes(messages: &Json, choices: &Choices, quote: &dyn Fn(&str) -> String) -> Converted {
    const MARKS: [&str; 3] = ["title", "url", "heading"];
    right(
        &each_part(messages, &|part| {
            let (true, Some(data)) = (is_page_or_passage(part), part.get("data")) else { return part.clone() };
            // Marks take their places while the text is made.
            let mut marked = data.clone();
            for mark in MARKS {
                marked = member(&marked, mark, &|text| match text.as_str() {
                    None | Some("") => text.clone(),
                    Some(_) => format!("({mark})").into(),
                });
            }
            let alone = Json::object([
                ("role", "user".into()),
                ("parts", Json::Array(vec![with(part, "data", with(&marked, "text", "(text)".into()))])),
            ]);
            let converted = to_model_messages(&Json::Array(vec![alone]), choices).unwrap_or_default();
            let contents =
                items(Some(&converted)).first().map(|message| items(message.get("content"))).unwrap_or_default();
            let mut converted =
                contents.first().map(|converted| text(converted, "text").to_owned()).unwrap_or_default();
            for mark in MARKS {
                converted = converted.replacen(&format!("\"({mark})\""), &quote(text(data, mark)), 1);
            }
            a_text(&converted.replacen("\n(text)\n", &format!("\n{}\n", text(data, "text")), 1))
        }),
        choices,
    )
}
