//! Validation: the messages that a backend accepts.

use std::collections::HashSet;
use std::fmt;

use super::choices::{Choices, ExtraKeys, OrderCheck, UrlCheck};
use super::message::{LimitError, Role, expectation, within_limits};
use super::order::out_of_order;
use super::part::{DATA, PAGE, PASSAGE, PLAIN_PARTS, PlainPart, SOURCES, STATES, TOOL_MEMBERS, TOOL_STATES, is_tool};
use super::{Violation, url};
use genui_json::{Json, JsonString, Pointer};

/// The maximum number of violations that [`validate`] reports. Further ones are only counted.
pub const MAX_VIOLATIONS: usize = 100;

/// The error of messages that a backend does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidateError {
    /// The messages violate rules: the first [`MAX_VIOLATIONS`] violations in the order of the text, and the number of all.
    Invalid(Vec<Violation>, usize),
    /// The messages exceed a limit.
    LimitExceeded(LimitError),
}

impl fmt::Display for ValidateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValidateError::Invalid(violations, all) => {
                for (index, violation) in violations.iter().enumerate() {
                    write!(f, "{}{violation}", if index == 0 { "" } else { "\n" })?;
                }
                match all - violations.len() {
                    0 => Ok(()),
                    more => write!(f, "\nand {more} more"),
                }
            }
            ValidateError::LimitExceeded(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ValidateError {}

/// Returns the messages that a backend continues with, without members that no type names.
///
/// The rules are `glossen.type.*` and `glossen.validate.*`. The choices decide about further members, urls, and the
/// order of parts.
///
/// # Errors
///
/// Returns [`ValidateError::Invalid`] with every violation, its place and its rule, if the messages violate a rule, and
/// [`ValidateError::LimitExceeded`] if they exceed a limit.
///
/// # Examples
///
/// ```
/// use genui_glossen::{Choices, ValidateError, validate};
/// use genui_json::parse;
///
/// let messages = parse(r#"[{"id":"q","role":"user","parts":[{"type":"text","text":"Hi","color":"red"}]}]"#)?;
/// let accepted = validate(&messages, &Choices::default())?;
/// assert_eq!(accepted.to_compact(), r#"[{"id":"q","role":"user","parts":[{"type":"text","text":"Hi"}]}]"#);
///
/// let Err(ValidateError::Invalid(violations, count)) = validate(&parse("[]")?, &Choices::default()) else {
///     unreachable!()
/// };
/// assert_eq!((violations[0].rule, count), ("glossen.type.not-empty", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(messages: &Json, choices: &Choices) -> Result<Json, ValidateError> {
    within_limits(messages).map_err(ValidateError::LimitExceeded)?;
    let mut validation = Validation { choices, violations: Vec::new(), count: 0 };
    let accepted = validation.messages(messages);
    match validation.count {
        0 => Ok(accepted),
        count => Err(ValidateError::Invalid(validation.violations, count)),
    }
}

type Members = Vec<(JsonString, Json)>;

/// A pass over the messages that collects violations and copies what is kept. The copy is meaningless after a
/// violation.
struct Validation<'c> {
    choices: &'c Choices,
    violations: Vec<Violation>,
    count: usize,
}

