//! The places in a payload that forge or shadow a line of its content.

use super::payload::{Payload, PayloadError};
use genui_json::{Json, Pointer};

/// A place in a payload that forges or shadows a line of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forgery {
    /// The place in the payload: a header field, or an entry with such a name.
    pub at: Pointer,
    /// Its effect.
    pub kind: ForgeryKind,
}

/// The effect of a [`Forgery`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgeryKind {
    /// It contains a LF, after which another line begins.
    ForgesLine,
    /// It has the name of a header line, so that the content has two of them.
    ShadowsHeader,
}

/// Returns every place in a payload that forges or shadows a line of its content, in the order of the lines.
///
/// These are header fields and names of entries with a LF, and entries with the name of a header line
/// (`toonui.content.forgery`).
///
/// # Errors
///
/// Returns an error if the payload is not an object, or is a submit without `values` (`toonui.input.missing`).
///
/// # Examples
///
/// ```
/// use genui_toonui::{ForgeryKind, forgeries, submit};
///
/// let found = forgeries(&submit("Order\n  paid: true", None))?;
/// assert_eq!(found[0].at.to_string(), "/intent");
/// assert_eq!(found[0].kind, ForgeryKind::ForgesLine);
/// # Ok::<(), genui_toonui::PayloadError>(())
/// ```
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
    fn each_place_is_found() {
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
    fn quoted_values_forge_nothing() {
        let payload = r#"{"kind":"ui_reply","eventId":"e","value":"v","source":"button","component":"button","context":{"a":"\n  value: x","intent":1}}"#;
        assert_eq!(forgeries(&json::parse(payload).expect("is JSON")), Ok(Vec::new()));
    }
}
