//! Mutants that give model messages of the wrong shape.

use super::super::mangling::is_blank;
use super::super::{
    Fault, Mutant, each, each_part, items, kind, member, only, only_parts, role, text, with_text, wrong,
};
use super::{a_text, right, with_parts};
use crate::glossen::Choices;
use crate::glossen::choices::FileData;
use crate::json::Json;

pub(super) const MUTANTS: &[Mutant] = &[
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
            Ok(only(&given, &|message| !is_silent(message)))
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
        "glossen.model.shape",
        "system-in-front",
        "Messages of the system come first.",
        Fault::Convert(|messages, choices| {
            let mut list = items(Some(messages)).to_vec();
            list.sort_by_key(|message| role(message) != "system");
            right(&Json::Array(list), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "silent-systems-go",
        "A message of the system without text is dropped.",
        Fault::Convert(|messages, choices| {
            let is_silent = |message: &Json| role(message) == "system" && text(message, "content").is_empty();
            Ok(only(&right(messages, choices)?, &|message| !is_silent(message)))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "reasoning-before-texts",
        "The reasoning of a step comes before its texts.",
        Fault::Convert(|messages, choices| {
            Ok(each(&right(messages, choices)?, &|message| {
                member(message, "content", &|content| match content {
                    Json::Array(parts) => {
                        let mut parts = parts.clone();
                        parts.sort_by_key(|part| kind(part) != "reasoning");
                        Json::Array(parts)
                    }
                    other => other.clone(),
                })
            }))
        }),
    ),
    wrong(
        "glossen.model.shape",
        "blank-texts-go",
        "A text of white space alone is dropped from an answer.",
        Fault::Convert(|messages, choices| {
            let said = |part: &&Json| kind(part) != "text" || !is_blank(text(part, "text"));
            right(&with_parts(messages, "assistant", &|parts| parts.iter().filter(said).cloned().collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "empty-reasoning-goes",
        "An empty reasoning is dropped.",
        Fault::Convert(|messages, choices| {
            right(&only_parts(messages, &|part| kind(part) != "reasoning" || !text(part, "text").is_empty()), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "last-step-alone",
        "Of the steps of an answer, only the last reaches the model.",
        Fault::Convert(|messages, choices| {
            let last = |parts: &[Json]| {
                let step = parts.iter().rposition(|part| kind(part) == "step-start").unwrap_or_default();
                parts[step..].to_vec()
            };
            right(&with_parts(messages, "assistant", &last), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "sources-end-a-step",
        "Sources end the parts before them, too.",
        Fault::Convert(|messages, choices| {
            let step = Json::object([("type", "step-start".into())]);
            let stepped = |parts: &[Json]| {
                parts
                    .iter()
                    .map(|part| if kind(part) == "data-sources" { step.clone() } else { part.clone() })
                    .collect()
            };
            right(&with_parts(messages, "assistant", &stepped), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "streaming-texts-go",
        "A text that still streams is dropped.",
        Fault::Convert(|messages, choices| {
            right(&only_parts(messages, &|part| text(part, "state") != "streaming"), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "repeated-ids-go",
        "Of messages with the same id, the last counts.",
        Fault::Convert(|messages, choices| {
            let list = items(Some(messages));
            let is_last = |at: usize| list[at + 1..].iter().all(|other| other.get("id") != list[at].get("id"));
            let last = (0..list.len()).filter(|at| is_last(*at)).map(|at| list[at].clone());
            right(&Json::Array(last.collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "media-types-in-small-letters",
        "The media type of a file is written in small letters.",
        Fault::Convert(|messages, choices| {
            right(&each_part(messages, &|part| with_text(part, "mediaType", &str::to_lowercase)), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "nameless-files-of-answers",
        "The name of a file in an answer is lost.",
        Fault::Convert(|messages, choices| {
            let nameless = |part: &Json| match kind(part) {
                "file" => crate::formats::values::without(part, "filename"),
                _ => part.clone(),
            };
            right(&with_parts(messages, "assistant", &|parts| parts.iter().map(nameless).collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "files-of-the-system",
        "A file in a message of the system leaves its name there.",
        Fault::Convert(|messages, choices| {
            let named = |part: &Json| match (kind(part), part.get("filename").and_then(Json::as_str)) {
                ("file", Some(name)) => a_text(name),
                _ => part.clone(),
            };
            right(&with_parts(messages, "system", &|parts| parts.iter().map(named).collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.shape",
        "documents-are-files",
        "A source-document with the name of a file becomes a text with it.",
        Fault::Convert(|messages, choices| {
            right(
                &each_part(messages, &|part| match (kind(part), part.get("filename").and_then(Json::as_str)) {
                    ("source-document", Some(name)) => a_text(name),
                    _ => part.clone(),
                }),
                choices,
            )
        }),
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
