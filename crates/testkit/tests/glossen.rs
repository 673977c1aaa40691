//! The oracle for Glossen against the cases of the corpus, and against the reference on generated requests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use genui_conform::adapter::{Ask, Implementation, InProcess};
use genui_conform::case::{Case, CaseOption, Corpus, Matcher, Outcome};
use genui_conform::format::Method;
use genui_conform::formats::FORMATS;
use genui_conform::generate::{Draw, Seeded, mutated_request, request};
use genui_conform::protocol::Answer;
use genui_conform::settings::Settings;
use genui_conform::settled::{is_askable, unspecified};
use genui_json::{Json, json_equal, parse};
use genui_testkit::oracle::glossen;

/// The number of requests for each method and each set of choices. `GENUI_CONFORM_REQUESTS` sets another one.
const REQUESTS: usize = 800;

type Choices = BTreeMap<String, String>;

fn methods() -> Vec<Method> {
    FORMATS.methods().filter(|method| method.name().starts_with("glossen.")).collect()
}

/// Returns the oracle's answer: a result, or the kind of a refusal.
fn oracle(method: &str, params: &str, choices: &Choices) -> Result<Json, String> {
    let params = parse(params).unwrap_or_else(|error| panic!("{error} of {params}"));
    glossen::answer(method, &params, choices).unwrap_or_else(|| panic!("no answer to {method}"))
}

/// Returns a result without what the comparison of `case-format.md` ignores: of violations, only the set of the rules
/// counts.
fn compared(method: &str, result: &Json) -> Json {
    let Some(Json::Array(violations)) = result.get("violations").filter(|_| method == "glossen.check") else {
        return result.clone();
    };
    let rule = |violation: &Json| violation.get("rule").and_then(Json::as_str).expect("has a rule").to_owned();
    let rules: BTreeSet<String> = violations.iter().map(rule).collect();
    Json::object([("violations", Json::Array(rules.into_iter().map(Json::from).collect()))])
}

fn same_result(method: &str, left: &Json, right: &Json) -> bool {
    json_equal(&compared(method, left), &compared(method, right))
}

/// Returns whether an answer of the oracle fits an option of a case.
fn fits(case: &Case, option: &CaseOption, answer: &Result<Json, String>) -> bool {
    match (&option.outcome, answer) {
        (Outcome::Result(expected), Ok(found)) => {
            let (mut expected, mut found) = (expected.clone(), found.clone());
            let matches = |matcher: &Matcher| {
                let text = matcher.pointer.find(&found).and_then(Json::as_str);
                text.is_some_and(|text| matcher.pattern.is_match(text))
            };
            let all_match = case.matchers.iter().all(matches);
            for place in case.matchers.iter().map(|matcher| &matcher.pointer) {
                for result in [&mut expected, &mut found] {
                    place.find_mut(result).into_iter().for_each(|text| *text = Json::Null);
                }
            }
            all_match && same_result(case.method.name(), &expected, &found)
        }
        (Outcome::Refusal(expected), Err(found)) => expected.name() == found,
        _ => false,
    }
}

