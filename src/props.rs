//! The body of every property. Property tests call these with what they generate, fuzz targets with what they
//! are given; both are to hold for every input.

use crate::json::Json;
use crate::naive;
use crate::openui::{
    Context, Draft, DraftContext, LineKind, Message, Mode, Options, StreamReader, build, model_text, parse,
    parse_streaming, trace,
};
use crate::openui::{PREFIX, Profile, Role};

/// The fast reader gives what the naive one gives, of a whole message and of one that streams.
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
        // In the chat a message that does not hold the prefix may be an envelope, which the oracle does not know.
        if options.profile == Profile::Chat && !raw.contains(PREFIX) && raw.contains("<cont") {
            continue;
        }
        let mut slow = naive::read(raw, mode, options);
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

/// Reading chunk by chunk gives after each chunk what streaming reading of the text so far gives, and at the
/// end what reading the whole gives. `cuts` are byte offsets; those that are no character boundary are passed over.
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

/// What can be written reads back equal; what is refused is refused for a reason that holds.
///
/// # Panics
///
/// When a message that was written reads back as another.
pub fn written_reads_back(
    content: &str,
    context: &Json,
    attributes: &[(String, String)],
    end: bool,
    options: &Options,
) {
    let draft = Draft { content, context: DraftContext::of(context), attributes, end };
    let Ok(built) = build(&draft, options) else { return };
    if !built.written_anyway.is_empty() {
        return;
    }
    let message = parse(&built.message, options);
    assert_eq!(message.content, content, "content of {:?}", built.message);
    assert_eq!(message.context_json(), *context, "context of {:?}", built.message);
    assert_eq!(message.attributes.decode(), attributes.iter().map(|(n, v)| (n.into(), v.into())).collect::<Vec<_>>());
    assert_eq!(message.end, end, "end of {:?}", built.message);
}

/// With every LF a CRLF, a message reads the same, with CRLF in its bodies. Holds for messages without a CR and
/// without text behind an end line.
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

/// Nothing that is asked of the reader about a text panics, its trace covers the text without a gap, and no
/// marker line comes out as content.
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
    crate::openui::OpenPoint::of("openui.context.empty").is_some_and(|point| point.chosen(&options.choices) == "absent")
}
