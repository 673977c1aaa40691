//! `glossen.sources`: the sources of an answer.

use super::pages::{Page, percent_decoded, read_pages};
use super::urls::{self, WebUrl};
use super::{Answer, BAD_PARAMS, object};
use genui_json::Json;

/// What `\s` matches in ECMAScript, as `glossen.sources.links` lists it.
fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\u{9}'..='\u{d}' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
            | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// `glossen.sources.entry`: the sources in the order of their links. If two have the same url, the first counts.
pub(super) fn answer(params: &Json) -> Answer {
    let answer = params.get("answer").and_then(Json::as_str).ok_or(BAD_PARAMS)?;
    let origin = params.get("origin").and_then(Json::as_str).ok_or(BAD_PARAMS)?;
    let pages = read_pages(params.get("pages").ok_or(BAD_PARAMS)?)?;
    let base = read_origin(origin).ok_or(BAD_PARAMS)?;
    let mut sources: Vec<(String, String)> = Vec::new();
    for target in targets(answer) {
        let Some((title, url)) = source(&target, &base, &pages) else { continue };
        if sources.iter().all(|(_, known)| *known != url) {
            sources.push((title, url));
        }
    }
    let entry = |(title, url): (String, String)| object(vec![("title", title.into()), ("url", url.into())]);
    Ok(object(vec![("sources", Json::Array(sources.into_iter().map(entry).collect()))]))
}

/// The origin and `/`, as the base of every target. The origin is `http` or `https` and a host.
fn read_origin(origin: &str) -> Option<WebUrl> {
    urls::read_base(&format!("{origin}/")).filter(|base| base.path == "/")
}

/// `glossen.sources.links`: the targets of the links, in their order.
fn targets(answer: &str) -> Vec<String> {
    let answer: Vec<char> = answer.chars().collect();
    let mut targets = Vec::new();
    let mut at = 0;
    while at < answer.len() {
        match link_at(&answer, at) {
            Some((target, after)) => {
                targets.push(target);
                at = after;
            }
            None => at += 1,
        }
    }
    targets
}

/// Reads a link at this place: `](`, white space, an optional `<`, the target, and any text up to the next `)`. Returns
/// the target and the place after the `)`.
fn link_at(answer: &[char], at: usize) -> Option<(String, usize)> {
    if answer[at..].first() != Some(&']') || answer[at..].get(1) != Some(&'(') {
        return None;
    }
    let mut at = at + 2;
    while answer.get(at).is_some_and(|character| is_white_space(*character)) {
        at += 1;
    }
    let run = |from: usize| -> String {
        let in_target = |character: &&char| !is_white_space(**character) && **character != ')' && **character != '>';
        answer[from..].iter().take_while(in_target).collect()
    };
    let mut target = run(at);
    if answer.get(at) == Some(&'<') {
        // A `<` without a run after it is itself the target.
        let after = run(at + 1);
        if !after.is_empty() {
            at += 1;
            target = after;
        }
    }
    if target.is_empty() {
        return None;
    }
    at += target.chars().count();
    let closing = answer[at..].iter().position(|character| *character == ')')?;
    Some((target, at + closing + 1))
}

/// The title and the url of the source to which a target leads, if it leads to one.
fn source(target: &str, base: &WebUrl, pages: &[Page]) -> Option<(String, String)> {
    // `glossen.sources.resolve`: a target that the parser does not accept is no source.
    let url = urls::parse(target, base)?;
    if url.scheme != base.scheme || url.host != base.host || url.port != base.port {
        return None;
    }
    // Every `/` at the end is removed, unless the path is `/`.
    let path = if url.path == "/" { "/" } else { url.path.trim_end_matches('/') };
    // `glossen.sources.listed`
    let page = pages.iter().find(|page| page.url == path)?;
    // `glossen.sources.malformed`: a link whose anchor does not decode is no source.
    let anchor = percent_decoded(&url.fragment)?;
    // `glossen.sources.anchor`: a link with any other anchor gives the page without one. An empty anchor counts as none.
    let known = page.anchors.iter().find(|known| !anchor.is_empty() && known.id == anchor);
    // `glossen.sources.entry`
    Some(match known {
        None => (page.title.clone(), page.url.clone()),
        Some(known) if known.heading.is_empty() => (page.title.clone(), format!("{}#{anchor}", page.url)),
        Some(known) => (format!("{} \u{203a} {}", page.title, known.heading), format!("{}#{anchor}", page.url)),
    })
}
