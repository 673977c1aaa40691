//! The body of every property. Property tests call these with generated inputs, fuzz targets with the fuzzer's, and the
//! regression tests with the inputs that either has found. Each must hold for every input.

mod glossen;

pub use glossen::{messages_are_validated_and_used, sources_are_pages};

use std::collections::BTreeMap;

use crate::adapter::{Answer, FaultKind, read_line};
use crate::case::{Case, Corpus, Expectation, Outcome, Place, lint, read_case};
use crate::json::{self, Json};
use crate::naive;
use crate::openui::choices::{EmptyContext, ForgedMarker, NotWritable};
use crate::openui::{
    Attributes, Context, Draft, DraftContext, LineKind, Message, Mode, Options, StreamReader, build, model_text, parse,
    parse_streaming, trace,
};
use crate::openui::{PREFIX, Profile, Role};
use crate::protocol::code;
use crate::toonui;

/// Checks that the fast reader returns the same as the oracle, for a whole message and for one that streams.
///
/// # Panics
///
/// When the two disagree.
pub fn reads_as_the_rules_say(raw: &str, options: &Options) {
    for mode in [Mode::Whole, Mode::Streaming] {
        let fast = match mode {
            Mode::Whole => parse(raw, options),
            Mode::Streaming => parse_streaming(raw, options),
        };
        let mut slow = naive::read(raw, mode, options);
        if let Some(text) = &slow.context
            && !text.is_empty()
        {
            let context = fast.context_json();
            assert!(
                json::json_equal(&context, &naive::context(text, options)),
                "context {context:?} of {raw:?} with {options:?}"
            );
        }
        if slow.context.as_deref() == Some("") && is_empty_context_absent(options) {
            slow.context = None;
        }
        let fast = naive::Reading {
            content: fast.content.to_string(),
            context: fast.context.as_ref().map(|context| context.as_text().to_owned()),
            attributes: fast.attributes.as_text().to_owned(),
            end: fast.end,
        };
        assert_eq!(fast, slow, "{mode:?} of {raw:?} with {options:?}");
    }
}

/// Checks that reading chunk by chunk returns after each chunk the same as streaming reading of the text so far, and at
/// the end the same as reading the whole. `cuts` are byte offsets; those that are no character boundary are ignored.
///
/// # Panics
///
/// When the two disagree.
pub fn stream_equals_whole(raw: &str, cuts: &[usize], options: &Options) {
    let mut cuts: Vec<usize> = cuts.iter().copied().filter(|cut| raw.is_char_boundary(*cut)).collect();
    cuts.push(raw.len());
    cuts.sort_unstable();
    let mut reader = StreamReader::new(*options);
    let mut from = 0;
    for cut in cuts {
        reader.push(&raw[from..cut]);
        from = cut;
        let whole = parse_streaming(&raw[..cut], options);
        assert_same(&reader.message(), &whole, raw, options);
    }
    assert_same(&reader.whole(), &parse(raw, options), raw, options);
}

/// Checks that a message that can be written reads back equal. A refused message is written if a choice allows it, and
/// is then listed among those that do not read back. Numbers read back as the choice says.
///
/// # Panics
///
/// When a message that was written reads back as another, or a refusal is not among the reasons of one that is not
/// refused.
pub fn written_reads_back(
    content: &str,
    context: &Json,
    attributes: &[(String, String)],
    end: bool,
    options: &Options,
) {
    let draft = Draft { content, context: DraftContext::from(context), attributes, end };
    let built = match build(&draft, options) {
        Ok(built) => built,
        Err(refusal) => {
            let mut writing = *options;
            writing.choices.forged_marker = ForgedMarker::Written;
            writing.choices.not_writable = NotWritable::Written;
            let built = build(&draft, &writing).expect("nothing is refused any more");
            assert!(built.written_anyway.contains(&refusal), "{refusal} in {:?}", built.message);
            return;
        }
    };
    if !built.written_anyway.is_empty() {
        return;
    }
    let message = parse(&built.message, options);
    assert_eq!(message.content, content, "content of {:?}", built.message);
    let expected = naive::with_numbers(context, options);
    assert!(json::json_equal(&message.context_json(), &expected), "context of {:?} with {options:?}", built.message);
    assert_eq!(message.attributes.decode(), attributes.iter().map(|(n, v)| (n.into(), v.into())).collect::<Vec<_>>());
    assert_eq!(message.end, end, "end of {:?}", built.message);
}

