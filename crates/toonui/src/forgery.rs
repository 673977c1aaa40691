//! What in a payload forges or shadows a line of its content.

use super::payload::{Payload, PayloadError};
use genui_json::{Json, Pointer};

/// A place in a payload that makes its content say something else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgery {
    /// Where in the payload: a member that goes in raw, or an entry for whose name it is.
    pub at: Pointer,
    /// What it does.
    pub kind: ForgeryKind,
}

/// What a forgery does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgeryKind {
    /// It holds a LF, behind which a line of its own begins.
    ForgesLine,
    /// It has the name of a header line, of which there are two then.
    ShadowsHeader,
}

/// Every raw field of a payload that holds a LF, and every entry with the name of a header line, in the order of the
/// content's lines.
///
/// # Errors
///
/// Where the payload has no content.
pub fn forgeries(payload: &Json) -> Result<Vec<Forgery>, PayloadError> {
    let payload = Payload::new(payload)?;
    let root = Pointer::default();
    let header = payload.kind.header();
    let mut found: Vec<Forgery> = header
        .iter()
        .filter(|name| payload.raw(name).contains('\n'))
        .map(|name| Forgery { at: root.child(*name), kind: ForgeryKind::ForgesLine })
        .collect();
    let entries = root.child(payload.kind.entries_in());
    for (name, _) in payload.entries() {
        let kind = if name.contains('\n') {
            ForgeryKind::ForgesLine
        } else if header.contains(&&*name) {
            ForgeryKind::ShadowsHeader
        } else {
            continue;
        };
        found.push(Forgery { at: entries.child(name), kind });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use genui_json as json;

    #[test]
    fn each_place_is_named() {
        let payload = json::parse(
            r#"{"kind":"ui_submit","eventId":"a\nb","intent":"i","formTitle":"\n","values":{"x\n":1,"intent":"a\nb","value":2}}"#,
        )
        .expect("is JSON");
        let found = forgeries(&payload).expect("is a payload");
        let named: Vec<(String, ForgeryKind)> =
            found.into_iter().map(|forgery| (forgery.at.to_string(), forgery.kind)).collect();
        assert_eq!(
            named,
            [
                ("/eventId".to_owned(), ForgeryKind::ForgesLine),
                ("/formTitle".to_owned(), ForgeryKind::ForgesLine),
                ("/values/x\n".to_owned(), ForgeryKind::ForgesLine),
                ("/values/intent".to_owned(), ForgeryKind::ShadowsHeader),
            ]
        );
    }

    #[test]
    fn what_is_quoted_forges_nothing() {
        let payload = r#"{"kind":"ui_reply","eventId":"e","value":"v","source":"button","component":"button","context":{"a":"\n  value: x","intent":1}}"#;
        assert_eq!(forgeries(&json::parse(payload).expect("is JSON")), Ok(Vec::new()));
    }
}
