//! Mutants that look up pages and anchors wrongly.

use super::super::{Fault, Mutant, wrong};
use super::{right, targets, with_answer, without_links};
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
];
