//! Explains an OpenUI message, line by line.

use std::borrow::Cow;
use std::rc::Rc;

use crate::explain::{Detail, Explanation, Fact, FactValue, Part, Warning, other_choices};
use crate::formats::openui::open_points as points;
use crate::json::Json;
use crate::openui::{
    AttributePair, Effect, LineAnalysis, LineKind, LineRole, MarkerAnalysis, Message, Mode, Options, SectionKind,
    SectionName, analyze,
};

/// Explains the message of a request that has one in `raw`.
pub(super) fn of_parse(params: &Json, options: &crate::settings::Settings) -> Option<Explanation<'static>> {
    let streams = params.get("streaming") == Some(&Json::Bool(true));
    let mode = if streams { Mode::Streaming } else { Mode::Whole };
    Some(explain_openui(params.get("raw")?.as_str()?, mode, &super::reader_options(options)).into_owned())
}

/// Explains the whole message of a request that has it in chunks.
pub(super) fn of_stream(params: &Json, options: &crate::settings::Settings) -> Option<Explanation<'static>> {
    let Some(Json::Array(chunks)) = params.get("chunks") else { return None };
    let raw: String = chunks.iter().filter_map(Json::as_str).collect();
    Some(explain_openui(&raw, Mode::Whole, &super::reader_options(options)).into_owned())
}

/// Explains each line of a stored message. Every string can be read; the time is proportional to its length.
#[must_use]
pub fn explain_openui<'a>(raw: &'a str, mode: Mode, options: &Options) -> Explanation<'a> {
    let analysis = analyze(raw, mode, options);
    let mut warnings = Vec::new();
    let mut parts = Vec::with_capacity(analysis.lines.len());
    let mut section: Option<(SectionName, Rc<str>)> = None;
    for line in analysis.lines {
        warn(&line, parts.last(), &mut warnings);
        // The lines of a section share its name.
        let of = line.section.map(|name| match &section {
            Some((known, text)) if *known == name => Rc::clone(text),
            _ => Rc::clone(&section.insert((name, name.to_string().into())).1),
        });
        parts.push(part(raw, line, of));
    }
    let rules = [analysis.content_rule, analysis.context_rule, analysis.end_rule];
    let explanation = Explanation::new(super::FORMAT, parts, Ok(facts(analysis.message, rules)), warnings);
    Explanation {
        profile: Some(options.profile.name()),
        streaming: mode == Mode::Streaming,
        choices: other_choices(points::OPEN_POINTS, |rule| points::chosen(&options.choices, rule)),
        ..explanation
    }
}

/// The message, and the rules for its content, its context and its end.
fn facts<'a>(message: Message<'a>, [content_rule, context_rule, end_rule]: [&'static str; 3]) -> Vec<Fact<'a>> {
    let attributes = FactValue::Pairs(message.attributes.decode());
    let context = match message.context_json() {
        // Null and none are the same answer.
        Json::Null => FactValue::None,
        context => FactValue::Json(context.to_ascii()),
    };
    vec![
        Fact::new("content", FactValue::Text(message.content), Some(content_rule)),
        Fact::new("attributes", attributes, None),
        Fact::new("context", context, Some(context_rule)),
        Fact::new("end", FactValue::Flag(message.end), Some(end_rule)),
    ]
}

fn part<'a>(raw: &'a str, line: LineAnalysis<'a>, section: Option<Rc<str>>) -> Part<'a> {
    let LineAnalysis { line, mut also, role, .. } = line;
    also.insert(0, line.rule);
    let (kind, details) = match role {
        LineRole::Marker(marker) => (marker_name(marker.effect), details(*marker)),
        LineRole::Text(_) => (line.kind.name(), Vec::new()),
    };
    Part {
        line: Some(line.number),
        at: None,
        bytes: Some(line.span.clone()),
        kind,
        section,
        rules: also,
        text: Cow::Borrowed(&raw[line.span]),
        details,
    }
}

fn marker_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Content | Effect::ShadowedContent => "content marker",
        Effect::Context | Effect::DroppedContext(_) => "context marker",
        Effect::End | Effect::StaleEnd => "end line",
        Effect::Unknown => "unknown marker",
    }
}

