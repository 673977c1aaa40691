//! Baselines, through the program: known failures do not fail the run, new failures and stale entries do.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::Command;

use genui_conform::run::Baseline;

/// Runs the failing cases with these flags at the end; returns the exit code and the output.
fn run(flags: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_genui-conform"))
        .args(["run", "--no-derived", "--cases", "tests/fixtures/failures"])
        .args(flags)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program can be started");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

fn check(flags: &[&str], code: i32, says: &str) {
    let (found, text) = run(flags);
    assert_eq!(found, Some(code), "{flags:?}: {text}");
    assert!(text.contains(says), "{flags:?}: expected `{says}` in\n{text}");
}

fn write(file: &Path, text: &str) -> String {
    std::fs::write(file, text).expect("can be written");
    file.display().to_string()
}

#[test]
fn from_a_red_gate_to_a_green_one_and_back() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("known.toml");
    let file = path.display().to_string();
    check(&["--write-baseline", &file], 1, "NOT conformant");
    let written = std::fs::read_to_string(&path).expect("was written");
    assert!(
        written.contains("rules = \"openui.section.body\"\nverdict = \"fail\"\nat_most = 1\nreason = \"\"\n"),
        "{written}"
    );
    check(&["--baseline", &file], 2, "expected `reason`, why it is known to fail");

    let filled = written.replace("reason = \"\"", "reason = \"not done yet\" # by spring");
    write(&path, &format!("# What our reader cannot do.\n{filled}"));
    check(&["--baseline", &file], 0, "but for 9 known failures");
    check(&["--baseline", &file], 0, "1 known failure: rules = \"openui.section.body\"\n    not done yet\n");

    // Writing it again does not change it.
    let before = std::fs::read_to_string(&path).expect("is there");
    check(&["--write-baseline", &file], 1, "NOT conformant");
    assert_eq!(std::fs::read_to_string(&path).expect("is there"), before);

    // Without the entry for one rule, its failures fail the run again.
    let less = before.replace("openui.section.body", "openui.section.empty");
    write(&path, &less);
    check(&["--baseline", &file], 1, "FAIL openui/wrong/content");
}

#[test]
fn stale_entry_fails_the_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("known.toml");
    let entry = |more: &str| {
        format!(
            "suite = \"0.1.0\"\n[[known]]\ncases = \"openui/*/plain\"\nverdict = \"fail\"\nreason = \"once\"\n{more}"
        )
    };
    let sound = |flags: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_genui-conform"))
            .args(["run", "--cases", "tests/fixtures/lint/sound"])
            .args(flags)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the program can be started");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let file = write(&path, &entry(""));
    let (code, text) = sound(&["--baseline", &file]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("UNEXPECTED PASS cases = \"openui/*/plain\": no longer fails; remove this entry"), "{text}");
    // Cases that did not run make no entry stale, and flaky failures may pass.
    assert_eq!(sound(&["--baseline", &file, "openui/text/open"]).0, Some(0));
    // A part of the corpus says nothing about other cases of the entry, and writing keeps the entry.
    assert_eq!(sound(&["--baseline", &file, "openui/text/plain"]).0, Some(0));
    let (_, _) = sound(&["--write-baseline", &file, "openui/text/plain"]);
    assert_eq!(std::fs::read_to_string(&path).expect("is there"), entry(""));
    let file = write(&path, &entry("flaky = true\n"));
    assert_eq!(sound(&["--baseline", &file]).0, Some(0));
    let (_, _) = sound(&["--write-baseline", &file]);
    let file = write(&path, &entry(""));
    let (_, _) = sound(&["--write-baseline", &file]);
    assert!(
        !std::fs::read_to_string(&path).expect("is there").contains("openui/*/plain"),
        "a fixed entry is taken out"
    );
}