impl Validation<'_> {
    fn messages(&mut self, value: &Json) -> Json {
        let root = Pointer::default();
        let Json::Array(messages) = value else {
            self.wrong("glossen.type.message", &root, "a list", Some(value));
            return Json::Null;
        };
        if messages.is_empty() {
            self.violation("glossen.type.not-empty", &root, "expected a message, but found none");
        }
        let messages = messages.iter().enumerate();
        Json::Array(messages.map(|(index, message)| self.message(message, &root.child(index.to_string()))).collect())
    }

    fn message(&mut self, message: &Json, at: &Pointer) -> Json {
        let rule = "glossen.type.message";
        let mut kept = Members::new();
        if !matches!(message, Json::Object(_)) {
            self.wrong(rule, at, "an object", Some(message));
            return Json::Null;
        }
        self.string(rule, message, "id", at, &mut kept);
        let role = message.get("role").and_then(Json::as_str).and_then(Role::named);
        match role {
            Some(role) => kept.push(("role".into(), role.name().into())),
            None => self.violation(rule, &at.child("role"), "expected user, assistant or system"),
        }
        if let Some(metadata) = message.get("metadata") {
            let at = at.child("metadata");
            let kept_metadata = self.named(metadata, "glossen.type.metadata", &[], &["finishReason"], &at);
            kept.push(("metadata".into(), kept_metadata));
        }
        match message.get("parts") {
            Some(Json::Array(parts)) => kept.push(("parts".into(), self.parts(parts, role, &at.child("parts")))),
            other => self.wrong(rule, &at.child("parts"), "a list", other),
        }
        Json::Object(kept)
    }

    fn parts(&mut self, parts: &[Json], role: Option<Role>, at: &Pointer) -> Json {
        if parts.is_empty() && matches!(role, Some(Role::User | Role::System)) {
            self.violation("glossen.type.not-empty", at, "expected a part, but found none");
        }
        let each = parts.iter().enumerate();
        let kept = Json::Array(each.map(|(index, part)| self.part(part, &at.child(index.to_string()))).collect());
        if let (OrderCheck::Enforced, Some(role)) = (self.choices.order, role) {
            let kinds = parts.iter().map(|part| part.get("type").and_then(Json::as_str).unwrap_or_default());
            for wrong in out_of_order(role, kinds) {
                let at = wrong.part.map_or_else(|| at.clone(), |index| at.child(index.to_string()));
                self.violation("glossen.validate.order", &at, &format!("{} ({})", wrong.message, wrong.rule));
            }
        }
        kept
    }

    fn part(&mut self, part: &Json, at: &Pointer) -> Json {
        let rule = "glossen.type.message";
        if !matches!(part, Json::Object(_)) {
            self.wrong(rule, at, "an object", Some(part));
            return Json::Null;
        }
        let mut kept = Members::new();
        self.string(rule, part, "type", at, &mut kept);
        let Some(Json::String(kind)) = part.get("type") else { return Json::Null };
        let kind = kind.as_str().unwrap_or_default();
        if kind.starts_with(DATA) {
            self.data_part(part, kind, at, &mut kept);
        } else if is_tool(kind) {
            self.tool_part(part, kind, at, &mut kept);
        } else if let Some(plain) = PLAIN_PARTS.iter().find(|plain| plain.kind == kind) {
            self.plain_part(part, plain, at, &mut kept);
        } else {
            self.violation("glossen.type.parts", &at.child("type"), "expected a known type of part");
        }
        Json::Object(kept)
    }

    fn plain_part(&mut self, part: &Json, plain: &PlainPart, at: &Pointer, kept: &mut Members) {
        let rule = "glossen.type.parts";
        let members_rule = if plain.kind == super::part::TEXT { "glossen.type.text" } else { rule };
        for name in plain.required {
            self.string(members_rule, part, name, at, kept);
        }
        for name in plain.optional {
            self.optional_string(rule, part, name, at, kept);
        }
        if plain.arrives && part.get("state").is_some() {
            self.one_of(rule, part, "state", STATES, at, kept);
        }
        if let Some(metadata) = part.get("providerMetadata") {
            let is_of_objects = |value: &Json| match value {
                Json::Object(members) => members.iter().all(|(_, value)| matches!(value, Json::Object(_))),
                _ => false,
            };
            if is_of_objects(metadata) {
                kept.push(("providerMetadata".into(), metadata.clone()));
            } else {
                self.violation(rule, &at.child("providerMetadata"), "expected an object of objects");
            }
        }
    }

    fn tool_part(&mut self, part: &Json, kind: &str, at: &Pointer, kept: &mut Members) {
        let rule = "glossen.type.tool-parts";
        if !kind.starts_with("tool-") {
            self.string(rule, part, "toolName", at, kept);
        }
        self.string(rule, part, "toolCallId", at, kept);
        self.one_of(rule, part, "state", TOOL_STATES, at, kept);
        for name in TOOL_MEMBERS {
            if let Some(value) = part.get(name) {
                kept.push(((*name).into(), value.clone()));
            }
        }
    }

    fn data_part(&mut self, part: &Json, kind: &str, at: &Pointer, kept: &mut Members) {
        self.optional_string("glossen.type.parts", part, "id", at, kept);
        let data = part.get("data").unwrap_or(&Json::Null);
        let at_data = at.child("data");
        let kept_data = match kind {
            PAGE => self.linked(data, "glossen.type.page", &["title", "url"], &[], &at_data),
            PASSAGE => self.linked(data, "glossen.type.passage", &["title", "url", "text"], &["heading"], &at_data),
            SOURCES => self.sources(data, &at_data),
            _ => {
                return self.violation(
                    "glossen.type.unknown-data-part",
                    &at.child("type"),
                    "expected data-page, data-passage or data-sources",
                );
            }
        };
        kept.push(("data".into(), kept_data));
    }

    fn sources(&mut self, data: &Json, at: &Pointer) -> Json {
        let rule = "glossen.type.sources";
        let Json::Array(entries) = data else {
            self.wrong(rule, at, "a list", Some(data));
            return Json::Null;
        };
        let entries = entries.iter().enumerate();
        let kept = entries
            .map(|(index, entry)| self.linked(entry, rule, &["title", "url"], &[], &at.child(index.to_string())));
        Json::Array(kept.collect())
    }

    /// Validates an object of strings, one of which is a url.
    fn linked(&mut self, value: &Json, rule: &'static str, required: &[&str], optional: &[&str], at: &Pointer) -> Json {
        let kept = self.named(value, rule, required, optional, at);
        if let (UrlCheck::Checked, Some(Json::String(url))) = (self.choices.url, value.get("url"))
            && !url::leads_to_the_web(&url.to_text())
        {
            self.violation("glossen.type.url", &at.child("url"), "expected a url that leads to the web");
        }
        kept
    }

    /// Validates an object of strings. Keeps its other members if the choice says so.
    fn named(&mut self, value: &Json, rule: &'static str, required: &[&str], optional: &[&str], at: &Pointer) -> Json {
        let Json::Object(members) = value else {
            self.wrong(rule, at, "an object", Some(value));
            return Json::Null;
        };
        let mut kept = Members::new();
        for name in required {
            self.string(rule, value, name, at, &mut kept);
        }
        for name in optional {
            self.optional_string(rule, value, name, at, &mut kept);
        }
        if self.choices.extra_keys == ExtraKeys::Kept {
            let is_known = |name: &JsonString| {
                name.as_str().is_some_and(|name| required.contains(&name) || optional.contains(&name))
            };
            // Of a repeated name the last counts.
            let mut given = HashSet::new();
            let others = members.iter().rev().filter(|(name, _)| !is_known(name) && given.insert(name));
            let others: Members = others.cloned().collect();
            kept.extend(others.into_iter().rev());
        }
        Json::Object(kept)
    }

    fn string(&mut self, rule: &'static str, object: &Json, name: &str, at: &Pointer, kept: &mut Members) {
        match object.get(name) {
            Some(text @ Json::String(_)) => kept.push((name.into(), text.clone())),
            other => self.wrong(rule, &at.child(name), "a string", other),
        }
    }

    fn optional_string(&mut self, rule: &'static str, object: &Json, name: &str, at: &Pointer, kept: &mut Members) {
        if object.get(name).is_some() {
            self.string(rule, object, name, at, kept);
        }
    }

    fn one_of(
        &mut self,
        rule: &'static str,
        object: &Json,
        name: &str,
        words: &[&str],
        at: &Pointer,
        kept: &mut Members,
    ) {
        match object.get(name).and_then(Json::as_str) {
            Some(word) if words.contains(&word) => kept.push((name.into(), word.into())),
            _ => self.violation(rule, &at.child(name), &format!("expected one of {}", words.join(", "))),
        }
    }

    fn wrong(&mut self, rule: &'static str, at: &Pointer, what: &str, found: Option<&Json>) {
        self.violation(rule, at, &expectation(what, found));
    }

    fn violation(&mut self, rule: &'static str, at: &Pointer, message: &str) {
        self.count += 1;
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation { rule, at: at.clone(), message: message.to_owned() });
        }
    }
}
