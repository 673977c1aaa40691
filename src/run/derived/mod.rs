//! Derived checks: what must hold of every message, whatever it says. They come free with every case that reads
//! one, and need no expectation: an implementation is held to its own answers, with what is left open as it was
//! bound. The document of each format words them, under Derived checks; each format's are in a file of its own.

// These files lie where the next steps need them.
#[path = "../../formats/glossen/checks.rs"]
mod glossen;
#[path = "../../formats/openui/checks/mod.rs"]
mod openui;
#[path = "../../checks.rs"]
mod questions;
mod run;
mod subject;
#[path = "../../formats/toonui/checks.rs"]
mod toonui;

pub use questions::{Knowledge, Question};
pub(super) use run::check_id;
pub use run::{DerivedOutcome, Evidence, examine_message, sweep, sweep_checks};

use crate::case::Case;
use crate::protocol::Format;

/// The checks that may be made on the input of a case.
#[must_use]
pub fn checks_on(case: &Case) -> Vec<Check> {
    subject::Input::of(case).map_or_else(Vec::new, |input| input.checks())
}

/// A derived check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// While a marker line arrives, nothing of it shows.
    NoFlash,
    /// What shows grows.
    Growth,
    /// Away from markers, streaming shows what whole reading shows.
    Settle,
    /// However the text is cut into chunks, the same shows.
    Chunks,
    /// CRLF reads like LF.
    LineEndings,
    /// An unknown section at the end changes nothing.
    UnknownSection,
    /// What was read can be written and reads the same again.
    Rewrite,
    /// The model gets no marker line of the message, whoever's turn it is.
    ModelMarkers,
    /// Of an assistant turn the model gets the content that is read.
    ModelContent,
    /// The content of a payload reads back as the payload.
    ReadsBack,
    /// A UI message carries the texts of its payload.
    UiText,
    /// Content and display text have the same names in the same order.
    SameNames,
    /// Two events have different ids.
    FreshId,
    /// What validation gives is accepted as it is.
    ValidAgain,
    /// Messages give the same model messages one by one as all at once.
    OneByOne,
    /// What must not reach the model makes no difference to what does.
    Unseen,
    /// An edit leaves alone what stands in front, and nothing stands behind it.
    SamePrefix,
}

impl Check {
    /// Every check.
    pub const ALL: [Check; 17] = [
        Check::NoFlash,
        Check::Growth,
        Check::Settle,
        Check::Chunks,
        Check::LineEndings,
        Check::UnknownSection,
        Check::Rewrite,
        Check::ModelMarkers,
        Check::ModelContent,
        Check::ReadsBack,
        Check::UiText,
        Check::SameNames,
        Check::FreshId,
        Check::ValidAgain,
        Check::OneByOne,
        Check::Unseen,
        Check::SamePrefix,
    ];

    /// The name behind the `#` of an id.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::NoFlash => "no-flash",
            Check::Growth => "growth",
            Check::Settle => "settle",
            Check::Chunks => "chunks",
            Check::LineEndings => "line-endings",
            Check::UnknownSection => "unknown-section",
            Check::Rewrite => "rewrite",
            Check::ModelMarkers => "model-markers",
            Check::ModelContent => "model-content",
            Check::ReadsBack => "reads-back",
            Check::UiText => "ui-text",
            Check::SameNames => "same-names",
            Check::FreshId => "fresh-id",
            Check::ValidAgain => "valid-again",
            Check::OneByOne => "one-by-one",
            Check::Unseen => "unseen",
            Check::SamePrefix => "same-prefix",
        }
    }

    /// The rule that a departure breaks.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Check::NoFlash => "openui.stream.no-flash",
            Check::Growth => "openui.stream.growth",
            Check::Settle => "openui.stream.settle",
            Check::Chunks => "openui.stream.chunks",
            Check::LineEndings => "openui.section.crlf",
            Check::UnknownSection => "openui.read.unknown-kind",
            Check::Rewrite => "openui.build.round-trip",
            Check::ModelMarkers => "openui.model.no-marker-line",
            Check::ModelContent => "openui.model.assistant",
            Check::ReadsBack => "toonui.content.recoverable",
            Check::UiText => "toonui.message.ui",
            Check::SameNames => "toonui.content.key-order",
            Check::FreshId => "toonui.event.id",
            Check::ValidAgain => "glossen.validate.idempotent",
            Check::OneByOne | Check::Unseen => "glossen.model.convert",
            Check::SamePrefix => "glossen.edit.prefix",
        }
    }

    /// The format of what it looks at.
    #[must_use]
    pub fn format(self) -> Format {
        Format::of(self.rule()).expect("the id of a rule begins with the name of its format")
    }
}

/// What came of a check on one message.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It holds, or the message is none that it speaks of.
    Holds,
    /// The implementation does not offer what it needs.
    Unsupported,
    /// It does not hold.
    Departs(Departs),
    /// One of the questions got no answer.
    NoAnswer(Question, crate::adapter::Answer),
}

/// Why a check does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Departs {
    /// What was asked, and shows it.
    pub question: Question,
    /// What had to come, in words or as JSON.
    pub expected: String,
    /// What came.
    pub found: String,
    /// The rule that is broken, where it is not that of the check.
    pub rule: Option<&'static str>,
}

/// Takes the result out of an answer, or leaves the check with what came instead.
macro_rules! result {
    ($known:expr, $question:expr) => {
        match $known.answer(&$question)? {
            $crate::adapter::Answer::Result(result) => result.clone(),
            $crate::adapter::Answer::Omitted(_) | $crate::adapter::Answer::NoSuchMethod => {
                return Some($crate::run::derived::Finding::Unsupported);
            }
            $crate::adapter::Answer::Unsupported(reason)
                if $crate::protocol::may_refuse($question.method, &$question.params, reason) =>
            {
                return Some($crate::run::derived::Finding::Unsupported);
            }
            other => {
                let answer = other.clone();
                return Some($crate::run::derived::Finding::NoAnswer($question, answer));
            }
        }
    };
}
use result;

/// Asks several questions at once, so that all that are missing go into one round.
fn ask_all<'q>(known: &mut Knowledge, questions: impl IntoIterator<Item = &'q Question>) -> Option<()> {
    let mut complete = true;
    for question in questions {
        complete &= known.answer(question).is_some();
    }
    complete.then_some(())
}

fn departs(question: Question, expected: String, found: String) -> Finding {
    departs_from(None, question, expected, found)
}

fn departs_from(rule: Option<&'static str>, question: Question, expected: String, found: String) -> Finding {
    Finding::Departs(Departs { question, expected, found, rule })
}
