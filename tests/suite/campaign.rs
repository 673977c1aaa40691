//! Campaigns through the program: their findings, the saved files, and that a killed campaign loses nothing.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use genui_conform::case::{Corpus, LintCode, lint};

const PROGRAM: &str = env!("CARGO_BIN_EXE_genui-conform");

/// Runs a command of the program; returns the exit code and the output.
fn conform(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program can be started");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

fn fuzz<'a>(flags: &[&'a str], command: &[&'a str]) -> (Option<i32>, String) {
    conform(&[&["fuzz"], flags, &["--"], command].concat())
}

/// Reads the cases of a folder without errors; the only warning of lint may be that a case is not reviewed.
fn cases(folder: &Path) -> Vec<String> {
    let (corpus, errors) = Corpus::from_folder_with_errors(folder);
    let errors: Vec<_> = errors.iter().filter(|error| error.file != folder).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let wrong: Vec<_> = lint(&corpus).into_iter().filter(|finding| finding.code != LintCode::Unreviewed).collect();
    assert_eq!(wrong, Vec::new());
    corpus.cases.into_iter().map(|case| case.id).collect()
}

#[test]
fn correct_reader_has_no_findings() {
    let (code, text) = fuzz(&["--runs", "2000", "--seed", "7"], &[PROGRAM, "serve"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("seed 7") && text.contains(" 0 distinct findings"), "{text}");
}

#[test]
fn finding_on_wrong_reader_is_shrunk() {
    let mutant = [PROGRAM, "serve", "--mutant", "plus-left-alone"];
    let flags = ["--runs", "1500", "--seed", "1", "--method", "openui.parse"];
    let (code, text) = fuzz(&flags, &mutant);
    assert_eq!(code, Some(1), "{text}");
    let asked: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    request    ")).collect();
    assert!(asked.iter().any(|params| params.len() < 45 && params.contains('+')), "{text}");
    assert!(!asked.is_empty() && text.contains("distinct finding"), "{text}");
    // The same seed gives the same findings.
    assert_eq!(fuzz(&flags, &mutant), (code, text));
}

#[test]
fn readers_are_compared_by_their_own_choices() {
    let first = [PROGRAM, "serve", "--choice", "openui.attributes.duplicate=first"];
    let flags = ["--runs", "1500", "--seed", "1", "--method", "openui.parse"];
    let (code, text) = fuzz(&flags, &[&first[..], &["--", PROGRAM, "serve"]].concat());
    assert_eq!(code, Some(0), "both are right by their own choices: {text}");
    let wrong = ["--", PROGRAM, "serve", "--mutant", "first-content-wins"];
    let (code, text) = fuzz(&flags, &[&first[..], &wrong].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("    first      ") && text.contains("    second     "), "{text}");
    assert_eq!(fuzz(&flags, &["--", PROGRAM, "serve"]).0, Some(2), "an empty command");
}

#[test]
fn findings_are_saved_as_cases_that_a_corpus_can_import() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (found, corpus) = (folder.path().join("found"), folder.path().join("corpus"));
    let (found_path, corpus_path) = (found.display().to_string(), corpus.display().to_string());
    let mutant = [PROGRAM, "serve", "--mutant", "plus-left-alone"];
    let flags = ["--runs", "1500", "--seed", "1", "--method", "openui.parse", "--save", &found_path];
    assert_eq!(fuzz(&flags, &mutant).0, Some(1));
    let kept = cases(&found);
    assert!(!kept.is_empty() && kept.iter().all(|id| id.starts_with("openui/finding/parse-")), "{kept:?}");
    // The reference passes them, the mutant does not.
    assert_eq!(conform(&["run", "--no-derived", "--cases", &found_path]).0, Some(0));
    let run = ["run", "--no-derived", "--cases", &found_path, "--"];
    assert_eq!(conform(&[&run[..], &mutant].concat()).0, Some(1));
    // A second campaign mutates the earlier findings too and may find more; existing files stay.
    assert_eq!(fuzz(&flags, &mutant).0, Some(1));
    let again = cases(&found);
    assert!(kept.iter().all(|id| again.contains(id)), "{kept:?}, and then {again:?}");

    let from = found.join(format!("{}.json", kept[0])).display().to_string();
    let new = |id: &str| conform(&["new", id, "--from", &from, "--cases", &corpus_path]);
    assert_eq!(new("openui/Attributes/plus").0, Some(2));
    let (code, text) = new("openui/attributes/plus");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(cases(&corpus), ["openui/attributes/plus"]);
    assert!(!Path::new(&from).exists() && new("openui/attributes/again").0 == Some(2));
    let (code, text) =
        conform(&[&["shrink", "--cases", &corpus_path, "openui/attributes/plus", "--"], &mutant[..]].concat());
    assert_eq!(code, Some(1), "{text}");
    let sound = ["shrink", "--cases", &corpus_path, "openui/attributes/plus", "--", PROGRAM, "serve"];
    assert_eq!(conform(&sound).0, Some(0));
}

#[test]
fn killed_campaign_loses_nothing_and_continues() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().display().to_string();
    let mutant = ["--", PROGRAM, "serve", "--mutant", "contents-joined"];
    let mut before = 0;
    for round in 0..50_u64 {
        let seed = round.to_string();
        let mut child = Command::new(PROGRAM)
            .args(["fuzz", "--time", "60s", "--seed", &seed, "--save", &path])
            .args(mutant)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        // Kill times spread over the start and the first findings; each round continues from the last one.
        std::thread::sleep(Duration::from_millis(20 + round * 37 % 400));
        child.kill().expect("can be killed");
        child.wait().expect("can be waited for");
        let now = cases(folder.path()).len();
        assert!(now >= before, "{before} cases, and then {now}");
        before = now;
    }
    let (code, text) = conform(&[&["fuzz", "--runs", "3000", "--seed", "1", "--save", &path], &mutant[..]].concat());
    assert_eq!(code, Some(1), "{text}");
    assert!(cases(folder.path()).len() >= before.max(1), "{text}");
}
