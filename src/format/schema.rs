//! JSON Schemas of the protocol's lines, made from the types beside this file.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::Formats;
use crate::protocol::{Handshake, INITIALIZE, InitializeParams, RefusalKind, code};

/// The schema of a line that the suite sends.
#[must_use]
pub fn request_schema(formats: Formats) -> Value {
    let mut generator = SchemaGenerator::default();
    let params = generator.subschema_for::<InitializeParams>();
    let mut lines = vec![request(INITIALIZE, params)];
    for method in formats.methods() {
        let params = (method.params.schema)(&mut generator);
        lines.push(request(method.name(), params));
    }
    document("A line that the suite sends to an adapter", lines, generator)
}

/// The schema of a line that an adapter answers.
#[must_use]
pub fn answer_schema(formats: Formats) -> Value {
    let mut generator = SchemaGenerator::default();
    let mut results = vec![generator.subschema_for::<Handshake>()];
    for method in formats.methods() {
        let result = (method.result.schema)(&mut generator);
        if !results.contains(&result) {
            results.push(result);
        }
    }
    let result = line(json!({ "result": { "anyOf": results } }), &["result"]);
    let kinds: Vec<&str> = RefusalKind::ALL.iter().map(|kind| kind.name()).collect();
    let refusal = error(code::REFUSAL, json!({ "kind": { "enum": kinds } }), &["kind"]);
    let unsupported = error(code::UNSUPPORTED, json!({ "reason": { "type": "string" } }), &["reason"]);
    let not_offered = error(code::METHOD_NOT_FOUND, json!({}), &[]);
    document("A line that an adapter answers", vec![result, refusal, unsupported, not_offered], generator)
}

fn request(method: &str, params: Schema) -> Value {
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
