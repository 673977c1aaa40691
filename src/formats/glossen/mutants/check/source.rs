//! Mutants that check the sources of messages wrongly.

use super::super::mangling::{composed, decoded, trimmed};
use super::super::{Fault, Mutant, items, kind, member, parts, role, wrong};
use super::{Broken, Without, nearest_anchor, right, with_urls, with_wrong_anchors, with_wrong_urls};
use crate::formats::values::with;
use crate::glossen::Page;
use crate::json::Json;

const LISTED: &str = "glossen.sources.listed";
const SOURCE_ANCHOR: &str = "glossen.sources.anchor";

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        LISTED,
        "unlisted-sources-pass",
        "The pages of sources are not looked up in a message.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(LISTED))),
    ),
    wrong(
        LISTED,
        "first-list-alone",
        "Of several parts with sources, only the first is looked at.",
        Fault::Check(|message, pages, finished| {
            let mut lists = parts(message).iter().filter(|part| kind(part) == "data-sources");
            of_these_sources(message, pages, finished, &lists.next().cloned().into_iter().collect::<Vec<_>>())
        }),
    ),
    wrong(
        LISTED,
        "first-source-alone",
        "Of several sources in a part, only the first is looked at.",
        Fault::Check(|message, pages, finished| {
            let first = |data: &Json| Json::Array(items(Some(data)).iter().take(1).cloned().collect());
            let lists = parts(message).iter().filter(|part| kind(part) == "data-sources");
            let lists: Vec<Json> = lists.map(|part| member(part, "data", &first)).collect();
            of_these_sources(message, pages, finished, &lists)
        }),
    ),
    wrong(
        LISTED,
        "sources-of-answers",
        "Sources are looked at in an assistant's message only.",
        Fault::Check(|message, pages, finished| match role(message) {
            "assistant" => right(message, pages, finished),
            _ => of_these_sources(message, pages, finished, &[]),
        }),
    ),
    wrong(
        LISTED,
        "trimmed-sources",
        "White space around the url of a source is trimmed.",
        Fault::Check(|message, pages, finished| {
            right(&with_wrong_urls(message, "data-sources", pages, &trimmed), pages, finished)
        }),
    ),
    wrong(
        LISTED,
        "sources-in-any-case",
        "Capital letters in the path of a source do not matter.",
        Fault::Check(|message, pages, finished| {
            let near = |page: &str| nearest_page(page, pages, &str::to_lowercase);
            right(&with_wrong_pages(message, pages, &near), pages, finished)
        }),
    ),
    wrong(
        LISTED,
        "composed-sources",
        "The paths of sources and of pages are compared under NFC.",
        Fault::Check(|message, pages, finished| {
            let near = |page: &str| nearest_page(page, pages, &composed);
            right(&with_wrong_pages(message, pages, &near), pages, finished)
        }),
    ),
    wrong(
        LISTED,
        "resolved-sources",
        "The url of a source may have a query, a `/` at its end or none at its start.",
        Fault::Check(|message, pages, finished| {
            let bare = |page: &str| {
                let path = page.split('?').next().unwrap_or_default();
                format!("/{}", path.trim_matches('/'))
            };
            right(&with_wrong_pages(message, pages, &bare), pages, finished)
        }),
    ),
    wrong(
        LISTED,
        "index-of-a-source",
        "A source may name the file of its page: `/index`, `/index.html` or `.md`.",
        Fault::Check(|message, pages, finished| {
            let bare = |page: &str| {
                ["/index.html", "/index", ".html", ".md"]
                    .iter()
                    .find_map(|end| page.strip_suffix(end))
                    .map_or_else(|| page.to_owned(), |path| if path.is_empty() { "/" } else { path }.to_owned())
            };
            right(&with_wrong_pages(message, pages, &bare), pages, finished)
        }),
    ),
    wrong(
        LISTED,
        "decoded-sources",
        "The path of a source is percent-decoded.",
        Fault::Check(|message, pages, finished| right(&with_wrong_pages(message, pages, &decoded), pages, finished)),
    ),
    wrong(
        SOURCE_ANCHOR,
        "any-anchor-of-a-source",
        "The anchors of sources are not looked up in a message.",
        Fault::Check(|message, pages, finished| Ok(right(message, pages, finished)?.without(SOURCE_ANCHOR))),
    ),
    wrong(
        SOURCE_ANCHOR,
        "source-anchors-as-written",
        "The anchor of a source must be written as the id is, without percent signs.",
        Fault::Check(|message, pages, finished| {
            right(&with_urls(message, "data-sources", &|url| url.replace('%', "%25")), pages, finished)
        }),
    ),
    wrong(
        SOURCE_ANCHOR,
        "source-anchors-decoded-again",
        "The anchor of a source is decoded twice.",
        Fault::Check(|message, pages, finished| {
            right(&with_wrong_anchors(message, "data-sources", pages, &decoded), pages, finished)
        }),
    ),
    wrong(
        SOURCE_ANCHOR,
        "source-anchors-in-any-case",
        "Capital letters in the anchor of a source do not matter.",
        Fault::Check(|message, pages, finished| {
            let near = |anchor: &str| nearest_anchor(&decoded(anchor), pages, &str::to_lowercase);
            right(&with_wrong_anchors(message, "data-sources", pages, &near), pages, finished)
        }),
    ),
];

/// Checks the sources of these parts alone, and the rest of the message as it is.
fn of_these_sources(message: &Json, pages: Option<&[Page]>, finished: Option<bool>, lists: &[Json]) -> Broken {
    let alone = with(&with(message, "role", "system".into()), "parts", Json::Array(lists.to_vec()));
    let found = right(&alone, pages, None)?;
    Ok(right(message, pages, finished)?.without(LISTED).without(SOURCE_ANCHOR).into_iter().chain(found).collect())
}

/// Returns the message with the text before the `#` changed in urls of sources with which something is wrong.
fn with_wrong_pages(message: &Json, pages: Option<&[Page]>, change: &dyn Fn(&str) -> String) -> Json {
    with_wrong_urls(message, "data-sources", pages, &|url| match url.split_once('#') {
        Some((page, anchor)) => format!("{}#{anchor}", change(page)),
        None => change(url),
    })
}

/// Returns the page of the list that is the same but for what `change` does to both; otherwise the page as it is.
fn nearest_page(page: &str, pages: Option<&[Page]>, change: &dyn Fn(&str) -> String) -> String {
    let mut near = pages.unwrap_or_default().iter().filter(|known| change(&known.url) == change(page));
    near.next().map_or_else(|| page.to_owned(), |known| known.url.clone())
}
