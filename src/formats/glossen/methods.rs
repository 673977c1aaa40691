//! The methods of the Glossen message contract, a row each.

use super::{explain, generate, shape, wire};
use crate::format::{Echo, MethodDef, ParamsDef, ResultDef, Sample, json_member, json_params, schema_of};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::GlossenValidate,
        params: ParamsDef::of::<wire::MessagesParams>(),
        result: ResultDef {
            schema: schema_of::<wire::ValidateResult>,
            members: &["accepted", "messages"],
            check: wire::check_validate,
        },
        generate: generate::validate,
        explain: explain::of_messages,
        from_text: |text, _| json_member("messages", text),
        reads_streaming: false,
        shape: shape::messages,
        samples: &[MESSAGES],
        echo: Some(Echo {
            params: |text| {
                let part = Json::object([("type", "text".into()), ("text", text.into())]);
                let parts = ("parts", Json::Array(vec![part]));
                let message = Json::object([("id", "q".into()), ("role", "user".into()), parts]);
                Json::object([("messages", Json::Array(vec![message]))])
            },
            text: |result| first(first(result.get("messages")?)?.get("parts")?)?.get("text")?.as_str(),
        }),
        with_value: None,
    },
    MethodDef {
        method: Method::GlossenCheck,
        params: ParamsDef::of::<wire::CheckParams>(),
        result: ResultDef {
            schema: schema_of::<wire::CheckResult>,
            members: &["violations"],
            check: wire::check_check,
        },
        generate: generate::check,
        explain: explain::of_check,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::messages,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"message":{"id":"a","role":"assistant","parts":[{"type":"text","text":"Every night."}]}}"#,
            feature: None,
        }],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::GlossenToModelMessages,
        params: ParamsDef::of::<wire::MessagesParams>(),
        result: ResultDef {
            schema: schema_of::<wire::MessagesResult>,
            members: &["messages"],
            check: wire::check_messages,
        },
        generate: generate::to_model_messages,
        explain: explain::of_messages,
        from_text: |text, _| json_member("messages", text),
        reads_streaming: false,
        shape: shape::messages,
        samples: &[MESSAGES],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::GlossenSources,
        params: ParamsDef::of::<wire::SourcesParams>(),
        result: ResultDef {
            schema: schema_of::<wire::SourcesResult>,
            members: &["sources"],
            check: wire::check_sources,
        },
        generate: generate::sources,
        explain: |_, _| None,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::messages,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"answer":"See [backups](/backups).","origin":"https://docs.example","pages":[{"url":"/backups","title":"Backups","anchors":[]}]}"#,
            feature: None,
        }],
        echo: None,
        with_value: None,
    },
    MethodDef {
        method: Method::GlossenEdit,
        params: ParamsDef::of::<wire::EditParams>(),
        result: ResultDef {
            schema: schema_of::<wire::MessagesResult>,
            members: &["messages"],
            check: wire::check_messages,
        },
        generate: generate::edit,
        explain: explain::of_messages,
        from_text: json_params,
        reads_streaming: false,
        shape: shape::messages,
        samples: &[Sample {
            name: "a plain request",
            params: r#"{"messages":[{"id":"q","role":"user","parts":[{"type":"text","text":"Bakups?"}]}],"edited":{"id":"q","role":"user","parts":[{"type":"text","text":"Backups?"}]}}"#,
            feature: None,
        }],
        echo: None,
        with_value: None,
    },
];

/// A request of each method that takes messages alone.
const MESSAGES: Sample = Sample {
    name: "a plain request",
    params: r#"{"messages":[{"id":"q","role":"user","parts":[{"type":"text","text":"How do backups work?"}]}]}"#,
    feature: None,
};

fn first(list: &Json) -> Option<&Json> {
    match list {
        Json::Array(items) => items.first(),
        _ => None,
    }
}
