//! Mutants that check answers wrongly.

use super::super::{Fault, Mutant, each, items, kind, member, parts, role, text, wrong};
use super::{Without, adding, is_named, right, sorted, without_parts};
use crate::formats::values::with;
use crate::json::Json;

const ASSISTANT: &str = "glossen.assistant.order";
const FINISH: &str = "glossen.assistant.finish";

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        ASSISTANT,
        "steps-are-parts",
        "A step counts as a part that does not belong in an answer.",
        Fault::Check(|message, pages, finished| {
            let renamed = member(message, "parts", &|parts| {
                each(parts, &|part| match kind(part) {
                    "step-start" if role(message) == "assistant" => with(part, "type", "step".into()),
                    _ => part.clone(),
                })
            });
            right(&renamed, pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "sources-anywhere",
        "The sources may come anywhere in an answer.",
        Fault::Check(|message, pages, finished| {
            let order = |part: &Json| usize::from(kind(part) == "data-sources");
            right(&sorted(message, "assistant", &order), pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "several-lists-of-sources",
        "An answer may have several parts with sources.",
        Fault::Check(|message, pages, finished| {
            let before = |at: usize| parts(message)[..at].iter().any(|part| kind(part) == "data-sources");
            let is_another = |at: usize, part: &Json| kind(part) == "data-sources" && before(at);
            let broken = right(&without_parts(message, "assistant", &is_another), pages, finished)?;
            // Their entries are checked nevertheless.
            let all = right(message, pages, finished)?;
            Ok(all.into_iter().filter(|rule| *rule != ASSISTANT || broken.contains(rule)).collect())
        }),
    ),
    wrong(
        ASSISTANT,
        "quoting-answers",
        "An answer may have pages and passages.",
        Fault::Check(|message, pages, finished| {
            right(
                &without_parts(message, "assistant", &|_, part| matches!(kind(part), "data-page" | "data-passage")),
                pages,
                finished,
            )
        }),
    ),
    wrong(
        ASSISTANT,
        "other-parts-of-answers",
        "Reasoning, files and tools are ignored in an answer.",
        Fault::Check(|message, pages, finished| {
            right(&without_parts(message, "assistant", &|_, part| !is_named(part)), pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "steps-begin-anew",
        "Each step of an answer has an order of its own, so that a text may follow sources.",
        Fault::Check(|message, pages, finished| {
            let is_text_after_sources = |at: usize, part: &Json| {
                let before = &parts(message)[..at];
                let step = before.iter().rposition(|part| kind(part) == "step-start").unwrap_or_default();
                let in_step = before[step..].iter().any(|part| kind(part) == "data-sources");
                kind(part) == "text" && before.iter().any(|part| kind(part) == "data-sources") && !in_step
            };
            right(&without_parts(message, "assistant", &is_text_after_sources), pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "steps-in-front",
        "A step stands before a text and nowhere else.",
        Fault::Check(|message, pages, finished| {
            let is_before_text =
                |at: usize| parts(message).get(at + 1).is_some_and(|part| matches!(kind(part), "text" | "step-start"));
            let mut steps = parts(message).iter().enumerate().filter(|(_, part)| kind(part) == "step-start");
            let is_broken = role(message) == "assistant" && !steps.all(|(at, _)| is_before_text(at));
            adding(right(message, pages, finished)?, ASSISTANT, is_broken)
        }),
    ),
    wrong(
        ASSISTANT,
        "one-text-of-an-answer",
        "An answer has one text, or one for each step.",
        Fault::Check(|message, pages, finished| {
            let is_text = |part: &Json| kind(part) == "text";
            let is_broken = parts(message).windows(2).any(|pair| pair.iter().all(is_text));
            adding(right(message, pages, finished)?, ASSISTANT, role(message) == "assistant" && is_broken)
        }),
    ),
    wrong(
        ASSISTANT,
        "sources-named-once",
        "An answer may not name a source twice.",
        Fault::Check(|message, pages, finished| {
            let lists = parts(message).iter().filter(|part| kind(part) == "data-sources");
            let urls: Vec<&str> =
                lists.flat_map(|part| items(part.get("data"))).map(|source| text(source, "url")).collect();
            let is_broken = (1..urls.len()).any(|at| urls[..at].contains(&urls[at]));
            adding(right(message, pages, finished)?, ASSISTANT, role(message) == "assistant" && is_broken)
        }),
    ),
    wrong(
        ASSISTANT,
        "empty-sources-anywhere",
        "A part without any source in it may stand anywhere in an answer.",
        Fault::Check(|message, pages, finished| {
            let is_empty = |part: &Json| kind(part) == "data-sources" && items(part.get("data")).is_empty();
            right(&without_parts(message, "assistant", &|_, part| is_empty(part)), pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "reasoning-in-front",
        "Reasoning may stand before the texts of an answer.",
        Fault::Check(|message, pages, finished| {
            let is_in_front =
                |at: usize| parts(message)[..=at].iter().all(|part| matches!(kind(part), "reasoning" | "step-start"));
            let goes = |at: usize, part: &Json| kind(part) == "reasoning" && is_in_front(at);
            right(&without_parts(message, "assistant", &goes), pages, finished)
        }),
    ),
    wrong(
        ASSISTANT,
        "empty-texts-anywhere",
        "An empty text may stand anywhere in an answer.",
        Fault::Check(|message, pages, finished| {
            let has_text = parts(message).iter().any(|part| !text(part, "text").is_empty());
            let is_empty = |part: &Json| has_text && kind(part) == "text" && text(part, "text").is_empty();
            right(&without_parts(message, "assistant", &|_, part| is_empty(part)), pages, finished)
        }),
    ),
    wrong(
        FINISH,
        "endless-answers",
        "A finished answer may lack a reason.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(FINISH))),
    ),
    wrong(
        FINISH,
        "always-finished",
        "A reason is required while the answer still arrives.",
        Fault::Check(|message, pages, _| right(message, pages, Some(true))),
    ),
    wrong(
        FINISH,
        "finished-questions",
        "A user's message needs a reason, too.",
        Fault::Check(|message, pages, finished| {
            let mut broken = right(message, pages, finished)?;
            if finished == Some(true) && role(message) == "user" && message.get("metadata").is_none() {
                broken.push(FINISH);
            }
            Ok(broken)
        }),
    ),
    wrong(
        FINISH,
        "reasons-say-something",
        "An empty reason is none.",
        Fault::Check(|message, pages, finished| {
            let is_empty = reason(message).is_some_and(str::is_empty);
            adding(right(message, pages, finished)?, FINISH, is_answer(message, finished) && is_empty)
        }),
    ),
    wrong(
        FINISH,
        "known-reasons",
        "A reason that the SDK does not know is none.",
        Fault::Check(|message, pages, finished| {
            const KNOWN: [&str; 7] = ["", "stop", "length", "content-filter", "tool-calls", "error", "other"];
            let is_unknown = reason(message).is_some_and(|reason| !KNOWN.contains(&reason));
            adding(right(message, pages, finished)?, FINISH, is_answer(message, finished) && is_unknown)
        }),
    ),
    wrong(
        FINISH,
        "finished-unless-denied",
        "An answer is finished unless `finished` is false.",
        Fault::Check(|message, pages, finished| right(message, pages, Some(finished != Some(false)))),
    ),
    wrong(
        FINISH,
        "streaming-texts",
        "An answer with a text that still streams is not finished.",
        Fault::Check(|message, pages, finished| {
            let is_streaming = parts(message).iter().any(|part| text(part, "state") == "streaming");
            right(message, pages, finished.filter(|_| !is_streaming))
        }),
    ),
    wrong(
        FINISH,
        "order-comes-first",
        "The reason is looked at only where the order is right.",
        Fault::Check(|message, pages, finished| {
            let broken = right(message, pages, finished)?;
            Ok(if broken.contains(&ASSISTANT) { broken.without(FINISH) } else { broken })
        }),
    ),
];

/// The reason for which an answer ended.
fn reason(message: &Json) -> Option<&str> {
    message.get("metadata")?.get("finishReason")?.as_str()
}

fn is_answer(message: &Json, finished: Option<bool>) -> bool {
    role(message) == "assistant" && finished == Some(true)
}
