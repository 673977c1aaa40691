//! Mutants that check produced messages wrongly.

mod answer;
mod source;
mod user;

use super::super::reference::bad_params;
use super::{Mutant, each, kind, member, parts, role, with_text};
use crate::formats::values::with;
use crate::glossen::{Page, check};
use crate::json::Json;
use crate::protocol::Refusal;

pub(super) type Broken = Result<Vec<&'static str>, Refusal>;

/// The lists, in the order of the rules.
pub(super) const MUTANTS: &[&[Mutant]] = &[user::MUTANTS, answer::MUTANTS, source::MUTANTS];

fn right(message: &Json, pages: Option<&[Page]>, finished: Option<bool>) -> Broken {
    Ok(check(message, pages, finished == Some(true))
        .map_err(bad_params)?
        .into_iter()
        .map(|violation| violation.rule)
        .collect())
}

/// A list without one of its items.
trait Without {
    fn without(self, item: &str) -> Self;
}

impl Without for Vec<&'static str> {
    fn without(mut self, item: &str) -> Self {
        self.retain(|known| *known != item);
        self
    }
}

/// Returns the violated rules, one more of them if it is broken.
fn adding(mut broken: Vec<&'static str>, rule: &'static str, is_broken: bool) -> Broken {
    if is_broken {
        broken.push(rule);
    }
    Ok(broken)
}

/// Returns the rules that a message violates, the order of users' parts only if it is among these: the entries of parts
/// that were changed for the order are checked nevertheless.
fn with_the_rest(message: &Json, pages: Option<&[Page]>, finished: Option<bool>, order: &[&'static str]) -> Broken {
    let all = right(message, pages, finished)?;
    Ok(all.into_iter().filter(|rule| *rule != "glossen.user.order" || order.contains(rule)).collect())
}

/// Returns the message of this role without some parts; a message of another role is unchanged.
fn without_parts(message: &Json, of: &str, goes: &dyn Fn(usize, &Json) -> bool) -> Json {
    if role(message) != of {
        return message.clone();
    }
    let kept = parts(message).iter().enumerate().filter(|(at, part)| !goes(*at, part));
    with(message, "parts", Json::Array(kept.map(|(_, part)| part.clone()).collect()))
}

/// Returns the message of this role with its parts in this order, and any other unchanged.
fn sorted(message: &Json, of: &str, order: &dyn Fn(&Json) -> usize) -> Json {
    if role(message) != of {
        return message.clone();
    }
    let mut parts = parts(message).to_vec();
    parts.sort_by_key(order);
    with(message, "parts", Json::Array(parts))
}

/// Whether the contract names parts of this type, or the SDK writes them by itself.
fn is_named(part: &Json) -> bool {
    matches!(kind(part), "text" | "step-start") || kind(part).starts_with("data-")
}

/// Returns the message with the urls of the parts of this type changed: of a passage, or of the entries of sources.
fn with_urls(message: &Json, of: &str, change: &dyn Fn(&str) -> String) -> Json {
    let changed = |data: &Json| with_text(data, "url", change);
    member(message, "parts", &|parts| {
        each(parts, &|part| match kind(part) == of {
            true => member(part, "data", &|data| match data {
                Json::Array(_) => each(data, &changed),
                _ => changed(data),
            }),
            false => part.clone(),
        })
    })
}

/// Returns the message with those urls changed with which something is wrong: what is right as it is stays right.
fn with_wrong_urls(message: &Json, of: &str, pages: Option<&[Page]>, change: &dyn Fn(&str) -> String) -> Json {
    with_urls(message, of, &|url| if is_found(url, pages) { url.to_owned() } else { change(url) })
}

/// Returns the message with the anchors changed that their pages do not have.
fn with_wrong_anchors(message: &Json, of: &str, pages: Option<&[Page]>, change: &dyn Fn(&str) -> String) -> Json {
    with_wrong_urls(message, of, pages, &|url| match url.split_once('#') {
        Some((page, anchor)) => format!("{page}#{}", change(anchor)),
        None => url.to_owned(),
    })
}

/// Whether the list has the page of a url, and the page its anchor.
fn is_found(url: &str, pages: Option<&[Page]>) -> bool {
    let source = Json::object([("title", "".into()), ("url", url.into())]);
    let part = Json::object([("type", "data-sources".into()), ("data", Json::Array(vec![source]))]);
    let message = Json::object([("id", "".into()), ("role", "system".into()), ("parts", Json::Array(vec![part]))]);
    right(&message, pages, None).is_ok_and(|broken| broken.is_empty())
}

/// Returns the anchor of the page that is the same but for what `change` does to both; otherwise the anchor as it is.
fn nearest_anchor(anchor: &str, pages: Option<&[Page]>, change: &dyn Fn(&str) -> String) -> String {
    let all = pages.unwrap_or_default().iter().flat_map(|page| &page.anchors);
    let mut near = all.filter(|known| change(&known.id) == change(anchor));
    near.next().map_or_else(|| anchor.to_owned(), |known| known.id.clone())
}
