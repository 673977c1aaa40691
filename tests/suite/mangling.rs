//! What software does to texts and values, at each place of each method's params and results: a wrong implementation for each
//! pair. It answers as the reference does, but for that place. Cases or sampled requests catch nearly all of those that answer any
//! of many other generated requests wrongly.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Answer, Ask, Implementation, InProcess};
use genui_conform::campaign::{SAMPLE_SIZE, SampledId, Sampler};
use genui_conform::case::{Case, Corpus};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::json::{self, Json, JsonString};
use genui_conform::run::{Terms, Verdict, judge};
use genui_conform::settings::{ProfileName, Settings};

/// Further requests of each method, on which a wrong implementation shows that it is wrong.
const FURTHER: usize = 1_500;

/// How many in a hundred are caught, at least. What is missed shows on few of the further requests.
const CAUGHT: usize = 93;

/// Members that the formats name. At other names a place has `*`.
const NAMES: &[&str] = &[
    "raw",
    "streaming",
    "chunks",
    "snapshots",
    "final",
    "content",
    "context",
    "attributes",
    "end",
    "message",
    "role",
    "form_state",
    "library",
    "id",
    "version",
    "text",
    "payload",
    "kind",
    "eventId",
    "value",
    "source",
    "component",
    "line",
    "values",
    "intent",
    "formTitle",
    "node",
    "children",
    "type",
    "name",
    "label",
    "title",
    "messages",
    "parts",
    "metadata",
    "displayContent",
    "data",
    "url",
    "heading",
    "state",
    "input",
    "output",
    "toolCallId",
    "errorText",
    "mediaType",
    "filename",
    "file",
    "image",
    "providerMetadata",
    "finishReason",
    "pages",
    "page",
    "edited",
    "broken",
    "rule",
    "sources",
    "anchors",
];

/// Members whose values may be anything.
const FREE: &[&str] = &["/context", "/values", "/form_state", "/attributes"];

type Change = fn(&Json) -> Option<Json>;

fn text(json: &Json, change: impl Fn(&str) -> String) -> Option<Json> {
    let given = json.as_str()?;
    let changed = change(given);
    (changed != given).then(|| changed.as_str().into())
}

fn without(json: &Json, letters: &[char]) -> Option<Json> {
    text(json, |text| text.replace(letters, ""))
}

fn replaced(json: &Json, from: &str, to: &str) -> Option<Json> {
    text(json, |text| text.replace(from, to))
}

fn cut(json: &Json, length: usize) -> Option<Json> {
    text(json, |text| text.chars().take(length).collect())
}

fn items(json: &Json, change: impl Fn(&mut Vec<Json>)) -> Option<Json> {
    let Json::Array(items) = json else { return None };
    let mut changed = items.clone();
    change(&mut changed);
    (changed != *items).then_some(Json::Array(changed))
}

fn members(json: &Json, change: impl Fn(&mut Vec<(JsonString, Json)>)) -> Option<Json> {
    let Json::Object(members) = json else { return None };
    let mut changed = members.clone();
    change(&mut changed);
    (changed != *members).then_some(Json::Object(changed))
}

/// Without the members and items with this value.
fn dropped(json: &Json, is_dropped: impl Fn(&Json) -> bool) -> Option<Json> {
    members(json, |members| members.retain(|(_, value)| !is_dropped(value)))
        .or_else(|| items(json, |items| items.retain(|item| !is_dropped(item))))
}

