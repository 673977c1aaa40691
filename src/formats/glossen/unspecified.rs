//! Inputs for which `spec/glossen.md` specifies no answer.

use std::collections::HashSet;

use crate::format::{Unspecified, UnspecifiedInput};
use crate::formats::glossen::methods;
use crate::glossen;
use crate::json::{Json, JsonString};

pub(super) const UNSPECIFIED: &[Unspecified] = &[
    Unspecified { rule: "glossen.type.message", name: "refused-messages", covers: has_refused_messages },
    Unspecified { rule: "glossen.type.parts", name: "empty-types", covers: |input| has_kind(input, str::is_empty) },
    Unspecified {
        rule: "glossen.type.parts",
        name: "types-of-some-majors",
        covers: |input| has_kind(input, |kind| ["custom", "reasoning-file", "steering-message"].contains(&kind)),
    },
    Unspecified {
        rule: "glossen.type.parts",
        name: "members-of-some-majors",
        covers: |input| has_part(input, has_odd_member),
    },
    Unspecified {
        rule: "glossen.type.parts",
        name: "provider-metadata",
        covers: |input| has_part(input, |part| part.get("providerMetadata").is_some()),
    },
    Unspecified {
        rule: "glossen.type.tool-parts",
        name: "tool-parts",
        covers: |input| has_kind(input, |kind| kind.starts_with("tool-") || kind == "dynamic-tool"),
    },
    Unspecified {
        rule: "glossen.assistant.order",
        name: "no-text",
        covers: |input| {
            let is_silent =
                |message: &Json| text(message, "role") == "assistant" && !kinds(message).any(|kind| kind == "text");
            input.method == methods::CHECK && input.params.get("message").is_some_and(is_silent)
        },
    },
    Unspecified {
        rule: "glossen.model.convert",
        name: "data-of-the-system",
        covers: |input| {
            let is_covered = |message: &Json| {
                text(message, "role") == "system" && kinds(message).any(|kind| kind.starts_with("data-"))
            };
            input.method == methods::TO_MODEL_MESSAGES && items(input.params.get("messages")).iter().any(is_covered)
        },
    },
    Unspecified {
        rule: "glossen.model.file",
        name: "other-urls",
        covers: |input| {
            input.method == methods::TO_MODEL_MESSAGES
                && input.params.get("messages").is_some_and(|messages| !glossen::files_are_specified(messages))
        },
    },
    Unspecified {
        rule: "glossen.sources.resolve",
        name: "other-origins",
        covers: |input| is_sources(input) && !is_plain_origin(text(input.params, "origin")),
    },
    Unspecified {
        rule: "glossen.sources.resolve",
        name: "other-hosts",
        covers: |input| is_sources(input) && !text(input.params, "answer").split("](").skip(1).all(has_plain_authority),
    },
    Unspecified {
        rule: "glossen.sources.resolve",
        name: "other-page-urls",
        covers: |input| {
            is_sources(input) && items(input.params.get("pages")).iter().any(|page| !is_plain_path(text(page, "url")))
        },
    },
    Unspecified {
        rule: "glossen.sources.resolve",
        name: "repeated-pages",
        covers: |input| {
            matches!(input.method.name(), "glossen.sources" | "glossen.check")
                && !are_distinct_pages(input.params.get("pages"))
        },
    },
];

fn is_sources(input: &UnspecifiedInput<'_>) -> bool {
    input.method == methods::SOURCES
}

fn items(value: Option<&Json>) -> &[Json] {
    match value {
        Some(Json::Array(items)) => items,
        _ => &[],
    }
}

/// The text of a member; empty if it has none.
fn text<'v>(value: &'v Json, name: &str) -> &'v str {
    value.get(name).and_then(Json::as_str).unwrap_or_default()
}

fn kinds(message: &Json) -> impl Iterator<Item = &str> {
    items(message.get("parts")).iter().filter_map(|part| part.get("type").and_then(Json::as_str))
}

/// Every message of a request: those of a list, the one that is checked, and the edited one.
fn messages<'a>(input: &UnspecifiedInput<'a>) -> impl Iterator<Item = &'a Json> {
    let params = input.params;
    items(params.get("messages")).iter().chain(params.get("message")).chain(params.get("edited"))
}

fn has_part(input: &UnspecifiedInput<'_>, is_so: impl Fn(&Json) -> bool) -> bool {
    messages(input).any(|message| items(message.get("parts")).iter().any(&is_so))
}

