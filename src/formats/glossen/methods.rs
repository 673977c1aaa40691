//! The methods of the Glossen message contract, a row each.

use super::{FORMAT, checks, compare, deciding, explain, generate, growth, places, shape, wire};
use crate::format::places::leaves;
use crate::format::{
    Echo, Method, MethodDef, ParamsDef, ResultDef, Sample, json_member, json_params, no_rules, schema_of,
};
use crate::json::Json;

/// Every method, in the order of the protocol's document.
pub(super) const METHODS: &[Method] = &[VALIDATE, CHECK, TO_MODEL_MESSAGES, SOURCES, EDIT];

/// Whether a backend accepts messages.
pub const VALIDATE: Method = Method::new(&VALIDATE_ROW);

static VALIDATE_ROW: MethodDef = MethodDef {
    name: "glossen.validate",
    format: FORMAT,
    params: ParamsDef::of::<wire::MessagesParams>(),
    result: ResultDef {
        schema: schema_of::<wire::ValidateResult>,
        members: &["accepted", "messages"],
        check: wire::check_validate,
    },
    generate: generate::validate,
    checks: Some(checks::ON_VALIDATION),
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
    normalise: Json::clone,
    texts: &[],
    volatile: &[],
    places: places::validate,
    breaks: |_, _| None,
    deciding_rules: deciding::of_messages,
    default_rule: "glossen.type.message",
    growth: growth::VALIDATE,
    unsupported_reasons: &[],
};

/// Whether a produced message keeps the contract.
pub const CHECK: Method = Method::new(&CHECK_ROW);

static CHECK_ROW: MethodDef = MethodDef {
    name: "glossen.check",
    format: FORMAT,
    params: ParamsDef::of::<wire::CheckParams>(),
    result: ResultDef { schema: schema_of::<wire::CheckResult>, members: &["violations"], check: wire::check_check },
    generate: generate::check,
    checks: None,
    explain: explain::of_check,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::messages,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"message":{"id":"a","role":"assistant","parts":[{"type":"text","text":"Every night."}]}}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: compare::violations,
    texts: &[],
    volatile: &[],
    places: places::check,
    breaks: |_, _| None,
    deciding_rules: deciding::of_message,
    default_rule: "glossen.user.order",
    growth: growth::CHECK,
    unsupported_reasons: &[],
};

/// What the model gets of messages.
pub const TO_MODEL_MESSAGES: Method = Method::new(&TO_MODEL_MESSAGES_ROW);

static TO_MODEL_MESSAGES_ROW: MethodDef = MethodDef {
    name: "glossen.to_model_messages",
    format: FORMAT,
    params: ParamsDef::of::<wire::MessagesParams>(),
    result: ResultDef {
        schema: schema_of::<wire::MessagesResult>,
        members: &["messages"],
        check: wire::check_messages,
    },
    generate: generate::to_model_messages,
    checks: Some(checks::ON_CONVERSION),
    explain: explain::of_messages,
    from_text: |text, _| json_member("messages", text),
    reads_streaming: false,
    shape: shape::messages,
    samples: &[MESSAGES],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: no_rules,
    default_rule: "glossen.model.shape",
    growth: growth::TO_MODEL_MESSAGES,
    unsupported_reasons: &[],
};

/// The sources of an answer.
pub const SOURCES: Method = Method::new(&SOURCES_ROW);

static SOURCES_ROW: MethodDef = MethodDef {
    name: "glossen.sources",
    format: FORMAT,
    params: ParamsDef::of::<wire::SourcesParams>(),
    result: ResultDef { schema: schema_of::<wire::SourcesResult>, members: &["sources"], check: wire::check_sources },
    generate: generate::sources,
    checks: None,
    explain: |_, _| None,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::messages,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"answer":"See [backups](/backups).","origin":"https://docs.example","pages":[{"url":"/backups","title":"Backups","anchors":[]}]}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: no_rules,
    default_rule: "glossen.sources.resolve",
    growth: growth::SOURCES,
    unsupported_reasons: &[],
};

/// What an edit makes of messages.
pub const EDIT: Method = Method::new(&EDIT_ROW);

static EDIT_ROW: MethodDef = MethodDef {
    name: "glossen.edit",
    format: FORMAT,
    params: ParamsDef::of::<wire::EditParams>(),
    result: ResultDef {
        schema: schema_of::<wire::MessagesResult>,
        members: &["messages"],
        check: wire::check_messages,
    },
    generate: generate::edit,
    checks: Some(checks::ON_EDIT),
    explain: explain::of_messages,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::messages,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"messages":[{"id":"q","role":"user","parts":[{"type":"text","text":"Bakups?"}]}],"edited":{"id":"q","role":"user","parts":[{"type":"text","text":"Backups?"}]}}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: no_rules,
    default_rule: "glossen.edit.replace",
    growth: growth::EDIT,
    unsupported_reasons: &[],
};

/// A request of each method that takes messages alone.
const MESSAGES: Sample = Sample {
    name: "a plain request",
    params: r#"{"messages":[{"id":"q","role":"user","parts":[{"type":"text","text":"How do backups work?"}]}]}"#,
    feature: None,
    same_as: None,
};

fn first(list: &Json) -> Option<&Json> {
    match list {
        Json::Array(items) => items.first(),
        _ => None,
    }
}