/// Checks that a message that was read is written, if it can be, and reads the same; written once more it is the same
/// text.
///
/// # Panics
///
/// When reading gives something else, or writing does.
pub fn read_is_rewritten(raw: &str, options: &Options) {
    let parts = |message: &Message<'_>| (message.context_json(), pairs(&message.attributes), message.end);
    let rewritten = |message: &Message<'_>| {
        let (context, attributes, end) = parts(message);
        let draft =
            Draft { content: &message.content, context: DraftContext::from(&context), attributes: &attributes, end };
        build(&draft, options).ok().filter(|built| built.written_anyway.is_empty()).map(|built| built.message)
    };
    let first = parse(raw, options);
    let Some(written) = rewritten(&first) else { return };
    let second = parse(&written, options);
    assert_eq!(first.content, second.content, "content of {raw:?}, written as {written:?}");
    assert_eq!(parts(&first), parts(&second), "{raw:?}, written as {written:?} with {options:?}");
    assert_eq!(rewritten(&second).as_ref(), Some(&written), "{raw:?}, written again with {options:?}");
}

/// Checks that the attributes of a text, and of the content marker to which it is appended, are those of the oracle,
/// and pair by pair those of the URL Standard's crate.
///
/// # Panics
///
/// When the readings disagree.
pub fn attributes_read_as_the_rules_say(text: &str, options: &Options) {
    let theirs: Vec<(String, String)> =
        form_urlencoded::parse(text.as_bytes()).map(|(name, value)| (name.into(), value.into())).collect();
    assert_eq!(naive::pairs(text), theirs, "pairs of {text:?}");
    // A LF ends the marker line, and a content marker in the text may start another one: what is decoded is what the
    // reader takes for the attributes, and that is all of the text where it holds neither.
    let raw = format!("]]>openui:content?{text}");
    let message = parse(&raw, options);
    if !text.contains('\n') && !text.contains(PREFIX) {
        assert_eq!(message.attributes.as_text(), text);
    }
    let expected = naive::attributes(message.attributes.as_text(), options);
    assert_eq!(pairs(&message.attributes), expected, "attributes of {raw:?} with {options:?}");
}

/// Checks that in the chat, a text reads as the rules on the older envelope say; in the other profiles, a text without
/// the prefix is its own content, whatever it looks like.
///
/// # Panics
///
/// When the readings disagree.
pub fn envelope_reads_as_the_rules_say(raw: &str, options: &Options) {
    for profile in Profile::ALL {
        let options = Options { profile, ..*options };
        reads_as_the_rules_say(raw, &options);
        if profile != Profile::Chat && !raw.contains(PREFIX) {
            let message = parse(raw, &options);
            assert_eq!(message.content, raw, "content in {profile}");
            assert!(message.context.is_none() && !message.end, "more than content in {raw:?}, {profile}");
        }
    }
}

/// Checks that a case file is refused with a place in it, or loads as a case that can be run; the places of lint are in
/// the file too.
///
/// # Panics
///
/// When a place is none of the file, or a case cannot be run as it was loaded.
pub fn case_file_loads_or_says_why(bytes: &[u8]) {
    // Text that is no UTF-8 is refused when files are read, before it is parsed as a case.
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    match read_case("openui/fuzz/case", source) {
        Err(error) => {
            assert!(is_in(error.place, source), "{error} is not a place in {source:?}");
            assert!(!error.message.is_empty());
        }
        Ok(case) => {
            can_be_run(&case);
            let aliases = BTreeMap::from([("openui/fuzz/old".to_owned(), case.id.clone())]);
            let corpus = Corpus { cases: vec![case], aliases };
            for finding in lint(&corpus) {
                assert!(is_in(finding.place, source), "{} is not a place in {source:?}", finding.place);
                assert_eq!(finding.id, corpus.cases[0].id, "{}", finding.message);
            }
        }
    }
}

