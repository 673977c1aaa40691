//! Mutants that find the sources of an answer wrongly.

use super::super::reference::bad_params;
use super::{Fault, Mutant, wrong};
use crate::formats::glossen::wire::SourcesParams;
use crate::glossen::{Anchor, Page, Source, sources};
use crate::protocol::Refusal;

type Found = Result<Vec<Source>, Refusal>;

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
        "glossen.sources.links",
        "images-are-no-links",
        "Images do not count as links.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let mut pieces = answer.split("![");
                let first = pieces.next().unwrap_or_default().to_owned();
                first + &pieces.map(|piece| piece.replacen("](", "] (", 1)).collect::<String>()
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "code-is-no-link",
        "Links within code do not count.",
        Fault::Sources(|params| with_answer(params, &|answer| answer.split('`').step_by(2).collect())),
    ),
    wrong(
        "glossen.sources.links",
        "titles-of-links",
        "A target extends to the `)`, and includes the title of the link.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links_to(answer, &|after| {
                    let whole = after.split(')').next().unwrap_or_default();
                    whole.trim().contains(|letter: char| letter.is_whitespace())
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "angle-brackets",
        "A target in angle brackets is ignored.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| without_links_to(answer, &|after| after.trim_start().starts_with('<')))
        }),
    ),
    wrong(
        "glossen.sources.links",
        "blanks-in-front",
        "A target must follow its bracket directly.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links_to(answer, &|after| {
                    after.starts_with(|letter: char| letter.is_whitespace() || letter == '\u{feff}')
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "open-links-count",
        "A link that is not closed ends with the answer.",
        Fault::Sources(|params| with_answer(params, &|answer| format!("{answer})"))),
    ),
    wrong(
        "glossen.sources.links",
        "angle-bracket-closes",
        "A `>` after the target closes a link as well.",
        Fault::Sources(|params| with_answer(params, &|answer| closed(answer, &|after| after.starts_with('>')))),
    ),
    wrong(
        "glossen.sources.links",
        "title-closes",
        "A title needs no `)` after it.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| closed(answer, &|after| after.trim_start().starts_with(['"', '\''])))
        }),
    ),
    wrong(
        "glossen.sources.links",
        "search-from-the-target",
        "The search continues after the target, so that a `](` before the `)` opens another link.",
        Fault::Sources(|params| with_answer(params, &|answer| closed(answer, &|after| after.contains(')')))),
    ),
    wrong(
        "glossen.sources.links",
        "one-line-links",
        "A link must be closed on its line.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links_to(answer, &|after| {
                    let target = target(after);
                    let after = after.split_once(target).map_or("", |(_, after)| after);
                    !after.split('\n').next().unwrap_or_default().contains(')')
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "closing-bracket-required",
        "A `<` before the target needs a `>` after it.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links_to(answer, &|after| {
                    let link = after.trim_start().split(')').next().unwrap_or_default();
                    link.starts_with('<') && !link.contains('>')
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "escapes-undone",
        "A parenthesis after a backslash does not close the link.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| without_links_to(answer, &|after| target(after).ends_with('\\')))
        }),
    ),
    wrong(
        "glossen.sources.links",
        "references-decoded",
        "Character references in a target are decoded.",
        Fault::Sources(|params| with_answer(params, &|answer| answer.replace("&#47;", "/").replace("&amp;", "&"))),
    ),
    wrong(
        "glossen.sources.links",
        "comments-hide-links",
        "Links in HTML comments do not count.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let mut pieces = answer.split("<!--");
                let first = pieces.next().unwrap_or_default().to_owned();
                let after =
                    |piece: &'_ str| piece.split_once("-->").map_or(String::new(), |(_, after)| after.to_owned());
                first + &pieces.map(after).collect::<String>()
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "slashes-are-the-root",
        "A path of slashes alone is the root.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let root = format!("]({}/", params.origin);
                let mut pieces = answer.split(root.as_str());
                let first = pieces.next().unwrap_or_default().to_owned();
                first + &pieces.map(|piece| root.clone() + piece.trim_start_matches('/')).collect::<String>()
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "malformed-paths-nowhere",
        "A link whose path or query does not decode is no source.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links(answer, &|target| {
                    let before = target.split('#').next().unwrap_or_default();
                    is_malformed(&format!("#{before}"))
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "slashes-count",
        "A `/` at the end of a path makes it a different page.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links(answer, &|target| {
                    let path = target.split(['#', '?']).next().unwrap_or_default();
                    path.len() > 1 && path.ends_with('/')
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "queries-count",
        "A query makes it a different page.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links(answer, &|target| target.split('#').next().unwrap_or_default().contains('?'))
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "letters-of-any-size",
        "Capital letters in a path do not matter.",
        Fault::Sources(|params| with_answer(params, &|answer| with_paths(answer, &str::to_ascii_lowercase))),
    ),
    wrong(
        "glossen.sources.resolve",
        "decoded-paths",
        "Paths are percent-decoded before they are compared.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                with_paths(answer, &|path| percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned())
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "paths-as-they-stand",
        "Only links that begin with `/` count.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| without_links(answer, &|target| !target.starts_with('/')))
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "dots-as-they-stand",
        "Dot segments in a path are kept.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                without_links(answer, &|target| {
                    let path = target.split(['#', '?']).next().unwrap_or_default();
                    path.split('/').any(|step| matches!(step, "." | ".."))
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "any-port",
        "The port of a link does not matter.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let mut pieces = answer.split(":8");
                let first = pieces.next().unwrap_or_default().to_owned();
                first
                    + &pieces
                        .map(|piece| piece.trim_start_matches(|letter: char| letter.is_ascii_digit()))
                        .collect::<String>()
            })
        }),
    ),
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

