//! Questions to an implementation, and what is known of its answers. A check runs over what is known; what it
//! misses is asked for all messages together, and the check runs again.

use std::collections::{HashMap, HashSet};

use crate::adapter::Answer;
use crate::json::{Json, JsonString};
use crate::protocol::Method;

/// A question: a method and its params as JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The method.
    pub method: Method,
    /// The params, on one line.
    pub params: String,
}

impl Question {
    pub(super) fn parse(raw: &str, streaming: bool) -> Question {
        let raw = ("raw", Json::from(raw));
        let params = if streaming { Json::object([raw, ("streaming", true.into())]) } else { Json::object([raw]) };
        Question { method: Method::OpenuiParse, params: params.to_ascii() }
    }

    pub(super) fn model_text(raw: &str, role: &str) -> Question {
        let params = Json::object([("raw", raw.into()), ("role", role.into())]);
        Question { method: Method::OpenuiModelText, params: params.to_ascii() }
    }

    pub(super) fn stream<'a>(chunks: impl Iterator<Item = &'a str>) -> Question {
        let params = Json::object([("chunks", Json::Array(chunks.map(Json::from).collect()))]);
        Question { method: Method::OpenuiStream, params: params.to_ascii() }
    }

    pub(super) fn payload(method: Method, payload: &Json) -> Question {
        Question { method, params: Json::object([("payload", payload.clone())]).to_ascii() }
    }

    pub(super) fn messages(method: Method, messages: &Json) -> Question {
        Question { method, params: Json::object([("messages", messages.clone())]).to_ascii() }
    }

    pub(super) fn build(content: &str, context: &Json, attributes: &[(JsonString, Json)], end: bool) -> Question {
        let pair = |(name, value): &(JsonString, Json)| Json::Array(vec![Json::String(name.clone()), value.clone()]);
        let params = Json::object([
            ("content", content.into()),
            ("context", context.clone()),
            ("attributes", Json::Array(attributes.iter().map(pair).collect())),
            ("end", end.into()),
        ]);
        Question { method: Method::OpenuiBuild, params: params.to_ascii() }
    }
}

/// What an implementation is known to answer.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    answers: HashMap<Question, Answer>,
    missing: Vec<Question>,
    asked: HashSet<Question>,
}

impl Knowledge {
    /// The answer to a question; `None` while nobody knows, and then it is missing.
    pub(super) fn answer(&mut self, question: &Question) -> Option<&Answer> {
        if self.answers.contains_key(question) {
            return self.answers.get(question);
        }
        if self.asked.insert(question.clone()) {
            self.missing.push(question.clone());
        }
        None
    }

    /// Takes the questions that nobody has answered yet.
    pub fn take_missing(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.missing)
    }

    /// Adds an answer.
    pub fn learn(&mut self, question: Question, answer: Answer) {
        self.answers.insert(question, answer);
    }
}