fn has_kind(input: &UnspecifiedInput<'_>, is_so: impl Fn(&str) -> bool) -> bool {
    messages(input).any(|message| kinds(message).any(&is_so))
}

/// Whether a part has a member that only some majors of the SDK know.
fn has_odd_member(part: &Json) -> bool {
    const MEMBERS: [(&str, &str); 3] = [("text", "citations"), ("file", "providerReference"), ("reasoning", "id")];
    MEMBERS.iter().any(|(kind, name)| text(part, "type") == *kind && part.get(name).is_some())
}

/// Whether validation would refuse the messages of another method, whatever their data parts of unknown names are.
fn has_refused_messages(input: &UnspecifiedInput<'_>) -> bool {
    if matches!(input.method.name(), "glossen.validate" | "glossen.sources") {
        return false;
    }
    let known = Json::Array(messages(input).map(with_known_parts).collect());
    glossen::validate(&known, &glossen::Choices::default()).is_err()
}

/// The message with texts in the place of data parts of unknown names.
fn with_known_parts(message: &Json) -> Json {
    const NAMES: [&str; 3] = ["data-page", "data-passage", "data-sources"];
    let known_part = |part: &Json| match text(part, "type") {
        kind if kind.starts_with("data-") && !NAMES.contains(&kind) => {
            Json::object([("type", "text".into()), ("text", "".into())])
        }
        _ => part.clone(),
    };
    let known_member = |(name, value): &(JsonString, Json)| match value {
        Json::Array(parts) => (name.clone(), Json::Array(parts.iter().map(known_part).collect())),
        other => (name.clone(), other.clone()),
    };
    match message {
        Json::Object(members) => Json::Object(members.iter().map(known_member).collect()),
        other => other.clone(),
    }
}

/// Whether no page is listed twice, and no page has two anchors of the same id.
fn are_distinct_pages(pages: Option<&Json>) -> bool {
    let all_differ = |items: &[Json], name: &str| {
        let mut given = HashSet::new();
        items.iter().all(|item| given.insert(item.get(name).and_then(Json::as_str)))
    };
    let pages = items(pages);
    all_differ(pages, "url") && pages.iter().all(|page| all_differ(items(page.get("anchors")), "id"))
}

/// A path that the URL Standard's parser leaves as it is. Pages whose url ends with `/` are unspecified, except `/`.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_~!$&'()*+,;=:@[]|.%/".contains(letter);
    let is_dots = |step: &str| matches!(step.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    path == "/"
        || path.strip_prefix('/').is_some_and(|steps| {
            !steps.is_empty()
                && !steps.starts_with('/')
                && !steps.ends_with('/')
                && steps.chars().all(is_plain)
                && !steps.split('/').any(is_dots)
        })
}

/// An origin that needs nothing of the parser.
fn is_plain_origin(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some_and(is_plain_host)
}

/// A host of letters, digits and hyphens between dots, that is no address and needs no decoding, and perhaps a port.
fn is_plain_host(host: &str) -> bool {
    let (name, port) = host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let is_plain = |label: &str| {
        label.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && label.ends_with(|letter: char| letter.is_ascii_alphanumeric())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
            && !label.to_ascii_lowercase().starts_with("xn--")
    };
    name.split('.').all(is_plain)
        && port.is_none_or(|port| !port.starts_with(['0', '+']) && port.parse::<u16>().is_ok())
}

