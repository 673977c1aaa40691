//! Explanations: what each line of a message is, or each part of a list of messages, and the rule that decides it. They
//! are made of the output of the formats' own readers; nothing here reads a message a second time.
//!
//! [`FormatDef::explain`](crate::format::FormatDef::explain) gives an [`Explanation`], which is plain data; [`format_of`]
//! finds out which format a text is of. `spec/schemas/explanation.json` is the schema.

mod input;

pub use input::{InputError, format_of};

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::format::Format;
use crate::open_points::OpenPoint;
use crate::rules;

/// The parts of a message, and the rules by which it is read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "An explanation of a message")]
pub struct Explanation<'a> {
    /// The name of the format of the message.
    #[serde(serialize_with = "name_of_format")]
    #[schemars(with = "String")]
    pub format: Format,
    /// The profile in which it was read; absent for a format without profiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<&'static str>,
    /// Whether more of it may come.
    pub streaming: bool,
    /// The choices that differ from the reference's, by rule id.
    pub choices: BTreeMap<&'static str, &'static str>,
    /// The lines, or the messages and their parts, in their order.
    pub parts: Vec<Part<'a>>,
    /// What the whole message reads as; empty if it cannot be read.
    pub facts: Vec<Fact<'a>>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedText>,
    /// Warnings about what is easily misread, in the order of the parts.
    pub warnings: Vec<Warning>,
    /// The rules that are named above, each once, in the order of the documents.
    pub rules: Vec<RuleText>,
}

/// A line, a message or a part of a message.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Part<'a> {
    /// The number of the line, from 1: of the message, or of the content of a payload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The JSON pointer of what it is or shows, in what was given; absent if the message is no JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Byte offsets of the line, with its line ending, into the message or the content of the payload:
    /// start inclusive, end exclusive.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_pair")]
    #[schemars(with = "Option<(usize, usize)>")]
    pub bytes: Option<Range<usize>>,
    /// The kind of the part, in a word or two.
    pub kind: &'static str,
    /// The section that it opens or belongs to.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    #[schemars(with = "Option<String>")]
    pub section: Option<Rc<str>>,
    /// The ids of the rules that decide something about it; the first decides its kind.
    pub rules: Vec<&'static str>,
    /// The unchanged line; for a message or a part of one, its JSON text in printable ASCII.
    pub text: Cow<'a, str>,
    /// Further facts about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub details: Vec<Detail<'a>>,
}

/// A fact about a part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Detail<'a> {
    /// The kind of fact: `attribute`, `shadowed attribute`, `dropped attribute` or `attribute without effect` for an
    /// attribute of a marker line; `left out` for a member that is not kept; `breaks` for a violated rule.
    pub kind: &'static str,
    /// The name of the attribute, or the JSON pointer of the place.
    pub name: Cow<'a, str>,
    /// The decoded value of the attribute, or what was expected at the place and what was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Cow<'a, str>>,
    /// The ids of the rules that decide it.
    pub rules: Vec<&'static str>,
}

/// A fact about the whole message: what it reads as.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fact<'a> {
    /// Its name, such as `content`.
    pub name: &'static str,
    /// Its value.
    pub value: FactValue<'a>,
    /// The id of the rule that decides it; absent if several do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
}

impl<'a> Fact<'a> {
    pub(crate) fn new(name: &'static str, value: FactValue<'a>, rule: Option<&'static str>) -> Fact<'a> {
        Fact { name, value, rule }
    }
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FactValue<'a> {
    /// Nothing.
    None,
    /// Yes or no.
    Flag(bool),
    /// A number of things.
    Count(usize),
    /// A text.
    Text(Cow<'a, str>),
    /// Pairs of name and value.
    Pairs(Vec<(Cow<'a, str>, Cow<'a, str>)>),
    /// A JSON value, as JSON text in printable ASCII.
    Json(String),
}

/// Why the message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedText {
    /// What was expected, and what was found.
    pub message: String,
    /// The id of the rule that refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
}

/// A warning about something that is easily misread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// The number of the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The JSON pointer of the place, in what was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The warning, as a sentence.
    pub message: String,
    /// The id of the rule that decides it.
    pub rule: &'static str,
}

