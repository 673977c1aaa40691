//! The methods of OpenUI stored messages, a row each.

use super::{FORMAT, checks, compare, deciding, explain, generate, growth, places, shape, unsupported, wire};
use crate::format::places::leaves;
use crate::format::{Echo, Method, MethodDef, ParamsDef, ResultDef, Sample, json_params, no_rules, schema_of};
use crate::json::Json;

/// Every method, in the order of the protocol's document.
pub(super) const METHODS: &[Method] = &[PARSE, STREAM, BUILD, MODEL_TEXT, FROM_EVENT];

/// Reads a stored message.
pub const PARSE: Method = Method::new(&PARSE_ROW);

static PARSE_ROW: MethodDef = MethodDef {
    name: "openui.parse",
    format: FORMAT,
    params: ParamsDef::of::<wire::ParseParams>(),
    result: ResultDef {
        schema: schema_of::<wire::ParseResult>,
        members: wire::MESSAGE_MEMBERS,
        check: wire::check_parse,
    },
    generate: generate::parse,
    checks: Some(checks::ON_MESSAGE),
    explain: explain::of_parse,
    from_text: |text, streaming| Ok(raw(text, streaming)),
    reads_streaming: true,
    shape: shape::message,
    samples: &[
        Sample { name: "a plain request", params: r#"{"raw":"Good morning"}"#, feature: None, same_as: None },
        Sample {
            name: "while more may come",
            params: r#"{"raw":"Good mor","streaming":true}"#,
            feature: Some("streaming"),
            same_as: None,
        },
        Sample {
            name: "a member that is null",
            params: r#"{"raw":"Good morning","streaming":null}"#,
            feature: None,
            same_as: Some(r#"{"raw":"Good morning"}"#),
        },
    ],
    echo: Some(Echo { params: |text| raw(text, false), text: |result| result.get("content")?.as_str() }),
    with_value: None,
    normalise: compare::message,
    texts: &[],
    volatile: &[],
    places: places::parse,
    breaks: |_, _| None,
    deciding_rules: deciding::of_message,
    default_rule: "openui.read.plain-text",
    growth: growth::PARSE,
    unsupported_reasons: &[],
};

/// Reads a message that arrives in chunks.
pub const STREAM: Method = Method::new(&STREAM_ROW);

static STREAM_ROW: MethodDef = MethodDef {
    name: "openui.stream",
    format: FORMAT,
    params: ParamsDef::of::<wire::StreamParams>(),
    result: ResultDef {
        schema: schema_of::<wire::StreamResult>,
        members: wire::STREAM_MEMBERS,
        check: wire::check_stream,
    },
    generate: generate::stream,
    checks: None,
    explain: explain::of_stream,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::message,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"chunks":["Good mor","","ning"]}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: compare::stream,
    texts: &[],
    volatile: &[],
    places: places::stream,
    breaks: |_, _| None,
    deciding_rules: deciding::of_chunks,
    default_rule: "openui.stream.release",
    growth: growth::STREAM,
    unsupported_reasons: &[],
};

/// Writes a stored message.
pub const BUILD: Method = Method::new(&BUILD_ROW);

static BUILD_ROW: MethodDef = MethodDef {
    name: "openui.build",
    format: FORMAT,
    params: ParamsDef::of::<wire::BuildParams>(),
    result: ResultDef { schema: schema_of::<wire::WrittenResult>, members: &["message"], check: wire::check_written },
    generate: generate::build,
    checks: None,
    explain: |_, _| None,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::message,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"content":"root = Form([guests])","context":{"guests":2},"attributes":[["lang","pt"]],"end":true}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: Some(|value| format!(r#"{{"content":"Book","context":{value}}}"#)),
    normalise: Json::clone,
    texts: &[compare::MESSAGE],
    volatile: &[],
    places: places::build,
    breaks: |_, _| None,
    deciding_rules: no_rules,
    default_rule: "openui.build.layout",
    growth: growth::BUILD,
    unsupported_reasons: &[unsupported::UNORDERED_ATTRIBUTES],
};

/// What the model sees of a stored message.
pub const MODEL_TEXT: Method = Method::new(&MODEL_TEXT_ROW);

static MODEL_TEXT_ROW: MethodDef = MethodDef {
    name: "openui.model_text",
    format: FORMAT,
    params: ParamsDef::of::<wire::ModelTextParams>(),
    result: ResultDef { schema: schema_of::<wire::TextResult>, members: &["text"], check: wire::check_model_text },
    generate: generate::model_text,
    checks: None,
    explain: explain::of_parse,
    from_text: |text, _| Ok(Json::object([("raw", text.into()), ("role", "assistant".into())])),
    reads_streaming: false,
    shape: shape::message,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"raw":"Two guests","role":"user"}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[compare::MODEL_TEXT],
    volatile: &[],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: deciding::of_message,
    default_rule: "openui.model.assistant",
    growth: growth::MODEL_TEXT,
    unsupported_reasons: &[],
};

/// The stored turn for an action.
pub const FROM_EVENT: Method = Method::new(&FROM_EVENT_ROW);

static FROM_EVENT_ROW: MethodDef = MethodDef {
    name: "openui.from_event",
    format: FORMAT,
    params: ParamsDef::of::<wire::FromEventParams>(),
    result: ResultDef { schema: schema_of::<wire::WrittenResult>, members: &["message"], check: wire::check_written },
    generate: generate::from_event,
    checks: None,
    explain: |_, _| None,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::message,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"message":"Book","form_state":{"guests":2}}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: Some(|value| format!(r#"{{"message":"Book","context":{value}}}"#)),
    normalise: Json::clone,
    texts: &[compare::MESSAGE],
    volatile: &[],
    places: places::from_event,
    breaks: |_, _| None,
    deciding_rules: no_rules,
    default_rule: "openui.event.turn",
    growth: growth::FROM_EVENT,
    unsupported_reasons: &[],
};

/// Params that have a message.
fn raw(text: &str, streaming: bool) -> Json {
    let raw = ("raw", text.into());
    if streaming { Json::object([raw, ("streaming", true.into())]) } else { Json::object([raw]) }
}