fn between(text: &str, open: &str, close: &str) -> String {
    let mut rest = text;
    let mut left = String::new();
    while let Some((before, after)) = rest.split_once(open) {
        let Some((_, behind)) = after.split_once(close) else { break };
        left += before;
        rest = behind;
    }
    left + rest
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Changes of one value.
const CHANGES: &[(&str, Change)] = &[
    ("trimmed", |json| text(json, |text| text.trim().to_owned())),
    ("trimmed at the start", |json| text(json, |text| text.trim_start().to_owned())),
    ("trimmed at the end", |json| text(json, |text| text.trim_end().to_owned())),
    ("one line feed less at the end", |json| text(json, |text| text.strip_suffix('\n').unwrap_or(text).to_owned())),
    ("white space joined", |json| text(json, |text| text.split_whitespace().collect::<Vec<_>>().join(" "))),
    ("two spaces become one", |json| replaced(json, "  ", " ")),
    ("in lower case", |json| text(json, str::to_lowercase)),
    ("in upper case", |json| text(json, str::to_uppercase)),
    ("first letter large", |json| {
        text(json, |text| {
            let mut letters = text.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
    }),
    ("composed", |json| replaced(json, "e\u{301}", "\u{e9}")),
    ("decomposed", |json| replaced(json, "\u{e9}", "e\u{301}")),
    ("without accents", |json| text(json, |text| text.replace('\u{e9}', "e").replace('\u{301}', ""))),
    ("sharp s as two", |json| replaced(json, "\u{df}", "ss")),
    ("entities decoded", |json| {
        text(json, |text| {
            text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&")
        })
    }),
    ("ampersands decoded", |json| replaced(json, "&amp;", "&")),
    ("entities encoded", |json| {
        text(json, |text| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
    }),
    ("less-than encoded", |json| replaced(json, "<", "&lt;")),
    ("quotes encoded", |json| replaced(json, "\"", "&quot;")),
    ("without tags", |json| text(json, |text| between(text, "<", ">"))),
    ("without comments", |json| text(json, |text| between(text, "<!--", "-->"))),
    ("without emphasis", |json| without(json, &['*'])),
    ("without back quotes", |json| without(json, &['`'])),
    ("without a fence", |json| {
        text(json, |text| {
            let inside = text.strip_prefix("```").and_then(|text| text.trim_end().strip_suffix("```"));
            inside.map_or(text, |inside| inside.split_once('\n').map_or(inside, |(_, body)| body)).to_owned()
        })
    }),
    ("escapes undone", |json| text(json, |text| text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"))),
    ("back slashes doubled", |json| replaced(json, "\\", "\\\\")),
    ("back slashes as slashes", |json| replaced(json, "\\", "/")),
    ("without back slashes", |json| without(json, &['\\'])),
    ("quotes escaped", |json| replaced(json, "\"", "\\\"")),
    ("without quotes around", |json| {
        text(json, |text| text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_owned())
    }),
    ("straight quotes", |json| {
        text(json, |text| text.replace(['\u{201c}', '\u{201d}'], "\"").replace('\u{2019}', "'"))
    }),
    ("percent decoded", |json| text(json, percent_decoded)),
    ("plus as a space", |json| replaced(json, "+", " ")),
    ("spaces as %20", |json| replaced(json, " ", "%20")),
    ("spaces as plus", |json| replaced(json, " ", "+")),
    ("two dollars become one", |json| replaced(json, "$$", "$")),
    ("dollar pattern filled in", |json| text(json, |text| text.replace("$&", "x").replace("$1", ""))),
    ("percent pattern filled in", |json| replaced(json, "%s", "x")),
    ("braces filled in", |json| replaced(json, "{0}", "x")),
    ("back reference filled in", |json| replaced(json, "\\1", "")),
    ("two percents become one", |json| replaced(json, "%%", "%")),
    ("cut at 32", |json| cut(json, 32)),
    ("cut at 64", |json| cut(json, 64)),
    ("cut at 80", |json| cut(json, 80)),
    ("cut at 100", |json| cut(json, 100)),
    ("cut at 128", |json| cut(json, 128)),
    ("cut at 200", |json| cut(json, 200)),
    ("cut at 255", |json| cut(json, 255)),
    ("cut at 256", |json| cut(json, 256)),
    ("cut at 500", |json| cut(json, 500)),
    ("cut at 1000", |json| cut(json, 1_000)),
    ("cut at 1024", |json| cut(json, 1_024)),
    ("cut at 4096", |json| cut(json, 4_096)),
    ("cut at 65535", |json| cut(json, 65_535)),
    ("CRLF as LF", |json| replaced(json, "\r\n", "\n")),
    ("CR as LF", |json| replaced(json, "\r", "\n")),
    ("without CR", |json| without(json, &['\r'])),
    ("LF as CRLF", |json| text(json, |text| text.replace("\r\n", "\n").replace('\n', "\r\n"))),
    ("LF as a space", |json| replaced(json, "\n", " ")),
    ("without LF", |json| without(json, &['\n'])),
    ("empty lines gone", |json| replaced(json, "\n\n", "\n")),
    ("the first line alone", |json| text(json, |text| text.lines().next().unwrap_or_default().to_owned())),
    ("blanks at line ends gone", |json| text(json, |text| text.replace(" \n", "\n"))),
    ("line separators as LF", |json| text(json, |text| text.replace(['\u{2028}', '\u{2029}', '\u{85}'], "\n"))),
    ("without line separators", |json| without(json, &['\u{2028}', '\u{2029}'])),
    ("tabs as spaces", |json| replaced(json, "\t", "    ")),
    ("no-break space as a space", |json| replaced(json, "\u{a0}", " ")),
    ("without a byte order mark", |json| without(json, &['\u{feff}'])),
    ("without zero-width letters", |json| without(json, &['\u{200b}', '\u{200d}', '\u{2060}'])),
    ("without soft hyphens", |json| without(json, &['\u{ad}'])),
    ("without marks of direction", |json| {
        text(json, |text| {
            text.replace(
                |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}'),
                "",
            )
        })
    }),
    ("without controls", |json| {
        text(json, |text| text.replace(|letter: char| letter.is_control() && !"\n\r\t".contains(letter), ""))
    }),
    ("without NUL", |json| without(json, &['\0'])),
    ("ends at NUL", |json| text(json, |text| text.split('\0').next().unwrap_or_default().to_owned())),
    ("ASCII alone", |json| text(json, |text| text.replace(|letter: char| !letter.is_ascii(), "?"))),
    ("without what is beyond the BMP", |json| {
        text(json, |text| text.replace(|letter| letter > '\u{ffff}', "\u{fffd}"))
    }),
    ("without emoji", |json| {
        text(json, |text| {
            text.replace(
                |letter| matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}'),
                "",
            )
        })
    }),
    ("as Latin-1", |json| text(json, |text| text.bytes().map(char::from).collect())),
    ("figures as a number", |json| {
        let parsed = json::parse(json.as_str()?).ok()?;
        matches!(parsed, Json::Number(_)).then_some(parsed)
    }),
    ("words as true or null", |json| {
        let parsed = json::parse(json.as_str()?).ok()?;
        matches!(parsed, Json::Bool(_) | Json::Null).then_some(parsed)
    }),
    ("JSON texts parsed", |json| {
        let parsed = json::parse(json.as_str()?).ok()?;
        matches!(parsed, Json::Object(_) | Json::Array(_)).then_some(parsed)
    }),
    ("the word null as empty", |json| (json.as_str()? == "null").then(|| "".into())),
    ("the word undefined as empty", |json| (json.as_str()? == "undefined").then(|| "".into())),
    ("an empty text as null", |json| json.as_str()?.is_empty().then_some(Json::Null)),
    ("a blank text as empty", |json| {
        text(json, |text| if text.trim().is_empty() { String::new() } else { text.to_owned() })
    }),
    ("without a slash at the end", |json| text(json, |text| text.trim_end_matches('/').to_owned())),
    ("without a fragment", |json| text(json, |text| text.split('#').next().unwrap_or_default().to_owned())),
    ("without a query", |json| text(json, |text| text.split('?').next().unwrap_or_default().to_owned())),
    ("without user info", |json| {
        text(json, |text| {
            match text.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.split_once('@')?.1))) {
                Some((scheme, rest)) => format!("{scheme}://{rest}"),
                None => text.to_owned(),
            }
        })
    }),
    ("http as https", |json| replaced(json, "http://", "https://")),
    ("without index.html", |json| replaced(json, "index.html", "")),
    ("dots in paths resolved", |json| text(json, |text| text.replace("/./", "/").replace("/../", "/"))),
    ("slashes joined", |json| {
        text(json, |text| text.replace("://", "\u{1}").replace("//", "/").replace('\u{1}', "://"))
    }),
    ("without www", |json| replaced(json, "://www.", "://")),
    ("without a port", |json| replaced(json, ":443", "")),
    ("without .md", |json| replaced(json, ".md", "")),
    ("underscores as spaces", |json| replaced(json, "_", " ")),
    ("dashes as underscores", |json| replaced(json, "-", "_")),
    ("without dots at the end", |json| text(json, |text| text.trim_end_matches('.').to_owned())),
    ("prototype names as empty", |json| {
        matches!(json.as_str()?, "__proto__" | "constructor" | "toString" | "prototype" | "hasOwnProperty")
            .then(|| "".into())
    }),
    ("without prototype names", |json| {
        members(json, |members| {
            members.retain(|(name, _)| {
                !matches!(
                    name.as_str(),
                    Some("__proto__" | "constructor" | "toString" | "prototype" | "hasOwnProperty")
                )
            });
        })
    }),
    ("without a name __proto__", |json| {
        members(json, |members| members.retain(|(name, _)| name.as_str() != Some("__proto__")))
    }),
    ("without an empty name", |json| members(json, |members| members.retain(|(name, _)| name.as_str() != Some("")))),
    ("names trimmed", |json| {
        members(json, |members| {
            for (name, _) in members {
                if let Some(text) = name.as_str() {
                    *name = text.trim().into();
                }
            }
        })
    }),
    ("names in lower case", |json| {
        members(json, |members| {
            for (name, _) in members {
                if let Some(text) = name.as_str() {
                    *name = text.to_lowercase().as_str().into();
                }
            }
        })
    }),
    ("names sorted", |json| members(json, |members| members.sort_by(|a, b| a.0.as_str().cmp(&b.0.as_str())))),
    ("without names that begin with a figure", |json| {
        members(json, |members| {
            members.retain(|(name, _)| {
                !name.as_str().is_some_and(|name| name.starts_with(|letter: char| letter.is_ascii_digit()))
            });
        })
    }),
    ("without null", |json| dropped(json, |value| *value == Json::Null)),
    ("without false", |json| dropped(json, |value| *value == Json::Bool(false))),
    ("without true", |json| dropped(json, |value| *value == Json::Bool(true))),
    ("without empty texts", |json| dropped(json, |value| value.as_str() == Some(""))),
    ("without empty lists", |json| dropped(json, |value| matches!(value, Json::Array(items) if items.is_empty()))),
    ("without empty objects", |json| {
        dropped(json, |value| matches!(value, Json::Object(members) if members.is_empty()))
    }),
    ("without zero", |json| dropped(json, |value| matches!(value, Json::Number(_)) && value.to_ascii() == "0")),
    ("without objects", |json| dropped(json, |value| matches!(value, Json::Object(_)))),
    ("without lists", |json| dropped(json, |value| matches!(value, Json::Array(_)))),
    ("without numbers", |json| dropped(json, |value| matches!(value, Json::Number(_)))),
    ("null as an empty text", |json| matches!(json, Json::Null).then(|| "".into())),
    ("null as the word", |json| matches!(json, Json::Null).then(|| "null".into())),
    ("null as an empty object", |json| matches!(json, Json::Null).then(|| Json::Object(Vec::new()))),
    ("false as null", |json| (*json == Json::Bool(false)).then_some(Json::Null)),
    ("true as the word", |json| (*json == Json::Bool(true)).then(|| "true".into())),
    ("false as the word", |json| (*json == Json::Bool(false)).then(|| "false".into())),
    ("an empty object as null", |json| {
        matches!(json, Json::Object(members) if members.is_empty()).then_some(Json::Null)
    }),
    ("an empty list as null", |json| matches!(json, Json::Array(items) if items.is_empty()).then_some(Json::Null)),
    ("an empty list as an object", |json| {
        matches!(json, Json::Array(items) if items.is_empty()).then(|| Json::Object(Vec::new()))
    }),
    ("zero as null", |json| (matches!(json, Json::Number(_)) && json.to_ascii() == "0").then_some(Json::Null)),
    ("numbers as texts", |json| matches!(json, Json::Number(_)).then(|| json.to_ascii().as_str().into())),
    ("numbers without a fraction", |json| {
        let Json::Number(_) = json else { return None };
        let given = json.to_ascii();
        let whole = given.split('.').next().filter(|whole| *whole != given)?;
        json::parse(whole).ok()
    }),
    ("numbers as 32 bits", |json| {
        let Json::Number(_) = json else { return None };
        let given: f64 = json.to_ascii().parse().ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "that is what is tried")]
        let short = given as i32;
        (f64::from(short) != given).then(|| json::parse(&short.to_string()).expect("it is a number"))
    }),
    ("numbers as floats of 32 bits", |json| {
        let Json::Number(_) = json else { return None };
        let given: f64 = json.to_ascii().parse().ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "that is what is tried")]
        let short = f64::from(given as f32);
        (short.is_finite() && short != given).then(|| json::parse(&short.to_string()).expect("it is a number"))
    }),
    ("numbers without a sign", |json| {
        let Json::Number(_) = json else { return None };
        json::parse(json.to_ascii().strip_prefix('-')?).ok()
    }),
    ("items in reverse", |json| items(json, |items| items.reverse())),
    ("equal items once", |json| items(json, |items| items.dedup())),
    ("the first item alone", |json| items(json, |items| items.truncate(1))),
    ("two items alone", |json| items(json, |items| items.truncate(2))),
    ("ten items alone", |json| items(json, |items| items.truncate(10))),
    ("a hundred items alone", |json| items(json, |items| items.truncate(100))),
    ("without the first item", |json| items(json, |items| drop(items.drain(..1.min(items.len()))))),
    ("without the last item", |json| items(json, |items| drop(items.pop()))),
    ("a single item for its list", |json| match json {
        Json::Array(items) if items.len() == 1 => Some(items[0].clone()),
        _ => None,
    }),
    ("items of one list in the other", |json| {
        items(json, |items| {
            *items = items
                .iter()
                .flat_map(|item| if let Json::Array(inner) = item { inner.clone() } else { vec![item.clone()] })
                .collect();
        })
    }),
    ("a single member alone", |json| members(json, |members| members.truncate(1))),
    ("ten members alone", |json| members(json, |members| members.truncate(10))),
    ("without the last member", |json| members(json, |members| drop(members.pop()))),
];

