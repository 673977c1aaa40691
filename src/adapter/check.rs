//! Checks that an adapter follows the protocol, with a scripted session. Whether it reads messages right is for cases
//! to test. Each step has processes of its own, so that a fault in one does not affect the others.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod failure;

use self::failure::StepFailure;
use super::child::{Child, ChildEvent, INTERRUPT_POLL, initialize_line, read_handshake, request_line};
use super::options::AdapterOptions;
use super::{Answer, Fault, FaultKind, StartError};
use crate::format::{Echo, Feature, Method, Sample};
use crate::formats::FORMATS;
use crate::json::{self, Json, JsonString};
use crate::nearest::nearest;
use crate::protocol::{Handshake, RefusalKind};
use crate::settings::ProfileName;

/// A step of the protocol check, and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is tried.
    pub name: String,
    /// How it ended.
    pub outcome: StepOutcome,
    /// The section of the protocol's document that describes the right behaviour.
    pub section: &'static str,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// The adapter follows the protocol.
    Right,
    /// What was expected, and what was found.
    Wrong(String),
    /// The adapter supports nothing that could be tried.
    Skipped(String),
}

/// Runs the whole protocol check, and reports each step as it ends. The handshake comes first; if it fails, nothing
/// else can be tried. With `one_shot`, each process gets a single request and the end of its input at once. Once `stop`
/// is set, no further step is reported, not even the current one.
///
/// # Errors
///
/// If the command cannot be started at all.
pub fn check(
    options: &AdapterOptions,
    one_shot: bool,
    stop: &AtomicBool,
    report: &mut dyn FnMut(Step),
) -> Result<(), StartError> {
    let protocol = ProtocolCheck { options, one_shot, stop };
    // A command that cannot be started cannot be checked.
    drop(Child::spawn(options)?);
    let mut step = |name: &str, section, outcome| {
        if !stop.load(Ordering::Relaxed) {
            report(Step { name: name.to_owned(), outcome, section });
        }
    };
    let handshake = match protocol.start_session(options) {
        Ok((_, handshake)) => handshake,
        Err(failure) => {
            step("the handshake", "Initialize", StepOutcome::Wrong(failure.to_string()));
            return Ok(());
        }
    };
    step("the handshake", "Initialize", judged(protocol.declarations(&handshake)));
    // Methods whose plain request was answered as it should be; the further steps use only these.
    let mut sound: Vec<Method> = Vec::new();
    let omitted = FORMATS.omitted(&handshake);
    for method in FORMATS.methods() {
        for (index, sample) in method.samples.iter().enumerate() {
            let feature = sample.feature.filter(|name| omitted.iter().any(|feature| feature.name() == *name));
            let outcome = if !handshake.offers(method.name()) {
                StepOutcome::Skipped("unsupported".to_owned())
            } else if let Some(feature) = feature {
                StepOutcome::Skipped(format!("the adapter omits {feature}"))
            } else if index > 0 && !sound.contains(&method) {
                needs(method.name())
            } else {
                judged(protocol.sample(method, sample, &omitted))
            };
            if index == 0 && outcome == StepOutcome::Right {
                sound.push(method);
            }
            step(&format!("{}: {}", method, sample.name), "Methods", outcome);
        }
    }
    let echo = sound.iter().find_map(|method| Some(Echoing { method: *method, echo: method.echo? }));
    let reading: [(&str, EchoStep); 2] = [
        ("odd characters, there and back", |protocol, echo| protocol.odd_characters(echo)),
        ("a long message", |protocol, echo| protocol.long_message(echo)),
    ];
    let needs_echo = || {
        let echoing = FORMATS.methods().filter(|method| method.echo.is_some());
        needs(&echoing.map(|method| method.name()).collect::<Vec<_>>().join(" or "))
    };
    for (name, trial) in reading {
        step(name, "Lines", echo.as_ref().map_or_else(needs_echo, |echo| judged(trial(&protocol, echo))));
    }
    let together: [(&str, EchoStep); 2] = [
        ("many requests at once", |protocol, echo| protocol.many_at_once(echo)),
        ("the same request again", |protocol, echo| protocol.same_again(echo)),
    ];
    for (name, trial) in together {
        let outcome = match (&echo, one_shot) {
            (Some(echo), false) => judged(trial(&protocol, echo)),
            (Some(_), true) => StepOutcome::Skipped("a process gets a single request".to_owned()),
            (None, _) => needs_echo(),
        };
        step(name, "Lines", outcome);
    }
    step("a method that does not exist", "Errors", judged(protocol.unknown_method()));
    let takes_values = sound.iter().find_map(|method| Some((method, method.with_value?)));
    let deep = match takes_values {
        Some((method, params)) => judged(protocol.deep_value(*method, params)),
        None => needs("a method that writes"),
    };
    step("a context of 900 levels", "Limits", deep);
    for name in &handshake.profiles {
        if let Some(profile) = name.parse::<ProfileName>().ok().filter(|profile| *profile != options.profile) {
            step(&format!("profile {profile}, asked for"), "Initialize", judged(protocol.other_profile(profile)));
        }
    }
    step("all at once, up to the end of input", "Lines", judged(protocol.at_once()));
    step("the end of input", "When something goes wrong", judged(protocol.ending()));
    Ok(())
}

