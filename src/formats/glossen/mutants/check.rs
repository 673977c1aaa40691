//! Mutants that check produced messages wrongly.

use super::super::reference::bad_params;
use super::{Fault, Mutant, each, kind, member, only, parts, role, wrong};
use crate::formats::values::with;
use crate::glossen::{Page, check};
use crate::json::{Json, JsonString};
use crate::protocol::Refusal;

pub(super) type Broken = Result<Vec<&'static str>, Refusal>;

const USER: &str = "glossen.user.order";
const ANCHOR: &str = "glossen.user.anchor";
const ASSISTANT: &str = "glossen.assistant.order";
const FINISH: &str = "glossen.assistant.finish";
const LISTED: &str = "glossen.sources.listed";
const SOURCE_ANCHOR: &str = "glossen.sources.anchor";

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        USER,
        "several-pages",
        "A user's message may have several pages.",
        Fault::Check(|message, pages, finished| {
            right(&without_parts(message, "user", &|at, part| at > 0 && kind(part) == "data-page"), pages, finished)
        }),
    ),
    wrong(
        USER,
        "page-after-passages",
        "The page may come anywhere before the text.",
        Fault::Check(|message, pages, finished| {
            let order = |part: &Json| usize::from(kind(part) != "data-page");
            right(&sorted(message, "user", &order), pages, finished)
        }),
    ),
    wrong(
        USER,
        "text-anywhere",
        "The text may come before the passages.",
        Fault::Check(|message, pages, finished| {
            let order = |part: &Json| usize::from(kind(part) == "text");
            right(&sorted(message, "user", &order), pages, finished)
        }),
    ),
    wrong(
        USER,
        "question-left-out",
        "A user's message may lack a text.",
        Fault::Check(|message, pages, finished| {
            if role(message) == "user" && !parts(message).iter().any(|part| kind(part) == "text") {
                let text = Json::object([("type", "text".into()), ("text", "".into())]);
                let parts = parts(message).iter().cloned().chain([text]).collect();
                return right(&with(message, "parts", Json::Array(parts)), pages, finished);
            }
            right(message, pages, finished)
        }),
    ),
    wrong(
        USER,
        "several-questions",
        "A user's message may have several texts.",
        Fault::Check(|message, pages, finished| {
            let texts = parts(message).iter().filter(|part| kind(part) == "text").count();
            let is_last = |at: usize| parts(message)[at + 1..].iter().all(|part| kind(part) != "text");
            right(
                &without_parts(message, "user", &|at, part| texts > 1 && kind(part) == "text" && !is_last(at)),
                pages,
                finished,
            )
        }),
    ),
    wrong(
        USER,
        "other-parts-of-users",
        "Files and other parts that the contract does not name are ignored in a user's message.",
        Fault::Check(|message, pages, finished| {
            right(&without_parts(message, "user", &|_, part| !is_named(part)), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "any-anchor-of-a-passage",
        "Anchors of passages are not checked.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(ANCHOR))),
    ),
    wrong(
        ANCHOR,
        "anchors-as-written",
        "The anchor of a passage must be written as the id is, without percent signs.",
        Fault::Check(|message, pages, finished| {
            let escaped = with_urls(message, "data-passage", &|url| url.replace('%', "%25"));
            right(&escaped, pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "anchors-of-unknown-pages",
        "An anchor is checked only where the list has the page.",
        Fault::Check(|message, pages, finished| {
            let is_listed = |url: &str| {
                let page = url.split('#').next();
                pages.unwrap_or_default().iter().any(|known| Some(&known.url[..]) == page)
            };
            let known = with_urls(message, "data-passage", &|url| match is_listed(url) {
                true => url.to_owned(),
                false => String::new(),
            });
            right(&known, pages, finished)
        }),
    ),
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
        FINISH,
        "endless-answers",
        "A finished answer may lack a reason.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(FINISH))),
    ),
    wrong(
        FINISH,
        "always-finished",
        "A reason is required while the answer still arrives.",
        Fault::Check(|message, pages, _| right(message, pages, true)),
    ),
    wrong(
        FINISH,
        "finished-questions",
        "A user's message needs a reason, too.",
        Fault::Check(|message, pages, finished| {
            let mut broken = right(message, pages, finished)?;
            if finished && role(message) == "user" && message.get("metadata").is_none() {
                broken.push(FINISH);
            }
            Ok(broken)
        }),
    ),
    wrong(
        LISTED,
        "unlisted-sources-pass",
        "The pages of sources are not looked up in a message.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(LISTED))),
    ),
    wrong(
        SOURCE_ANCHOR,
        "any-anchor-of-a-source",
        "The anchors of sources are not looked up in a message.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(SOURCE_ANCHOR))),
    ),
];

fn right(message: &Json, pages: Option<&[Page]>, finished: bool) -> Broken {
    Ok(check(message, pages, finished).map_err(bad_params)?.into_iter().map(|violation| violation.rule).collect())
}

/// A list without one of its items.
trait Without {
    fn without(self, item: &str) -> Self;
}

impl Without for Vec<&'static str> {
    fn without(mut self, item: &str) -> Self {
        self.retain(|known| *known != item);
        self
    }
}

/// Returns the message of this role without some parts; a message of another role is unchanged.
fn without_parts(message: &Json, of: &str, goes: &dyn Fn(usize, &Json) -> bool) -> Json {
    if role(message) != of {
        return message.clone();
    }
    let kept = parts(message).iter().enumerate().filter(|(at, part)| !goes(*at, part));
    with(message, "parts", Json::Array(kept.map(|(_, part)| part.clone()).collect()))
}

/// Returns the message of this role with its parts in this order, and any other unchanged.
fn sorted(message: &Json, of: &str, order: &dyn Fn(&Json) -> usize) -> Json {
    if role(message) != of {
        return message.clone();
    }
    let mut parts = parts(message).to_vec();
    parts.sort_by_key(order);
    with(message, "parts", Json::Array(parts))
}

/// Whether the contract names parts of this type, or the SDK writes them by itself.
fn is_named(part: &Json) -> bool {
    matches!(kind(part), "text" | "step-start") || kind(part).starts_with("data-")
}

fn with_urls(message: &Json, of: &str, change: &dyn Fn(&str) -> String) -> Json {
    member(message, "parts", &|parts| {
        each(&only(parts, &|_| true), &|part| match kind(part) == of {
            true => member(part, "data", &|data| {
                member(data, "url", &|url| match url {
                    Json::String(JsonString::Unicode(url)) => change(url).into(),
                    other => other.clone(),
                })
            }),
            false => part.clone(),
        })
    })
}
