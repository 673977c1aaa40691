//! Mutants that return the wrong entries, also for malformed links.

use super::super::{Fault, Mutant, wrong};
use super::{Found, is_malformed, right, targets, with_answer};
use crate::formats::glossen::wire::SourcesParams;
use crate::glossen::Source;

pub(super) const MUTANTS: &[Mutant] = &[
    wrong(
        "glossen.sources.entry",
        "each-link-counts",
        "A page that is linked twice is returned twice.",
        Fault::Sources(|params| {
            let mut found = Vec::new();
            for link in links(&params.answer) {
                found.extend(right(link, &params.origin, &params.pages)?);
            }
            Ok(found)
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "last-link-counts",
        "Of two links to the same page, the last one decides the place.",
        Fault::Sources(|params| {
            let mut found: Vec<Source> = Vec::new();
            for link in links(&params.answer) {
                for source in right(link, &params.origin, &params.pages)? {
                    found.retain(|known| known.url != source.url);
                    found.push(source);
                }
            }
            Ok(found)
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "titles-without-headings",
        "The title of a source is only that of its page.",
        Fault::Sources(|params| {
            changed(params, &|source| Source {
                title: source.title.split(" \u{203a} ").next().unwrap_or_default().to_owned(),
                ..source
            })
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "empty-headings-shown",
        "The separator follows the title even if the heading is empty.",
        Fault::Sources(|params| {
            changed(params, &|source| match source.url.contains('#') && !source.title.contains(" \u{203a} ") {
                true => Source { title: format!("{} \u{203a} ", source.title), ..source },
                false => source,
            })
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "encoded-anchors",
        "An anchor is percent-encoded in the url.",
        Fault::Sources(|params| {
            changed(params, &|source| match source.url.split_once('#') {
                Some((page, anchor)) => {
                    let anchor = percent_encoding::utf8_percent_encode(anchor, percent_encoding::CONTROLS);
                    Source { url: format!("{page}#{anchor}"), ..source }
                }
                None => source,
            })
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "titles-once",
        "Of two sources with the same title, the first counts.",
        Fault::Sources(|params| {
            let mut given: Vec<Source> = Vec::new();
            for source in right(&params.answer, &params.origin, &params.pages)? {
                if given.iter().all(|known| known.title != source.title) {
                    given.push(source);
                }
            }
            Ok(given)
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "pages-once",
        "Of two sources on the same page, the first counts.",
        Fault::Sources(|params| {
            let page = |source: &Source| source.url.split('#').next().unwrap_or_default().to_owned();
            let mut given: Vec<Source> = Vec::new();
            for source in right(&params.answer, &params.origin, &params.pages)? {
                if given.iter().all(|known| page(known) != page(&source)) {
                    given.push(source);
                }
            }
            Ok(given)
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "headings-like-titles",
        "A heading that is the same as the title of its page is left out.",
        Fault::Sources(|params| {
            changed(params, &|source| match source.title.split_once(" \u{203a} ") {
                Some((title, heading)) if title == heading => Source { title: title.to_owned(), ..source },
                _ => source,
            })
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "trimmed-titles",
        "White space around a title or a heading is trimmed.",
        Fault::Sources(|params| {
            changed(params, &|source| {
                let parts: Vec<&str> = source.title.split('\u{203a}').map(str::trim).collect();
                Source { title: parts.join(" \u{203a} "), ..source }
            })
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "in-the-order-of-pages",
        "Sources are in the order of the page list.",
        Fault::Sources(|params| {
            let mut found = right(&params.answer, &params.origin, &params.pages)?;
            found.sort_by_key(|source| {
                let page = source.url.split('#').next().unwrap_or_default();
                params.pages.iter().position(|known| known.url == page)
            });
            Ok(found)
        }),
    ),
    wrong(
        "glossen.sources.entry",
        "untitled-pages-by-url",
        "A page with an empty title is named by its url.",
        Fault::Sources(|params| {
            changed(params, &|source| match source.title.is_empty() {
                true => Source { title: source.url.clone(), url: source.url },
                false => source,
            })
        }),
    ),
    wrong(
        "glossen.sources.malformed",
        "malformed-ends-it",
        "A link that does not decode stops the search: nothing is returned.",
        Fault::Sources(|params| match targets(&params.answer).any(is_malformed) {
            true => Ok(Vec::new()),
            false => right(&params.answer, &params.origin, &params.pages),
        }),
    ),
    wrong(
        "glossen.sources.malformed",
        "malformed-looked-up",
        "An anchor that does not decode is looked up as it is.",
        Fault::Sources(|params| {
            let has =
                |anchor: &str| params.pages.iter().any(|page| page.anchors.iter().any(|known| known.id == anchor));
            with_answer(params, &|answer| {
                let mut out = answer.to_owned();
                for target in targets(answer).filter(|target| is_malformed(target)) {
                    if let Some((path, anchor)) = target.split_once('#')
                        && has(anchor)
                    {
                        out = out.replace(target, &format!("{path}#{}", anchor.replace('%', "%25")));
                    }
                }
                out
            })
        }),
    ),
    wrong(
        "glossen.sources.malformed",
        "malformed-is-no-anchor",
        "A link whose anchor does not decode counts as a link to its page.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let mut out = String::new();
                let mut rest = answer;
                while let Some((before, after)) = rest.split_once("](") {
                    out.push_str(before);
                    out.push_str("](");
                    let end = after.find([')', '>', ' ', '\n']).unwrap_or(after.len());
                    let target = &after[..end];
                    out.push_str(if is_malformed(target) {
                        target.split('#').next().unwrap_or_default()
                    } else {
                        target
                    });
                    rest = &after[end..];
                }
                out + rest
            })
        }),
    ),
];

fn changed(params: &SourcesParams, change: &dyn Fn(Source) -> Source) -> Found {
    Ok(right(&params.answer, &params.origin, &params.pages)?.into_iter().map(change).collect())
}

/// The text after each `](`, up to the next one, with its bracket before it.
fn links(answer: &str) -> Vec<&str> {
    let starts: Vec<usize> = answer.match_indices("](").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([answer.len()]);
    starts.iter().zip(ends).map(|(start, end)| &answer[*start..end]).collect()
}
