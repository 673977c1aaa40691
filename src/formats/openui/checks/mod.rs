//! The derived checks on OpenUI messages.

mod message;
mod model;
mod requests;
mod streaming;
mod whole;

use crate::checks::{Answers, CheckDef, CheckOutcome, InputChecks, Shrink, Subject, definitions, find};
use crate::format::Method;
use crate::formats::openui::methods;
use crate::json::{Json, JsonString, json_equal};
use crate::settings::Settings;
use message::Message;

type Run = fn(&Message<'_>, &mut Answers) -> Option<CheckOutcome>;

const CHECKS: [(CheckDef, Run); 9] = [
    // While a marker line arrives, nothing of it shows.
    (CheckDef { name: "no-flash", rule: "openui.stream.no-flash" }, streaming::no_flash),
    // The content that shows only grows.
    (CheckDef { name: "growth", rule: "openui.stream.growth" }, streaming::growth),
    // Away from markers, streaming shows what reading the whole message shows.
    (CheckDef { name: "settle", rule: "openui.stream.settle" }, streaming::settle),
    // The snapshots do not depend on how the text is split into chunks.
    (CheckDef { name: "chunks", rule: "openui.stream.chunks" }, streaming::chunks),
    // CRLF reads like LF.
    (CheckDef { name: "line-endings", rule: "openui.section.crlf" }, whole::line_endings),
    // An unknown section at the end changes nothing.
    (CheckDef { name: "unknown-section", rule: "openui.read.unknown-kind" }, whole::unknown_section),
    // What was read can be written, and then reads the same.
    (CheckDef { name: "rewrite", rule: "openui.build.round-trip" }, whole::rewrite),
    // The model gets no marker line of the message, in either role.
    (CheckDef { name: "model-markers", rule: "openui.model.no-marker-line" }, model::model_markers),
    // Of an assistant turn the model gets the content.
    (CheckDef { name: "model-content", rule: "openui.model.assistant" }, model::model_content),
];

/// The checks on the message of `openui.parse`.
pub(super) const ON_MESSAGE: InputChecks =
    InputChecks { checks: &definitions(&CHECKS), shrink: Shrink::Text("/raw"), prepare };

fn prepare<'a>(_: Method, params: &'a Json, options: &'a Settings) -> Option<Box<dyn Subject + 'a>> {
    let raw = params.get("raw").and_then(Json::as_str)?;
    Some(Box::new(Message::new(raw, super::reader_options(options))))
}

impl Subject for Message<'_> {
    fn applies(&self, check: &CheckDef) -> bool {
        find(&CHECKS, check).is_some()
    }

    fn specified_for(&self, _: &CheckDef) -> Method {
        methods::PARSE
    }

    fn run(&self, check: &CheckDef, answers: &mut Answers) -> Option<CheckOutcome> {
        find(&CHECKS, check).map_or(Some(CheckOutcome::Holds), |run| run(self, answers))
    }
}

/// The content of a result; `None` where there is none.
fn content(result: &Json) -> Option<&str> {
    result.get("content").and_then(Json::as_str)
}

/// Whether two results of `openui.parse` mean the same, with the defaults for members that are absent.
fn same_reading(left: &Json, right: &Json) -> bool {
    let with_defaults = |result: &Json| {
        let mut result = result.clone();
        if let Json::Object(members) = &mut result {
            let defaults = [("context", Json::Null), ("attributes", Json::Object(Vec::new())), ("end", false.into())];
            for (name, default) in defaults {
                if !members.iter().any(|(known, _)| known.as_str() == Some(name)) {
                    members.push((JsonString::from(name), default));
                }
            }
        }
        result
    };
    json_equal(&with_defaults(left), &with_defaults(right))
}

/// Text as it is shown in a failure.
fn quoted(text: &str) -> String {
    Json::from(text).to_ascii()
}

fn without_line_ending(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => text.strip_suffix('\r').unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn absent_members_read_as_their_defaults() {
        let same = |left: &str, right: &str| {
            let parse = |text| json::parse(text).expect("is JSON");
            same_reading(&parse(left), &parse(right))
        };
        assert!(same(r#"{"content":"a"}"#, r#"{"end":false,"attributes":{},"context":null,"content":"a"}"#));
        assert!(same(r#"{"content":"a","context":1}"#, r#"{"content":"a","context":1.0}"#));
        for other in [
            r#"{"content":"b"}"#,
            r#"{"content":"a","context":{}}"#,
            r#"{"content":"a","attributes":{"lang":"de"}}"#,
            r#"{"content":"a","end":true}"#,
            r#"{"content":"a","more":null}"#,
            r#"{}"#,
        ] {
            assert!(!same(r#"{"content":"a"}"#, other), "{other}");
        }
    }
}
