//! The oracle of ToonUI: what `spec/toonui.md` says, sentence by sentence. It shares no code with [`genui_toonui`].

mod event;
mod javascript;
mod message;
mod reading;
mod text;

pub use reading::{read_back, recoverable};
pub use text::{content, display_content};

use genui_json::Json;

/// What an implementation has to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result. At a volatile place it has one of the texts that are right there.
    pub result: Json,
    /// The places that no rule fixes to one text.
    pub volatile: Vec<Volatile>,
}

/// A place of a result where every text is right that the pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volatile {
    /// The JSON pointer of the text.
    pub at: &'static str,
    /// The regular expression, in the syntax that `spec/case-format.md` allows.
    pub pattern: &'static str,
}

/// The kind of a refusal, as the adapter protocol spells it.
pub type Refusal = &'static str;

/// Returns the right answer to a request, or `None` if no rule of ToonUI is about the method.
///
/// Where a rule leaves a result unspecified, the answer is one of those that it allows.
#[must_use]
pub fn answer(method: &str, params: &Json) -> Option<Result<Answer, Refusal>> {
    let answer = match method {
        "toonui.reply" => event::reply(params),
        "toonui.submit" => event::submit(params),
        "toonui.to_content" => accepted(params).map(|payload| one("text", content(payload).into())),
        "toonui.to_display_content" => accepted(params).map(|payload| one("text", display_content(payload).into())),
        "toonui.to_model_message" => accepted(params).map(|payload| one("message", message::for_model(payload))),
        "toonui.to_ui_message" => accepted(params).map(|payload| one("message", message::for_ui(payload))),
        _ => return None,
    };
    Some(answer)
}

/// `toonui.input.missing`: the payload of the params, unless the four methods that take one refuse it.
fn accepted(params: &Json) -> Result<&Json, Refusal> {
    let payload = params.get("payload").ok_or("bad-params")?;
    let is_object = matches!(payload, Json::Object(_));
    let has_values = !matches!(payload.get("values"), None | Some(Json::Null));
    if is_object && (is_reply(payload) || has_values) { Ok(payload) } else { Err("bad-payload") }
}

/// `toonui.content.kind`: anything but a reply is treated as a submit.
fn is_reply(payload: &Json) -> bool {
    payload.get("kind").and_then(Json::as_str) == Some("ui_reply")
}

/// A result with one member and no volatile place.
fn one(member: &str, value: Json) -> Answer {
    Answer { result: Json::object([(member, value)]), volatile: Vec::new() }
}