/// Changes the values at a place; `None` if that changes nothing.
fn changed(json: &Json, at: &str, place: &str, change: Change) -> Option<Json> {
    let own = if at == place { change(json) } else { None };
    let deeper = match own.as_ref().unwrap_or(json) {
        Json::Array(items) => {
            let at = step(at, None);
            let changes: Vec<Option<Json>> = items.iter().map(|item| changed(item, &at, place, change)).collect();
            let changed = |(item, change): (&Json, Option<Json>)| change.unwrap_or_else(|| item.clone());
            let is_changed = changes.iter().any(Option::is_some);
            is_changed.then(|| Json::Array(items.iter().zip(changes).map(changed).collect()))
        }
        Json::Object(members) => {
            let inner = |(name, value): &(JsonString, Json)| changed(value, &step(at, Some(name)), place, change);
            let changes: Vec<Option<Json>> = members.iter().map(inner).collect();
            let changed = |((name, value), change): (&(JsonString, Json), Option<Json>)| {
                (name.clone(), change.unwrap_or_else(|| value.clone()))
            };
            let is_changed = changes.iter().any(Option::is_some);
            is_changed.then(|| Json::Object(members.iter().zip(changes).map(changed).collect()))
        }
        _ => None,
    };
    deeper.or(own)
}

