//! The order of the parts of a message: `glossen.user.order`, `glossen.assistant.order`.

use super::message::Role;
use super::part::{PAGE, PASSAGE, SOURCES, STEP, TEXT};

/// A part that is out of order or missing.
pub(crate) struct OutOfOrder {
    pub(crate) rule: &'static str,
    /// The index of the part. `None` for one that is missing.
    pub(crate) part: Option<usize>,
    pub(crate) message: &'static str,
}

/// Returns the violations of the order by a message whose parts have these types.
pub(crate) fn out_of_order<'a>(role: Role, kinds: impl Iterator<Item = &'a str>) -> Vec<OutOfOrder> {
    match role {
        Role::User => users(kinds),
        Role::Assistant => assistants(kinds),
        Role::System => Vec::new(),
    }
}

fn users<'a>(kinds: impl Iterator<Item = &'a str>) -> Vec<OutOfOrder> {
    let rule = "glossen.user.order";
    let mut found = Vec::new();
    let mut has_text = false;
    for (index, kind) in kinds.enumerate() {
        let message = match kind {
            PAGE if index == 0 => continue,
            PAGE => "expected at most one page, and that first",
            PASSAGE | TEXT if has_text => "expected nothing after the text",
            PASSAGE => continue,
            TEXT => {
                has_text = true;
                continue;
            }
            _ => "expected nothing but a page, passages and a text",
        };
        found.push(OutOfOrder { rule, part: Some(index), message });
    }
    if !has_text {
        found.push(OutOfOrder { rule, part: None, message: "expected a text at the end" });
    }
    found
}

fn assistants<'a>(kinds: impl Iterator<Item = &'a str>) -> Vec<OutOfOrder> {
    let rule = "glossen.assistant.order";
    let mut found = Vec::new();
    let mut has_sources = false;
    for (index, kind) in kinds.enumerate() {
        let message = match kind {
            STEP => continue,
            TEXT if !has_sources => continue,
            SOURCES if !has_sources => {
                has_sources = true;
                continue;
            }
            TEXT => "expected no text after the sources",
            SOURCES => "expected at most one part with sources",
            _ => "expected nothing but texts and sources",
        };
        found.push(OutOfOrder { rule, part: Some(index), message });
    }
    found
}
