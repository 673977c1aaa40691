//! The report as JUnit XML, for CI systems that show such files.

use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::NOT_LISTED;
use super::escape::{excerpt, printable};
use super::summary::{FailureText, Summary};
use crate::run::Verdict;

/// The maximum number of properties for reasons of unsupported cases; each suite has them all.
const REASONS: usize = 20;
/// The maximum length of a reason.
const REASON: usize = 200;

/// Writes the report as JUnit XML: a suite for each topic, and one for the derived checks. A case that fails is a failure,
/// one without a valid answer an error, and one that is unsupported or was not run is skipped. Warnings that do not fail the
/// run pass, with their text in the output of the case. The time of a case is its response time. The properties of the suites
/// name the implementation, the corpus and the profile.
///
/// # Errors
///
/// When writing fails.
pub fn write_junit(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    let name = format!("genui-conform {}, profile {}", summary.suite, summary.profile);
    let mut report = Report::new(XmlString::new(name));
    let mut suite = TestSuite::new("");
    for case in &summary.cases {
        let topic = case.id.rsplit_once('/').map_or("", |(topic, _)| topic);
        if suite.name.as_str() != topic {
            push(&mut report, std::mem::replace(&mut suite, new_suite(topic, summary)));
        }
        let mut test = test_case(&case.id, case.verdict, case.fails, case.failure.as_ref());
        if let Some(time) = case.duration_ms {
            test.set_time(Duration::from_secs_f64(time / 1e3));
        }
        suite.add_test_case(test);
    }
    push(&mut report, suite);
    let mut suite = new_suite("derived checks", summary);
    for check in &summary.derived {
        suite.add_test_case(test_case(&check.id, check.verdict, check.fails, check.failure.as_ref()));
    }
    push(&mut report, suite);
    report.serialize(out).map_err(io::Error::other)
}

fn new_suite(name: &str, summary: &Summary) -> TestSuite {
    let mut suite = TestSuite::new(name);
    let implementation = &summary.implementation;
    let mut property = |name: &str, value: &str| {
        suite.add_property(Property::new(name, printable(value)));
    };
    property("suite", &summary.suite);
    property("corpus", &summary.corpus);
    property("profile", &summary.profile);
    property("verdict", summary.verdict.name());
    property("conformance", &summary.conformance);
    property("implementation", &implementation.name);
    property("version", implementation.version.as_deref().unwrap_or(""));
    for (rule, bound) in &summary.choices {
        property(rule, &bound.shown());
    }
    for why in summary.unsupported.iter().take(REASONS) {
        let reason = excerpt(why.reason.as_deref().unwrap_or(NOT_LISTED), REASON);
        let word = if why.refused { "refused" } else { "unsupported" };
        property(&printable(&format!("{word} {}: {reason}", why.method)), &why.cases.to_string());
    }
    let more: usize = summary.unsupported.iter().skip(REASONS).map(|why| why.cases).sum();
    if more > 0 {
        property("unsupported for other reasons", &more.to_string());
    }
    suite
}

fn push(report: &mut Report, suite: TestSuite) {
    if !suite.test_cases.is_empty() {
        report.add_test_suite(suite);
    }
}

fn test_case(id: &str, verdict: Verdict, fails: bool, failure: Option<&FailureText>) -> TestCase {
    let mut status = match verdict {
        Verdict::NOT_RUN => TestCaseStatus::skipped(),
        Verdict::Unsupported if !fails => TestCaseStatus::skipped(),
        _ if !fails => TestCaseStatus::success(),
        Verdict::NoAnswer(_) => TestCaseStatus::non_success(NonSuccessKind::Error),
        _ => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    // XML forbids control characters, so all text is made printable.
    let text = failure.map(|failure| {
        let lines = [
            Some(failure.message.clone()),
            failure.expected.as_ref().map(|expected| format!("expected {expected}")),
            Some(format!("found {}", failure.actual)),
            failure.at.as_ref().map(|at| format!("first difference at {at}")),
            Some(format!("rerun: {}", failure.rerun)),
        ];
        lines.into_iter().flatten().map(|line| printable(&line)).collect::<Vec<_>>().join("\n")
    });
    if matches!(status, TestCaseStatus::NonSuccess { .. } | TestCaseStatus::Skipped { .. }) {
        status.set_message(verdict.name());
    }
    let passed = matches!(status, TestCaseStatus::Success { .. });
    if let (Some(text), false) = (&text, passed) {
        status.set_description(text.as_str());
    }
    let mut case = TestCase::new(printable(id), status);
    if let (Some(text), true) = (&text, passed) {
        case.set_system_out(format!("{verdict}\n{text}"));
    }
    case
}