/// The place of an item or a member. All that is within a value of free form is one place.
fn step(at: &str, name: Option<&JsonString>) -> String {
    let is_free = FREE.iter().any(|name| at.contains(name));
    if is_free && at.ends_with("/*") {
        return at.to_owned();
    }
    let known = |name: &JsonString| NAMES.iter().find(|known| name.as_str() == Some(known)).copied();
    let step = name.filter(|_| !is_free).and_then(known).unwrap_or("*");
    format!("{at}/{step}")
}

/// Adds the places of all values.
fn places(json: &Json, at: &str, depth: usize, found: &mut BTreeMap<String, usize>) {
    *found.entry(at.to_owned()).or_default() += 1;
    if depth == 0 {
        return;
    }
    match json {
        Json::Array(items) => {
            for item in items {
                places(item, &step(at, None), depth - 1, found);
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                places(value, &step(at, Some(name)), depth - 1, found);
            }
        }
        _ => {}
    }
}

/// A case, its params as JSON, and the right answer.
struct Known {
    case: Case,
    params: Json,
    right: Answer,
}

/// Where a wrong implementation changes something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    Params,
    Result,
}

struct Tried<'r> {
    reference: &'r mut InProcess,
    profile: ProfileName,
    method: Method,
}

impl Tried<'_> {
    fn ask(&mut self, params: &Json) -> Answer {
        let params = params.to_ascii();
        let ask = Ask { method: self.method, params: &params };
        self.reference.send_all(&[ask], &AtomicBool::new(false), &|| {}).pop().expect("there is an answer")
    }

    fn known(&mut self, case: &Case) -> Known {
        let params = json::parse(&case.params).expect("the loader has read it");
        let right = self.ask(&params);
        Known { case: case.clone(), params, right }
    }

    /// The verdict on a wrong implementation.
    fn verdict(&mut self, known: &Known, side: Side, place: &str, change: Change) -> Verdict {
        let answer = match (side, &known.right) {
            (Side::Params, _) => match changed(&known.params, "", place, change) {
                Some(params) => self.ask(&params),
                None => return Verdict::Pass,
            },
            (Side::Result, Answer::Result(result)) => match changed(result, "", place, change) {
                Some(result) => Answer::Result(result),
                None => return Verdict::Pass,
            },
            (Side::Result, _) => return Verdict::Pass,
        };
        // What it cannot read any more is no mistake that it makes.
        if matches!(answer, Answer::Fault(_)) {
            return Verdict::Pass;
        }
        judge(&known.case, Terms { profile: self.profile, omitted: &[] }, &answer, None, &BTreeMap::new()).verdict
    }
}

