//! The payloads of new events (`toonui.event.*`).

use genui_json::Json;

use super::{Answer, Refusal, Volatile};

/// `toonui.event.reply`
pub(super) fn reply(params: &Json) -> Result<Answer, Refusal> {
    let value = string(params, "value")?;
    // `toonui.event.defaults`: without a context it is `{}`, and null is a context.
    let context = params.get("context").cloned().unwrap_or(Json::Object(Vec::new()));
    let payload = Json::object([
        ("kind", "ui_reply".into()),
        ("eventId", "reply_".into()),
        ("source", "button".into()),
        ("component", "button".into()),
        ("value", value),
        ("context", context),
    ]);
    Ok(event(payload, "^reply_[0-9a-z]{0,8}$"))
}

/// `toonui.event.submit`
pub(super) fn submit(params: &Json) -> Result<Answer, Refusal> {
    let intent = string(params, "intent")?;
    // `toonui.event.defaults`: without values they are `{}`, and null is no values.
    let values = match params.get("values") {
        None | Some(Json::Null) => Json::Object(Vec::new()),
        Some(values) => values.clone(),
    };
    let payload = Json::object([
        ("kind", "ui_submit".into()),
        ("eventId", "submit_".into()),
        ("source", "form".into()),
        ("intent", intent.clone()),
        // `toonui.event.form-title`
        ("formTitle", intent),
        ("values", values),
    ]);
    Ok(event(payload, "^submit_[0-9a-z]{0,8}$"))
}

/// `toonui.event.id`: the id is any text of this form. After the prefix even no character is possible.
fn event(payload: Json, id: &'static str) -> Answer {
    let volatile = vec![Volatile { at: "/payload/eventId", pattern: id }];
    Answer { result: Json::object([("payload", payload)]), volatile }
}

/// A param that has to be a string.
fn string(params: &Json, name: &str) -> Result<Json, Refusal> {
    match params.get(name) {
        Some(string @ Json::String(_)) => Ok(string.clone()),
        _ => Err("bad-params"),
    }
}
