//! The types of parts (`glossen.validate`).

use genui_json::{Json, JsonString};

use super::{Choices, is_object, is_string, items, urls};

/// `glossen.type.parts`: returns a part with the members that its type names, or `None` if it is refused.
pub(super) fn part(given: &Json, choices: Choices<'_>) -> Option<Json> {
    match given.get("type")?.as_str()? {
        // `glossen.type.text`
        "text" => with_state(given),
        "reasoning" => with_state(given),
        "step-start" => Some(only(given, &["type"])),
        "file" => with_strings(given, &["mediaType", "url"], &["filename"]),
        "source-url" => with_strings(given, &["sourceId", "url"], &["title"]),
        "source-document" => with_strings(given, &["sourceId", "mediaType", "title"], &["filename"]),
        "data-page" => data_part(given, |data| page(data, choices)),
        "data-passage" => data_part(given, |data| passage(data, choices)),
        "data-sources" => data_part(given, |data| sources(data, choices)),
        // `glossen.type.unknown-data-part`: whatever its data, and whatever the name is elsewhere.
        unknown if unknown.starts_with("data-") => None,
        "dynamic-tool" if given.get("toolName").is_some_and(is_string) => tool_part(given, &["toolName"]),
        // `glossen.type.tool-parts`: the name has at least one character.
        tool if tool.starts_with("tool-") && tool != "tool-" => tool_part(given, &[]),
        _ => None,
    }
}

/// A text or a reasoning: a `text`, and perhaps a `state`.
fn with_state(given: &Json) -> Option<Json> {
    let is_state = |state: &Json| matches!(state.as_str(), Some("streaming" | "done"));
    if given.get("state").is_some_and(|state| !is_state(state)) {
        return None;
    }
    with_strings(given, &["text"], &["state"])
}

/// A part whose members are strings. None of them may be null, not even an optional one.
fn with_strings(given: &Json, required: &[&str], optional: &[&str]) -> Option<Json> {
    let has_required = required.iter().all(|name| given.get(name).is_some_and(is_string));
    let may_have_optional = optional.iter().all(|name| given.get(name).is_none_or(is_string));
    // The SDK adds it to some parts, and it is kept. It is an object of objects.
    let is_provider_metadata = |value: &Json| match value {
        Json::Object(members) => members.iter().all(|(_, value)| is_object(value)),
        _ => false,
    };
    let may_have_metadata = given.get("providerMetadata").is_none_or(is_provider_metadata);
    let names = [&["type", "providerMetadata"], required, optional].concat();
    (has_required && may_have_optional && may_have_metadata).then(|| only(given, &names))
}

/// A data part: perhaps an `id`, and its `data`.
fn data_part(given: &Json, data: impl Fn(&Json) -> Option<Json>) -> Option<Json> {
    if given.get("id").is_some_and(|id| !is_string(id)) {
        return None;
    }
    let data = data(given.get("data")?)?;
    let Json::Object(mut members) = only(given, &["type", "id"]) else { return None };
    members.push(("data".into(), data));
    Some(Json::Object(members))
}

/// `glossen.type.page`
fn page(data: &Json, choices: Choices<'_>) -> Option<Json> {
    let is_page = is_object(data)
        && data.get("title").is_some_and(is_string)
        && data.get("url").is_some_and(|url| is_url(url, choices));
    is_page.then(|| with_extra_keys(data, &["title", "url"], choices))
}

/// `glossen.type.passage`
fn passage(data: &Json, choices: Choices<'_>) -> Option<Json> {
    let is_passage = is_object(data)
        && data.get("title").is_some_and(is_string)
        && data.get("url").is_some_and(|url| is_url(url, choices))
        && data.get("text").is_some_and(is_string)
        && data.get("heading").is_none_or(is_string);
    is_passage.then(|| with_extra_keys(data, &["title", "url", "text", "heading"], choices))
}

/// `glossen.type.sources`: a list of objects, each like a page.
fn sources(data: &Json, choices: Choices<'_>) -> Option<Json> {
    let mut entries = Vec::new();
    for entry in items(data)? {
        entries.push(page(entry, choices)?);
    }
    Some(Json::Array(entries))
}

/// `glossen.type.url`: any string, or one that leads to the web.
fn is_url(url: &Json, choices: Choices<'_>) -> bool {
    let Json::String(text) = url else { return false };
    !choices.made("glossen.type.url", "checked") || leads_to_web(&text.to_text())
}

/// The URL Standard's parser, with an address of scheme `https` as base, accepts it and finds `http` or `https`.
fn leads_to_web(url: &str) -> bool {
    let base = urls::read_base("https://base.example/").expect("is a url");
    urls::parse(url, &base).is_some()
}

/// `glossen.type.tool-parts`: a string `toolCallId`, and a state with the members that belong to it. Cases have the two
/// states named there; all others are unspecified.
fn tool_part(given: &Json, named_by: &[&str]) -> Option<Json> {
    let of_state: &[&str] = match given.get("state")?.as_str()? {
        "input-available" => &["input"],
        "output-available" => &["input", "output"],
        _ => return None,
    };
    let is_tool =
        given.get("toolCallId").is_some_and(is_string) && of_state.iter().all(|name| given.get(name).is_some());
    is_tool.then(|| only(given, &[&["type", "toolCallId", "state"], named_by, of_state].concat()))
}

/// `glossen.type.extra-keys`: members that the type does not name are omitted, or returned unchanged.
pub(super) fn with_extra_keys(given: &Json, names: &[&str], choices: Choices<'_>) -> Json {
    if choices.made("glossen.type.extra-keys", "kept") { given.clone() } else { only(given, names) }
}

/// `glossen.type.outer-keys`: returns the members of these names. Of a name that occurs twice, the last counts.
fn only(given: &Json, names: &[&str]) -> Json {
    let member = |name: &&str| Some((JsonString::from(*name), given.get(name)?.clone()));
    Json::Object(names.iter().filter_map(member).collect())
}