fn strongest(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut strongest = Verdict::Pass;
    for verdict in verdicts {
        match verdict {
            Verdict::Fail => return Verdict::Fail,
            Verdict::Pass | Verdict::Unsupported => {}
            other if strongest == Verdict::Pass || other == Verdict::Warn => strongest = other,
            _ => {}
        }
    }
    strongest
}

/// All with `MANGLINGS=all`; else every so many, which takes a few seconds.
fn every() -> usize {
    if std::env::var("MANGLINGS").is_ok_and(|value| value == "all") { 1 } else { 37 }
}

#[test]
fn what_software_does_to_texts_and_values_is_caught_at_every_place() {
    let corpus = Corpus::embedded().expect("the corpus can be used");
    let profile = ProfileName::default();
    let methods: Vec<Method> = FORMATS.methods().collect();
    let report: Vec<OfMethod> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            methods.iter().map(|method| scope.spawn(|| of_method(&corpus, profile, *method))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no thread panics")).collect()
    });
    let mut caught = 0;
    let mut missed = Vec::new();
    for of_method in report {
        println!("{}", of_method.line);
        caught += of_method.caught;
        missed.extend(of_method.missed);
    }
    let effective = caught + missed.len();
    println!("caught {caught} of {effective}; missed:\n{}", missed.join("\n"));
    assert!(effective > 100, "{effective}");
    assert!(caught * 100 >= effective * CAUGHT, "{caught} of {effective}; missed:\n{}", missed.join("\n"));
}