/// A rule, in the words of the specification.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RuleText {
    /// Its id.
    pub id: &'static str,
    /// Its level, or `open`.
    pub level: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl<'a> Explanation<'a> {
    pub(crate) fn new(
        format: Format,
        parts: Vec<Part<'a>>,
        reading: Result<Vec<Fact<'a>>, RefusedText>,
        warnings: Vec<Warning>,
    ) -> Explanation<'a> {
        let mut named: HashSet<&str> = HashSet::new();
        for part in &parts {
            named.extend(&part.rules);
            named.extend(part.details.iter().flat_map(|detail| &detail.rules));
        }
        named.extend(warnings.iter().map(|warning| warning.rule));
        let (facts, refused) = match reading {
            Ok(facts) => (facts, None),
            Err(refused) => (Vec::new(), Some(refused)),
        };
        named.extend(facts.iter().filter_map(|fact| fact.rule));
        named.extend(refused.iter().filter_map(|refused| refused.rule));
        let rules = rules::all().iter().filter(|rule| named.contains(rule.id.as_str()));
        let rules = rules.map(|rule| RuleText { id: &rule.id, level: rule.level_name(), text: &rule.text }).collect();
        Explanation {
            format,
            profile: None,
            streaming: false,
            choices: BTreeMap::new(),
            parts,
            facts,
            refused,
            warnings,
            rules,
        }
    }
}

impl Explanation<'_> {
    /// The same explanation with texts of its own.
    #[must_use]
    pub fn into_owned(self) -> Explanation<'static> {
        let Explanation { format, profile, streaming, choices, parts, facts, refused, warnings, rules } = self;
        Explanation {
            format,
            profile,
            streaming,
            choices,
            parts: parts.into_iter().map(Part::into_owned).collect(),
            facts: facts.into_iter().map(Fact::into_owned).collect(),
            refused,
            warnings,
            rules,
        }
    }
}

impl Part<'_> {
    fn into_owned(self) -> Part<'static> {
        let Part { line, at, bytes, kind, section, rules, text, details } = self;
        let details = details.into_iter().map(Detail::into_owned).collect();
        Part { line, at, bytes, kind, section, rules, text: owned(text), details }
    }
}

impl Detail<'_> {
    fn into_owned(self) -> Detail<'static> {
        let Detail { kind, name, value, rules } = self;
        Detail { kind, name: owned(name), value: value.map(owned), rules }
    }
}

impl Fact<'_> {
    fn into_owned(self) -> Fact<'static> {
        let Fact { name, value, rule } = self;
        let value = match value {
            FactValue::None => FactValue::None,
            FactValue::Flag(flag) => FactValue::Flag(flag),
            FactValue::Count(count) => FactValue::Count(count),
            FactValue::Text(text) => FactValue::Text(owned(text)),
            FactValue::Pairs(pairs) => {
                FactValue::Pairs(pairs.into_iter().map(|(name, value)| (owned(name), owned(value))).collect())
            }
            FactValue::Json(json) => FactValue::Json(json),
        };
        Fact { name, value, rule }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// The choices that are not the reference's own.
pub(crate) fn other_choices(
    points: &'static [OpenPoint],
    chosen: impl Fn(&str) -> Option<&'static str>,
) -> BTreeMap<&'static str, &'static str> {
    let chosen = points.iter().filter_map(|point| Some((point, chosen(point.rule)?)));
    chosen.filter(|(point, name)| point.names[0] != *name).map(|(point, name)| (point.rule, name)).collect()
}

/// The JSON Schema of an explanation.
#[must_use]
pub fn explanation_schema() -> serde_json::Value {
    schemars::schema_for!(Explanation<'static>).to_value()
}

fn name_of_format<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(format.name())
}

fn as_pair<S: Serializer>(bytes: &Option<Range<usize>>, serializer: S) -> Result<S::Ok, S::Error> {
    bytes.as_ref().map(|bytes| (bytes.start, bytes.end)).serialize(serializer)
}

fn as_text<S: Serializer>(text: &Option<Rc<str>>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().serialize(serializer)
}