fn right(answer: &str, origin: &str, pages: &[Page]) -> Found {
    sources(answer, origin, pages).map_err(bad_params)
}

fn with_answer(params: &SourcesParams, change: &dyn Fn(&str) -> String) -> Found {
    right(&change(&params.answer), &params.origin, &params.pages)
}

fn changed(params: &SourcesParams, change: &dyn Fn(Source) -> Source) -> Found {
    Ok(right(&params.answer, &params.origin, &params.pages)?.into_iter().map(change).collect())
}

/// The text after each `](`, up to the next one, with its bracket before it.
fn links(answer: &str) -> Vec<&str> {
    let starts: Vec<usize> = answer.match_indices("](").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([answer.len()]);
    starts.iter().zip(ends).map(|(start, end)| &answer[*start..end]).collect()
}

/// The targets, near enough for this mutant.
fn targets(answer: &str) -> impl Iterator<Item = &str> {
    answer.split("](").skip(1).map(target)
}

fn target(after: &str) -> &str {
    let after = after.trim_start();
    let after = after.strip_prefix('<').unwrap_or(after);
    &after[..after.find(|letter: char| letter == ')' || letter == '>' || letter.is_whitespace()).unwrap_or(after.len())]
}

fn without_links(answer: &str, goes: &dyn Fn(&str) -> bool) -> String {
    without_links_to(answer, &|after| goes(target(after)))
}

/// Returns the answer in which some links are none, chosen by the text after their bracket.
fn without_links_to(answer: &str, goes: &dyn Fn(&str) -> bool) -> String {
    let mut pieces = answer.split("](");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(if goes(piece) { "] (" } else { "](" });
        out.push_str(piece);
    }
    out
}

/// Returns the answer with a `)` after each target for which `is_closed` is true of the text after it.
fn closed(answer: &str, is_closed: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = answer;
    while let Some((before, after)) = rest.split_once("](") {
        let target = target(after);
        let end = after.find(target).map_or(0, |start| start + target.len());
        out.extend([before, "](", &after[..end]]);
        rest = &after[end..];
        if !target.is_empty() && is_closed(rest) {
            out.push(')');
        }
    }
    out + rest
}

/// Returns the answer with the path of each target changed.
fn with_paths(answer: &str, change: &dyn Fn(&str) -> String) -> String {
    let mut pieces = answer.split("](");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(['#', '?', ')', ' ', '>']).unwrap_or(piece.len());
        out.push_str("](");
        out.push_str(&change(&piece[..end]));
        out.push_str(&piece[end..]);
    }
    out
}

fn is_malformed(target: &str) -> bool {
    let Some((_, anchor)) = target.split_once('#') else { return false };
    let hex = |piece: &str| piece.len() >= 2 && piece.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    !anchor.split('%').skip(1).all(hex) || percent_encoding::percent_decode_str(anchor).decode_utf8().is_err()
}