/// What was tried of a method.
struct OfMethod {
    line: String,
    caught: usize,
    missed: Vec<String>,
}

fn of_method(corpus: &Corpus, profile: ProfileName, method: Method) -> OfMethod {
    let mut reference = InProcess::new(Settings::of(profile));
    let mut tried = Tried { reference: &mut reference, profile, method };
    let is_own = |case: &&Case| case.method == method && case.profiles.contains(&profile) && case.same.is_none();
    let is_answer = |known: &Known| !matches!(known.right, Answer::Fault(_));
    let cases: Vec<Known> =
        corpus.cases.iter().filter(is_own).map(|case| tried.known(case)).filter(is_answer).collect();
    let sample: Vec<Known> = Sampler::sample(profile, &[method], SAMPLE_SIZE, &AtomicBool::new(false))
        .iter()
        .map(|case| tried.known(case))
        .collect();
    let sampler = Sampler::new(profile);
    let further = (SAMPLE_SIZE..SAMPLE_SIZE + FURTHER).filter_map(|number| sampler.case(SampledId { method, number }));
    let further: Vec<Known> = further.map(|case| tried.known(&case)).collect();
    let mut found: BTreeMap<(Side, String), usize> = BTreeMap::new();
    for known in &further {
        let mut of_params = BTreeMap::new();
        places(&known.params, "", 6, &mut of_params);
        let mut of_result = BTreeMap::new();
        if let Answer::Result(result) = &known.right {
            places(result, "", 6, &mut of_result);
        }
        for (side, places) in [(Side::Params, of_params), (Side::Result, of_result)] {
            for place in places.into_keys() {
                *found.entry((side, place)).or_default() += 1;
            }
        }
    }
    let places: BTreeSet<(Side, String)> =
        found.into_iter().filter(|(_, count)| *count >= 5).map(|(place, _)| place).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut missed = Vec::new();
    let all = places.iter().flat_map(|place| CHANGES.iter().map(move |change| (place, change)));
    for ((side, place), (name, change)) in all.step_by(every()) {
        let mut verdict =
            |known: &[Known]| strongest(known.iter().map(|known| tried.verdict(known, *side, place, *change)));
        let (by_cases, by_sample) = (verdict(&cases), verdict(&sample));
        let kind = match (by_cases, by_sample) {
            (Verdict::Pass, Verdict::Pass) => match verdict(&further) {
                Verdict::Pass => "without effect",
                verdict => {
                    missed.push(format!("{method}: {name}, {side:?} {place}: {verdict}"));
                    "missed"
                }
            },
            (Verdict::Pass, _) => "by sampled requests alone",
            (_, Verdict::Pass) => "by cases alone",
            _ => "by both",
        };
        *counts.entry(kind).or_default() += 1;
        if strongest([by_cases, by_sample].into_iter()) == Verdict::Fail {
            *counts.entry("fail").or_default() += 1;
        }
    }
    let caught =
        ["by both", "by cases alone", "by sampled requests alone"].map(|kind| counts.get(kind).copied().unwrap_or(0));
    OfMethod { line: format!("{method}: {} places, {counts:?}", places.len()), caught: caught.iter().sum(), missed }
}
