//! Mutants that check users' messages wrongly.

use super::super::mangling::{composed, decoded, is_malformed};
use super::super::{Fault, Mutant, kind, parts, role, text, wrong};
use super::{
    Without, adding, is_named, nearest_anchor, right, sorted, with_the_rest, with_urls, with_wrong_anchors,
    with_wrong_urls, without_parts,
};
use crate::formats::values::with;
use crate::json::Json;

const USER: &str = "glossen.user.order";
const ANCHOR: &str = "glossen.user.anchor";

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
        USER,
        "documents-of-users",
        "A user's message may have files, and sources of other kinds than pages.",
        Fault::Check(|message, pages, finished| {
            let is_document = |part: &Json| matches!(kind(part), "file" | "source-url" | "source-document");
            right(&without_parts(message, "user", &|_, part| is_document(part)), pages, finished)
        }),
    ),
    wrong(
        USER,
        "steps-of-users",
        "A user's message may have a step.",
        Fault::Check(|message, pages, finished| {
            right(&without_parts(message, "user", &|_, part| kind(part) == "step-start"), pages, finished)
        }),
    ),
    wrong(
        USER,
        "sources-of-users",
        "A user's message may have sources after its text.",
        Fault::Check(|message, pages, finished| {
            let is_last = |at: usize| at > 0 && at + 1 == parts(message).len();
            let bare = without_parts(message, "user", &|at, part| is_last(at) && kind(part) == "data-sources");
            with_the_rest(message, pages, finished, &right(&bare, pages, finished)?)
        }),
    ),
    wrong(
        USER,
        "passages-without-a-question",
        "A passage alone is a question.",
        Fault::Check(|message, pages, finished| {
            let is_last = |at: usize| at + 1 == parts(message).len();
            let asked = |at: usize, part: &Json| match is_last(at) && kind(part) == "data-passage" {
                true => Json::object([("type", "text".into()), ("text", "".into())]),
                false => part.clone(),
            };
            let all = parts(message).iter().enumerate().map(|(at, part)| asked(at, part)).collect();
            let asked = match role(message) {
                "user" => with(message, "parts", Json::Array(all)),
                _ => message.clone(),
            };
            with_the_rest(message, pages, finished, &right(&asked, pages, finished)?)
        }),
    ),
    wrong(
        USER,
        "questions-say-something",
        "An empty text is no question.",
        Fault::Check(|message, pages, finished| {
            let is_empty = |part: &Json| kind(part) == "text" && text(part, "text").is_empty();
            right(&without_parts(message, "user", &|_, part| is_empty(part)), pages, finished)
        }),
    ),
    wrong(
        USER,
        "one-passage",
        "A user's message has at most one passage.",
        Fault::Check(|message, pages, finished| {
            let passages = parts(message).iter().filter(|part| kind(part) == "data-passage").count();
            adding(right(message, pages, finished)?, USER, role(message) == "user" && passages > 1)
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
        ANCHOR,
        "anchors-decoded-again",
        "The anchor of a passage is decoded twice.",
        Fault::Check(|message, pages, finished| {
            right(&with_wrong_anchors(message, "data-passage", pages, &decoded), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "anchors-composed",
        "The anchors of passages and of pages are compared under NFC.",
        Fault::Check(|message, pages, finished| {
            let near = |anchor: &str| nearest_anchor(&decoded(anchor), pages, &composed);
            right(&with_wrong_anchors(message, "data-passage", pages, &near), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "anchors-in-any-case",
        "Capital letters in the anchor of a passage do not matter.",
        Fault::Check(|message, pages, finished| {
            let near = |anchor: &str| nearest_anchor(&decoded(anchor), pages, &str::to_lowercase);
            right(&with_wrong_anchors(message, "data-passage", pages, &near), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "plus-is-a-blank",
        "A `+` in the anchor of a passage is a blank.",
        Fault::Check(|message, pages, finished| {
            let blank = |anchor: &str| anchor.replace('+', "%20");
            right(&with_wrong_anchors(message, "data-passage", pages, &blank), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "anchors-decoded-in-part",
        "Of an anchor that does not decode, that is decoded which does.",
        Fault::Check(|message, pages, finished| {
            right(
                &with_wrong_anchors(message, "data-passage", pages, &|anchor| {
                    nearest_anchor(&decoded(anchor), pages, &str::to_owned).replace('%', "%25")
                }),
                pages,
                finished,
            )
        }),
    ),
    wrong(
        ANCHOR,
        "malformed-anchors-pass",
        "An anchor that does not decode is not compared.",
        Fault::Check(|message, pages, finished| {
            let kept = |url: &str| match url.split_once('#') {
                Some((page, anchor)) if is_malformed(anchor) => page.to_owned(),
                _ => url.to_owned(),
            };
            right(&with_urls(message, "data-passage", &kept), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "text-fragments",
        "A text fragment after `:~:` is not part of the anchor of a passage.",
        Fault::Check(|message, pages, finished| {
            let before = |anchor: &str| anchor.split(":~:").next().unwrap_or_default().to_owned();
            right(&with_wrong_anchors(message, "data-passage", pages, &before), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "pages-of-passages-resolved",
        "A query and a `/` at the end of the path of a passage do not matter.",
        Fault::Check(|message, pages, finished| {
            let bare = |url: &str| {
                let (page, anchor) = url.split_once('#').unwrap_or((url, ""));
                let path = page.split('?').next().unwrap_or_default();
                format!("{}#{anchor}", if path == "/" { path } else { path.trim_end_matches('/') })
            };
            right(&with_wrong_urls(message, "data-passage", pages, &bare), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "inherited-anchors",
        "Each page has the anchors `toString` and `constructor`.",
        Fault::Check(|message, pages, finished| {
            let kept = |anchor: &str| match decoded(anchor).as_str() {
                "toString" | "constructor" | "__proto__" | "valueOf" => String::new(),
                _ => anchor.to_owned(),
            };
            right(&with_wrong_anchors(message, "data-passage", pages, &kept), pages, finished)
        }),
    ),
    wrong(
        ANCHOR,
        "passages-of-all-roles",
        "The anchor of a passage is checked in a message of any role.",
        Fault::Check(|message, pages, finished| {
            let as_user = right(&with(message, "role", "user".into()), pages, finished)?;
            let broken = right(message, pages, finished)?.without(ANCHOR);
            adding(broken, ANCHOR, as_user.contains(&ANCHOR))
        }),
    ),
    wrong(
        ANCHOR,
        "anchors-of-any-page",
        "The anchor of a passage may be one of another page.",
        Fault::Check(|message, pages, finished| {
            let listed = pages.unwrap_or_default();
            let is_known = |anchor: &str| listed.iter().any(|page| page.anchors.iter().any(|known| known.id == anchor));
            let kept = |anchor: &str| if is_known(anchor) { String::new() } else { anchor.to_owned() };
            right(&with_wrong_anchors(message, "data-passage", pages, &kept), pages, finished)
        }),
    ),
];
