//! A scripted dialogue with an adapter, to find what is wrong with how it talks. Whether it reads messages right is
//! another question, which cases ask. Each step has processes of its own, so that a fault in one spoils no other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::child::{Child, Heard, INTERRUPT_POLL, hello_line, read_handshake, request_line};
use super::options::AdapterOptions;
use super::{Answer, Fault, FaultKind, StartError};
use crate::formats::FORMATS;
use crate::json::{self, Json, JsonString};
use crate::nearest::nearest;
use crate::openui::Profile;
use crate::options::open_points;
use crate::protocol::{Feature, Format, Handshake, Method, RefusalKind, check_result};

/// A step of the dialogue, and what is wrong in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was tried.
    pub name: String,
    /// What came of it.
    pub outcome: StepOutcome,
    /// The section of the protocol's document that says what has to come.
    pub section: &'static str,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// All as it has to be.
    Right,
    /// What was expected, and what was found.
    Wrong(String),
    /// The adapter offers nothing that could be tried.
    Skipped(String),
}

/// Leads the whole dialogue, and tells each step as it comes. The handshake comes first; where it fails, nothing else
/// can be tried. With `one_shot`, each process gets a single request and the end of its input at once. Once `stop` is set,
/// no further step is told, not even the one that was under way.
///
/// # Errors
///
/// When the command cannot be started at all.
pub fn check(
    options: &AdapterOptions,
    one_shot: bool,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Step),
) -> Result<(), StartError> {
    let dialogue = Dialogue { options, one_shot, stop };
    // What cannot be started is no dialogue.
    drop(Child::spawn(options)?);
    let mut step = |name: &str, section, outcome| {
        if !stop.load(Ordering::Relaxed) {
            tell(Step { name: name.to_owned(), outcome, section });
        }
    };
    let handshake = match dialogue.shake_hands(options) {
        Ok((_, handshake)) => handshake,
        Err(why) => {
            step("the handshake", "Initialize", StepOutcome::Wrong(why));
            return Ok(());
        }
    };
    step("the handshake", "Initialize", judged(dialogue.declarations(&handshake)));
    // Methods whose plain request was answered as it has to be; more is asked of these alone.
    let mut sound = Vec::new();
    let omitted = FORMATS.omitted(&handshake);
    for (method, params) in EXAMPLES {
        let outcome = if handshake.offers(method) {
            judged(dialogue.plain_request(method, &without(&omitted, params)))
        } else {
            StepOutcome::Skipped("not offered".to_owned())
        };
        if outcome == StepOutcome::Right {
            sound.push(method);
        }
        step(&format!("{method}: a plain request"), "Methods", outcome);
    }
    let parses = sound.contains(&Method::OpenuiParse);
    let reading: [(&str, &'static str, Trial); 4] = [
        (STREAMING, "Errors", |dialogue| dialogue.streaming()),
        ("a member that is null", "Methods", |dialogue| dialogue.null_member()),
        ("odd characters, there and back", "Lines", |dialogue| dialogue.odd_characters()),
        ("a long message", "Lines", |dialogue| dialogue.long_message()),
    ];
    for (name, section, trial) in reading {
        let lacking = omitted.iter().find(|feature| name == STREAMING && feature.name() == "streaming");
        let outcome = match (parses, lacking) {
            (false, _) => needs("openui.parse"),
            (true, Some(feature)) => StepOutcome::Skipped(format!("the adapter omits {feature}")),
            (true, None) => judged(trial(&dialogue)),
        };
        step(name, section, outcome);
    }
    let together: [(&str, Trial); 2] = [
        ("many requests at once", |dialogue| dialogue.many_at_once()),
        ("the same request again", |dialogue| dialogue.same_again()),
    ];
    for (name, trial) in together {
        let outcome = match (parses, one_shot) {
            (true, false) => judged(trial(&dialogue)),
            (true, true) => StepOutcome::Skipped("a process gets a single request".to_owned()),
            (false, _) => needs("openui.parse"),
        };
        step(name, "Lines", outcome);
    }
    step("a method that does not exist", "Errors", judged(dialogue.unknown_method()));
    let writes = [Method::OpenuiBuild, Method::OpenuiFromEvent].into_iter().find(|method| sound.contains(method));
    let deep = writes.map_or_else(|| needs("a method that writes"), |method| judged(dialogue.deep_context(method)));
    step("a context of 900 levels", "Limits", deep);
    for name in &handshake.profiles {
        if let Some(profile) = Profile::named(name).filter(|profile| *profile != options.profile) {
            step(&format!("profile {profile}, asked for"), "Initialize", judged(dialogue.other_profile(profile)));
        }
    }
    step("all at once, up to the end of input", "Lines", judged(dialogue.at_once()));
    step("the end of input", "When something goes wrong", judged(dialogue.ending()));
    Ok(())
}

/// The step that needs the feature `streaming`.
const STREAMING: &str = "openui.parse while more may come";

/// Params without the members that hold omitted features.
fn without(omitted: &[Feature], params: &str) -> String {
    let is_omitted = |name: &JsonString| {
        omitted.iter().any(|feature| name.as_str().is_some_and(|name| feature.members().contains(&name)))
    };
    match json::parse(params) {
        Ok(Json::Object(members)) => {
            Json::Object(members.into_iter().filter(|(name, _)| !is_omitted(name)).collect()).to_ascii()
        }
        _ => params.to_owned(),
    }
}

/// A step of a dialogue.
type Trial = fn(&Dialogue<'_>) -> Result<(), String>;

fn needs(what: &str) -> StepOutcome {
    StepOutcome::Skipped(format!("needs {what}"))
}

/// A request of each method that any implementation answers, as in the protocol's document.
const EXAMPLES: [(Method, &str); 5] = [
    (Method::OpenuiParse, r#"{"raw":"Good morning"}"#),
    (Method::OpenuiStream, r#"{"chunks":["Good mor","","ning"]}"#),
    (
        Method::OpenuiBuild,
        r#"{"content":"root = Form([guests])","context":{"guests":2},"attributes":[["lang","pt"]],"end":true}"#,
    ),
    (Method::OpenuiModelText, r#"{"raw":"Two guests","role":"user"}"#),
    (Method::OpenuiFromEvent, r#"{"message":"Book","form_state":{"guests":2}}"#),
];

/// Requests that are sent together, as many as a run has open at most.
const MANY: usize = 256;

/// Lines of a message that is longer than what pipes and line buffers hold, and short enough to be kept whole.
const LONG: usize = 15_000;

/// Levels of nesting, well within what the protocol allows.
const DEEP: usize = 900;

/// Texts without a marker, which come back as they are: letters that Latin-1 has too, which some languages write so
/// while nothing else is among them; letters beyond it, an emoji, line separators that are no line ends, characters
/// that JSON has to escape, a byte order mark.
const LATIN: &str = "Zo\u{eb} na\u{ef}ve caf\u{e9}";
const ODD: &str =
    "Zo\u{eb} \u{65e5}\u{672c} \u{1f600} \u{2028}\u{2029}\u{85} \"quoted\" back\\slash \u{0}\u{1f} tab\t \u{feff} end";

/// How long a child is given to say after the end of its input what it should have said before.
const AFTERTHOUGHT: Duration = Duration::from_secs(2);

fn judged(result: Result<(), String>) -> StepOutcome {
    result.map_or_else(StepOutcome::Wrong, |()| StepOutcome::Right)
}

struct Dialogue<'a> {
    options: &'a AdapterOptions,
    one_shot: bool,
    stop: &'a AtomicBool,
}

impl Dialogue<'_> {
    // ---- Steps ----

    /// What the handshake says beyond what a run insists on.
    fn declarations(&self, handshake: &Handshake) -> Result<(), String> {
        if let Some(method) = handshake.methods.iter().find(|method| Method::named(method).is_none()) {
            let known = Method::ALL.map(Method::name);
            let hint = self::hint(method, known);
            return Err(format!("expected `methods` among {}, but found {method}{hint}", known.join(", ")));
        }
        let features: Vec<&str> = FORMATS.features().map(Feature::name).collect();
        if let Some(omitted) = handshake.omits.iter().find(|omitted| !features.contains(&&omitted[..])) {
            let hint = self::hint(omitted, features.iter().copied());
            return Err(format!("expected `omits` among {}, but found {omitted}{hint}", features.join(", ")));
        }
        if handshake.methods.is_empty() {
            return Err("expected at least one method in `methods`, but found none".to_owned());
        }
        let known = Profile::ALL.map(Profile::name);
        if let Some(profile) = handshake.profiles.iter().find(|profile| Profile::named(profile).is_none()) {
            return Err(format!(
                "expected `profiles` among {}, but found {profile}{}",
                known.join(", "),
                hint(profile, known)
            ));
        }
        if handshake.profiles.is_empty()
            && handshake.methods.iter().any(|method| Format::of(method).is_some_and(Format::has_profiles))
        {
            return Err("expected at least one profile in `profiles` beside openui methods, but found none".to_owned());
        }
        for (rule, name) in &handshake.choices {
            let rules: Vec<&str> = open_points().map(|point| point.rule).collect();
            let Some(point) = open_points().find(|point| point.rule == rule) else {
                let hint = self::hint(rule, rules);
                return Err(format!("expected `choices` for open rules, but found {rule}{hint}"));
            };
            if !point.names.contains(&name.as_str()) {
                let hint = self::hint(name, point.names.iter().copied());
                return Err(format!("expected {} for {rule}, but found {name}{hint}", point.names.join(" or ")));
            }
        }
        Ok(())
    }

    fn plain_request(&self, method: Method, params: &str) -> Result<(), String> {
        right_form(method, &self.ask(method.name(), params)?)
    }

    fn streaming(&self) -> Result<(), String> {
        let answer = self.ask(Method::OpenuiParse.name(), r#"{"raw":"Good mor","streaming":true}"#)?;
        right_form(Method::OpenuiParse, &answer)
    }

    fn null_member(&self) -> Result<(), String> {
        let answer = self.ask(Method::OpenuiParse.name(), r#"{"raw":"Good morning","streaming":null}"#)?;
        match answer {
            Answer::Result(_) => right_form(Method::OpenuiParse, &answer),
            other => Err(format!("expected null to count as absent, but found {}", other)),
        }
    }

    fn odd_characters(&self) -> Result<(), String> {
        self.comes_back(LATIN)?;
        self.comes_back(ODD)
    }

    fn comes_back(&self, sent: &str) -> Result<(), String> {
        let params = Json::object([("raw", sent.into())]).to_ascii();
        let answer = self.ask(Method::OpenuiParse.name(), &params)?;
        match content(&answer) {
            Some(content) if content == sent => Ok(()),
            Some(content) => {
                let same = content.chars().zip(sent.chars()).take_while(|(found, sent)| found == sent).count();
                let rest = |text: &str| Json::from(text.chars().skip(same).take(8).collect::<String>()).to_ascii();
                // What UTF-8 becomes when its bytes are taken for characters, and when they cannot be written.
                let hint = if content.contains("Zo\u{c3}\u{ab}") {
                    "; is standard output written in UTF-8?"
                } else if content.contains('?') {
                    "; can standard output carry more than ASCII?"
                } else {
                    ""
                };
                let (expected, found) = (rest(sent), rest(content));
                Err(format!("expected {expected} at character {} of the content, but found {found}{hint}", same + 1))
            }
            None => Err(format!("expected the content as it was sent, but found {answer}")),
        }
    }

    fn many_at_once(&self) -> Result<(), String> {
        let raw = |number: usize| format!("Good morning, number {number}");
        let requests: Vec<(&str, String)> = (0..MANY)
            .map(|number| (Method::OpenuiParse.name(), Json::object([("raw", Json::from(raw(number)))]).to_ascii()))
            .collect();
        for (number, answer) in self.converse(self.options, &requests)?.iter().enumerate() {
            if content(answer) != Some(&raw(number)) {
                return Err(format!(
                    "expected each answer under the id of its request, but that to {:?} was {}",
                    raw(number),
                    answer
                ));
            }
        }
        Ok(())
    }

    fn long_message(&self) -> Result<(), String> {
        let raw = "Good morning, how can I help you?\n".repeat(LONG);
        let answer = self.ask(Method::OpenuiParse.name(), &Json::object([("raw", raw.as_str().into())]).to_ascii())?;
        match content(&answer) {
            Some(content) if content == raw => Ok(()),
            Some(content) => Err(format!(
                "expected all {} bytes of the message in the content, but found {} bytes",
                raw.len(),
                content.len()
            )),
            None => Err(format!("expected an answer to a message of {} bytes, but found {}", raw.len(), answer)),
        }
    }

    fn same_again(&self) -> Result<(), String> {
        let parse = |raw: &str| (Method::OpenuiParse.name(), Json::object([("raw", raw.into())]).to_ascii());
        let message = "]]>openui:content?lang=pt\nroot = A()\n]]>openui:context\n{\"guests\":2}\n]]>openui:end";
        let answers = self.converse(self.options, &[parse(message), parse("Good morning"), parse(message)])?;
        if answers[0] == answers[2] {
            return Ok(());
        }
        let (first, second) = (&answers[0], &answers[2]);
        Err(format!("expected the same answer to the same request, but found {first}, and later {second}"))
    }

    fn unknown_method(&self) -> Result<(), String> {
        match self.ask("openui.no_such_method", "{}")? {
            Answer::NoSuchMethod => Ok(()),
            other => Err(format!("expected the error -32601, but found {}", other)),
        }
    }

    fn deep_context(&self, method: Method) -> Result<(), String> {
        let context = format!("{}1{}", "[".repeat(DEEP), "]".repeat(DEEP));
        let params = match method {
            Method::OpenuiFromEvent => format!(r#"{{"message":"Book","context":{context}}}"#),
            _ => format!(r#"{{"content":"Book","context":{context}}}"#),
        };
        right_form(method, &self.ask(method.name(), &params)?)
    }

    fn other_profile(&self, profile: Profile) -> Result<(), String> {
        let (_, handshake) = self.shake_hands(&AdapterOptions { profile, ..self.options.clone() })?;
        if handshake.profiles.iter().any(|listed| listed == profile.name()) {
            return Ok(());
        }
        let listed = handshake.profiles.join(", ");
        Err(format!("expected {profile} to be listed when it is asked for as well, but found {listed}"))
    }

    /// As with `--oneshot`: nothing is waited for before everything has been said.
    fn at_once(&self) -> Result<(), String> {
        let (method, params) = EXAMPLES[0];
        self.ask_at_once(method.name(), params).map(|_| ())
    }

    fn ask_at_once(&self, method: &str, params: &str) -> Result<Answer, String> {
        let mut child = self.spawn(self.options)?;
        let mut lines = hello_line(self.options);
        lines.extend(request_line(1, method, params));
        child.send(lines);
        child.end_input();
        let mut answers = self.collect(&mut child, &[0, 1], self.options.start_timeout)?;
        read_handshake(&answers[0])?;
        Ok(answers.remove(1))
    }

    fn ending(&self) -> Result<(), String> {
        let (child, _) = self.shake_hands(self.options)?;
        let (late, notes) = child.stop(self.options.stop_grace(), self.stop);
        match late {
            Some(Heard::Fault(fault)) => {
                Err(format!("expected silence after the last answer, but {}", what_came(&fault)))
            }
            Some(Heard::Answer(id, _)) => Err(format!("expected silence after the last answer, but found one to {id}")),
            Some(Heard::Nothing) | None => match notes.into_iter().next() {
                Some(note) => Err(format!("expected an end with exit status 0, but {note}")),
                None => Ok(()),
            },
        }
    }

    // ---- How they talk ----

    fn spawn(&self, options: &AdapterOptions) -> Result<Child, String> {
        if self.stop.load(Ordering::Relaxed) {
            return Err("interrupted".to_owned());
        }
        Child::spawn(options).map_err(|error| error.to_string())
    }

    fn shake_hands(&self, options: &AdapterOptions) -> Result<(Child, Handshake), String> {
        let mut child = self.spawn(options)?;
        child.send(hello_line(options));
        if self.one_shot {
            child.end_input();
        }
        let answer = self.collect(&mut child, &[0], options.start_timeout)?;
        Ok((child, read_handshake(&answer[0])?))
    }

    /// The answer to one request, in a process of its own.
    fn ask(&self, method: &str, params: &str) -> Result<Answer, String> {
        let answers = self.converse(self.options, &[(method, params.to_owned())])?;
        answers.into_iter().next().ok_or_else(|| "expected an answer, but found none".to_owned())
    }

    /// The answers to requests that are sent together, in their order.
    fn converse(&self, options: &AdapterOptions, requests: &[(&str, String)]) -> Result<Vec<Answer>, String> {
        if self.one_shot {
            return requests.iter().map(|(method, params)| self.ask_at_once(method, params)).collect();
        }
        let (mut child, _) = self.shake_hands(options)?;
        let ids: Vec<u64> = (1..=requests.len() as u64).collect();
        child.send(
            ids.iter().zip(requests).flat_map(|(id, (method, params))| request_line(*id, method, params)).collect(),
        );
        self.collect(&mut child, &ids, options.timeout)
    }

    /// Waits for an answer to each id, `timeout` from one to the next. They are given in the order of the ids.
    fn collect(&self, child: &mut Child, ids: &[u64], timeout: Duration) -> Result<Vec<Answer>, String> {
        let mut answers: BTreeMap<u64, Answer> = BTreeMap::new();
        let mut deadline = Instant::now() + timeout;
        while let Some(missing) = ids.iter().find(|id| !answers.contains_key(id)) {
            match child.hear(deadline.min(Instant::now() + INTERRUPT_POLL)) {
                Heard::Answer(id, _) if answers.contains_key(&id) => {
                    return Err(format!("expected one answer to request {id}, but found two"));
                }
                Heard::Answer(id, answer) if ids.contains(&id) => {
                    answers.insert(id, answer);
                    deadline = Instant::now() + timeout;
                }
                Heard::Answer(id, _) => {
                    return Err(format!("expected the answer to request {missing}, but found one to {id}"));
                }
                Heard::Fault(fault) => {
                    return Err(format!("expected the answer to request {missing}, but {}", what_came(&fault)));
                }
                Heard::Nothing if self.stop.load(Ordering::Relaxed) => return Err("interrupted".to_owned()),
                Heard::Nothing if Instant::now() >= deadline => {
                    // A writer that is not flushed gives what it has at the end.
                    child.end_input();
                    let why = match child.hear_unless(self.stop, Instant::now() + AFTERTHOUGHT) {
                        Heard::Answer(..) => "it came only when the input had ended; end each line with a LF and flush",
                        _ => "none came",
                    };
                    let (seconds, words) = (timeout.as_secs_f32(), child.last_words());
                    return Err(format!(
                        "expected the answer to request {missing} within {seconds} s, but {why}{words}"
                    ));
                }
                Heard::Nothing => {}
            }
        }
        Ok(answers.into_values().collect())
    }
}

/// Whether an answer has a form that the protocol knows, whatever it says.
fn right_form(method: Method, answer: &Answer) -> Result<(), String> {
    match answer {
        Answer::Result(result) => check_result(method, result),
        Answer::Unsupported(reason) => Err(format!(
            "expected an answer, since `methods` lists {method}, but found a refusal (code 2): {reason}; a feature that is not \
             there is declared in `omits`"
        )),
        Answer::Omitted(_) => Ok(()),
        Answer::Refusal { kind, .. } if RefusalKind::named(kind).is_some() => Ok(()),
        Answer::Refusal { kind, .. } => {
            let known = RefusalKind::ALL.map(RefusalKind::name);
            Err(format!("expected a kind of refusal ({}), but found {kind}{}", known.join(", "), hint(kind, known)))
        }
        Answer::NoSuchMethod => Err(format!("expected {method} to be there, as `methods` says, but found -32601")),
        Answer::Fault(fault) => Err(format!("expected an answer, but found an error: {}", fault.detail)),
    }
}

fn content(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Result(result) => result.get("content").and_then(Json::as_str),
        _ => None,
    }
}

/// A fault, as it goes behind "but".
fn what_came(fault: &Fault) -> String {
    match fault.kind {
        FaultKind::Crash => fault.detail.clone(),
        FaultKind::WrongId => format!("another came: {}", fault.detail),
        _ => format!("a line on standard output is no answer: {}", fault.detail),
    }
}

/// A question whether the nearest known name was meant. What an adapter says stands here without quotes.
fn hint<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean {known}?"))
}
