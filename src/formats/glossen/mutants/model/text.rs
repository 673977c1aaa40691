//! Mutants that write pages and passages wrongly, or for the wrong readers.

use super::super::mangling::{composed, cut, decoded, escaped, in_lf, is_blank, replaced};
use super::super::{Fault, Mutant, each, each_data, each_part, items, kind, member, only, only_parts, parts, wrong};
use super::{
    a_text, is_page_or_passage, right, with_converted, with_data_texts, with_names, with_parts, with_quotes, with_texts,
};
use crate::formats::values::with;
use crate::json::Json;

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
        "glossen.model.convert",
        "repeated-passage-dropped",
        "A passage that comes twice in a message is converted once.",
        Fault::Convert(|messages, choices| {
            let once = |parts: &[Json]| {
                let is_first = |at: usize| kind(&parts[at]) != "data-passage" || !parts[..at].contains(&parts[at]);
                (0..parts.len()).filter(|at| is_first(*at)).map(|at| parts[at].clone()).collect()
            };
            right(&with_parts(messages, "user", &once), choices)
        }),
    ),
    wrong(
        "glossen.model.convert",
        "last-page-alone",
        "Only the last message with pages has its pages converted.",
        Fault::Convert(|messages, choices| {
            let list = items(Some(messages));
            let has_page = |message: &Json| parts(message).iter().any(|part| kind(part) == "data-page");
            let last = list.iter().rposition(has_page).unwrap_or_default();
            let bare =
                |message: &Json| member(message, "parts", &|parts| only(parts, &|part| kind(part) != "data-page"));
            let kept = |(at, message): (usize, &Json)| if at < last { bare(message) } else { message.clone() };
            right(&Json::Array(list.iter().enumerate().map(kept).collect()), choices)
        }),
    ),
    wrong(
        "glossen.model.convert",
        "data-of-answers",
        "Pages and passages of an answer do not reach the model.",
        Fault::Convert(|messages, choices| {
            let others = |parts: &[Json]| parts.iter().filter(|part| !is_page_or_passage(part)).cloned().collect();
            right(&with_parts(messages, "assistant", &others), choices)
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
        "glossen.model.frame",
        "long-passages-cut",
        "The text of a passage is cut at 500 characters.",
        Fault::Convert(|messages, choices| {
            right(&with_data_texts(messages, "data-passage", "text", &|text| cut(text, 500)), choices)
        }),
    ),
    wrong(
        "glossen.model.frame",
        "passages-composed",
        "The text of a passage is written under NFC.",
        Fault::Convert(|messages, choices| {
            right(&with_data_texts(messages, "data-passage", "text", &composed), choices)
        }),
    ),
    wrong(
        "glossen.model.frame",
        "passages-in-lf",
        "A CRLF in the text of a passage is written as LF.",
        Fault::Convert(|messages, choices| right(&with_data_texts(messages, "data-passage", "text", &in_lf), choices)),
    ),
    wrong(
        "glossen.model.frame",
        "passages-in-a-template",
        "The text of a passage is the replacement in a template, where `$$` and `$&` mean something.",
        Fault::Convert(|messages, choices| {
            right(&with_data_texts(messages, "data-passage", "text", &replaced), choices)
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
        "glossen.model.text",
        "long-headings-cut",
        "A heading is cut at 200 characters.",
        Fault::Convert(|messages, choices| with_names(messages, choices, "heading", &|text| cut(text, 200))),
    ),
    wrong(
        "glossen.model.text",
        "escaped-urls",
        "A url is escaped for HTML.",
        Fault::Convert(|messages, choices| with_names(messages, choices, "url", &escaped)),
    ),
    wrong(
        "glossen.model.text",
        "decoded-urls",
        "A url is percent-decoded.",
        Fault::Convert(|messages, choices| with_names(messages, choices, "url", &decoded)),
    ),
    wrong(
        "glossen.model.text",
        "titles-composed",
        "A title is written under NFC.",
        Fault::Convert(|messages, choices| with_names(messages, choices, "title", &composed)),
    ),
    wrong(
        "glossen.model.text",
        "headings-in-a-template",
        "A heading is the replacement in a template, where `$$` and `$&` mean something.",
        Fault::Convert(|messages, choices| with_names(messages, choices, "heading", &replaced)),
    ),
    wrong(
        "glossen.model.text",
        "titles-on-one-line",
        "Each run of white space in a title is one blank.",
        Fault::Convert(|messages, choices| {
            let on_one_line = |text: &str| text.split(char::is_whitespace).collect::<Vec<_>>().join(" ");
            with_names(messages, choices, "title", &on_one_line)
        }),
    ),
    wrong(
        "glossen.model.text",
        "blank-headings-left-out",
        "A heading of white space alone is not written.",
        Fault::Convert(|messages, choices| {
            let said = |text: &str| if is_blank(text) { String::new() } else { text.to_owned() };
            with_names(messages, choices, "heading", &said)
        }),
    ),
];
