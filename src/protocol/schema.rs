//! JSON Schemas of the protocol's lines, made from the types beside this file.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::{
    BuildParams, CheckParams, EditParams, FromEventParams, Handshake, INITIALIZE, InitializeParams, MessagesParams,
    Method, ModelTextParams, ParseParams, PayloadParams, RefusalKind, ReplyParams, Response, SourcesParams,
    StreamParams, SubmitParams, code,
};

/// The schema of a line that the suite sends.
#[must_use]
pub fn request_schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let mut lines = vec![request::<InitializeParams>(&mut generator, INITIALIZE)];
    for method in Method::ALL {
        let name = method.name();
        lines.push(match method {
            Method::OpenuiParse => request::<ParseParams>(&mut generator, name),
            Method::OpenuiStream => request::<StreamParams>(&mut generator, name),
            Method::OpenuiBuild => request::<BuildParams>(&mut generator, name),
            Method::OpenuiModelText => request::<ModelTextParams>(&mut generator, name),
            Method::OpenuiFromEvent => request::<FromEventParams>(&mut generator, name),
            Method::ToonuiReply => request::<ReplyParams>(&mut generator, name),
            Method::ToonuiSubmit => request::<SubmitParams>(&mut generator, name),
            Method::ToonuiToContent
            | Method::ToonuiToDisplayContent
            | Method::ToonuiToModelMessage
            | Method::ToonuiToUiMessage => request::<PayloadParams>(&mut generator, name),
            Method::GlossenValidate | Method::GlossenToModelMessages => request::<MessagesParams>(&mut generator, name),
            Method::GlossenCheck => request::<CheckParams>(&mut generator, name),
            Method::GlossenSources => request::<SourcesParams>(&mut generator, name),
            Method::GlossenEdit => request::<EditParams>(&mut generator, name),
        });
    }
    document("A line that the suite sends to an adapter", lines, generator)
}

/// The schema of a line that an adapter answers.
#[must_use]
pub fn answer_schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let results = [generator.subschema_for::<Handshake>(), generator.subschema_for::<Response>()];
    let result = line(json!({ "result": { "anyOf": results } }), &["result"]);
    let kinds: Vec<&str> = RefusalKind::ALL.into_iter().map(RefusalKind::name).collect();
    let refusal = error(code::REFUSAL, json!({ "kind": { "enum": kinds } }), &["kind"]);
    let unsupported = error(code::UNSUPPORTED, json!({ "reason": { "type": "string" } }), &["reason"]);
    let not_offered = error(code::METHOD_NOT_FOUND, json!({}), &[]);
    document("A line that an adapter answers", vec![result, refusal, unsupported, not_offered], generator)
}

fn request<P: JsonSchema>(generator: &mut SchemaGenerator, method: &str) -> Value {
    let params = generator.subschema_for::<P>();
    line(json!({ "method": { "const": method }, "params": params }), &["method", "params"])
}

fn error(code: i64, data: Value, required: &[&str]) -> Value {
    let mut error = json!({
        "type": "object",
        "properties": { "code": { "const": code }, "message": { "type": "string" } },
        "required": ["code", "message"],
    });
    if !required.is_empty() {
        error["properties"]["data"] = json!({ "type": "object", "properties": data, "required": required });
        error["required"] = json!(["code", "message", "data"]);
    }
    line(json!({ "error": error }), &["error"])
}

fn line(mut properties: Value, required: &[&str]) -> Value {
    properties["jsonrpc"] = json!({ "const": "2.0" });
    properties["id"] = json!({ "type": "integer", "minimum": 0 });
    let required: Vec<&str> = ["jsonrpc", "id"].iter().chain(required).copied().collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn document(title: &str, lines: Vec<Value>, mut generator: SchemaGenerator) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "anyOf": lines,
        "$defs": generator.take_definitions(true),
    })
}
