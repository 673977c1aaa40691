//! The methods of OpenUI stored messages, a row each.

use super::{explain, generate, shape, wire};
use crate::format::{Echo, MethodDef, ParamsDef, ResultDef, Sample, json_params, schema_of};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::OpenuiParse,
        params: ParamsDef::of::<wire::ParseParams>(),
        result: ResultDef {
            schema: schema_of::<wire::ParseResult>,
            members: wire::MESSAGE_MEMBERS,
            check: wire::check_parse,
        },
        generate: generate::parse,
        explain: explain::of_parse,
        from_text: |text, streaming| Ok(raw(text, streaming)),
        reads_streaming: true,
        shape: shape::message,
        samples: &[
            Sample { name: "a plain request", params: r#"{"raw":"Good morning"}"#, feature: None },
            Sample {
                name: "while more may come",
                params: r#"{"raw":"Good mor","streaming":true}"#,
                feature: Some("streaming"),
            },
            Sample {
                name: "a member that is null",
                params: r#"{"raw":"Good morning","streaming":null}"#,
                feature: None,
            },
        ],
        echo: Some(Echo { params: |text| raw(text, false), text: |result| result.get("content")?.as_str() }),
        with_value: None,
    },
    MethodDef {
        method: Method::OpenuiStream,
        params: ParamsDef::of::<wire::StreamParams>(),
        result: ResultDef {
            schema: schema_of::<wire::StreamResult>,
            members: wire::STREAM_MEMBERS,
            check: wire::check_stream,
        },
        generate: generate::stream,
        explain: explain::of_stream,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::message,
        samples: &[Sample { name: "a plain request", params: r#"{"chunks":["Good mor","","ning"]}"#, feature: None }],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::OpenuiBuild,
        params: ParamsDef::of::<wire::BuildParams>(),
        result: ResultDef {
            schema: schema_of::<wire::WrittenResult>,
            members: &["message"],
            check: wire::check_written,
        },
        generate: generate::build,
        explain: |_, _| None,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::message,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"content":"root = Form([guests])","context":{"guests":2},"attributes":[["lang","pt"]],"end":true}"#,
            feature: None,
        }],
        echo: None,
        with_value: Some(|value| format!(r#"{{"content":"Book","context":{value}}}"#)),
    },
    MethodDef {
        method: Method::OpenuiModelText,
        params: ParamsDef::of::<wire::ModelTextParams>(),
        result: ResultDef { schema: schema_of::<wire::TextResult>, members: &["text"], check: wire::check_model_text },
        generate: generate::model_text,
        explain: explain::of_parse,
        from_text: |text, _| Ok(Json::object([("raw", text.into()), ("role", "assistant".into())])),
        reads_streaming: false,
        shape: shape::message,
        samples: &[Sample { name: "a plain request", params: r#"{"raw":"Two guests","role":"user"}"#, feature: None }],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::OpenuiFromEvent,
        params: ParamsDef::of::<wire::FromEventParams>(),
        result: ResultDef {
            schema: schema_of::<wire::WrittenResult>,
            members: &["message"],
            check: wire::check_written,
        },
        generate: generate::from_event,
        explain: |_, _| None,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::message,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"message":"Book","form_state":{"guests":2}}"#,
            feature: None,
        }],
        echo: None,
        with_value: Some(|value| format!(r#"{{"message":"Book","context":{value}}}"#)),
    },
];

/// Params that have a message.
fn raw(text: &str, streaming: bool) -> Json {
    let raw = ("raw", text.into());
    if streaming { Json::object([raw, ("streaming", true.into())]) } else { Json::object([raw]) }
}
