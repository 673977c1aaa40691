//! Checking whether a produced message keeps the contract.

use super::message::{Message, MessageError, Role, list, object, string, within_limits};
use super::order::out_of_order;
use super::page::{Page, PageList, split};
use super::part::{PASSAGE, SOURCES};
use super::{Violation, message};
use genui_json::{Json, JsonString, Pointer};

/// Returns every violation of the contract by a message, in the order of its parts.
///
/// The order of parts is always checked (`glossen.user.order`, `glossen.assistant.order`). With `pages`, anchors and
/// sources are checked too (`glossen.user.anchor`, `glossen.sources.listed`, `glossen.sources.anchor`). If `finished` is
/// true, so is the reason for the end (`glossen.assistant.finish`). Places are relative to the message.
///
/// # Errors
///
/// Returns an error if the value exceeds a limit, or a member that is read is missing or has another type.
///
/// # Examples
///
/// ```
/// use genui_glossen::check;
/// use genui_json::parse;
///
/// let message = parse(r#"{"id":"a","role":"assistant","parts":[{"type":"text","text":"Hi"}]}"#)?;
/// let violations = check(&message, None, true)?;
/// assert_eq!(violations[0].rule, "glossen.assistant.finish");
/// assert!(check(&message, None, false)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
