//! The loop of an adapter.

use std::io::{self, BufRead, BufReader, Read, Write};

use genui_json::{self as json, Json};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{Handshake, INITIALIZE, InitializeParams, ParamsError, Refusal, code};

/// An implementation that [`serve`] connects to the suite.
pub trait Adapter {
    /// Begins a session. Returns what the implementation supports. An adapter that cannot follow the requested profile or
    /// choices declares its own.
    fn initialize(&mut self, requested: &InitializeParams) -> Handshake;

    /// Answers a request of any other method. `params` is the JSON text of an object.
    ///
    /// # Errors
    ///
    /// Returns why there is no result.
    fn answer(&mut self, method: &str, params: &str) -> Result<Json, NoResult>;
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoResult {
    /// The rules refuse the request.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// The implementation does not support this request of the method, for this reason.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The implementation does not have the method.
    #[error("no such method")]
    NoSuchMethod,
}

impl From<ParamsError> for NoResult {
    fn from(error: ParamsError) -> NoResult {
        NoResult::Refusal(error.into())
    }
}

/// A request line. Unknown members are ignored, as in JSON-RPC.
#[derive(Deserialize)]
struct RequestLine<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Answers requests until the input ends. Answers are written together if their requests arrive together.
///
/// # Errors
///
/// Returns the error if reading or writing fails. A closed output ends the loop without an error.
pub fn serve(adapter: &mut impl Adapter, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    let mut out = String::new();
    loop {
        line.clear();
        let at_end = input.read_until(b'\n', &mut line)? == 0;
        out.clear();
        if !at_end {
            answer(adapter, &line, &mut out);
        }
        let has_more = input.buffer().contains(&b'\n');
        let written = output.write_all(out.as_bytes()).and_then(|()| if has_more { Ok(()) } else { output.flush() });
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error),
            Ok(()) if at_end => return Ok(()),
            Ok(()) => {}
        }
    }
}

/// Writes the answer to a line. A notification has none.
fn answer(adapter: &mut impl Adapter, line: &[u8], out: &mut String) {
    let null = "null";
    let Ok(text) = std::str::from_utf8(line) else {
        return write_error(out, null, code::PARSE_ERROR, "expected UTF-8", None);
    };
    let request: RequestLine<'_> = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(why) if why.is_data() => {
            let id = json::parse(text).ok().and_then(|value| value.get("id").map(Json::to_ascii));
            let id = id.as_deref().unwrap_or(null);
            return write_error(out, id, code::INVALID_REQUEST, &format!("expected a request: {why}"), None);
        }
        Err(why) => return write_error(out, null, code::PARSE_ERROR, &format!("expected JSON: {why}"), None),
    };
    let Some(id) = request.id.map(RawValue::get) else { return };
    let params = request.params.map_or("{}", RawValue::get);
    // The request is one level itself, and a line as a whole has to stay within the limit.
    if let Err(why) = json::parse_within(params, json::MAX_DEPTH - 1)
        && why.is_too_deep()
    {
        return write_error(out, id, code::INVALID_REQUEST, &why.to_string(), None);
    }
    if request.method == INITIALIZE {
        return initialize(adapter, id, params, out);
    }
    match adapter.answer(&request.method, params) {
        Ok(result) => write_result(out, id, &result.to_ascii()),
        Err(NoResult::Refusal(refusal)) => {
            let data = Json::object([("kind", refusal.kind.name().into())]);
            write_error(out, id, code::REFUSAL, &refusal.message, Some(&data));
        }
        Err(NoResult::Unsupported(reason)) => {
            let data = Json::object([("reason", reason.as_str().into())]);
            write_error(out, id, code::UNSUPPORTED, &reason, Some(&data));
        }
        Err(NoResult::NoSuchMethod) => {
            write_error(out, id, code::METHOD_NOT_FOUND, &format!("no method {}", request.method), None);
        }
    }
}

fn initialize(adapter: &mut impl Adapter, id: &str, params: &str, out: &mut String) {
    let requested: InitializeParams = match serde_json::from_str(params) {
        Ok(requested) => requested,
        Err(why) => return write_error(out, id, code::INVALID_REQUEST, &format!("expected a handshake: {why}"), None),
    };
    match serde_json::to_string(&adapter.initialize(&requested)) {
        Ok(handshake) => write_result(out, id, &handshake),
        Err(why) => write_error(out, id, code::INVALID_REQUEST, &why.to_string(), None),
    }
}

fn write_result(out: &mut String, id: &str, result: &str) {
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(id);
    out.push_str(",\"result\":");
    out.push_str(result);
    out.push_str("}\n");
}

fn write_error(out: &mut String, id: &str, code: i64, message: &str, data: Option<&Json>) {
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(id);
    out.push_str(&format!(",\"error\":{{\"code\":{code},\"message\":"));
    out.push_str(&Json::from(message).to_ascii());
    if let Some(data) = data {
        out.push_str(",\"data\":");
        out.push_str(&data.to_ascii());
    }
    out.push_str("}}\n");
}
