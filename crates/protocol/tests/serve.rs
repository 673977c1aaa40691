//! Lines that an adapter gets, and what it answers.

use genui_json::Json;
use genui_protocol::{
    Adapter, Answer, FaultKind, Handshake, ImplementationInfo, InitializeParams, NoResult, Refusal, RefusalKind,
    VERSION, read_answer, serve,
};

/// Returns the params of `echo`, and has an error for each other method.
struct Echo;

impl Adapter for Echo {
    fn initialize(&mut self, requested: &InitializeParams) -> Handshake {
        Handshake {
            protocol: VERSION,
            implementation: ImplementationInfo { name: "echo".to_owned(), version: None, language: None },
            methods: vec!["echo".to_owned()],
            profiles: vec![requested.profile.clone()],
            choices: requested.choices.clone(),
            omits: Vec::new(),
        }
    }

    fn answer(&mut self, method: &str, params: &str) -> Result<Json, NoResult> {
        match method {
            "echo" => Ok(genui_json::parse(params).expect("params are JSON")),
            "refuse" => Err(Refusal::new(RefusalKind::ForgedMarker, "line 2 is a marker").into()),
            "partly" => Err(NoResult::Unsupported("no streaming".to_owned())),
            _ => Err(NoResult::NoSuchMethod),
        }
    }
}

fn output(input: &[u8]) -> String {
    let mut output = Vec::new();
    serve(&mut Echo, input, &mut output).expect("a list takes all bytes");
    String::from_utf8(output).expect("answers are ASCII")
}

fn request(method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"{method}\",\"params\":{params}}}\n")
}

/// Sends a request, and reads the answer as the suite does.
fn answer(method: &str, params: &str) -> Answer {
    let line = output(request(method, params).as_bytes());
    let answered = read_answer(line.trim_end().as_bytes()).expect("is an answer");
    assert_eq!(answered.id, 7);
    answered.answer
}

#[test]
fn each_outcome_arrives_as_it_was_sent() {
    assert_eq!(
        answer("echo", r#"{"a":"\ud800"}"#),
        Answer::Result(genui_json::parse(r#"{"a":"\ud800"}"#).expect("is JSON"))
    );
    let refusal = Answer::Refusal { kind: "forged-marker".to_owned(), message: "line 2 is a marker".to_owned() };
    assert_eq!(answer("refuse", "{}"), refusal);
    assert_eq!(answer("partly", "{}"), Answer::Unsupported("no streaming".to_owned()));
    assert_eq!(answer("unknown", "{}"), Answer::NoSuchMethod);
}

#[test]
fn a_handshake_contains_what_was_requested() {
    let Answer::Result(handshake) = answer("initialize", r#"{"protocol":1,"suite":"0.1.0","profile":"chat"}"#) else {
        panic!("expected a handshake");
    };
    assert_eq!(handshake.get("profiles").map(Json::to_ascii).as_deref(), Some(r#"["chat"]"#));
    assert!(handshake.get("omits").is_none(), "an empty list is left out");
}

#[test]
fn lines_that_are_no_request_get_an_error_and_the_next_line_is_answered() {
    let deep = request("echo", &format!("{{\"a\":{}{}}}", "[".repeat(1000), "]".repeat(1000)));
    let lines: [(&[u8], &str); 6] = [
        (b"\xff\n", r#""id":null,"error":{"code":-32700,"#),
        (b"{\n", r#""id":null,"error":{"code":-32700,"#),
        (b"\n", r#""id":null,"error":{"code":-32700,"#),
        (b"{\"id\":3}\n", r#""id":3,"error":{"code":-32600,"#),
        (b"{\"id\":4,\"method\":\"initialize\"}\n", r#""id":4,"error":{"code":-32600,"#),
        (deep.as_bytes(), r#""id":7,"error":{"code":-32600,"#),
    ];
    for (line, expected) in lines {
        let both = output(&[line, request("echo", "{}").as_bytes()].concat());
        let answers: Vec<&str> = both.lines().collect();
        assert_eq!(answers.len(), 2, "{both}");
        assert!(answers[0].contains(expected), "expected {expected}, but found {}", answers[0]);
        assert_eq!(answers[1], r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    }
}

#[test]
fn a_notification_has_no_answer_and_the_last_line_needs_no_line_feed() {
    assert_eq!(output(br#"{"jsonrpc":"2.0","method":"echo","params":{}}"#), "");
    assert_eq!(output(br#"{"id":1,"method":"echo"}"#), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

#[test]
fn a_line_that_is_no_answer_is_a_fault_that_quotes_it() {
    let fault = |line: &str| read_answer(line.as_bytes()).expect_err("is no answer");
    assert_eq!(fault("Listening on 3000").kind, FaultKind::Malformed);
    assert!(fault("Listening on 3000").detail.ends_with("Listening on 3000"), "{}", fault("Listening on 3000").detail);
    assert_eq!(fault(r#"{"jsonrpc":"2.0","id":"7","result":1}"#).kind, FaultKind::UnexpectedId);
    assert_eq!(fault(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))).kind, FaultKind::Malformed);
    assert!(fault(&"x".repeat(1 << 20)).detail.len() < 1000, "a long line is shortened");
}