/// Whether a target has no host, or one that needs nothing of the parser but small letters.
fn has_plain_authority(target: &str) -> bool {
    let ends = |letter: char| "/\\?#)>".contains(letter) || letter.is_whitespace() || letter == '\u{feff}';
    match target.find(['/', '\\']).map(|at| &target[at..]) {
        Some(rest) if rest[1..].starts_with(['/', '\\']) => {
            let host = rest.trim_start_matches(['/', '\\']);
            is_plain_host(&host[..host.find(ends).unwrap_or(host.len())])
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Method;
    use crate::json;

    fn name(method: Method, params: &str) -> Option<&'static str> {
        let params = json::parse(params).expect("is JSON");
        let input = UnspecifiedInput { method, params: &params, difference: None };
        UNSPECIFIED.iter().find(|row| (row.covers)(&input)).map(|row| row.name)
    }

    #[test]
    fn origins_pages_and_links_need_nothing_of_a_parser() {
        let page = r#"{"url":"/a","title":"A","anchors":[]}"#;
        let twice = r#"{"url":"/a","title":"A","anchors":[{"id":"x","heading":""},{"id":"x","heading":"X"}]}"#;
        let (origin, host, url) = (Some("other-origins"), Some("other-hosts"), Some("other-page-urls"));
        let repeated = Some("repeated-pages");
        for (of, answer, pages, expected) in [
            ("https://docs.example", "[a](/a)", page, None),
            ("http://docs.example:8080", "[a](//Docs.example/a)", page, None),
            ("https://docs.example\\u0001", "", page, origin),
            ("https://", "", page, origin),
            ("https://.", "", page, origin),
            ("https://a..b", "", page, origin),
            ("https://docs.example:", "", page, origin),
            ("https://docs.example:99999", "", page, origin),
            ("https://127.0.0.1", "", page, origin),
            ("https://xn--a", "", page, origin),
            ("https://docs.example/", "", page, origin),
            ("ftp://docs.example", "", page, origin),
            ("", "", page, origin),
            ("https://docs.example", "[a](https://d\\u00f6cs.example/a)", page, host),
            ("https://docs.example", "[a](//a b.example/a)", page, None),
            ("https://docs.example", "[a](//)", page, host),
            ("https://docs.example", "", &page.replace("/a", "/a/"), url),
            ("https://docs.example", "", &page.replace("/a", ""), url),
            ("https://docs.example", "", &page.replace("/a", "//a"), url),
            ("https://docs.example", "", &page.replace("/a", "/x/%2E./a"), url),
            ("https://docs.example", "", &page.replace("/a", "/\u{e9}"), url),
            ("https://docs.example", "", &page.replace("/a", "/x//a.b/%zz;v=[1]|'(&"), None),
            ("https://docs.example", "", &format!("{page},{page}"), repeated),
            ("https://docs.example", "", twice, repeated),
        ] {
            let params = format!(r#"{{"answer":"{answer}","origin":"{of}","pages":[{pages}]}}"#);
            assert_eq!(name(methods::SOURCES, &params), expected, "{params}");
        }
    }

    #[test]
    fn messages_are_those_of_the_contract() {
        let message = |parts: &str| format!(r#"{{"id":"q","role":"user","parts":[{parts}]}}"#);
        let text = r#"{"type":"text","text":"Why?"}"#;
        let part = |kind: &str| format!(r#"{{"type":"{kind}","data":{{}}}}"#);
        let refused = Some("refused-messages");
        for (message, validated, converted) in [
            (message(text), None, None),
            (message(&format!("{text},{}", part("data-weather"))), None, None),
            (message(&part("data-weather")), None, None),
            (message(&part("data-page")), None, refused),
            (message(""), None, refused),
            (message(&part("")), Some("empty-types"), refused),
            (message(&part("tool-x")), Some("tool-parts"), refused),
            (message(&part("dynamic-tool")), Some("tool-parts"), refused),
            (message(&part("custom")), Some("types-of-some-majors"), refused),
            (
                message(r#"{"type":"text","text":"a","citations":[]}"#),
                Some("members-of-some-majors"),
                Some("members-of-some-majors"),
            ),
            (
                message(r#"{"type":"text","text":"a","providerMetadata":{}}"#),
                Some("provider-metadata"),
                Some("provider-metadata"),
            ),
            (message(r#"{"type":"file","mediaType":"image/png","url":"/a.png"}"#), None, Some("other-urls")),
            (
                message(&format!("{text},{}", part("data-x"))).replace("user", "system"),
                None,
                Some("data-of-the-system"),
            ),
            (message(text).replace("user", "tool"), None, refused),
        ] {
            let params = format!(r#"{{"messages":[{message}]}}"#);
            assert_eq!(name(methods::VALIDATE, &params), validated, "{params}");
            assert_eq!(name(methods::TO_MODEL_MESSAGES, &params), converted, "{params}");
        }
        let check = |message: String| name(methods::CHECK, &format!(r#"{{"message":{message}}}"#));
        assert_eq!(check(message(text)), None);
        assert_eq!(check(message(text).replace("user", "assistant")), None);
        assert_eq!(check(message("").replace("user", "assistant")), Some("no-text"));
        let edit =
            |edited: &str| name(methods::EDIT, &format!(r#"{{"messages":[{}],"edited":{edited}}}"#, message(text)));
        assert_eq!(edit(&message(text)), None);
        assert_eq!((edit(&message("")), edit("{}")), (refused, refused));
    }
}
