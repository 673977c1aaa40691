//! Lines that an adapter writes: hostile until they have been checked.

use genui_json::{self as json, Json};

use crate::{Answer, Fault, FaultKind, code};

/// An answer, and the id of the request it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The id of the request.
    pub id: u64,
    /// The answer.
    pub answer: Answer,
}

/// Results whose compact text is longer are checked, and then only their start is kept. No case expects a result of
/// this size.
const MAX_KEPT: usize = 1024 * 1024;

/// How much of an invalid line is shown.
const SHOWN: usize = 200;

/// Reads a line that an adapter has written. The line may be hostile: it costs memory in proportion to its length at
/// most, and is read without recursion.
///
/// # Errors
///
/// Returns a fault of the kind [`FaultKind::Malformed`] if the line is not an answer of the protocol, or
/// [`FaultKind::UnexpectedId`] if only its id is wrong. Its details quote the line, and are not escaped.
///
/// # Example
///
/// ```
/// use genui_protocol::{Answer, FaultKind, read_answer};
///
/// let answered = read_answer(br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}"#).unwrap();
/// assert_eq!((answered.id, answered.answer), (7, Answer::NoSuchMethod));
/// assert_eq!(read_answer(b"Listening ...").unwrap_err().kind, FaultKind::Malformed);
/// ```
pub fn read_answer(line: &[u8]) -> Result<Answered, Fault> {
    let garbage = |why: String| {
        let shown = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
        let more = if line.len() > SHOWN { "..." } else { "" };
        Fault::new(FaultKind::Malformed, format!("{why}: {}{more}", shown.trim_end()))
    };
    let text =
        std::str::from_utf8(line).map_err(|_| garbage("expected UTF-8, but the line holds other bytes".to_owned()))?;
    let value = json::parse(text).map_err(|error| {
        let at = &text[text.floor_char_boundary(error.offset())..];
        let not_json = ["NaN", "Infinity", "-Infinity"]
            .into_iter()
            .find(|word| at.starts_with(word) || at.starts_with(&word[1..]));
        let cut_off = error.offset() >= text.trim_end().len();
        garbage(match not_json {
            Some(word) => format!("{word} is no JSON: {error}"),
            None if cut_off => format!("{error}, where the line is over (an answer is one line)"),
            None => error.to_string(),
        })
    })?;
    if value.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
        return Err(garbage("expected an object with `\"jsonrpc\":\"2.0\"`".to_owned()));
    }
    let answer = match (value.get("result"), value.get("error")) {
        // A result of this size is never right and need not be kept whole, since answers wait until all have arrived.
        (Some(result), None) if line.len() > MAX_KEPT && result.to_ascii().len() > MAX_KEPT => {
            Answer::Result(Json::from(format!(
                "a line of {} bytes, which begins {}",
                line.len(),
                &text[..text.floor_char_boundary(SHOWN)]
            )))
        }
        (Some(result), None) => Answer::Result(result.clone()),
        (None, Some(error)) => {
            read_error(error).ok_or_else(|| garbage("expected an error with a code and a message".to_owned()))?
        }
        _ => return Err(garbage("expected either a result or an error".to_owned())),
    };
    match value.get("id") {
        Some(Json::Number(number)) if number.as_str().parse::<u64>().is_ok() => {
            let id = number.as_str().parse().unwrap_or_default();
            Ok(Answered { id, answer })
        }
        Some(other) => {
            let said = match &answer {
                Answer::Fault(fault) => format!(", with the error {}", fault.detail),
                _ => String::new(),
            };
            let detail = format!("expected the id of a request, but found {}{said}", other.to_ascii());
            Err(Fault::new(FaultKind::UnexpectedId, detail))
        }
        None => Err(garbage("expected an id".to_owned())),
    }
}

fn read_error(error: &Json) -> Option<Answer> {
    let code: i64 = match error.get("code")? {
        Json::Number(number) => number.as_str().parse().ok()?,
        _ => return None,
    };
    let message = match error.get("message")? {
        Json::String(message) => message.as_str().map_or_else(|| message.to_string(), str::to_owned),
        _ => return None,
    };
    let data = |name: &str| error.get("data").and_then(|data| data.get(name)).and_then(Json::as_str).map(str::to_owned);
    Some(match (code, data("kind")) {
        (code::REFUSAL, Some(kind)) => Answer::Refusal { kind, message },
        (code::REFUSAL, None) => {
            Answer::Fault(Fault::new(FaultKind::Error, format!("code 1 without `data.kind`: {message}")))
        }
        (code::UNSUPPORTED, _) => Answer::Unsupported(data("reason").unwrap_or(message)),
        (code::METHOD_NOT_FOUND, _) => Answer::NoSuchMethod,
        _ => Answer::Fault(Fault::new(FaultKind::Error, format!("code {code}: {message}"))),
    })
}
