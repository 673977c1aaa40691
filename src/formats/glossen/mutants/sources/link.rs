//! Mutants that find the links of an answer wrongly.

use std::sync::LazyLock;

use regex::Regex;

use super::super::{Fault, Mutant, wrong};
use super::{target, with_answer, with_targets, without_links_to};

static BACKSLASH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\\([[:punct:]])").expect("is a pattern"));
static IMAGE_IN_LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\]\([^()]*\)\]\(").expect("is a pattern"));

pub(super) const MUTANTS: &[Mutant] = &[
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
        "glossen.sources.links",
        "backslashes-undone",
        "A backslash before punctuation in a target is removed.",
        Fault::Sources(|params| with_targets(params, &|target| BACKSLASH.replace_all(target, "$1").into_owned())),
    ),
    wrong(
        "glossen.sources.links",
        "quoted-targets",
        "Quotation marks around a target are removed.",
        Fault::Sources(|params| with_targets(params, &|target| target.trim_matches(['"', '\'']).to_owned())),
    ),
    wrong(
        "glossen.sources.links",
        "images-within-links",
        "Of an image within a link, only the link counts.",
        Fault::Sources(|params| with_answer(params, &|answer| IMAGE_IN_LINK.replace_all(answer, "](").into_owned())),
    ),
    wrong(
        "glossen.sources.links",
        "opening-bracket-needed",
        "A link needs a `[` before its `](`.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let mut out = String::new();
                for piece in answer.split_inclusive("](") {
                    let (text, has_link) = piece.strip_suffix("](").map_or((piece, false), |text| (text, true));
                    out.push_str(text);
                    out.push_str(match (has_link, text.contains('[')) {
                        (false, _) => "",
                        (true, true) => "](",
                        (true, false) => "] (",
                    });
                }
                out
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "white-space-of-ascii",
        "White space beyond ASCII belongs to a target.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                let is_wide = |letter: char| !letter.is_ascii() && (letter.is_whitespace() || letter == '\u{feff}');
                answer.replace(is_wide, "%E2%80%89")
            })
        }),
    ),
    wrong(
        "glossen.sources.links",
        "links-in-titles",
        "A `](` in the title of a link opens another link.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                closed(answer, &|after| {
                    let title = after.split("](").next().unwrap_or_default();
                    title.trim_start().starts_with(['"', '\'']) && !title.contains(')')
                })
            })
        }),
    ),
];

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
