//! What goes over the protocol for the methods of Glossen: params, results and their schemas.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::format::Method;
use crate::format::result_shape::{ShapeError, check_list, check_members, check_text, expected};
use crate::glossen;
use crate::json::Json;
use crate::protocol::{ParamsError, read_params};

/// A request of a method, with typed params.
#[derive(Debug)]
pub(super) enum Request {
    Validate(MessagesParams),
    Check(CheckParams),
    ToModelMessages(MessagesParams),
    Sources(SourcesParams),
    Edit(EditParams),
}

impl Request {
    /// Reads the params of a method of this format from their JSON text.
    ///
    /// # Errors
    ///
    /// Returns what does not fit, with the line and column of the text.
    pub(super) fn read(method: Method, params: &str) -> Result<Request, ParamsError> {
        Ok(match method.name() {
            "glossen.validate" => Request::Validate(read_params(params)?),
            "glossen.check" => Request::Check(read_params(params)?),
            "glossen.to_model_messages" => Request::ToModelMessages(read_params(params)?),
            "glossen.sources" => Request::Sources(read_params(params)?),
            "glossen.edit" => Request::Edit(read_params(params)?),
            other => unreachable!("{other} is no method of this format"),
        })
    }
}

/// Params of the methods that take messages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagesParams {
    /// The messages: any JSON value, since bad ones are asked about too.
    #[schemars(with = "serde_json::Value")]
    pub(super) messages: Box<RawValue>,
}

/// Params of `glossen.check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckParams {
    /// The message.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub(super) message: Box<RawValue>,
    /// The page list; without it, urls are not checked.
    #[serde(default, deserialize_with = "optional_pages")]
    #[schemars(with = "Option<Vec<Page>>")]
    pub(super) pages: Option<Vec<glossen::Page>>,
    /// Whether the answer is complete; no where it is absent.
    pub(super) finished: Option<bool>,
}

/// A page of the page list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Its path, such as `/docs/backups`.
    url: String,
    /// Its title.
    title: String,
    /// Its anchors.
    anchors: Vec<Anchor>,
}

/// An anchor of a page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Anchor {
    /// The id after the `#`.
    id: String,
    /// The heading that it belongs to, which may be empty.
    heading: String,
}

/// Params of `glossen.sources`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SourcesParams {
    /// The answer, in Markdown.
    pub(super) answer: String,
    /// Scheme and host of the site.
    pub(super) origin: String,
    /// The page list.
    #[serde(deserialize_with = "pages")]
    #[schemars(with = "Vec<Page>")]
    pub(super) pages: Vec<glossen::Page>,
}

/// Params of `glossen.edit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditParams {
    /// The messages.
    #[schemars(with = "Vec<serde_json::Value>")]
    pub(super) messages: Box<RawValue>,
    /// The edited message, with the id of the one that it replaces.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub(super) edited: Box<RawValue>,
}

impl From<Page> for glossen::Page {
    fn from(page: Page) -> glossen::Page {
        let anchors = page.anchors.into_iter().map(|anchor| glossen::Anchor { id: anchor.id, heading: anchor.heading });
        glossen::Page { url: page.url, title: page.title, anchors: anchors.collect() }
    }
}

/// Reads a page list as the reference takes it.
fn pages<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<glossen::Page>, D::Error> {
    Ok(Vec::<Page>::deserialize(deserializer)?.into_iter().map(Into::into).collect())
}

/// Reads a page list that may be `null`.
fn optional_pages<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<glossen::Page>>, D::Error> {
    Ok(Option::<Vec<Page>>::deserialize(deserializer)?.map(|pages| pages.into_iter().map(Into::into).collect()))
}

/// The schema of a validation.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct ValidateResult {
    /// Whether the messages are accepted.
    accepted: bool,
    /// The messages with which the backend continues; only if they are accepted.
    messages: Option<Vec<serde_json::Value>>,
}

/// The schema of a check.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct CheckResult {
    /// The rules that the message violates.
    violations: Vec<ViolatedRule>,
}

/// A rule that a message violates.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct ViolatedRule {
    /// The rule's id.
    rule: String,
    /// The place in the message; for readers, not compared.
    #[schemars(default)]
    at: String,
}

/// The schema of a list of messages.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct MessagesResult {
    /// The messages.
    messages: Vec<serde_json::Value>,
}

/// The schema of the sources of an answer.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct SourcesResult {
    /// The sources.
    sources: Vec<Source>,
}

/// A page that an answer links to.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Source {
    /// Its title.
    title: String,
    /// Its url.
    url: String,
}

/// Checks the shape of a validation.
pub(super) fn check_validate(result: &Json) -> Result<(), ShapeError> {
    check_members(&["accepted", "messages"], result, "")?;
    match (result.get("accepted"), result.get("messages")) {
        (Some(Json::Bool(true)), messages) => check_list(messages, "/messages").map(|_| ()),
        (Some(Json::Bool(false)), None) => Ok(()),
        (Some(Json::Bool(false)), messages) => Err(expected("nothing", "/messages", messages)),
        (other, _) => Err(expected("a boolean", "/accepted", other)),
    }
}

/// Checks the shape of a list of messages.
pub(super) fn check_messages(result: &Json) -> Result<(), ShapeError> {
    check_members(&["messages"], result, "")?;
    check_list(result.get("messages"), "/messages").map(|_| ())
}

/// Checks the shape of a check.
pub(super) fn check_check(result: &Json) -> Result<(), ShapeError> {
    check_members(&["violations"], result, "")?;
    let violations = check_list(result.get("violations"), "/violations")?.iter().enumerate();
    violations.into_iter().try_for_each(|(index, violation)| match violation {
        Json::Object(_) => check_text(violation, "rule", &format!("/violations/{index}")),
        other => Err(expected("an object", &format!("/violations/{index}"), Some(other))),
    })
}

/// Checks the shape of the sources of an answer.
pub(super) fn check_sources(result: &Json) -> Result<(), ShapeError> {
    check_members(&["sources"], result, "")?;
    check_list(result.get("sources"), "/sources")?.iter().enumerate().try_for_each(|(index, source)| {
        let at = format!("/sources/{index}");
        check_members(&["title", "url"], source, &at)?;
        ["title", "url"].iter().try_for_each(|member| check_text(source, member, &at))
    })
}
