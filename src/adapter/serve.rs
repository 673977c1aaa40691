//! The other end of the protocol: the reference, or a mutant, as an adapter.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::engine::Engine;
use crate::format::Reference;
use crate::formats::FORMATS;
use crate::json::{self, Json};
use crate::protocol::{INITIALIZE, InitializeParams, code};
use crate::settings::Settings;

/// A request line. Unknown members are ignored, as in JSON-RPC.
#[derive(Deserialize)]
struct RequestLine<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Answers requests until the input ends. Options that are `None` are taken from the handshake; given options apply
/// whatever the handshake requests.
///
/// # Errors
///
/// If reading or writing fails; a broken pipe ends it without an error.
pub fn serve(engine: Engine, input: impl Read, mut output: impl Write, options: Option<Settings>) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let fixed = options.is_some();
    let options = options.unwrap_or_default();
    let mut server = Server { session: engine.start(&options), engine, options, fixed };
    let mut line = Vec::new();
    let mut out = String::new();
    let done = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        other => other.map(|()| false),
    };
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return done(output.flush()).map(|_| ());
        }
        out.clear();
        server.answer(&line, &mut out);
        if done(output.write_all(out.as_bytes()))? {
            return Ok(());
        }
        // Answers to requests that came together are written together.
        if !input.buffer().contains(&b'\n') && done(output.flush())? {
            return Ok(());
        }
    }
}

struct Server {
    session: Box<dyn Reference>,
    engine: Engine,
    options: Settings,
    fixed: bool,
}

impl Server {
    fn answer(&mut self, line: &[u8], out: &mut String) {
        let null = "null";
        let Ok(text) = std::str::from_utf8(line) else {
            return error(out, null, code::PARSE_ERROR, "expected UTF-8", None);
        };
        let request: RequestLine<'_> = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(why) if why.is_data() => {
                let id = json::parse(text).ok().and_then(|value| value.get("id").map(Json::to_ascii));
                let id = id.as_deref().unwrap_or(null);
                return error(out, id, code::INVALID_REQUEST, &format!("expected a request: {why}"), None);
            }
            Err(why) => return error(out, null, code::PARSE_ERROR, &format!("expected JSON: {why}"), None),
        };
        // A notification gets no answer.
        let Some(id) = request.id.map(RawValue::get) else { return };
        let params = request.params.map_or("{}", RawValue::get);
        // One level for the request, so that a line is within the limit as a whole.
        if let Err(why) = json::parse_within(params, json::MAX_DEPTH - 1)
            && why.is_too_deep()
        {
            return error(out, id, code::INVALID_REQUEST, &why.to_string(), None);
        }
        if request.method == INITIALIZE {
            return self.initialize(id, params, out);
        }
        let Some(method) = FORMATS.method(&request.method) else {
            return error(out, id, code::METHOD_NOT_FOUND, &format!("no method {}", request.method), None);
        };
        match self.session.answer(method, params) {
            Ok(json) => result(out, id, &json.to_ascii()),
            Err(refusal) => {
                let data = Json::object([("kind", refusal.kind.name().into())]);
                error(out, id, code::REFUSAL, &refusal.message, Some(&data));
            }
        }
    }

    fn initialize(&mut self, id: &str, params: &str, out: &mut String) {
        let asked: InitializeParams = match serde_json::from_str(params) {
            Ok(asked) => asked,
            Err(why) => return error(out, id, code::INVALID_REQUEST, &format!("expected a handshake: {why}"), None),
        };
        if !self.fixed {
            // A profile or choice that cannot be followed is ignored; the answer lists the ones that apply.
            self.options = Settings::of(asked.profile.parse().unwrap_or_default());
            for (rule, name) in &asked.choices {
                let _ = self.options.choose(rule, name);
            }
            self.session = self.engine.start(&self.options);
        }
        let mut handshake = self.engine.handshake(&self.options);
        if self.fixed {
            handshake.profiles = vec![self.options.profile().name().to_owned()];
        }
        match serde_json::to_string(&handshake) {
            Ok(handshake) => result(out, id, &handshake),
            Err(why) => error(out, id, code::INVALID_REQUEST, &why.to_string(), None),
        }
    }
}

fn result(out: &mut String, id: &str, result: &str) {
    out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
    out.push_str(id);
    out.push_str(",\"result\":");
    out.push_str(result);
    out.push_str("}\n");
}

fn error(out: &mut String, id: &str, code: i64, message: &str, data: Option<&Json>) {
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
