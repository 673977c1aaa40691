//! The oracle for OpenUI against the reference, on generated requests: every method, and every choice.

use std::env;

use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::generate::{Draw, DrawExt, Seeded, mutated_request, request};
use genui_conform::settled::is_askable;
use genui_json::{Json, parse as parse_json};
use genui_openui::choices::{
    Choices, CrAtEnd, DuplicateAttribute, EmptyContext, EmptyMessage, EmptyName, ForgedMarker, HoldImpossible,
    LegacyStreaming, MidLineCrAtEnd, MidLinePartial, NotWritable, Numbers, SeveralContexts, StaleEnd, TextContext,
};
use genui_openui::{
    ActionEvent, CONTEXT_LABEL, Draft, DraftContext, Mode, Options, Profile, Role, build, from_event, model_text, parse,
};
use genui_testkit::oracle::openui as oracle;
use genui_testkit::properties::openui as properties;

/// The number of requests of each method. `GENUI_CONFORM_REQUESTS` sets another one.
const REQUESTS: usize = 4_000;

/// A profile and choices, each of which is drawn.
fn options(draw: &mut Seeded) -> Options {
    let choices = Choices {
        cr_at_end: draw.pick(&[CrAtEnd::Marker, CrAtEnd::Text]),
        mid_line_cr_at_end: draw.pick(&[MidLineCrAtEnd::Text, MidLineCrAtEnd::Marker]),
        several_contexts: draw.pick(&[SeveralContexts::Last, SeveralContexts::First]),
        stale_end: draw.pick(&[StaleEnd::Counts, StaleEnd::Ignored]),
        empty_context: draw.pick(&[EmptyContext::EmptyString, EmptyContext::Absent]),
        numbers: draw.pick(&[Numbers::Exact, Numbers::Double, Numbers::ExactIntegers]),
        duplicate_attribute: draw.pick(&[DuplicateAttribute::Last, DuplicateAttribute::First]),
        empty_name: draw.pick(&[EmptyName::Dropped, EmptyName::Kept]),
        hold_impossible: draw.pick(&[HoldImpossible::Held, HoldImpossible::Shown]),
        mid_line_partial: draw.pick(&[MidLinePartial::Shown, MidLinePartial::Held]),
        forged_marker: draw.pick(&[ForgedMarker::Refused, ForgedMarker::Written]),
        not_writable: draw.pick(&[NotWritable::Refused, NotWritable::Written]),
        text_context: draw.pick(&[TextContext::Text, TextContext::JsonString]),
        empty_message: draw.pick(&[EmptyMessage::ContentLine, EmptyMessage::NoContentLine]),
        legacy_streaming: draw.pick(&[LegacyStreaming::Raw, LegacyStreaming::Held]),
    };
    Options { profile: draw.pick(&Profile::ALL), choices }
}

/// Params of a method: from the grammar, or mutated.
fn params(draw: &mut Seeded, method: Method) -> Json {
    loop {
        let input = request(draw, method);
        let params = if draw.one_in(3) {
            let other = request(draw, method);
            mutated_request(draw, &input, &other).params
        } else {
            input.params
        };
        if is_askable(method, &params) {
            return params;
        }
    }
}

fn text<'p>(params: &'p Json, name: &str) -> &'p str {
    params.get(name).and_then(Json::as_str).expect("is a string")
}

fn value(params: &Json, name: &str) -> Json {
    params.get(name).cloned().unwrap_or(Json::Null)
}

fn agree_on(name: &str, check: impl Fn(&Json, &Options)) {
    let count: usize = match env::var("GENUI_CONFORM_REQUESTS") {
        Ok(count) => count.parse().expect("GENUI_CONFORM_REQUESTS is a whole number"),
        Err(_) => REQUESTS,
    };
    let method = FORMATS.method(name).expect("is a method");
    let mut draw = Seeded::new(17);
    for _ in 0..count {
        let options = options(&mut draw);
        check(&params(&mut draw, method), &options);
    }
}

#[test]
fn messages_are_read_by_the_rules() {
    agree_on("openui.parse", |params, options| {
        let raw = text(params, "raw");
        properties::reader_matches_oracle(raw, options);
        properties::attributes_match_oracle(parse(raw, options).attributes.as_text(), options);
        properties::parse_build_round_trip(raw, options);
    });
}

#[test]
fn streams_are_read_by_the_rules() {
    agree_on("openui.stream", |params, options| {
        let Some(Json::Array(chunks)) = params.get("chunks") else { panic!("{params:?} has chunks") };
        let mut raw = String::new();
        let mut cuts = Vec::new();
        for chunk in chunks {
            raw.push_str(chunk.as_str().expect("a chunk is a string"));
            cuts.push(raw.len());
            // A long message in many chunks would be read too often.
            if raw.len() < 2_000 {
                properties::reader_matches_oracle(&raw, options);
            }
        }
        properties::reader_matches_oracle(&raw, options);
        properties::stream_matches_whole(&raw, &cuts, options);
    });
}