/// Returns the params without the members of omitted features.
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

/// A step of the protocol check.
type EchoStep = fn(&ProtocolCheck<'_>, &Echoing) -> Result<(), StepFailure>;

/// A method that returns a text unchanged.
struct Echoing {
    method: Method,
    echo: Echo,
}

impl Echoing {
    /// Returns a request that carries a text.
    fn request(&self, text: &str) -> (&'static str, String) {
        (self.method.name(), (self.echo.params)(text).to_ascii())
    }

    /// Returns the text in an answer.
    fn text<'r>(&self, answer: &'r Answer) -> Option<&'r str> {
        match answer {
            Answer::Result(result) => (self.echo.text)(result),
            _ => None,
        }
    }
}

fn needs(what: &str) -> StepOutcome {
    StepOutcome::Skipped(format!("needs {what}"))
}

/// Requests that are sent together, as many as a run has open at most.
const MANY: usize = 256;

/// Lines of a message that is longer than the buffers of pipes and lines, and short enough to be kept whole.
const LONG: usize = 15_000;

/// Levels of nesting, well within what the protocol allows.
const DEEP: usize = 900;

/// Texts without a marker, which are returned unchanged: letters that Latin-1 has too, which some languages write so if
/// there are no others; letters beyond it, an emoji, line separators that do not end a line, characters that JSON has
/// to escape, a byte order mark.
const LATIN: &str = "Zo\u{eb} na\u{ef}ve caf\u{e9}";
const ODD: &str =
    "Zo\u{eb} \u{65e5}\u{672c} \u{1f600} \u{2028}\u{2029}\u{85} \"quoted\" back\\slash \u{0}\u{1f} tab\t \u{feff} end";

/// How long a child may still write, after the end of its input, an answer that was due before.
const LATE_OUTPUT_WAIT: Duration = Duration::from_secs(2);

fn judged(result: Result<(), StepFailure>) -> StepOutcome {
    result.map_or_else(|failure| StepOutcome::Wrong(failure.to_string()), |()| StepOutcome::Right)
}

struct ProtocolCheck<'a> {
    options: &'a AdapterOptions,
    one_shot: bool,
    stop: &'a AtomicBool,
}

