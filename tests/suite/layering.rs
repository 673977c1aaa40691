//! Holds the arrows between modules: who may use whom, read off the `crate::` paths of the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each module with all that it may use. A module that is not here is an error, so that a new one is placed on
/// purpose. Lower ones come first.
const MAY_USE: &[(&str, &[&str])] = &[
    ("json", &[]),
    ("nearest", &[]),
    ("openui", &["json"]),
    ("toonui", &["json"]),
    ("glossen", &["json"]),
    ("open_points", &["openui", "glossen"]),
    ("options", &["open_points", "openui", "glossen"]),
    ("naive", &["json", "openui"]),
    ("rules", &["openui"]),
    ("protocol", &["json", "openui", "glossen"]),
    ("settled", &["json", "openui", "glossen", "protocol"]),
    ("reference", &["json", "openui", "toonui", "glossen", "options", "protocol"]),
    ("generate", &["json", "protocol"]),
    ("mutants", &["json", "openui", "toonui", "glossen", "options", "protocol", "reference"]),
    ("case", &["json", "nearest", "open_points", "openui", "protocol", "rules"]),
    ("adapter", &["json", "nearest", "openui", "options", "protocol", "rules", "reference"]),
    ("checks", &["json", "options", "protocol", "adapter"]),
    ("format", &["json", "options", "protocol", "rules", "checks"]),
    (
        "formats",
        &[
            "json",
            "open_points",
            "openui",
            "toonui",
            "glossen",
            "options",
            "protocol",
            "rules",
            "adapter",
            "checks",
            "format",
        ],
    ),
    // Properties of the formats, and of what reads hostile files and lines; only tests and fuzz targets use them.
    ("props", &["json", "openui", "toonui", "glossen", "naive", "protocol", "case", "adapter"]),
    ("explain", &["json", "open_points", "openui", "toonui", "glossen", "protocol", "rules"]),
    ("shrink", &["json"]),
    (
        "run",
        &[
            "format",
            "formats",
            "json",
            "nearest",
            "open_points",
            "openui",
            "toonui",
            "glossen",
            "options",
            "protocol",
            "rules",
            "case",
            "adapter",
            "shrink",
            "settled",
            "checks",
            "formats",
        ],
    ),
    ("prove", &["openui", "options", "protocol", "reference", "rules", "case", "adapter", "checks", "run", "mutants"]),
    (
        "campaign",
        &[
            "format", "formats", "json", "openui", "options", "protocol", "rules", "case", "adapter", "run",
            "generate", "settled", "shrink",
        ],
    ),
    ("report", &["json", "openui", "protocol", "rules", "case", "adapter", "explain", "run"]),
    (
        "cli",
        &[
            "json", "nearest", "openui", "glossen", "options", "protocol", "rules", "case", "adapter", "explain",
            "run", "mutants", "prove", "generate", "campaign", "report",
        ],
    ),
];

/// The sources of the program, by their path below `src`.
fn sources() -> Vec<(String, String)> {
    let files = sources_below("src");
    assert!(files.len() > 40, "expected the sources, but found {} files", files.len());
    files
}

/// The Rust files of a folder of the repository, by their path below it.
fn sources_below(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    walkdir::WalkDir::new(&root)
        .into_iter()
        .map(|entry| entry.expect("a folder of sources can be walked"))
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| {
            let name = entry.path().strip_prefix(&root).expect("is below the root").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(entry.path()).expect("a source can be read"))
        })
        .collect()
}

/// The top-level module that a source file belongs to.
fn module(file: &str) -> &str {
    file.split(['/', '.']).next().expect("a path has a first part")
}

/// Removes comments and documentation, whose links may point anywhere.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn used_modules(text: &str) -> BTreeSet<String> {
    let words = |after: &str| -> String {
        after.chars().take_while(|character| character.is_ascii_alphanumeric() || *character == '_').collect()
    };
    let code = code(text);
    let mut used: BTreeSet<String> = code.split("crate::").skip(1).map(words).filter(|word| !word.is_empty()).collect();
    for group in code.split("crate::{").skip(1) {
        let group = group.split(';').next().unwrap_or("");
        used.extend(group.split([',', '{', '}']).map(|word| words(word.trim())).filter(|word| !word.is_empty()));
    }
    used
}

#[test]
fn modules_use_only_lower_modules() {
    let may_use: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let module = module(&file).to_owned();
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let Some(allowed) = may_use.get(module.as_str()) else {
            wrong.push(format!("{file}: the module {module} has no place in MAY_USE"));
            continue;
        };
        for used in used_modules(&text).into_iter().filter(|used| may_use.contains_key(used.as_str())) {
            if used != module && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{file}: {module} may not use {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Finds these words outside the files where they are allowed.
fn only_in(words: &[&str], places: &[&str]) {
    let stray: Vec<String> = sources()
        .into_iter()
        .filter(|(file, _)| !places.iter().any(|place| file.starts_with(place)))
        .flat_map(|(file, text)| {
            let code = code(&text);
            words.iter().filter(|word| code.contains(**word)).map(|word| format!("{file}: {word}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(stray.is_empty(), "{}", stray.join("\n"));
}

#[test]
fn processes_are_started_in_one_place() {
    only_in(&["process::Command", "process::{Child", "Command::new"], &["adapter/"]);
}

#[test]
fn files_are_touched_in_three_places() {
    let folders_of_cases = ["case/corpus.rs", "case/fixture/folder.rs"];
    only_in(&["WalkDir"], &folders_of_cases);
    only_in(&["std::fs", "fs::read", "File::"], &[&folders_of_cases[..], &["cli/"]].concat());
    // The loaders only read.
    only_in(&["fs::write", "File::create", "create_dir"], &["cli/"]);
}

#[test]
fn only_commands_print_and_know_the_terminal() {
    only_in(&["println!", "print!(", "clap", "indicatif", "anstream", "std::io::stdout"], &["cli/"]);
}

#[test]
fn formats_do_no_input_or_output() {
    let mut wrong = Vec::new();
    for folder in ["crates/json/src", "crates/openui/src", "crates/toonui/src", "crates/glossen/src", "src/naive"] {
        let files = sources_below(folder);
        assert!(!files.is_empty(), "expected sources in {folder}");
        let words = ["std::io", "std::fs", "std::process", "std::env", "std::net"];
        let touches = |(_, text): &(String, String)| words.iter().any(|word| code(text).contains(word));
        wrong.extend(files.into_iter().filter(touches).map(|(file, _)| format!("{folder}/{file}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
