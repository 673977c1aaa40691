//! The property of reading the lines of adapters.

use genui_json::{self as json, Json};
use genui_protocol::{Answer, Answered, FaultKind, code, read_answer};

/// Checks that a line of an adapter is refused with a short error, or is an answer that nests no deeper than a line
/// may. For lines that `serde_json` can read, its values decide which are valid.
///
/// # Panics
///
/// When the two disagree, or an answer nests too deep.
pub fn answer_line_parses_or_is_malformed(line: &[u8]) {
    let read = read_answer(line);
    if let Ok(Answered { answer: Answer::Result(result), .. }) = &read {
        // The line itself is one level.
        assert!(depth(result) < json::MAX_DEPTH, "a result of {} levels", depth(result));
    }
    let Ok(theirs) = serde_json::from_slice::<serde_json::Value>(line) else { return };
    let expected = expected_answer(&theirs);
    match (&read, expected) {
        (Ok(Answered { id, answer }), Ok((expected_id, expected))) => {
            assert_eq!(*id, expected_id, "id of {theirs}");
            let same = match (answer, &expected) {
                (Answer::Result(result), Expected::Result(expected)) => {
                    serde_json::from_str::<serde_json::Value>(&result.to_compact()).is_ok_and(|ours| ours == **expected)
                }
                (Answer::Refusal { kind, message }, Expected::Refusal(expected)) => [kind, message] == expected[..],
                (Answer::Unsupported(reason), Expected::Unsupported(expected)) => reason == expected,
                (Answer::NoSuchMethod, Expected::NoSuchMethod) => true,
                (Answer::Fault(fault), Expected::Error) => fault.kind == FaultKind::Error,
                _ => false,
            };
            assert!(same, "expected {expected:?} of {theirs}, but found {answer:?}");
        }
        (Err(fault), Err(kind)) => assert_eq!(fault.kind, kind, "{theirs}: {}", fault.detail),
        (_, expected) => panic!("expected {expected:?} of {theirs}, but found {read:?}"),
    }
}

/// Returns what a line contains, by `serde_json`'s values.
#[derive(Debug)]
enum Expected<'v> {
    Result(&'v serde_json::Value),
    Refusal([&'v str; 2]),
    Unsupported(&'v str),
    NoSuchMethod,
    Error,
}

fn expected_answer(line: &serde_json::Value) -> Result<(u64, Expected<'_>), FaultKind> {
    let garbage = Err(FaultKind::Malformed);
    let members = line.as_object().filter(|members| members.get("jsonrpc").is_some_and(|version| version == "2.0"));
    let Some(members) = members else { return garbage };
    let expected = match (members.get("result"), members.get("error")) {
        (Some(result), None) => Expected::Result(result),
        (None, Some(error)) => {
            let number = error.get("code").and_then(serde_json::Value::as_i64);
            let (Some(number), Some(message)) = (number, error.get("message").and_then(|message| message.as_str()))
            else {
                return garbage;
            };
            let data = |name: &str| error.get("data")?.get(name)?.as_str();
            match (number, data("kind")) {
                (code::REFUSAL, Some(kind)) => Expected::Refusal([kind, message]),
                (code::UNSUPPORTED, _) => Expected::Unsupported(data("reason").unwrap_or(message)),
                (code::METHOD_NOT_FOUND, _) => Expected::NoSuchMethod,
                _ => Expected::Error,
            }
        }
        _ => return garbage,
    };
    match members.get("id") {
        None => garbage,
        Some(id) => id.as_u64().map(|id| (id, expected)).ok_or(FaultKind::UnexpectedId),
    }
}

/// Returns how deep a value nests, without recursion, so that a reader that allows too much fails instead of
/// overflowing.
fn depth(value: &Json) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 0)];
    while let Some((value, level)) = open.pop() {
        deepest = deepest.max(level);
        match value {
            Json::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Json::Object(members) => open.extend(members.iter().map(|(_, value)| (value, level + 1))),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
    deepest
}