#[test]
fn oracle_answers_every_case_as_expected() {
    let corpus = Corpus::embedded().unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut compared = 0;
    let mut wrong = String::new();
    for case in corpus.cases.iter().filter(|case| case.method.name().starts_with("glossen.")) {
        for (option, params) in
            case.options().iter().flat_map(|option| case.requests().map(move |params| (option, params)))
        {
            compared += 1;
            let answer = oracle(case.method.name(), params, &option.choices);
            if !fits(case, option, &answer) {
                writeln!(wrong, "{} with {:?}: {}", case.id, option.choices, shown(&answer)).expect("is a String");
            }
        }
    }
    assert!(compared > 300, "only {compared} expected answers");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the sets of choices to compare under: the first choices, each other choice alone, and the last ones together.
fn sets_of_choices() -> Vec<Choices> {
    let points = || FORMATS.open_points().filter(|point| point.rule.starts_with("glossen."));
    let choice = |rule: &str, name: &str| (rule.to_owned(), name.to_owned());
    let alone =
        points().flat_map(|point| point.names[1..].iter().map(move |name| Choices::from([choice(point.rule, name)])));
    let together = points().filter_map(|point| Some(choice(point.rule, point.names.last()?))).collect();
    std::iter::once(Choices::new()).chain(alone).chain([together]).collect()
}

fn reference(choices: &Choices) -> InProcess {
    let mut settings = Settings::default();
    for (rule, name) in choices {
        assert!(settings.choose(rule, name), "{rule} = {name}");
    }
    InProcess::new(settings)
}

/// Returns generated requests of a method that the documents specify: as generated, with a mutated string, and with other
/// values at some places. Some are made for rules that the generators rarely reach.
fn requests(draw: &mut Seeded, method: Method, count: usize) -> Vec<Json> {
    let mut requests = Vec::new();
    while requests.len() < count {
        let (plain, other) = (request(draw, method), request(draw, method));
        let mutated = mutated_request(draw, &plain, &other).params;
        let mut made = vec![with_other_values(draw, &plain.params, &other.params), mutated];
        match method.name() {
            "glossen.sources" => made.extend([plain.params, answer_of_pieces(draw), answer_of_pieces(draw)]),
            // One place in a long list of messages rarely matters.
            "glossen.validate" => {
                let (short, donor) = (first_message(&plain.params), first_message(&other.params));
                made.extend([with_other_values(draw, &short, &donor), plain.params, one_odd_member(draw)]);
            }
            _ => made.push(plain.params),
        }
        let made = made.into_iter();
        requests.extend(made.filter(|params| is_askable(method, params) && !is_known_difference(method, params)));
    }
    requests.truncate(count);
    requests
}

/// What decides about a link and its target.
const PIECES: &[&str] = &[
    "](",
    "[a](",
    "<",
    ">",
    ")",
    " ",
    "\n",
    "\u{85}",
    "\u{a0}",
    "\u{feff}",
    "/",
    "//",
    "\\",
    "a",
    "b",
    "A",
    ".",
    "..",
    "%2e",
    "%",
    "%61",
    "%C3%BC",
    "%ff",
    "\u{fc}",
    "#",
    "#x",
    "#%78",
    "#50%",
    "?",
    "?q",
    "https:",
    "http:",
    "https://docs.example",
    "//docs.example",
    ":443",
    ":8443",
    ":80",
    "u@",
    "&#47;",
    "&amp;",
    "<!--",
    "-->",
    "`",
    "\"",
    "(",
    "|",
    "c:",
    "javascript:",
    "/a",
    "/b",
    "/a/b",
    "/a",
];

/// Returns a request for sources whose answer consists of links to [`PIECES`].
fn answer_of_pieces(draw: &mut Seeded) -> Json {
    let mut answer = String::new();
    for _ in 0..=draw.below(2) {
        let wholes = ["[a](", "<!-- [a](", "[a]( <", "[a](/a", "[a](https://docs.example", "](/"];
        answer.push_str(wholes[draw.below(wholes.len())]);
        (0..draw.below(4)).for_each(|_| answer.push_str(PIECES[draw.below(PIECES.len())]));
        answer.push_str([")", ")", ") -->", ">", " 'b')"][draw.below(5)]);
    }
    let anchor = |(id, heading): (&str, &str)| Json::object([("id", id.into()), ("heading", heading.into())]);
    let anchors = [("x", "X"), ("\u{fc}", ""), ("50%", "Half"), ("", "None")].map(anchor).to_vec();
    let page = |url: &str| {
        Json::object([("url", url.into()), ("title", "T".into()), ("anchors", Json::Array(anchors.clone()))])
    };
    let origin = ["https://docs.example", "http://docs.example", "https://docs.example:8443"][draw.below(3)];
    let pages = Json::Array(["/", "/a", "/b", "/a/b"].map(page).to_vec());
    Json::object([("answer", answer.into()), ("origin", origin.into()), ("pages", pages)])
}

/// Returns a message whose only part has one member that is perhaps removed, of another type, or another url.
fn one_odd_member(draw: &mut Seeded) -> Json {
    let mut page = vec![("title", "T"), ("url", "/a")];
    let kind = draw.below(3);
    if kind == 1 {
        page.extend([("text", "x"), ("heading", "H")]);
    }
    let mut members: Vec<_> = page.into_iter().map(|(name, text)| (name.into(), Json::from(text))).collect();
    let at = draw.below(members.len());
    let urls = ["javascript:x", " JavaScript:x", "java\tscript:x", "data:,x", "HTTP:x", "//", "///a", "a:b", "\\\\a"];
    match draw.below(6) {
        0 => _ = members.remove(at),
        1 => members[at].1 = Json::Null,
        2 => members[at].1 = 0.into(),
        3 => members[at].1 = Json::Array(Vec::new()),
        _ => members[1].1 = urls[draw.below(urls.len())].into(),
    }
    let data = Json::Object(members);
    let data = if kind == 2 && draw.below(4) > 0 { Json::Array(vec![data]) } else { data };
    let name = ["data-page", "data-passage", "data-sources"][kind];
    let parts = Json::Array(vec![Json::object([("type", name.into()), ("data", data)])]);
    let message = Json::object([("id", "q".into()), ("role", "user".into()), ("parts", parts)]);
    Json::object([("messages", Json::Array(vec![message]))])
}

/// Returns params with only the first of their messages.
fn first_message(params: &Json) -> Json {
    match params.get("messages") {
        Some(Json::Array(messages)) => {
            Json::object([("messages", Json::Array(messages.iter().take(1).cloned().collect()))])
        }
        _ => params.clone(),
    }
}

/// Returns params with one or two of their values removed, repeated or replaced, perhaps by a value of other params.
fn with_other_values(draw: &mut Seeded, params: &Json, other: &Json) -> Json {
    let mut params = params.clone();
    for _ in 0..=draw.below(2) {
        let plain =
            [Json::Null, true.into(), 0.into(), "".into(), "text".into(), Json::Array(Vec::new()), Json::object([])];
        let mut donor = other.clone();
        let value = match draw.below(2) {
            0 => plain[draw.below(plain.len())].clone(),
            _ => any_value(draw, &mut donor).clone(),
        };
        let how = draw.below(4);
        match any_value(draw, &mut params) {
            Json::Array(items) if how > 0 && !items.is_empty() => {
                let at = draw.below(items.len());
                match how {
                    1 => items.insert(at, value),
                    2 => items.insert(at, items[at].clone()),
                    _ => _ = items.remove(at),
                }
            }
            Json::Object(members) if how > 0 && !members.is_empty() => {
                let at = draw.below(members.len());
                match how {
                    1 => members[at].1 = value,
                    2 => members.push((members[at].0.clone(), value)),
                    _ => _ = members.remove(at),
                }
            }
            place => *place = value,
        }
    }
    params
}

/// Returns a value at any depth.
fn any_value<'v>(draw: &mut Seeded, value: &'v mut Json) -> &'v mut Json {
    let inner = match value {
        Json::Array(items) => items.len(),
        Json::Object(members) => members.len(),
        _ => 0,
    };
    if inner == 0 || draw.below(6) == 0 {
        return value;
    }
    let at = draw.below(inner);
    match value {
        Json::Array(items) => any_value(draw, &mut items[at]),
        Json::Object(members) => any_value(draw, &mut members[at].1),
        value => value,
    }
}

