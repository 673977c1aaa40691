//! Mutants that resolve the target of a link wrongly.

use super::super::{Fault, Mutant, wrong};
use super::{is_malformed, with_answer, without_links};

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
