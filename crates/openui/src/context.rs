//! The context of a message, decoded on request.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Options;
use super::choices::{Choices, EmptyContext, Numbers};
use genui_json::{self as json, Json};

/// A context nested deeper than this is returned as its text; by `openui.context.limits` that is unspecified. It is
/// a little less than [`json::MAX_DEPTH`], so that an answer with a context is itself within that limit.
const MAX_CONTEXT_DEPTH: usize = json::MAX_DEPTH - 10;

/// Deeper nesting is unspecified (`openui.context.limits`).
const FREE_DEPTH: usize = 100;

/// The context of a message: the text of its section.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    text: Cow<'a, str>,
    choices: Choices,
}

/// A decoded context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextValue<'c> {
    /// A JSON value (`openui.context.json`). The value `null` represents no context (`openui.context.absent`).
    Json(Json),
    /// A text that is not JSON, or not yet while it streams (`openui.context.text`).
    Text(&'c str),
}

impl<'a> Context<'a> {
    /// Returns the context with this text, or `None` if there is no text or an empty one is read as none
    /// (`openui.context.empty`).
    pub(crate) fn of(text: Option<Cow<'a, str>>, options: &Options) -> Option<Context<'a>> {
        text.filter(|text| !text.is_empty() || options.choices.empty_context == EmptyContext::EmptyString)
            .map(|text| Context { text, choices: options.choices })
    }

    /// Returns the body of the section, not decoded.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.text
    }

    /// Returns the value if the text is JSON, else the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use genui_json::Json;
    /// use genui_openui::{Context, ContextValue, Options, parse};
    ///
    /// let message = parse("Book it\n]]>openui:context\nclicked twice", &Options::default());
    /// assert_eq!(message.context.as_ref().map(Context::decode), Some(ContextValue::Text("clicked twice")));
    /// ```
    #[must_use]
    pub fn decode(&self) -> ContextValue<'_> {
        match json::parse_within(&self.text, MAX_CONTEXT_DEPTH) {
            Ok(mut value) => {
                choose_numbers(&mut value, self.choices.numbers);
                ContextValue::Json(value)
            }
            Err(_) => ContextValue::Text(&self.text),
        }
    }

    /// Returns the value if the text is JSON, else a JSON string.
    pub(crate) fn to_json(&self) -> Json {
        match self.decode() {
            ContextValue::Json(value) => value,
            ContextValue::Text(text) => Json::from(text),
        }
    }

    /// Returns the ids of the rules about edge cases of JSON that decide something about this context:
    /// `openui.context.numbers` for a number with more digits than a double keeps, `openui.context.limits` for
    /// values that JSON libraries read differently.
    pub(crate) fn edge_cases(&self) -> Vec<&'static str> {
        let value = match json::parse_within(&self.text, MAX_CONTEXT_DEPTH) {
            Ok(value) => value,
            Err(error) if error.is_too_deep() => return vec!["openui.context.limits"],
            Err(_) => return Vec::new(),
        };
        let (mut long_number, mut limits) = (false, false);
        let mut open = vec![(&value, 1)];
        while let Some((value, depth)) = open.pop() {
            match value {
                Json::Number(number) => match number.as_str().parse::<f64>() {
                    Ok(double) if double.is_finite() => {
                        limits |= is_signless_64_bit(number.as_str());
                        let is_exact = || json::json_equal(&Json::Number(number.to_double()), value);
                        long_number |= double != 0.0 && !is_exact();
                        limits |= double == 0.0 && !is_exact();
                    }
                    _ => limits = true,
                },
                Json::String(text) => limits |= text.as_str().is_none(),
                Json::Array(items) => {
                    limits |= depth > FREE_DEPTH;
                    open.extend(items.iter().map(|item| (item, depth + 1)));
                }
                Json::Object(members) => {
                    let mut names = HashSet::new();
                    limits |= depth > FREE_DEPTH
                        || members.iter().any(|(name, _)| name.as_str().is_none() || !names.insert(name));
                    open.extend(members.iter().map(|(_, value)| (value, depth + 1)));
                }
                Json::Null | Json::Bool(_) => {}
            }
        }
        let rules = [(long_number, "openui.context.numbers"), (limits, "openui.context.limits")];
        rules.into_iter().filter(|(decides, _)| *decides).map(|(_, rule)| rule).collect()
    }
}

/// Returns the context of a section with this body as JSON, or `null` if there is none.
///
/// A text that is not JSON becomes a JSON string (`openui.context.json`, `openui.context.text`,
/// `openui.context.absent`, `openui.context.empty`).
///
/// # Examples
///
/// ```
/// use genui_json::Json;
/// use genui_openui::{Options, decode_context};
///
/// let decode = |body| decode_context(body, &Options::default());
/// assert_eq!(decode("clicked twice"), Json::from("clicked twice"));
/// assert_eq!(decode(" false\n"), Json::from(false));
/// assert_eq!(decode("null"), Json::Null);
/// ```
#[must_use]
pub fn decode_context(body: &str, options: &Options) -> Json {
    Context::of(Some(body.into()), options).map_or(Json::Null, |context| context.to_json())
}

/// Returns whether this text would be read as a JSON value.
pub(crate) fn is_json(text: &str) -> bool {
    json::parse_within(text, MAX_CONTEXT_DEPTH).is_ok()
}

/// Returns the value with its numbers as the choice for `openui.context.numbers` says.
pub(crate) fn with_chosen_numbers(value: &Json, options: &Options) -> Json {
    let mut value = value.clone();
    choose_numbers(&mut value, options.choices.numbers);
    value
}

/// Returns whether an integer fits 64 bits only without a sign: libraries with 64-bit integers differ about it
/// (`openui.context.limits`).
fn is_signless_64_bit(text: &str) -> bool {
    text.parse::<u64>().is_ok_and(|integer| i64::try_from(integer).is_err())
}

fn choose_numbers(value: &mut Json, choice: Numbers) {
    if choice == Numbers::Exact {
        return;
    }
    match value {
        Json::Number(number) if keeps_digits(number.as_str(), choice) => {}
        Json::Number(number) => *number = number.to_double(),
        Json::Array(items) => items.iter_mut().for_each(|item| choose_numbers(item, choice)),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| choose_numbers(value, choice)),
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

/// Returns whether a number with this text keeps its digits by this choice.
fn keeps_digits(text: &str, choice: Numbers) -> bool {
    let is_whole = !text.contains(['.', 'e', 'E']);
    match choice {
        Numbers::Exact => true,
        Numbers::Double => false,
        Numbers::ExactIntegers => is_whole,
        Numbers::Integers64Bit => is_whole && (text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()),
    }
}
