//! Whether a produced message keeps the contract.

use super::message::{Message, MessageError, Role, list, object, string, within_limits};
use super::order::out_of_order;
use super::page::{Page, PageList, split};
use super::part::{PASSAGE, SOURCES};
use super::{Violation, message};
use genui_json::{Json, JsonString, Pointer};

/// Every rule of the contract that a message breaks, in the order of its parts. Anchors and sources are checked where
/// `pages` is there, the reason for the end where `finished` is true. Places are in the message.
///
/// # Errors
///
/// Names the place where this is no message, or more than is taken.
pub fn check(message: &Json, pages: Option<&[Page]>, finished: bool) -> Result<Vec<Violation>, MessageError> {
    within_limits(message)?;
    let root = Pointer::default();
    let message = Message::of(message, &root)?;
    let mut found: Vec<Violation> = out_of_order(message.role, message.parts.iter().map(|part| part.kind))
        .into_iter()
        .map(|wrong| Violation {
            rule: wrong.rule,
            at: match wrong.part {
                Some(index) => root.child("parts").child(index.to_string()),
                None => root.child("parts"),
            },
            message: wrong.message.to_owned(),
        })
        .collect();
    if let Some(pages) = pages {
        check_urls(&message, &PageList::new(pages), &mut found)?;
    }
    if finished && message.role == Role::Assistant {
        let reason = message.metadata.and_then(|metadata| metadata.get("finishReason"));
        if !matches!(reason, Some(Json::String(_))) {
            let expected = message::expectation("a string as finishReason in the metadata", reason);
            found.push(Violation { rule: "glossen.assistant.finish", at: root, message: expected });
        }
    }
    Ok(found)
}

fn check_urls(message: &Message<'_>, pages: &PageList<'_>, found: &mut Vec<Violation>) -> Result<(), MessageError> {
    let root = Pointer::default();
    for part in &message.parts {
        let data = part.at(&root).child("data");
        match part.kind {
            PASSAGE if message.role == Role::User => {
                let url = part.data_text("url", &root)?;
                if has_unknown_anchor(url, pages) {
                    let message = "expected the anchor of a heading, but the page has none of this id".to_owned();
                    found.push(Violation { rule: "glossen.user.anchor", at: data.child("url"), message });
                }
            }
            SOURCES => {
                for (index, source) in list(Some(part.data(&root)?), &data)?.iter().enumerate() {
                    let entry = data.child(index.to_string());
                    object(source, &entry)?;
                    let at = entry.child("url");
                    let url = string(source.get("url"), &at)?;
                    let (rule, message) = if pages.page(split(&url.to_text()).0).is_none() {
                        ("glossen.sources.listed", "expected a page of the list, but found another url")
                    } else if has_unknown_anchor(url, pages) {
                        ("glossen.sources.anchor", "expected an anchor of the page, but found another")
                    } else {
                        continue;
                    };
                    found.push(Violation { rule, at, message: message.to_owned() });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn has_unknown_anchor(url: &JsonString, pages: &PageList<'_>) -> bool {
    let url = url.to_text();
    let (page, anchor) = split(&url);
    anchor.is_some_and(|anchor| !pages.has_anchor(page, anchor))
}
