//! The verdict on implementations that support everything, that declare what they lack, and that do not declare it.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_genui-conform");

fn run(arguments: &[&str], mode: &str) -> Output {
    let through = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/through.py");
    Command::new(PROGRAM)
        .arg("run")
        .args(arguments)
        .args(["--", "python3"])
        .arg(through)
        .args([mode, PROGRAM, "serve"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program can be started")
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn last_line(output: &Output) -> String {
    printed(output).lines().last().unwrap_or_default().to_owned()
}

/// Returns the exit code and the last line of a run of all OpenUI cases.
fn verdict(arguments: &[&str], mode: &str) -> (Option<i32>, String) {
    let output = run(&[&["--no-derived", "openui/**"], arguments].concat(), mode);
    (output.status.code(), last_line(&output))
}

#[test]
fn complete_adapter_is_conformant() {
    let (code, line) = verdict(&[], "none");
    assert_eq!(code, Some(0), "{line}");
    assert!(line.starts_with("conformant in profile core"), "{line}");
}

#[test]
fn refusing_a_listed_method_is_not_conformant_in_any_report() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = |kind: &str| folder.path().join(kind);
    let reports: Vec<String> = ["json", "junit", "markdown", "html", "badge"]
        .iter()
        .flat_map(|kind| ["--report".to_owned(), format!("{kind}={}", file(kind).display())])
        .collect();
    let reports: Vec<&str> = reports.iter().map(String::as_str).collect();
    let (code, line) = verdict(&reports, "refuse");
    assert_eq!(code, Some(1), "{line}");
    assert!(line.starts_with("NOT conformant"), "{line}");

    let read = |kind: &str| std::fs::read_to_string(file(kind)).expect("the report was written");
    let json: serde_json::Value = serde_json::from_str(&read("json")).expect("is JSON");
    assert_eq!(json["verdict"], "not-conformant");
    assert_eq!(json["conformant"], false);
    assert!(json["refused"].as_u64().expect("is a number") > 100, "{}", json["refused"]);
    let badge: serde_json::Value = serde_json::from_str(&read("badge")).expect("is JSON");
    assert_eq!(badge["color"], "red");
    assert!(read("markdown").contains("NOT conformant"));
    assert!(read("html").contains("NOT conformant"));
    let junit = read("junit");
    assert!(junit.contains("name=\"verdict\" value=\"not-conformant\""), "{junit:.2000}");
    assert!(junit.contains("<failure") || junit.contains("<error"), "{junit:.2000}");
}

#[test]
fn a_refusal_in_a_derived_check_fails_the_run() {
    // The adapter reads plain text; derived checks add markers, which it refuses.
    let output = run(&["openui/plain-text/empty"], "refuse");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("REFUSED openui.parse"), "{}", printed(&output));
}

#[test]
fn missing_method_fails_if_only_derived_checks_send_it() {
    let output = run(&["openui/plain-text/empty"], "missing-but-parse");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("no such method, though it is listed"), "{}", printed(&output));
}

#[test]
fn omitted_features_give_a_named_part() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let badge = folder.path().join("badge");
    let (code, line) = verdict(&["--report", &format!("badge={}", badge.display())], "whole-omitting");
    assert_eq!(code, Some(0), "{line}");
    assert!(line.starts_with("conformant in part: openui.parse, openui.stream, "), "{line}");
    assert!(line.contains(", without streaming, in profile core"), "{line}");
    let badge = std::fs::read_to_string(badge).expect("the badge was written");
    assert!(!badge.contains("green") && badge.contains("without streaming"), "{badge}");
}

#[test]
fn refused_ordered_attributes_give_a_part() {
    let (code, line) = verdict(&[], "unordered");
    assert_eq!(code, Some(0), "{line}");
    assert!(line.starts_with("conformant in part: openui.parse, "), "{line}");
    let refused = regex::Regex::new("openui.from_event, but for [0-9]+ cases that need ordered attributes, in profile");
    assert!(refused.expect("is a pattern").is_match(&line), "{line}");
    let output = run(&["--no-derived", "method:openui.parse"], "unordered");
    assert!(last_line(&output).starts_with("conformant in profile core"), "{}", last_line(&output));
}

#[test]
fn omitted_members_are_not_judged_and_the_rest_is() {
    let (code, line) = verdict(&[], "bare");
    assert_eq!(code, Some(1), "{line}");
    let (code, line) = verdict(&[], "bare-omitting");
    assert_eq!(code, Some(0), "{line}");
    assert!(line.contains(", without attributes and end"), "{line}");
    // Derived checks ignore omitted members too.
    let output = run(&["topic:context", "topic:end"], "bare-omitting");
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
}

#[test]
fn marker_line_that_reaches_the_model_is_a_failure() {
    let output = run(&["--no-derived", "topic:model-text"], "raw-for-users");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    // The derived checks find it on every message.
    let output = run(&["openui/context", "openui/end"], "raw-for-users");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("#model-markers"), "{}", printed(&output));
}

#[test]
fn methods_that_are_not_listed_are_counted() {
    let (code, line) = verdict(&[], "refuse-omitting");
    assert_eq!(code, Some(1), "{line}");
    let output = run(&["--no-derived", "openui/plain-text/empty"], "refuse-omitting");
    let line = last_line(&output);
    let part = "conformant in part: openui.parse, without streaming, attributes and end (4 methods not offered)";
    assert!(line.starts_with(part), "{line}");
}

#[test]
fn a_baseline_with_reasons_covers_refusals_and_becomes_stale() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("known.toml");
    let name = file.display().to_string();
    let (code, _) = verdict(&["--write-baseline", &name], "refuse");
    assert_eq!(code, Some(1));
    let written = std::fs::read_to_string(&file).expect("the baseline was written");
    assert!(written.contains("verdict = \"unsupported\""), "{written}");
    let with_reasons = written.replace("reason = \"\"", "reason = \"only plain text is read\"");
    std::fs::write(&file, with_reasons).expect("the baseline can be written");

    let (code, line) = verdict(&["--baseline", &name], "refuse");
    assert_eq!(code, Some(0), "{line}");
    assert!(line.starts_with("conformant in part: openui.parse, but for "), "{line}");
    assert!(line.contains("known refusals"), "{line}");

    std::fs::write(
        &file,
        "suite = \"0.1.0\"\n[[known]]\ncases = \"openui/**\"\nverdict = \"unsupported\"\nreason = \"plain text only\"\n",
    )
    .expect("the baseline can be written");
    // A part of the corpus cannot show that an entry is stale.
    let output = run(&["--no-derived", "--baseline", &name], "none");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("UNEXPECTED PASS cases = \"openui/**\""), "{}", printed(&output));
}

#[test]
fn no_verdict_without_a_judged_must() {
    let output = run(&["--no-derived", "level:should", "toonui/**"], "should-alone");
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(last_line(&output).starts_with("no verdict: nothing of level must was judged"), "{}", last_line(&output));
}

#[test]
fn an_unknown_feature_is_noted() {
    let output = run(&["--no-derived", "topic:plain-text"], "odd-omits");
    assert_eq!(output.status.code(), Some(0));
    assert!(printed(&output).contains("the adapter omits steaming, which is no feature"), "{}", printed(&output));
}
