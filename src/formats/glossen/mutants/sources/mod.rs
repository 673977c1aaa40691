//! Mutants that find the sources of an answer wrongly.

mod entry;
mod link;
mod page;
mod resolve;

use super::super::reference::bad_params;
use super::{Mutant, mangling};
use crate::formats::glossen::wire::SourcesParams;
use crate::glossen::{Page, Source, sources};
use crate::protocol::Refusal;

type Found = Result<Vec<Source>, Refusal>;

/// The lists, in the order of the rules.
pub(super) const MUTANTS: &[&[Mutant]] = &[page::MUTANTS, link::MUTANTS, resolve::MUTANTS, entry::MUTANTS];

fn right(answer: &str, origin: &str, pages: &[Page]) -> Found {
    sources(answer, origin, pages).map_err(bad_params)
}

fn with_answer(params: &SourcesParams, change: &dyn Fn(&str) -> String) -> Found {
    right(&change(&params.answer), &params.origin, &params.pages)
}

/// Finds the sources of the answer with each of its targets changed.
fn with_targets(params: &SourcesParams, change: &dyn Fn(&str) -> String) -> Found {
    with_answer(params, &|answer| {
        let mut pieces = answer.split("](");
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let old = target(piece);
            out.push_str("](");
            out.push_str(&piece.replacen(old, &change(old), 1));
        }
        out
    })
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

fn is_malformed(target: &str) -> bool {
    let Some((_, anchor)) = target.split_once('#') else { return false };
    mangling::is_malformed(anchor)
}
