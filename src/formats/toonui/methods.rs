//! The methods of ToonUI events and messages, a row each.

use super::{FORMAT, checks, compare, deciding, explain, generate, growth, places, shape, wire};
use crate::format::places::leaves;
use crate::format::{Echo, Method, MethodDef, ParamsDef, ResultDef, Sample, json_member, json_params, schema_of};
use crate::json::Json;

/// Every method, in the order of the protocol's document.
pub(super) const METHODS: &[Method] = &[REPLY, SUBMIT, TO_CONTENT, TO_DISPLAY_CONTENT, TO_MODEL_MESSAGE, TO_UI_MESSAGE];

/// The payload of a button.
pub const REPLY: Method = Method::new(&REPLY_ROW);

static REPLY_ROW: MethodDef = MethodDef {
    name: "toonui.reply",
    format: FORMAT,
    params: ParamsDef::of::<wire::ReplyParams>(),
    result: ResultDef { schema: schema_of::<wire::PayloadResult>, members: &["payload"], check: wire::check_payload },
    generate: generate::reply,
    checks: Some(checks::ON_EVENT),
    explain: |_, _| None,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::value,
    samples: &[Sample { name: "a plain request", params: r#"{"value":"Book"}"#, feature: None, same_as: None }],
    echo: Some(Echo {
        params: |text| Json::object([("value", text.into())]),
        text: |result| result.get("payload")?.get("value")?.as_str(),
    }),
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[compare::REPLY_ID],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: deciding::of_reply,
    default_rule: "toonui.event.reply",
    growth: growth::REPLY,
    unsupported_reasons: &[],
};

/// The payload of a form.
pub const SUBMIT: Method = Method::new(&SUBMIT_ROW);

static SUBMIT_ROW: MethodDef = MethodDef {
    name: "toonui.submit",
    format: FORMAT,
    params: ParamsDef::of::<wire::SubmitParams>(),
    result: ResultDef { schema: schema_of::<wire::PayloadResult>, members: &["payload"], check: wire::check_payload },
    generate: generate::submit,
    checks: Some(checks::ON_EVENT),
    explain: |_, _| None,
    from_text: json_params,
    reads_streaming: false,
    shape: shape::value,
    samples: &[Sample {
        name: "a plain request",
        params: r#"{"intent":"book","values":{"guests":2}}"#,
        feature: None,
        same_as: None,
    }],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[compare::SUBMIT_ID],
    places: leaves,
    breaks: |_, _| None,
    deciding_rules: deciding::of_submit,
    default_rule: "toonui.event.submit",
    growth: growth::SUBMIT,
    unsupported_reasons: &[],
};

/// The row of the method that writes the compact text. The other methods of a payload say where they differ.
const OF_PAYLOAD: MethodDef = MethodDef {
    name: "toonui.to_content",
    format: FORMAT,
    params: ParamsDef::of::<wire::PayloadParams>(),
    result: ResultDef { schema: schema_of::<wire::TextResult>, members: &["text"], check: wire::check_payload_text },
    generate: generate::written,
    checks: Some(checks::ON_PAYLOAD),
    explain: explain::of_payload,
    from_text: |text, _| json_member("payload", text),
    reads_streaming: false,
    shape: shape::value,
    samples: &[PAYLOAD],
    echo: None,
    with_value: None,
    normalise: Json::clone,
    texts: &[],
    volatile: &[],
    places: places::of_texts,
    breaks: checks::unrecoverable,
    deciding_rules: deciding::of_content,
    default_rule: "toonui.content.layout",
    growth: growth::PAYLOAD,
    unsupported_reasons: &[],
};

/// The compact text of a payload.
pub const TO_CONTENT: Method = Method::new(&TO_CONTENT_ROW);

static TO_CONTENT_ROW: MethodDef = OF_PAYLOAD;

/// The human-readable text of a payload.
pub const TO_DISPLAY_CONTENT: Method = Method::new(&TO_DISPLAY_CONTENT_ROW);

static TO_DISPLAY_CONTENT_ROW: MethodDef = MethodDef {
    name: "toonui.to_display_content",
    breaks: |_, _| None,
    deciding_rules: deciding::of_display,
    default_rule: "toonui.display.layout",
    ..OF_PAYLOAD
};

/// The message for the model that carries a payload.
pub const TO_MODEL_MESSAGE: Method = Method::new(&TO_MODEL_MESSAGE_ROW);

static TO_MODEL_MESSAGE_ROW: MethodDef = MethodDef {
    name: "toonui.to_model_message",
    result: ResultDef { schema: schema_of::<wire::MessageResult>, members: &["message"], check: wire::check_message },
    generate: generate::carried,
    breaks: checks::unrecoverable,
    deciding_rules: deciding::of_model_message,
    default_rule: "toonui.message.model",
    ..OF_PAYLOAD
};

/// The message for a chat's state that carries a payload.
pub const TO_UI_MESSAGE: Method = Method::new(&TO_UI_MESSAGE_ROW);

static TO_UI_MESSAGE_ROW: MethodDef = MethodDef {
    name: "toonui.to_ui_message",
    result: ResultDef { schema: schema_of::<wire::MessageResult>, members: &["message"], check: wire::check_message },
    volatile: &[compare::MESSAGE_ID],
    breaks: checks::unrecoverable,
    deciding_rules: deciding::of_ui_message,
    default_rule: "toonui.message.ui",
    ..OF_PAYLOAD
};

/// A request of each method that takes a payload.
const PAYLOAD: Sample = Sample {
    name: "a plain request",
    params: r#"{"payload":{"kind":"ui_reply","eventId":"reply_1","value":"Book","source":"button","component":"button"}}"#,
    feature: None,
    same_as: None,
};