/// Checks what the runner assumes about a case.
fn can_be_run(case: &Case) {
    for params in case.requests() {
        assert!(!params.contains(['\n', '\r']), "params on more than one line: {params:?}");
        let request = (case.method.params.check)(params);
        assert!(request.is_ok(), "params that are no request: {params:?}");
        // One level less than a line, which contains them.
        let value = json::parse_within(params, json::MAX_DEPTH - 1);
        assert!(value.is_ok(), "params that no line can hold: {value:?}");
    }
    match &case.expectation {
        Expectation::Answer(options) => {
            assert!(!options.is_empty(), "a case without an option");
            for option in options {
                assert_eq!(option.choices.is_empty(), options.len() == 1, "choices of {options:?}");
                if let Outcome::Result(result) = &option.outcome {
                    for matcher in &case.matchers {
                        assert!(matcher.pointer.find(result).is_some(), "{matcher:?} has no place in {result:?}");
                    }
                }
            }
        }
        Expectation::Scale(scale) => {
            assert!(scale.times.len() > 1 && !scale.unit.is_empty() && case.matchers.is_empty(), "{scale:?}");
        }
    }
}

/// Whether the text has a line of this number, and a character or an end at this column of it.
fn is_in(place: Place, text: &str) -> bool {
    let line = place.line.checked_sub(1).and_then(|before| text.split('\n').nth(before));
    // The JSON reader counts bytes, and stops after the invalid one.
    place.column > 0 && line.is_some_and(|line| place.column <= line.len() + 1)
}