#[test]
fn new_cases_may_fail_with_new_warn() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = write(&folder.path().join("known.toml"), "suite = \"0.0.9\"\n");
    check(&["--baseline", &file], 1, "only cases newer than the baseline fail");
    let junit = folder.path().join("junit.xml").display().to_string();
    let report = format!("junit={junit}");
    let flags = ["--baseline", &file, "--new", "warn", "--report", &report];
    check(&flags, 0, "but for 9 failures newer than the baseline");
    let junit = std::fs::read_to_string(junit).expect("was written");
    assert!(!junit.contains("<failure"), "what fails no run is no failure: {junit}");
    let file = write(&folder.path().join("known.toml"), "suite = \"0.1.0\"\n");
    check(&["--baseline", &file, "--new", "warn"], 1, "NOT conformant");
    check(&["--new", "warn"], 2, "--baseline");
}

#[test]
fn entry_covers_at_most_its_count() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("known.toml");
    let file = path.display().to_string();
    check(&["--write-baseline", &file], 1, "lack a reason");
    let written = std::fs::read_to_string(&path).expect("was written").replace("reason = \"\"", "reason = \"later\"");
    write(&path, &written);
    check(&["--baseline", &file], 0, "known failures");
    write(&path, &written.replace("at_most = 1", "at_most = 0"));
    check(&["--baseline", &file], 1, "EXCEEDED rules = \"openui.section.body\": 1 fail, more than `at_most` allows");
    check(&["--baseline", &file], 1, "FAIL openui/wrong/content");
    // Writing it again updates the count and adds no duplicate.
    check(&["--write-baseline", &file], 1, "NOT conformant");
    assert_eq!(std::fs::read_to_string(&path).expect("is there"), written);
}

#[test]
fn entry_covers_warnings() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("known.toml");
    let entry = "suite = \"0.1.0\"\n[[known]]\ncases = \"openui/wrong/*\"\nverdict = \"warn\"\nreason = \"r\"\n";
    let file = write(&path, entry);
    let (_, text) = run(&["--baseline", &file]);
    let (_, without) = run(&[]);
    assert!(without.contains("  WARN "), "{without}");
    assert!(text.contains(" known failures: cases = \"openui/wrong/*\""), "{text}");
}

#[test]
fn baseline_error_names_its_line() {
    let entry = |lines: &str| format!("suite = \"0.1.0\"\n\n[[known]]\n{lines}\n");
    for (text, line, message) in [
        ("suite = ", Some(1), "string values must be quoted"),
        ("", None, "expected the suite's version"),
        ("suite = \"new\"", Some(1), "expected the suite's version"),
        ("suite = \"0.1.0\"\nknwon = 1", Some(2), "expected `suite` and `known`, but found `knwon`"),
        ("suite = \"0.1.0\"\nknown = 1", Some(2), "expected entries that begin with [[known]]"),
        (&entry("cases = \"a\"\nrules = \"b\""), Some(3), "expected exactly one of"),
        (&entry("verdict = \"fail\""), Some(3), "expected exactly one of"),
        (&entry("cases = \"[\""), Some(3), "expected a glob"),
        (&entry("cases = \"a\"\nverdict = \"pass\"\nreason = \"r\""), Some(3), "expected `verdict`"),
        (&entry("cases = \"a\"\nverdict = \"fail\"\nreason = \" \""), Some(3), "expected `reason`"),
        (&entry("cases = \"a\"\nverdict = \"fail\"\nreason = \"r\"\nflaky = 1"), Some(3), "expected true or false"),
        (&entry("case = \"a\""), Some(3), "but found `case`"),
    ] {
        let error = Baseline::parse(text).expect_err(text);
        assert!(error.message.contains(message) || text == "suite = ", "{text}: {error}");
        assert_eq!(error.line, line, "{text}: {error}");
    }
    for names in ["rules = \"openui.nope\"", "cases = \"openui/nope/*\"", "checks = \"openui/*#nope\""] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let text = format!("suite = \"0.1.0\"\n[[known]]\n{names}\nverdict = \"fail\"\nreason = \"r\"\n");
        let file = write(&folder.path().join("known.toml"), &text);
        check(&["--baseline", &file], 2, "known.toml:2: expected the name of something that there is");
    }
    check(&["--baseline", "/dev/zero"], 2, "expected at most");
    check(&["--baseline", "no/such/file"], 2, "the baseline no/such/file cannot be read");
}