#[test]
fn written_messages_read_back() {
    agree_on("openui.build", |params, options| {
        let pair = |pair: &Json| match pair {
            Json::Array(pair) => {
                let part = |at: usize| pair[at].as_str().expect("is a string").to_owned();
                (part(0), part(1))
            }
            other => panic!("{other:?} is a pair"),
        };
        let attributes: Vec<(String, String)> = match params.get("attributes") {
            Some(Json::Array(pairs)) => pairs.iter().map(pair).collect(),
            _ => Vec::new(),
        };
        let end = params.get("end") == Some(&Json::Bool(true));
        let (content, context) = (text(params, "content"), value(params, "context"));
        properties::build_parse_round_trip(content, &context, &attributes, end, options);
        // `openui.build.layout`, where each part is written as it is.
        let draft = Draft { content, context: DraftContext::from(&context), attributes: &attributes, end };
        let Ok(built) = build(&draft, options) else { return };
        let first = if attributes.is_empty() { "]]>openui:content\n" } else { "]]>openui:content?" };
        let rest = built.message.strip_prefix(first).expect("begins with a content marker");
        let rest = if attributes.is_empty() { rest } else { rest.split_once('\n').expect("the line ends").1 };
        let rest = rest.strip_prefix(content).expect("the content follows as it is");
        let rest = if end { rest.strip_suffix("\n]]>openui:end").expect("ends with an end line") } else { rest };
        match &context {
            Json::Null => assert_eq!(rest, ""),
            Json::String(_) => assert_eq!(rest.strip_prefix("\n]]>openui:context\n"), context.as_str()),
            _ => assert!(rest.starts_with("\n]]>openui:context\n")),
        }
    });
}

#[test]
fn texts_for_the_model_follow_the_rules() {
    agree_on("openui.model_text", |params, options| {
        let raw = text(params, "raw");
        let reading = oracle::read(raw, Mode::Whole, options);
        assert_eq!(model_text(raw, Role::Assistant, options), reading.content, "{raw:?} with {options:?}");
        let found = model_text(raw, Role::User, options);
        let is_absent = options.choices.empty_context == EmptyContext::Absent;
        let context = reading.context.as_deref().filter(|text| !(text.is_empty() && is_absent));
        let value = context.map(|text| oracle::context(text, options));
        match (context, value) {
            (None, _) | (_, None | Some(Json::Null)) => assert_eq!(found, reading.content, "{raw:?} with {options:?}"),
            (Some(text), Some(value)) => {
                let label = format!("{}{CONTEXT_LABEL}", reading.content);
                let after = found.strip_prefix(&label).unwrap_or_else(|| panic!("{label:?} of {raw:?}: {found:?}"));
                let as_text = options.choices.text_context == TextContext::Text && parse_json(text).is_err();
                if as_text {
                    assert_eq!(after, text, "{raw:?} with {options:?}");
                } else {
                    let after = parse_json(after).unwrap_or_else(|error| panic!("{error} in {after:?}"));
                    assert!(genui_json::json_equal(&after, &value), "{after:?} of {raw:?} with {options:?}");
                }
            }
        }
    });
}

#[test]
fn turns_are_messages_with_a_list() {
    agree_on("openui.from_event", |params, options| {
        let message = text(params, "message");
        let (form_state, context) = (value(params, "form_state"), value(params, "context"));
        let mut items = vec![Json::from(format!("User clicked: {message}"))];
        match (&form_state, &context) {
            (Json::Null, Json::Null) => {}
            (Json::Null, _) => items.extend([Json::Object(Vec::new()), context.clone()]),
            (_, Json::Null) => items.push(form_state.clone()),
            _ => items.extend([form_state.clone(), context.clone()]),
        }
        let list = Json::Array(items);
        properties::build_parse_round_trip(message, &list, &[], false, options);
        let draft = Draft { content: message, context: DraftContext::from(&list), attributes: &[], end: false };
        let expected = build(&draft, options).map(|built| built.message);
        let event = ActionEvent { message, form_state: Some(&form_state), context: Some(&context) };
        let found = from_event(&event, options).map(|built| built.message);
        let is_short = message.is_empty() && options.choices.empty_message == EmptyMessage::NoContentLine;
        match (found, expected) {
            (Ok(found), Ok(expected)) if is_short => {
                assert_eq!(Some(&found[..]), expected.strip_prefix("]]>openui:content\n"));
            }
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (found, expected) => assert_eq!(found.is_err(), expected.is_err(), "{params:?} with {options:?}"),
        }
    });
}
