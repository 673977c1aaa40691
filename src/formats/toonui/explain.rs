//! A ToonUI payload: the lines of its content, and what of it no line shows.

use std::collections::BTreeMap;

use crate::explain::{Explanation, Fact, FactValue, Part, RefusedText, Warning};
use crate::json::{Json, Pointer};
use crate::settings::Settings;
use crate::toonui::{ForgeryKind, LineOf, forgeries, left_out, to_content, to_display_content, trace_content};

/// Explains the payload of a request.
pub(super) fn of_payload(params: &Json, _options: &Settings) -> Option<Explanation<'static>> {
    params.get("payload").map(explain_toonui)
}

/// Explains each line of a payload's content. Any JSON value may be given; one that is no payload is refused with the
/// rule that refuses it.
#[must_use]
pub fn explain_toonui(payload: &Json) -> Explanation<'static> {
    let explained = trace_content(payload)
        .and_then(|lines| Ok((lines, to_content(payload)?, to_display_content(payload)?, forgeries(payload)?)));
    let (lines, content, display, forgeries) = match explained {
        Ok(explained) => explained,
        Err(error) => {
            let refused = RefusedText { message: error.to_string(), rule: Some("toonui.input.missing") };
            return Explanation::new(super::FORMAT, Vec::new(), Err(refused), Vec::new());
        }
    };
    let root = Pointer::default();
    let mut parts = Vec::new();
    // Where the line of each place begins, for the warnings.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = 1;
    for line in lines {
        let (what, at) = match &line.of {
            LineOf::Kind => ("kind line", root.child("kind")),
            LineOf::Member(name) => ("header line", root.child(*name)),
            LineOf::Entry(member, name) => ("entry line", root.child(*member).child(name.as_str())),
        };
        let at = at.to_string();
        let mut start = line.span.start;
        // The LF between two lines belongs to the second, as far as its bytes go.
        let text = &content[line.span.clone()];
        let (between, text) = match text.strip_prefix('\n') {
            Some(text) => (1, text),
            None => (0, text),
        };
        for (index, piece) in text.split('\n').enumerate() {
            let end = start + piece.len() + if index == 0 { between } else { 1 };
            let rules = match index {
                0 => std::iter::once(line.rule).chain(line.also.iter().copied()).collect(),
                _ => vec!["toonui.content.forgery"],
            };
            if index == 0 {
                numbers.entry(at.clone()).or_insert(number);
            }
            parts.push(Part {
                line: Some(number),
                at: Some(at.clone()),
                bytes: Some(start..end),
                kind: if index == 0 { what } else { "forged line" },
                section: None,
                rules,
                text: piece.to_owned().into(),
                details: Vec::new(),
            });
            start = end;
            number += 1;
        }
    }
    parts.extend(left_out(payload).into_iter().map(|(name, value)| Part {
        line: None,
        at: Some(root.child(name).to_string()),
        bytes: None,
        kind: "left out",
        section: None,
        rules: vec!["toonui.content.left-out"],
        text: value.to_ascii().into(),
        details: Vec::new(),
    }));
    let warnings = forgeries.into_iter().map(|forgery| {
        let at = forgery.at.to_string();
        let message = match forgery.kind {
            ForgeryKind::ForgesLine => {
                "a LF is copied into the content unchanged, and the text after it looks like a line"
            }
            ForgeryKind::ShadowsHeader => "this entry has the name of a header line, of which there are two now",
        };
        let line = numbers.get(&at).copied();
        Warning { line, at: Some(at), message: message.to_owned(), rule: "toonui.content.forgery" }
    });
    let warnings = warnings.collect();
    let facts = vec![
        Fact::new("content", FactValue::Text(content.into()), None),
        Fact::new("display", FactValue::Text(display.into()), None),
    ];
    Explanation::new(super::FORMAT, parts, Ok(facts), warnings)
}