fn details(marker: MarkerAnalysis<'_>) -> Vec<Detail<'_>> {
    let counts = marker.effect == Effect::Content;
    let detail = |pair: AttributePair<'_>| {
        let kind = match (counts, pair.counts, pair.name.is_empty()) {
            (false, ..) => "attribute without effect",
            (true, true, _) => "attribute",
            (true, false, true) if !pair.also.contains(&"openui.attributes.duplicate") => "dropped attribute",
            (true, false, _) => "shadowed attribute",
        };
        let first = if counts { "openui.attributes.decode" } else { "openui.attributes.winner" };
        let rules = std::iter::once(first).chain(pair.also).collect();
        Detail { kind, name: owned(pair.name), value: Some(owned(pair.value)), rules }
    };
    marker.attributes.into_iter().map(detail).collect()
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// Adds warnings about a line that is easily misread. `before` is the part before it.
fn warn(line: &LineAnalysis<'_>, before: Option<&Part<'_>>, warnings: &mut Vec<Warning>) {
    let mut warn = |message: &str, rule| {
        warnings.push(Warning { line: Some(line.line.number), at: None, message: message.to_owned(), rule });
    };
    match &line.role {
        LineRole::Marker(marker) => {
            if marker.moved {
                let message = "the content marker is in the middle of a line, and is read as if it began one";
                warn(message, "openui.marker.mid-line-content");
            }
            match marker.effect {
                Effect::ShadowedContent => {
                    let message = "this content section is dropped, since a later one wins";
                    warn(message, "openui.read.last-content-wins");
                }
                Effect::DroppedContext(rule) => {
                    let why = match rule {
                        "openui.read.context-before-content" => "since it is before the content that wins",
                        _ => "since another one counts",
                    };
                    warn(&format!("this context section is dropped, {why}"), rule);
                }
                Effect::StaleEnd => {
                    let message = "this end line is before the content that wins";
                    warn(message, "openui.read.stale-end");
                }
                Effect::Unknown => {
                    warn("this section is of an unknown kind, and is ignored", "openui.read.unknown-kind");
                }
                Effect::Content | Effect::Context | Effect::End => {}
            }
            if marker.effect == Effect::Content {
                for pair in marker.attributes.iter().filter(|pair| !pair.counts) {
                    // The name is whatever the message contains; the code that prints the sentence escapes it.
                    let name = Json::from(&*pair.name).to_ascii();
                    if pair.also.contains(&"openui.attributes.duplicate") {
                        let message = format!("the attribute {name} is given again, and this value does not count");
                        warn(&message, "openui.attributes.duplicate");
                    } else {
                        warn("an attribute without a name is dropped", "openui.attributes.empty-name");
                    }
                }
            }
        }
        LineRole::Text(Some(rule)) => {
            warn("this line contains the prefix of a marker, and is text nevertheless", rule);
        }
        LineRole::Text(None) => {}
    }
    let is_first = |rule: &str| before.is_none_or(|before| !before.rules.contains(&rule));
    let drops_leading = line.line.kind == LineKind::Ignored
        && line.section.is_some_and(|section| section.kind == SectionKind::Leading)
        && before.is_none();
    if drops_leading {
        warn("the text before the first marker is dropped, since a content marker follows", "openui.read.leading-text");
    }
    if line.line.kind == LineKind::Envelope && before.is_none() {
        warn("this message is read as an older envelope", line.line.rule);
    }
    for (rule, message) in [
        ("openui.legacy.core", "this text is an older envelope in the profile chat, and plain text in this one"),
        (
            "openui.legacy.prefix-first",
            "the prefix of a marker keeps this message from being read as an older envelope",
        ),
    ] {
        if line.also.contains(&rule) && is_first(rule) {
            warn(message, rule);
        }
    }
}