impl ProtocolCheck<'_> {
    // ---- Steps ----

    /// Checks the handshake beyond what a run requires.
    fn declarations(&self, handshake: &Handshake) -> Result<(), StepFailure> {
        if let Some(method) = handshake.methods.iter().find(|method| FORMATS.method(method).is_none()) {
            let known = FORMATS.method_names();
            let hint = self::hint(method, known.iter().copied());
            return Err(StepFailure::UnknownName {
                member: "methods",
                known: known.join(", "),
                found: method.clone(),
                hint,
            });
        }
        let features: Vec<&str> = FORMATS.features().map(Feature::name).collect();
        if let Some(omitted) = handshake.omits.iter().find(|omitted| !features.contains(&&omitted[..])) {
            let hint = self::hint(omitted, features.iter().copied());
            return Err(StepFailure::UnknownName {
                member: "omits",
                known: features.join(", "),
                found: omitted.clone(),
                hint,
            });
        }
        if handshake.methods.is_empty() {
            return Err(StepFailure::NoMethods);
        }
        let known = FORMATS.profile_names();
        if let Some(profile) = handshake.profiles.iter().find(|profile| profile.parse::<ProfileName>().is_err()) {
            return Err(StepFailure::UnknownName {
                member: "profiles",
                known: known.join(", "),
                found: profile.clone(),
                hint: hint(profile, known),
            });
        }
        let mut formats = handshake.methods.iter().filter_map(|method| FORMATS.format_of(method));
        if handshake.profiles.is_empty()
            && let Some(format) = formats.find(|format| format.has_profiles())
        {
            return Err(StepFailure::NoProfiles(format));
        }
        for (rule, name) in &handshake.choices {
            let rules: Vec<&str> = FORMATS.open_points().map(|point| point.rule).collect();
            let Some(point) = FORMATS.open_points().find(|point| point.rule == rule) else {
                let hint = self::hint(rule, rules);
                return Err(StepFailure::UnknownRule { found: rule.clone(), hint });
            };
            if !point.names.contains(&name.as_str()) {
                let hint = self::hint(name, point.names.iter().copied());
                return Err(StepFailure::UnknownChoice {
                    rule: rule.clone(),
                    known: point.names.join(" or "),
                    found: name.clone(),
                    hint,
                });
            }
        }
        Ok(())
    }

    fn sample(&self, method: Method, sample: &Sample, omitted: &[Feature]) -> Result<(), StepFailure> {
        let ask = |params| self.ask(method.name(), &without(omitted, params));
        let answer = ask(sample.params)?;
        match sample.same_as.map(ask).transpose()? {
            Some(expected) if expected != answer => Err(StepFailure::NullIsNotAbsent { expected, found: answer }),
            _ => right_form(method, &answer),
        }
    }

    fn odd_characters(&self, echo: &Echoing) -> Result<(), StepFailure> {
        self.comes_back(echo, LATIN)?;
        self.comes_back(echo, ODD)
    }

    fn comes_back(&self, echo: &Echoing, sent: &str) -> Result<(), StepFailure> {
        let (method, params) = echo.request(sent);
        let answer = self.ask(method, &params)?;
        match echo.text(&answer) {
            Some(content) if content == sent => Ok(()),
            Some(content) => {
                let same = content.chars().zip(sent.chars()).take_while(|(found, sent)| found == sent).count();
                let rest = |text: &str| Json::from(text.chars().skip(same).take(8).collect::<String>()).to_ascii();
                // Results of reading UTF-8 bytes as characters, and of failing to write them.
                let hint = if content.contains("Zo\u{c3}\u{ab}") {
                    "; is standard output written in UTF-8?"
                } else if content.contains('?') {
                    "; can standard output carry more than ASCII?"
                } else {
                    ""
                };
                let (expected, found) = (rest(sent), rest(content));
                Err(StepFailure::OtherContent { at: same + 1, expected, found, hint })
            }
            None => Err(StepFailure::NoContent(answer)),
        }
    }

    fn many_at_once(&self, echo: &Echoing) -> Result<(), StepFailure> {
        let raw = |number: usize| format!("Good morning, number {number}");
        let requests: Vec<(&str, String)> = (0..MANY).map(|number| echo.request(&raw(number))).collect();
        for (number, answer) in self.converse(self.options, &requests)?.iter().enumerate() {
            if echo.text(answer) != Some(&raw(number)) {
                return Err(StepFailure::OtherRequest { text: raw(number), found: answer.clone() });
            }
        }
        Ok(())
    }

    fn long_message(&self, echo: &Echoing) -> Result<(), StepFailure> {
        let raw = "Good morning, how can I help you?\n".repeat(LONG);
        let (method, params) = echo.request(&raw);
        let answer = self.ask(method, &params)?;
        match echo.text(&answer) {
            Some(content) if content == raw => Ok(()),
            Some(content) => Err(StepFailure::OtherLength { sent: raw.len(), found: content.len() }),
            None => Err(StepFailure::NoLongAnswer { sent: raw.len(), found: answer }),
        }
    }

    fn same_again(&self, echo: &Echoing) -> Result<(), StepFailure> {
        let (first, other) = (echo.request("Good morning, twice"), echo.request("Good morning"));
        let mut answers = self.converse(self.options, &[first.clone(), other, first])?;
        // Texts that may differ each time, such as an id, do not count.
        for answer in &mut answers {
            if let Some(text) = echo.text(answer).map(str::to_owned) {
                *answer = Answer::Result(text.into());
            }
        }
        if answers[0] == answers[2] {
            return Ok(());
        }
        let (second, first) = (answers.remove(2), answers.remove(0));
        Err(StepFailure::Differs { first, second })
    }

    fn unknown_method(&self) -> Result<(), StepFailure> {
        match self.ask("no_such_format.no_such_method", "{}")? {
            Answer::NoSuchMethod => Ok(()),
            other => Err(StepFailure::NoMethodError(other)),
        }
    }

    fn deep_value(&self, method: Method, params: fn(&str) -> String) -> Result<(), StepFailure> {
        let value = format!("{}1{}", "[".repeat(DEEP), "]".repeat(DEEP));
        right_form(method, &self.ask(method.name(), &params(&value))?)
    }

    fn other_profile(&self, profile: ProfileName) -> Result<(), StepFailure> {
        let (_, handshake) = self.start_session(&AdapterOptions { profile, ..self.options.clone() })?;
        if handshake.profiles.iter().any(|listed| listed == profile.name()) {
            return Ok(());
        }
        let listed = handshake.profiles.join(", ");
        Err(StepFailure::ProfileUnlisted { profile, listed })
    }

    /// As with `--oneshot`: everything is sent before any answer is awaited.
    fn at_once(&self) -> Result<(), StepFailure> {
        let method = FORMATS.methods().next().ok_or(StepFailure::NoMethod)?;
        self.ask_at_once(method.name(), method.samples[0].params).map(|_| ())
    }

    fn ask_at_once(&self, method: &str, params: &str) -> Result<Answer, StepFailure> {
        let mut child = self.spawn(self.options)?;
        let mut lines = initialize_line(self.options);
        lines.extend(request_line(1, method, params));
        child.send(lines);
        child.end_input();
        let mut answers = self.collect(&mut child, &[0, 1], self.options.start_timeout)?;
        read_handshake(&answers[0])?;
        Ok(answers.remove(1))
    }

    fn ending(&self) -> Result<(), StepFailure> {
        let (child, _) = self.start_session(self.options)?;
        let (late, notes) = child.stop(self.options.stop_grace(), self.stop);
        match late {
            Some(ChildEvent::Fault(fault)) => Err(StepFailure::LateFault(what_came(&fault))),
            Some(ChildEvent::Answer(id, _)) => Err(StepFailure::LateAnswer(id)),
            Some(ChildEvent::Nothing) | None => match notes.into_iter().next() {
                Some(note) => Err(StepFailure::End(note)),
                None => Ok(()),
            },
        }
    }

    // ---- How they communicate ----

    fn spawn(&self, options: &AdapterOptions) -> Result<Child, StepFailure> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(StepFailure::Interrupted);
        }
        Ok(Child::spawn(options)?)
    }

    fn start_session(&self, options: &AdapterOptions) -> Result<(Child, Handshake), StepFailure> {
        let mut child = self.spawn(options)?;
        child.send(initialize_line(options));
        if self.one_shot {
            child.end_input();
        }
        let answer = self.collect(&mut child, &[0], options.start_timeout)?;
        Ok((child, read_handshake(&answer[0])?))
    }

    /// Returns the answer to one request, from a process of its own.
    fn ask(&self, method: &str, params: &str) -> Result<Answer, StepFailure> {
        let answers = self.converse(self.options, &[(method, params.to_owned())])?;
        answers.into_iter().next().ok_or(StepFailure::NoAnswer)
    }

    /// Returns the answers to requests that are sent together, in their order.
    fn converse(&self, options: &AdapterOptions, requests: &[(&str, String)]) -> Result<Vec<Answer>, StepFailure> {
        if self.one_shot {
            return requests.iter().map(|(method, params)| self.ask_at_once(method, params)).collect();
        }
        let (mut child, _) = self.start_session(options)?;
        let ids: Vec<u64> = (1..=requests.len() as u64).collect();
        child.send(
            ids.iter().zip(requests).flat_map(|(id, (method, params))| request_line(*id, method, params)).collect(),
        );
        self.collect(&mut child, &ids, options.timeout)
    }

    /// Waits for an answer to each id, `timeout` from one to the next. Returns them in the order of the ids.
    fn collect(&self, child: &mut Child, ids: &[u64], timeout: Duration) -> Result<Vec<Answer>, StepFailure> {
        let mut answers: BTreeMap<u64, Answer> = BTreeMap::new();
        let mut deadline = Instant::now() + timeout;
        while let Some(missing) = ids.iter().find(|id| !answers.contains_key(id)) {
            match child.hear(deadline.min(Instant::now() + INTERRUPT_POLL)) {
                ChildEvent::Answer(id, _) if answers.contains_key(&id) => {
                    return Err(StepFailure::TwoAnswers(id));
                }
                ChildEvent::Answer(id, answer) if ids.contains(&id) => {
                    answers.insert(id, answer);
                    deadline = Instant::now() + timeout;
                }
                ChildEvent::Answer(id, _) => {
                    return Err(StepFailure::OtherAnswer { expected: *missing, found: id });
                }
                ChildEvent::Fault(fault) => {
                    return Err(StepFailure::Fault { request: *missing, fault: what_came(&fault) });
                }
                ChildEvent::Nothing if self.stop.load(Ordering::Relaxed) => return Err(StepFailure::Interrupted),
                ChildEvent::Nothing if Instant::now() >= deadline => {
                    // A writer that is not flushed writes its buffer at the end.
                    child.end_input();
                    let why = match child.hear_unless(self.stop, Instant::now() + LATE_OUTPUT_WAIT) {
                        ChildEvent::Answer(..) => {
                            "it came only when the input had ended; end each line with a LF and flush"
                        }
                        _ => "none came",
                    };
                    let (seconds, last_words) = (timeout.as_secs_f32(), child.last_words());
                    return Err(StepFailure::Timeout { request: *missing, seconds, why, last_words });
                }
                ChildEvent::Nothing => {}
            }
        }
        Ok(answers.into_values().collect())
    }
}

