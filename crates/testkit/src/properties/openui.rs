//! Properties of reading and writing OpenUI messages.

use genui_json::{self as json, Json};
use genui_openui::choices::{EmptyContext, ForgedMarker, NotWritable};
use genui_openui::{
    Attributes, Context, Draft, DraftContext, LineKind, Message, Mode, Options, PREFIX, Profile, Role, StreamReader,
    build, model_text, parse, parse_streaming, trace,
};

use crate::oracle::openui as oracle;

/// Checks that the fast reader returns the same as the oracle, for a whole message and for one that streams.
///
/// # Panics
///
/// When the two disagree.
pub fn reader_matches_oracle(raw: &str, options: &Options) {
    for mode in [Mode::Whole, Mode::Streaming] {
        let fast = match mode {
            Mode::Whole => parse(raw, options),
            Mode::Streaming => parse_streaming(raw, options),
        };
        let mut slow = oracle::read(raw, mode, options);
        if let Some(text) = &slow.context
            && !text.is_empty()
        {
            let context = fast.context_json();
            assert!(
                json::json_equal(&context, &oracle::context(text, options)),
                "context {context:?} of {raw:?} with {options:?}"
            );
        }
        if slow.context.as_deref() == Some("") && is_empty_context_absent(options) {
            slow.context = None;
        }
        let fast = oracle::Reading {
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
pub fn stream_matches_whole(raw: &str, cuts: &[usize], options: &Options) {
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
pub fn build_parse_round_trip(
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
    let expected = oracle::with_numbers(context, options);
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
pub fn parse_build_round_trip(raw: &str, options: &Options) {
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
pub fn attributes_match_oracle(text: &str, options: &Options) {
    let theirs: Vec<(String, String)> =
        form_urlencoded::parse(text.as_bytes()).map(|(name, value)| (name.into(), value.into())).collect();
    assert_eq!(oracle::pairs(text), theirs, "pairs of {text:?}");
    // A LF ends the marker line, and a content marker in the text may start another one: what is decoded is what the
    // reader takes for the attributes, and that is all of the text where it holds neither.
    let raw = format!("]]>openui:content?{text}");
    let message = parse(&raw, options);
    if !text.contains('\n') && !text.contains(PREFIX) {
        assert_eq!(message.attributes.as_text(), text);
    }
    let expected = oracle::attributes(message.attributes.as_text(), options);
    assert_eq!(pairs(&message.attributes), expected, "attributes of {raw:?} with {options:?}");
}

/// Checks that in the chat, a text reads as the rules on the older envelope say; in the other profiles, a text without
/// the prefix is its own content, whatever it looks like.
///
/// # Panics
///
/// When the readings disagree.
pub fn envelope_matches_oracle(raw: &str, options: &Options) {
    for profile in Profile::ALL {
        let options = Options { profile, ..*options };
        reader_matches_oracle(raw, &options);
        if profile != Profile::Chat && !raw.contains(PREFIX) {
            let message = parse(raw, &options);
            assert_eq!(message.content, raw, "content in {profile}");
            assert!(message.context.is_none() && !message.end, "more than content in {raw:?}, {profile}");
        }
    }
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
pub fn parse_accepts_any_text(raw: &str, options: &Options) {
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
