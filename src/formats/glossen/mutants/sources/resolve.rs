//! Mutants that resolve the target of a link wrongly.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::super::{Fault, Mutant, wrong};
use super::{Found, is_malformed, with_answer, with_targets, without_links};
use crate::formats::glossen::wire::SourcesParams;

static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern("%[0-9a-fA-F]{2}"));
static FILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(/index)?(\.html|\.md)?$"));
static PORT: LazyLock<Regex> = LazyLock::new(|| pattern(r":(80|443)\b"));
/// The slashes before a host, with the name of a user and perhaps a password.
static USER: LazyLock<Regex> = LazyLock::new(|| pattern("^(https?:/*[^/@]*|//[^/@]*)@[^/]*"));
static DOT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^((?:https?:)?//[^/?#:]*)\.((?:[:/?#].*)?)$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("is a pattern")
}

pub(super) const MUTANTS: &[Mutant] = &[
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
        "paths-not-normalised",
        "Only links that begin with `/` count.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| without_links(answer, &|target| !target.starts_with('/')))
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "dot-segments-kept",
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
        "glossen.sources.resolve",
        "encoded-paths",
        "Characters such as `&` and `'` are percent-encoded in paths.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| {
                with_paths(answer, &|path| {
                    let encoded = |letter: char| match "!'()*&=+,;@$|[]~".contains(letter) {
                        true => format!("%{:02X}", u32::from(letter)),
                        false => letter.to_string(),
                    };
                    path.chars().map(encoded).collect()
                })
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "escapes-in-any-case",
        "The digits of an escape in a path are compared without regard to capital letters.",
        Fault::Sources(|params| {
            with_nearest_pages(params, &|path| {
                ESCAPE.replace_all(path, |escape: &Captures<'_>| escape[0].to_uppercase()).into_owned()
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "files-of-pages",
        "A link to the file of a page counts: `/index`, `/index.html`, `.html` or `.md`.",
        Fault::Sources(|params| with_nearest_pages(params, &|path| FILE.replace(path, "").into_owned())),
    ),
    wrong(
        "glossen.sources.resolve",
        "ports-of-the-other-scheme",
        "Port 80 and port 443 count as no port with either scheme.",
        Fault::Sources(|params| with_answer(params, &|answer| PORT.replace_all(answer, "").into_owned())),
    ),
    wrong(
        "glossen.sources.resolve",
        "two-slashes-are-one",
        "Two slashes at the start of a target count as one.",
        Fault::Sources(|params| {
            with_targets(params, &|target| match target.trim_start_matches('/') {
                path if path.len() < target.len() => format!("/{path}"),
                _ => target.to_owned(),
            })
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "anchors-alone-lead-nowhere",
        "A target that begins with `#` is no source.",
        Fault::Sources(|params| {
            with_answer(params, &|answer| without_links(answer, &|target| target.starts_with('#')))
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "backslashes-stay",
        "A backslash in a target is no `/`.",
        Fault::Sources(|params| with_targets(params, &|target| target.replace('\\', "%5C"))),
    ),
    wrong(
        "glossen.sources.resolve",
        "users-of-hosts",
        "A link with the name of a user in front of the host leads to another site.",
        Fault::Sources(|params| with_answer(params, &|answer| without_links(answer, &|target| USER.is_match(target)))),
    ),
    wrong(
        "glossen.sources.resolve",
        "hosts-before-an-at",
        "The text before an `@` is the host.",
        Fault::Sources(|params| {
            with_targets(params, &|target| USER.replace(target, |user: &Captures<'_>| user[1].to_owned()).into_owned())
        }),
    ),
    wrong(
        "glossen.sources.resolve",
        "dots-after-hosts",
        "A dot at the end of a host is dropped.",
        Fault::Sources(|params| with_targets(params, &|target| DOT.replace(target, "$1$2").into_owned())),
    ),
];

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

/// Finds the sources as if the path of a link were that of the page that is the same but for what `change` does to both.
fn with_nearest_pages(params: &SourcesParams, change: &dyn Fn(&str) -> String) -> Found {
    let near = |path: &str| {
        let is_known = params.pages.iter().any(|page| page.url == path);
        params.pages.iter().find(|page| !is_known && change(&page.url) == change(path)).map(|page| page.url.clone())
    };
    with_answer(params, &|answer| with_paths(answer, &|path| near(path).unwrap_or_else(|| path.to_owned())))
}
