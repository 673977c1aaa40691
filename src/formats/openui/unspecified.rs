//! Inputs for which `spec/openui.md` specifies no answer.

use std::collections::HashSet;

use genui_openui::PREFIX;

use crate::format::{Unspecified, UnspecifiedInput};
use crate::json::{self, Json, JsonString};

const LIMITS: &str = "openui.context.limits";

pub(super) const UNSPECIFIED: &[Unspecified] = &[
    Unspecified { rule: LIMITS, name: "lone-surrogates", covers: |input| has_edge(input, Edge::LoneSurrogate) },
    Unspecified { rule: LIMITS, name: "duplicate-names", covers: |input| has_edge(input, Edge::DuplicateName) },
    Unspecified { rule: LIMITS, name: "deep-nesting", covers: |input| has_edge(input, Edge::DeepNesting) },
    Unspecified { rule: LIMITS, name: "numbers-beyond-doubles", covers: |input| has_edge(input, Edge::BeyondDouble) },
    Unspecified { rule: LIMITS, name: "unsigned-64-bit-integers", covers: |input| has_edge(input, Edge::Unsigned) },
    Unspecified { rule: "openui.legacy.extent", name: "other-white-space", covers: has_odd_envelope },
];

/// Nesting beyond this is an edge of a context.
const CONTEXT_DEPTH: usize = 100;

/// Lines of a text that are looked at for contexts, and ends that each of them may have.
const LINES: usize = 40;

/// No number of fewer digits is beyond all doubles without an exponent.
const DIGITS_BEYOND_DOUBLE: usize = 300;

/// No integer of fewer digits is beyond 64 bits with a sign.
const DIGITS_BEYOND_SIGNED: usize = 19;

/// An edge of JSON at which a context may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    LoneSurrogate,
    DuplicateName,
    DeepNesting,
    BeyondDouble,
    Unsigned,
}

/// Whether a context of the request is at this edge.
fn has_edge(input: &UnspecifiedInput<'_>, edge: Edge) -> bool {
    let is_at_edge = |name: &str| is_context_at(edge, input.params.get(name));
    match input.method.name() {
        "openui.build" => is_at_edge("context"),
        "openui.from_event" => is_at_edge("form_state") || is_at_edge("context"),
        _ => message(input).is_some_and(|raw| edge.is_in_text(&raw)),
    }
}

