//! What an app relies on: values that can be sent between threads, and errors that can be boxed.

use std::error::Error;

use genui_openui::{
    Analysis, Draft, Message, Mode, Options, StreamReader, UnknownName, WriteError, WriteErrorKind, analyze, build,
    parse, parse_streaming,
};

#[test]
fn values_can_be_sent_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Message<'_>>();
    check::<Analysis<'_>>();
    check::<StreamReader>();
    check::<Options>();
    fn boxed<T: Error + Send + Sync + 'static>() {}
    boxed::<WriteError>();
    boxed::<UnknownName>();
}

#[test]
fn an_analysis_outlives_its_options() {
    let stored = String::from("Hi\n]]>openui:end");
    let analysis = {
        let options = Options::default();
        analyze(&stored, Mode::Whole, &options)
    };
    assert_eq!(analysis.message.content, "Hi");
    let spans: Vec<&str> = analysis.lines.iter().map(|line| &stored[line.line.span.clone()]).collect();
    assert_eq!(spans.concat(), stored);
}

#[test]
fn a_stream_reader_equals_parsing_every_prefix() {
    let stored = "a\n]]>openui:content?b=c\r\nd\n]]>openui:context\n{\"e\":1}\n]]>openui:end\nf";
    let options = Options::default();
    let mut reader = StreamReader::new(options);
    let described = |message: Message<'_>| {
        let attributes = message.attributes.as_text().to_owned();
        (message.content.to_string(), message.context_json(), attributes, message.end)
    };
    for (at, character) in stored.char_indices() {
        reader.push(character.encode_utf8(&mut [0; 4]));
        let prefix = &stored[..at + character.len_utf8()];
        assert_eq!(described(reader.message()), described(parse_streaming(prefix, &options)), "{prefix:?}");
    }
    assert_eq!(described(reader.whole()), described(parse(stored, &options)));
}

#[test]
fn a_forged_marker_is_reported_with_its_place() {
    let content = "Hi\n]]>openui:end\n";
    let draft = Draft { content, ..Draft::default() };
    let error = build(&draft, &Options::default()).expect_err("is refused");
    assert_eq!(error.kind(), WriteErrorKind::ForgedMarker);
    assert_eq!(&content[error.span()], "]]>openui:end");
}
