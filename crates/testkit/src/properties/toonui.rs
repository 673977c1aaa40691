//! Properties of the content of ToonUI payloads.

use genui_json::Json;
use genui_toonui as toonui;

/// Checks that the content of a payload reads back as the payload, without the members that it drops. If a raw field
/// has a line break or is no string, or entries are those of no object, it reads as another payload or not at all. A
/// payload that was read has that content again. The lines of the trace are the content.
///
/// # Panics
///
/// When it reads back otherwise.
pub fn content_round_trip(payload: &Json) {
    let Ok(content) = toonui::to_content(payload) else {
        assert_eq!(toonui::recoverable(payload), None, "of {payload:?}");
        return;
    };
    let read = toonui::read_content(&content);
    if let Some(expected) = toonui::recoverable(payload) {
        assert_eq!(read.as_ref().map(Json::to_compact), Ok(expected.to_compact()), "{content:?}");
        let forged = toonui::forgeries(payload).expect("a content has its forgeries");
        let breaks = forged.iter().filter(|forgery| forgery.kind == toonui::ForgeryKind::ForgesLine);
        assert_eq!(breaks.count(), 0, "{content:?}");
    }
    if let Ok(read) = read {
        assert_eq!(toonui::to_content(&read).as_ref(), Ok(&content), "of {read:?}");
    }
    let lines = toonui::trace_content(payload).expect("a content has lines");
    let ends: Vec<usize> = lines.iter().map(|line| line.span.end).collect();
    let starts: Vec<usize> = lines.iter().map(|line| line.span.start).collect();
    assert_eq!(starts[1..], ends[..ends.len() - 1], "{content:?}");
    assert_eq!((starts[0], ends.last().copied()), (0, Some(content.len())), "{content:?}");
}

/// Checks that a text is the content of the payload that is read from it, or is refused with a line of it.
///
/// # Panics
///
/// When what is read has another content, or the line is none of the text.
pub fn read_content_matches_text(text: &str) {
    match toonui::read_content(text) {
        Ok(payload) => {
            assert_eq!(toonui::to_content(&payload).as_deref(), Ok(text), "{payload:?}");
            assert_eq!(toonui::recoverable(&payload).as_ref(), Some(&payload), "{text:?}");
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!((1..=lines + 1).contains(&error.line()), "{error} of {text:?}");
        }
    }
}
