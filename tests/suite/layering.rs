//! Checks which modules use which, by the `crate::` paths in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The layers, the lowest first. A module may use the modules of its own layer and of lower layers. A module that is not
/// listed is an error, so that each new module is placed on purpose.
const LAYERS: &[(&str, &[&str])] = &[
    ("values", &["json", "nearest", "parallel", "shrink"]),
    ("readers of the formats", &["openui", "toonui", "glossen"]),
    ("open points and the protocol", &["open_points", "protocol", "SUITE"]),
    ("the data of a suite", &["case", "checks", "explain", "format", "generate", "rules", "settings", "settled"]),
    ("implementations", &["adapter"]),
    ("runs", &["run"]),
    ("campaigns and mutation testing", &["campaign", "mutation"]),
    ("reports", &["report"]),
    ("commands", &["cli"]),
];

/// Modules beside the layers: the definitions of the formats, which use the layers up to the data of a suite.
const BESIDE: &[&str] = &["formats"];

/// Returns the sources of the program, by their path below `src`.
fn sources() -> Vec<(String, String)> {
    let files = sources_below("src");
    assert!(files.len() > 40, "expected the sources, but found {} files", files.len());
    files
}

/// Returns the Rust files of a folder of the repository, by their path below it.
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

/// Returns the top-level module of a source file.
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
    let layers: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, (_, modules))| modules.iter().map(move |module| (*module, layer)))
        .collect();
    let suite = layers["format"];
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let module = module(&file).to_owned();
        if ["build", "lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let highest = match layers.get(module.as_str()) {
            Some(layer) => *layer,
            None if BESIDE.contains(&module.as_str()) => suite,
            None => {
                wrong.push(format!("{file}: the module {module} has no place in LAYERS"));
                continue;
            }
        };
        for used in used_modules(&text) {
            if layers.get(used.as_str()).is_some_and(|layer| *layer > highest) {
                wrong.push(format!("{file}: {module} may not use {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shared code uses the registry only, and nothing else from the folders of the formats. The commands about message
/// fixtures are the exception: only OpenUI has them.
#[test]
fn shared_code_uses_only_the_registry_of_formats() {
    let fixtures = ["cli/export.rs", "cli/run.rs"];
    let mut stray = Vec::new();
    for (file, text) in sources() {
        let text = code(&text);
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        if BESIDE.contains(&module(&file)) || file == "lib.rs" || fixtures.contains(&file.as_str()) {
            continue;
        }
        let uses = text.split("formats::").skip(1).filter(|rest| !rest.starts_with("FORMATS"));
        stray
            .extend(uses.map(|rest| format!("{file}: formats::{}", rest.split([';', '(']).next().unwrap_or_default())));
    }
    assert!(stray.is_empty(), "{}", stray.join("\n"));
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
fn files_are_touched_in_few_places() {
    let folders_of_cases = ["case/corpus.rs", "formats/openui/fixtures/folder.rs"];
    only_in(&["WalkDir"], &[&folders_of_cases[..], &["build.rs"]].concat());
    only_in(&["std::fs", "fs::read", "File::"], &[&folders_of_cases[..], &["build.rs", "cli/"]].concat());
    // The loaders only read; the build packs the corpus.
    only_in(&["fs::write", "File::create", "create_dir"], &["build.rs", "cli/"]);
}

#[test]
fn only_commands_print_and_know_the_terminal() {
    only_in(&["println!", "print!(", "clap", "indicatif", "anstream", "std::io::stdout"], &["build.rs", "cli/"]);
}

#[test]
fn formats_do_no_input_or_output() {
    let mut wrong = Vec::new();
    for folder in
        ["crates/json/src", "crates/openui/src", "crates/toonui/src", "crates/glossen/src", "crates/testkit/src"]
    {
        let files = sources_below(folder);
        assert!(!files.is_empty(), "expected sources in {folder}");
        let words = ["std::io", "std::fs", "std::process", "std::env", "std::net"];
        let touches = |(_, text): &(String, String)| words.iter().any(|word| code(text).contains(word));
        wrong.extend(files.into_iter().filter(touches).map(|(file, _)| format!("{folder}/{file}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
