//! Mutants that look up pages and anchors wrongly.

use super::super::mangling::{composed, decoded};
use super::super::{Fault, Mutant, wrong};
use super::{Found, is_malformed, right, targets, with_answer, with_targets, without_links};
use crate::formats::glossen::wire::SourcesParams;
use crate::glossen::{Anchor, Page};

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.sources.listed",
        "other-sites-count",
        "The site of a link is not compared.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                answer
                    .replace("https://", "//")
                    .replace("http://", "//")
                    .split("](//")
                    .enumerate()
                    .map(|(at, piece)| {
                        if at == 0 {
                            return piece.to_owned();
                        }
                        let path = piece.find(['/', ')', ' ', '#', '?']).map_or("", |slash| &piece[slash..]);
                        format!("](/{}", path.trim_start_matches('/'))
                    })
                    .collect()
            })
        }),
    ),
    wrong(
        "glossen.sources.listed",
        "unlisted-sources",
        "A page of the site counts whether it is listed or not.",
        Fault::Sources(|params| {
            let mut pages = params.pages.clone();
            for target in targets(&params.answer) {
                let path = target.split(['#', '?']).next().unwrap_or_default();
                if path.starts_with('/') && !path.starts_with("//") && !pages.iter().any(|page| page.url == path) {
                    let title = path.trim_matches('/').to_owned();
                    pages.push(Page { url: path.to_owned(), title, anchors: Vec::new() });
                }
            }
            right(&params.answer, &params.origin, &pages)
        }),
    ),
    wrong(
        "glossen.sources.anchor",
        "anchors-as-they-come",
        "An anchor stays whether the page has it or not.",
        Fault::Sources(|params| {
            let mut pages = params.pages.clone();
            for target in targets(&params.answer) {
                let Some((_, anchor)) = target.split_once('#') else { continue };
                for page in &mut pages {
                    if !anchor.is_empty() && !page.anchors.iter().any(|known| known.id == anchor) {
                        page.anchors.push(Anchor { id: anchor.to_owned(), heading: String::new() });
                    }
                }
            }
            right(&params.answer, &params.origin, &pages)
        }),
    ),
    wrong(
        "glossen.sources.anchor",
        "anchors-decide",
        "A link with an anchor that the page does not have is no source.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links(answer, &|target| {
                    let known = |anchor: &str| {
                        params.pages.iter().any(|page| page.anchors.iter().any(|known| known.id == anchor))
                    };
                    target
                        .split_once('#')
                        .is_some_and(|(_, anchor)| !anchor.is_empty() && !anchor.contains('%') && !known(anchor))
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.anchor",
        "link-anchors-composed",
        "The anchors of links and of pages are compared under NFC.",
        Fault::Sources(|params| with_nearest_anchors(params, &composed)),
    ),
    wrong(
        "glossen.sources.anchor",
        "link-anchors-in-any-case",
        "Capital letters in the anchor of a link do not matter.",
        Fault::Sources(|params| with_nearest_anchors(params, &str::to_lowercase)),
    ),
    wrong(
        "glossen.sources.anchor",
        "link-anchors-decoded-again",
        "The anchor of a link is decoded twice.",
        Fault::Sources(|params| {
            with_targets(params, &|target| match target.split_once('#') {
                Some((page, anchor)) if !is_malformed(target) => format!("{page}#{}", decoded(anchor)),
                _ => target.to_owned(),
            })
        }),
    ),
    wrong(
        "glossen.sources.anchor",
        "anchors-of-all-pages",
        "The anchor of a link may be one of another page.",
        Fault::Sources(|params| {
            let all: Vec<Anchor> = params.pages.iter().flat_map(|page| page.anchors.iter().cloned()).collect();
            let lacks = |page: &Page, anchor: &Anchor| page.anchors.iter().all(|known| known.id != anchor.id);
            let mut pages = params.pages.clone();
            for page in &mut pages {
                let others: Vec<Anchor> = all.iter().filter(|anchor| lacks(page, anchor)).cloned().collect();
                page.anchors.extend(others);
            }
            right(&params.answer, &params.origin, &pages)
        }),
    ),
];

/// Finds the sources as if the anchor of a link were the one of its page that is the same but for what `change` does to
/// both.
fn with_nearest_anchors(params: &SourcesParams, change: &dyn Fn(&str) -> String) -> Found {
    let near = |page: &Page, anchor: &str| {
        let is_near = |known: &&Anchor| known.id != anchor && change(&known.id) == change(anchor);
        let is_known = page.anchors.iter().any(|known| known.id == anchor);
        page.anchors.iter().find(is_near).filter(|_| !is_known).map(|known| known.id.clone())
    };
    with_targets(params, &|target| {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let anchor = decoded(anchor);
        let page = params.pages.iter().find(|page| page.url == path);
        match page.and_then(|page| near(page, &anchor)) {
            Some(anchor) if !is_malformed(target) => format!("{path}#{anchor}").replace('%', "%25"),
            _ => target.to_owned(),
        }
    })
}