/// Checks that a line of an adapter is refused with a short error, or is an answer that nests no deeper than a line
/// may. For lines that `serde_json` can read, its values decide which are valid.
///
/// # Panics
///
/// When the two disagree, or an answer nests too deep.
pub fn a_line_reads_or_is_refused(line: &[u8]) {
    let read = read_line(line);
    if let Ok((_, Answer::Result(result))) = &read {
        // The line itself is one level.
        assert!(depth(result) < json::MAX_DEPTH, "a result of {} levels", depth(result));
    }
    let Ok(theirs) = serde_json::from_slice::<serde_json::Value>(line) else { return };
    let expected = expected_answer(&theirs);
    match (&read, expected) {
        (Ok((id, answer)), Ok((expected_id, expected))) => {
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
    let garbage = Err(FaultKind::Garbage);
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
        Some(id) => id.as_u64().map(|id| (id, expected)).ok_or(FaultKind::WrongId),
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

/// Checks that with every LF a CRLF, a message reads the same, with CRLF in its bodies. Holds for messages without a CR
/// and without text after an end line.
///
/// # Panics
///
/// When the two disagree.
pub fn line_endings_do_not_matter(raw: &str, options: &Options) {
    let lines = trace(raw, Mode::Whole, options);
    let text_behind_end =
        lines.windows(2).any(|pair| pair[0].rule == "openui.read.end" && pair[1].kind != LineKind::Marker);
    if raw.contains('\r') || text_behind_end || (options.profile == Profile::Chat && !raw.contains(PREFIX)) {
        return;
    }
    let with_crlf = raw.replace('\n', "\r\n");
    let (lf, crlf) = (parse(raw, options), parse(&with_crlf, options));
    assert_eq!(lf.content.replace('\n', "\r\n"), crlf.content, "content of {raw:?}");
    let context =
        |message: &Message<'_>| message.context.as_ref().map(|context: &Context<'_>| context.as_text().to_owned());
    assert_eq!(context(&lf).map(|text| text.replace('\n', "\r\n")), context(&crlf), "context of {raw:?}");
    assert_eq!(lf.attributes.decode(), crlf.attributes.decode(), "attributes of {raw:?}");
    assert_eq!(lf.end, crlf.end, "end of {raw:?}");
}

/// Checks that no function of the reference panics on a text, that its trace covers the text without a gap, and that no
/// marker line appears in the content.
///
/// # Panics
///
/// When one of these does not hold.
pub fn any_text_reads(raw: &str, options: &Options) {
    for mode in [Mode::Whole, Mode::Streaming] {
        let lines = trace(raw, mode, options);
        let mut from = 0;
        for line in &lines {
            assert_eq!(line.span.start, from, "gap in the trace of {raw:?}");
            from = line.span.end;
        }
        assert_eq!(from, raw.len(), "the trace of {raw:?} ends early");
    }
    let message = parse(raw, options);
    let _ = (message.context_json(), message.attributes.decode());
    for role in [Role::Assistant, Role::User] {
        let _ = model_text(raw, role, options);
    }
}

fn pairs(attributes: &Attributes<'_>) -> Vec<(String, String)> {
    attributes.decode().into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}

fn assert_same(left: &Message<'_>, right: &Message<'_>, raw: &str, options: &Options) {
    let parts = |message: &Message<'_>| {
        (
            message.content.to_string(),
            message.context.as_ref().map(|context| context.as_text().to_owned()),
            message.attributes.as_text().to_owned(),
            message.end,
        )
    };
    assert_eq!(parts(left), parts(right), "{raw:?} with {options:?}");
}

fn is_empty_context_absent(options: &Options) -> bool {
    options.choices.empty_context == EmptyContext::Absent
}

/// Checks that the content of a payload reads back as the payload, without the members that it drops. If a raw field
/// has a line break or is no string, or entries are those of no object, it reads as another payload or not at all. A
/// payload that was read has that content again. The lines of the trace are the content.
///
/// # Panics
///
/// When it reads back otherwise.
pub fn content_reads_back(payload: &Json) {
    let Ok(content) = toonui::to_content(payload) else {
        assert_eq!(toonui::recoverable(payload), None, "of {payload:?}");
        return;
    };
    let read = toonui::read_content(&content);
    if let Some(expected) = toonui::recoverable(payload) {
        assert_eq!(read.as_ref().map(Json::to_compact), Ok(expected.to_compact()), "{content:?}");
        let forged = toonui::forgeries(payload).expect("a content has its forgeries");
        let breaks = forged.iter().filter(|forgery| forgery.kind == toonui::ForgeryKind::ForgesLine);
        assert_eq!(breaks.count(), 0, "{content:?}");
    }
    if let Ok(read) = read {
        assert_eq!(toonui::to_content(&read).as_ref(), Ok(&content), "of {read:?}");
    }
    let lines = toonui::trace_content(payload).expect("a content has lines");
    let ends: Vec<usize> = lines.iter().map(|line| line.span.end).collect();
    let starts: Vec<usize> = lines.iter().map(|line| line.span.start).collect();
    assert_eq!(starts[1..], ends[..ends.len() - 1], "{content:?}");
    assert_eq!((starts[0], ends.last().copied()), (0, Some(content.len())), "{content:?}");
}

/// Checks that a text is the content of the payload that is read from it, or is refused with a line of it.
///
/// # Panics
///
/// When what is read has another content, or the line is none of the text.
pub fn text_is_the_content_of_what_is_read(text: &str) {
    match toonui::read_content(text) {
        Ok(payload) => {
            assert_eq!(toonui::to_content(&payload).as_deref(), Ok(text), "{payload:?}");
            assert_eq!(toonui::recoverable(&payload).as_ref(), Some(&payload), "{text:?}");
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!((1..=lines + 1).contains(&error.line()), "{error} of {text:?}");
        }
    }
}