/// Checks that an answer has a form of the protocol, whatever its content.
fn right_form(method: Method, answer: &Answer) -> Result<(), StepFailure> {
    match answer {
        Answer::Result(result) => Ok((method.result.check)(result)?),
        Answer::Unsupported(reason) => Err(StepFailure::Unsupported { method, reason: reason.to_string() }),
        Answer::Omitted(_) => Ok(()),
        Answer::Refusal { kind, .. } if kind.parse::<RefusalKind>().is_ok() => Ok(()),
        Answer::Refusal { kind, .. } => {
            let known = RefusalKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>();
            Err(StepFailure::UnknownRefusal { known: known.join(", "), found: kind.clone(), hint: hint(kind, known) })
        }
        Answer::NoSuchMethod => Err(StepFailure::MethodMissing(method)),
        Answer::Fault(fault) => Err(StepFailure::ErrorAnswer(fault.detail.clone())),
    }
}

/// Returns a fault as the text that follows "but".
fn what_came(fault: &Fault) -> String {
    match fault.kind {
        FaultKind::Crash => fault.detail.clone(),
        FaultKind::UnexpectedId => format!("another came: {}", fault.detail),
        _ => format!("a line on standard output is no answer: {}", fault.detail),
    }
}

/// Returns a question whether the nearest known name was meant. Text of an adapter is shown here without quotes.
fn hint<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean {known}?"))
}
