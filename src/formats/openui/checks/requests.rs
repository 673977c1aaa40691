//! The requests that the checks on messages make.

use crate::checks::Request;
use crate::formats::openui::methods;
use crate::json::{Json, JsonString};

pub(super) fn parse(raw: &str, streaming: bool) -> Request {
    let raw = ("raw", Json::from(raw));
    let params = if streaming { Json::object([raw, ("streaming", true.into())]) } else { Json::object([raw]) };
    Request::new(methods::PARSE, &params)
}

pub(super) fn stream<'a>(chunks: impl Iterator<Item = &'a str>) -> Request {
    let params = Json::object([("chunks", Json::Array(chunks.map(Json::from).collect()))]);
    Request::new(methods::STREAM, &params)
}

pub(super) fn build(content: &str, context: &Json, attributes: &[(JsonString, Json)], end: bool) -> Request {
    let pair = |(name, value): &(JsonString, Json)| Json::Array(vec![Json::String(name.clone()), value.clone()]);
    let params = Json::object([
        ("content", content.into()),
        ("context", context.clone()),
        ("attributes", Json::Array(attributes.iter().map(pair).collect())),
        ("end", end.into()),
    ]);
    Request::new(methods::BUILD, &params)
}

pub(super) fn model_text(raw: &str, role: &str) -> Request {
    let params = Json::object([("raw", raw.into()), ("role", role.into())]);
    Request::new(methods::MODEL_TEXT, &params)
}
