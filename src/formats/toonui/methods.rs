//! The methods of ToonUI events and messages, a row each.

use super::{explain, generate, shape, wire};
use crate::format::{Echo, MethodDef, ParamsDef, ResultDef, Sample, json_member, json_params, schema_of};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::ToonuiReply,
        params: ParamsDef::of::<wire::ReplyParams>(),
        result: ResultDef {
            schema: schema_of::<wire::PayloadResult>,
            members: &["payload"],
            check: wire::check_payload,
        },
        generate: generate::reply,
        explain: |_, _| None,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::value,
        samples: &[Sample { name: "a plain request", params: r#"{"value":"Book"}"#, feature: None }],
        echo: Some(Echo {
            params: |text| Json::object([("value", text.into())]),
            text: |result| result.get("payload")?.get("value")?.as_str(),
        }),
        with_value: None,
    },
    MethodDef {
        method: Method::ToonuiSubmit,
        params: ParamsDef::of::<wire::SubmitParams>(),
        result: ResultDef {
            schema: schema_of::<wire::PayloadResult>,
            members: &["payload"],
            check: wire::check_payload,
        },
        generate: generate::submit,
        explain: |_, _| None,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::value,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"intent":"book","values":{"guests":2}}"#,
            feature: None,
        }],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::ToonuiToContent,
        params: ParamsDef::of::<wire::PayloadParams>(),
        result: ResultDef {
            schema: schema_of::<wire::TextResult>,
            members: &["text"],
            check: wire::check_payload_text,
        },
        generate: generate::written,
        explain: explain::of_payload,
        from_text: |text, _| json_member("payload", text),
        reads_streaming: false,
        shape: shape::value,
        samples: &[PAYLOAD],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::ToonuiToDisplayContent,
        params: ParamsDef::of::<wire::PayloadParams>(),
        result: ResultDef {
            schema: schema_of::<wire::TextResult>,
            members: &["text"],
            check: wire::check_payload_text,
        },
        generate: generate::written,
        explain: explain::of_payload,
        from_text: |text, _| json_member("payload", text),
        reads_streaming: false,
        shape: shape::value,
        samples: &[PAYLOAD],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::ToonuiToModelMessage,
        params: ParamsDef::of::<wire::PayloadParams>(),
        result: ResultDef {
            schema: schema_of::<wire::MessageResult>,
            members: &["message"],
            check: wire::check_message,
        },
        generate: generate::carried,
        explain: explain::of_payload,
        from_text: |text, _| json_member("payload", text),
        reads_streaming: false,
        shape: shape::value,
        samples: &[PAYLOAD],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::ToonuiToUiMessage,
        params: ParamsDef::of::<wire::PayloadParams>(),
        result: ResultDef {
            schema: schema_of::<wire::MessageResult>,
            members: &["message"],
            check: wire::check_message,
        },
        generate: generate::written,
        explain: explain::of_payload,
        from_text: |text, _| json_member("payload", text),
        reads_streaming: false,
        shape: shape::value,
        samples: &[PAYLOAD],
        echo: None,
        with_value: None,
    },
];

/// A request of each method that takes a payload.
const PAYLOAD: Sample = Sample {
    name: "a plain request",
    params: r#"{"payload":{"kind":"ui_reply","eventId":"reply_1","value":"Book","source":"button","component":"button"}}"#,
    feature: None,
};