/// The message that a request reads.
fn message(input: &UnspecifiedInput<'_>) -> Option<String> {
    match input.method.name() {
        "openui.parse" | "openui.model_text" => input.params.get("raw").and_then(Json::as_str).map(str::to_owned),
        "openui.stream" => match input.params.get("chunks") {
            Some(Json::Array(chunks)) => Some(chunks.iter().filter_map(Json::as_str).collect()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether white space beyond ASCII occurs in what may be an older envelope.
fn has_odd_envelope(input: &UnspecifiedInput<'_>) -> bool {
    let is_beyond = |character: char| character.is_whitespace() && !character.is_ascii() || character == '\u{feff}';
    message(input).is_some_and(|raw| !raw.contains(PREFIX) && raw.contains("<cont") && raw.contains(is_beyond))
}

/// Whether a context to be written is at this edge; one that is text, if its text is.
fn is_context_at(edge: Edge, context: Option<&Json>) -> bool {
    match context {
        Some(Json::String(text)) => match text.as_str() {
            Some(text) => edge.is_in_text(text),
            None => edge == Edge::LoneSurrogate,
        },
        Some(value) => edge.is_in(value, 0),
        None => false,
    }
}

impl Edge {
    /// Whether a piece of the text that could be a context is JSON at this edge: from any line's start to any line's end.
    fn is_in_text(self, text: &str) -> bool {
        if self == Edge::LoneSurrogate {
            return text.contains("\\ud") || text.contains("\\uD");
        }
        if !self.may_be_in(text) {
            return false;
        }
        let starts = std::iter::once(0).chain(text.match_indices(['\n', '>']).map(|(at, _)| at + 1));
        let begins_json = |start: &usize| {
            let first = text[*start..].trim_start_matches([' ', '\t', '\n', '\r']).chars().next();
            first.is_some_and(|first| "{[\"-".contains(first) || first.is_ascii_digit())
        };
        starts.filter(begins_json).take(LINES).any(|start| {
            let rest = &text[start..];
            let ends = rest.match_indices(['\n', '<']).map(|(at, _)| at).chain(std::iter::once(rest.len()));
            ends.take(LINES).any(|end| match json::parse(rest[..end].trim_end_matches('\r')) {
                Ok(value) => self.is_in(&value, 0),
                Err(error) => self == Edge::DeepNesting && error.is_too_deep(),
            })
        })
    }

    /// Whether the characters of a text allow for this edge. Most texts allow for none, and need not be read as JSON.
    fn may_be_in(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let has_digits = |least: usize| bytes.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() >= least);
        match self {
            Edge::LoneSurrogate => true,
            Edge::DuplicateName => bytes.iter().filter(|byte| **byte == b'"').count() >= 4 && text.contains('{'),
            Edge::DeepNesting => bytes.iter().filter(|byte| b"[{".contains(byte)).count() >= CONTEXT_DEPTH,
            Edge::BeyondDouble => {
                has_digits(DIGITS_BEYOND_DOUBLE)
                    || bytes.windows(2).any(|pair| pair[0].is_ascii_digit() && b"eE".contains(&pair[1]))
            }
            Edge::Unsigned => has_digits(DIGITS_BEYOND_SIGNED),
        }
    }

    /// Whether a value is at this edge, or a value within it is.
    fn is_in(self, value: &Json, depth: usize) -> bool {
        let is_deep = self == Edge::DeepNesting && depth >= CONTEXT_DEPTH;
        match value {
            Json::Number(number) => self.is_number(number.as_str()),
            Json::String(string) => self == Edge::LoneSurrogate && matches!(string, JsonString::Surrogates(_)),
            Json::Array(items) => is_deep || items.iter().any(|item| self.is_in(item, depth + 1)),
            Json::Object(members) => {
                let mut names = HashSet::new();
                is_deep
                    || members.iter().any(|(name, value)| {
                        self == Edge::LoneSurrogate && matches!(name, JsonString::Surrogates(_))
                            || self == Edge::DuplicateName && !names.insert(name)
                            || self.is_in(value, depth + 1)
                    })
            }
            Json::Null | Json::Bool(_) => false,
        }
    }

    fn is_number(self, text: &str) -> bool {
        match self {
            Edge::Unsigned => text.parse::<u64>().is_ok_and(|integer| i64::try_from(integer).is_err()),
            Edge::BeyondDouble => {
                let digits = text.split(['e', 'E']).next().unwrap_or_default();
                let has_digits = digits.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
                text.parse::<f64>().is_ok_and(|double| double.is_infinite() || (double == 0.0 && has_digits))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Method;
    use crate::formats::openui::methods;

    fn names(method: Method, params: &str) -> Vec<&'static str> {
        let params = json::parse(params).expect("is JSON");
        let input = UnspecifiedInput { method, params: &params, difference: None };
        UNSPECIFIED.iter().filter(|row| (row.covers)(&input)).map(|row| row.name).collect()
    }

    #[test]
    fn contexts_at_the_edges_of_json_are_unspecified() {
        for (context, expected) in [
            (r#"{"a":1e300}"#, None),
            (r#"{"a":1e400}"#, Some("numbers-beyond-doubles")),
            (r#"{"a":1e-400}"#, Some("numbers-beyond-doubles")),
            (r#"{"a":0e-400}"#, None),
            (&format!("[{}]", "9".repeat(400)), Some("numbers-beyond-doubles")),
            (&format!("[0.{}1]", "0".repeat(400)), Some("numbers-beyond-doubles")),
            (r#"{"a":9223372036854775807}"#, None),
            (r#"{"a":9223372036854775808}"#, Some("unsigned-64-bit-integers")),
            (r#"{"a":18446744073709551616}"#, None),
            (r#"{"a":1,"a":2}"#, Some("duplicate-names")),
            (r#"{"a":[{"b":1,"b":2}]}"#, Some("duplicate-names")),
            (r#"{"":1,"":2}"#, Some("duplicate-names")),
            (r#""\ud800""#, Some("lone-surrogates")),
            (r#""{\"a\":1,\"a\":2}""#, Some("duplicate-names")),
            (r#""a\":1,\"a\":2}""#, None),
            (&format!("{}{}", "[".repeat(100), "]".repeat(100)), None),
            (&format!("{}{}", "[".repeat(101), "]".repeat(101)), Some("deep-nesting")),
            (&format!("{}{}", "[".repeat(500), "]".repeat(500)), Some("deep-nesting")),
        ] {
            let expected: Vec<&str> = expected.into_iter().collect();
            let build = format!(r#"{{"content":"A","context":{context}}}"#);
            assert_eq!(names(methods::BUILD, &build), expected, "{build}");
            if !context.starts_with('"') {
                let raw = format!("]]>openui:context\n{context}\n]]>openui:end");
                let parse = Json::object([("raw", raw.into())]).to_ascii();
                assert_eq!(names(methods::PARSE, &parse), expected, "{parse}");
            }
        }
        let many = format!(r#"{{"raw":"]]>openui:context\n{}"}}"#, "[".repeat(2_000));
        assert_eq!(names(methods::PARSE, &many), ["deep-nesting"], "deeper than a line");
    }

    #[test]
    fn white_space_beyond_ascii_is_unspecified_in_an_envelope_only() {
        for (raw, expected) in [
            ("\\u00a0<content>A</content>", &["other-white-space"][..]),
            ("\\ufeff<context>[1]</context>", &["other-white-space"]),
            (" <content>A</content>", &[]),
            ("\\u00a0A", &[]),
            ("]]>openui:content\\n<content>\\u00a0", &[]),
        ] {
            assert_eq!(names(methods::PARSE, &format!("{{\"raw\":\"{raw}\"}}")), expected, "{raw}");
        }
    }
}