/// Returns whether the reference is known to be wrong about a request. The crate `url` ignores a `..` after a segment such
/// as `c:`, a drive letter of `file` urls, in urls of any scheme. By the URL Standard, the `..` removes the segment.
fn is_known_difference(method: Method, params: &Json) -> bool {
    let answer = params.get("answer").and_then(Json::as_str).unwrap_or_default();
    let characters: Vec<char> = answer.chars().collect();
    let is_drive = |four: &[char]| {
        let starts_segment = "/\\(<:".contains(four[0]) || four[0].is_whitespace();
        starts_segment && four[1].is_ascii_alphabetic() && ":|".contains(four[2]) && "/\\".contains(four[3])
    };
    let has_dots = answer.to_ascii_lowercase().replace("%2e", ".").contains("..");
    method.name() == "glossen.sources" && has_dots && characters.windows(4).any(is_drive)
}

/// If this fails, the reference follows the URL Standard here: remove [`is_known_difference`].
#[test]
fn reference_ignores_dots_after_a_drive_letter() {
    let params =
        r#"{"answer":"[a](/c:/../a)","origin":"https://docs.example","pages":[{"url":"/a","title":"A","anchors":[]}]}"#;
    let method = FORMATS.method("glossen.sources").expect("is a method");
    assert!(is_known_difference(method, &parse(params).expect("is JSON")));
    let found = reference(&Choices::new()).send_all(&[Ask { method, params }], &AtomicBool::new(false), &|| {});
    assert!(matches!(&found[..], [Answer::Result(result)] if result.to_ascii() == r#"{"sources":[]}"#), "{found:?}");
    let ours = oracle("glossen.sources", params, &Choices::new());
    assert_eq!(shown(&ours), r#"{"sources":[{"title":"A","url":"/a"}]}"#);
}

fn shown(answer: &Result<Json, String>) -> String {
    match answer {
        Ok(result) => result.to_ascii(),
        Err(kind) => format!("error {kind}"),
    }
}

/// Returns a description of every generated request on which oracle and reference disagree.
fn disagreements(seed: u64, method: Method, choices: &Choices, count: usize) -> Vec<String> {
    let requests = requests(&mut Seeded::new(seed), method, count);
    let texts: Vec<String> = requests.iter().map(Json::to_ascii).collect();
    let asks: Vec<Ask<'_>> = texts.iter().map(|params| Ask { method, params }).collect();
    let answers = reference(choices).send_all(&asks, &AtomicBool::new(false), &|| {});
    let mut found = Vec::new();
    for ((params, text), answer) in requests.iter().zip(&texts).zip(answers) {
        let ours = oracle(method.name(), text, choices);
        let theirs = match answer {
            Answer::Result(result) => Ok(result),
            Answer::Refusal { kind, .. } => Err(kind),
            other => panic!("{other:?} to {text}"),
        };
        let agree = match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                same_result(method.name(), ours, theirs) || unspecified(method, params, Some((ours, theirs))).is_some()
            }
            (Err(ours), Err(theirs)) => ours == theirs,
            _ => false,
        };
        if !agree {
            let method = method.name();
            found.push(format!(
                "{method} {text} with {choices:?}\n  oracle: {}\n  reference: {}",
                shown(&ours),
                shown(&theirs)
            ));
        }
    }
    found
}

#[test]
fn oracle_and_reference_agree_on_generated_requests() {
    let count = match std::env::var("GENUI_CONFORM_REQUESTS") {
        Ok(count) => count.parse().expect("GENUI_CONFORM_REQUESTS is a whole number"),
        Err(_) => REQUESTS,
    };
    let mut seed = 0;
    let mut found = Vec::new();
    let (methods, sets) = (methods(), sets_of_choices());
    assert!(methods.len() == 5 && sets.len() > 5, "{methods:?}, {sets:?}");
    for (method, choices) in methods.iter().flat_map(|method| sets.iter().map(move |choices| (*method, choices))) {
        seed += 1;
        found.extend(disagreements(seed, method, choices, count));
    }
    println!("{} requests, {} disagreements", count * methods.len() * sets.len(), found.len());
    found.sort_by_key(String::len);
    assert!(
        found.is_empty(),
        "{} disagreements, the shortest first:\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
}
