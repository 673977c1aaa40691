//! Properties of Glossen's messages and sources.

use std::collections::HashSet;

use genui_glossen::choices::{ExtraKeys, OrderCheck};
use genui_glossen::{Choices, Page, ValidateError, breakouts, check, edit, sources, to_model_messages, validate};
use genui_json::{Json, Pointer};

/// The number of messages that are edited.
const EDITED: usize = 4;

/// Checks that validated messages are accepted unchanged; that the choices change only what they are about; that
/// violations have places in the messages; that messages convert one by one as all at once; and that an edit keeps the
/// earlier messages.
///
/// # Panics
///
/// When any of this does not hold.
pub fn validated_messages_are_accepted_and_used(messages: &Json) {
    let plain = Choices::default();
    let stripped = validate(messages, &plain);
    let kept = validate(messages, &Choices { extra_keys: ExtraKeys::Kept, ..plain });
    assert_eq!(stripped.is_ok(), kept.is_ok(), "extra keys decide about {messages:?}");
    if let Ok(kept) = &kept {
        assert_eq!(validate(kept, &plain), stripped, "of {messages:?}");
        assert_eq!(validate(kept, &Choices { extra_keys: ExtraKeys::Kept, ..plain }).as_ref(), Ok(kept));
    }
    let given = match stripped {
        Ok(given) => given,
        Err(ValidateError::Invalid(violations, count)) => {
            assert!(count >= violations.len() && !violations.is_empty(), "{violations:?}");
            for violation in violations {
                let at = violation.at.to_string();
                let parent = at.rsplit_once('/').map_or("", |(parent, _)| parent);
                let parent: Pointer = parent.parse().expect("is a pointer");
                assert!(parent.find(messages).is_some(), "{violation} of {messages:?}");
            }
            return;
        }
        Err(ValidateError::LimitExceeded(_)) => return,
    };
    assert_eq!(validate(&given, &plain).as_ref(), Ok(&given), "of {messages:?}");
    let list = items(&given);
    let keeps_order = list.iter().all(|message| {
        let broken = check(message, None, false).unwrap_or_else(|bad| panic!("{bad} of {message:?}"));
        broken.iter().all(|violation| !violation.rule.ends_with(".order"))
    });
    let enforced = validate(messages, &Choices { order: OrderCheck::Enforced, ..plain });
    assert_eq!(enforced.is_ok(), keeps_order, "{enforced:?} of {messages:?}");

    let converted = to_model_messages(&given, &plain).unwrap_or_else(|bad| panic!("{bad} of {given:?}"));
    assert_eq!(to_model_messages(messages, &plain).as_ref(), Ok(&converted), "of {messages:?}");
    let alone = |message: &Json| {
        to_model_messages(&Json::Array(vec![message.clone()]), &plain).expect("is converted with others")
    };
    let one_by_one: Vec<Json> = list.iter().map(alone).flat_map(|model| items(&model).to_vec()).collect();
    assert_eq!(items(&converted), one_by_one, "of {given:?}");
    for place in breakouts(&given).expect("are messages") {
        let text = place.find(&given).and_then(Json::as_str).unwrap_or_default();
        assert!(text.contains("</passage>"), "{place} of {given:?}");
    }
    for (index, edited) in list.iter().enumerate().take(EDITED) {
        let first = list.iter().position(|message| message.get("id") == edited.get("id")).unwrap_or(index);
        let is_user = list[first].get("role").and_then(Json::as_str) == Some("user");
        match edit(&given, edited, &plain) {
            Ok(after) => {
                assert!(is_user, "message {index} of {given:?}");
                let (last, front) = items(&after).split_last().expect("has the edited message");
                assert_eq!((front, last), (&list[..first], edited), "message {index} of {given:?}");
            }
            Err(error) => {
                assert!(!is_user && error == genui_glossen::EditError::NotAUserMessage, "{error} of {given:?}")
            }
        }
    }
}

/// Checks that every source is a page of the list with an anchor of that page, given once; that a message with them
/// keeps the contract; that text after the last `)` gives no source; and that an answer that ends in one has the same
/// sources when it is repeated.
///
/// # Panics
///
/// When any of this does not hold.
pub fn sources_are_pages(answer: &str, origin: &str, pages: &[Page]) {
    let Ok(found) = sources(answer, origin, pages) else {
        assert!(sources("", origin, pages).is_err(), "{answer:?} decides about the origin {origin:?}");
        return;
    };
    let mut urls = HashSet::new();
    for source in &found {
        let (url, anchor) =
            source.url.split_once('#').map_or((&source.url[..], None), |(url, anchor)| (url, Some(anchor)));
        let page = pages.iter().find(|page| page.url == url).unwrap_or_else(|| panic!("{source:?} of {answer:?}"));
        let has = |anchor: &str| page.anchors.iter().any(|known| known.id == anchor);
        assert!(anchor.is_none_or(has) && source.title.starts_with(&page.title), "{source:?} of {answer:?}");
        assert!(urls.insert(&source.url), "{source:?} twice of {answer:?}");
    }
    let entries = found
        .iter()
        .map(|source| Json::object([("title", source.title.as_str().into()), ("url", source.url.as_str().into())]));
    let text = Json::object([("type", "text".into()), ("text", answer.into())]);
    let part = Json::object([("type", "data-sources".into()), ("data", Json::Array(entries.collect()))]);
    let message =
        Json::object([("id", "r".into()), ("role", "assistant".into()), ("parts", Json::Array(vec![text, part]))]);
    assert_eq!(check(&message, Some(pages), false), Ok(Vec::new()), "of {answer:?}");
    let closed = &answer[..answer.rfind(')').map_or(0, |end| end + 1)];
    for answer in [closed, &closed.repeat(2)] {
        assert_eq!(sources(answer, origin, pages).as_ref(), Ok(&found), "of {answer:?}");
    }
}

fn items(value: &Json) -> &[Json] {
    match value {
        Json::Array(items) => items,
        _ => &[],
    }
}
