//! Runs every command of the documents: in the order of the document, in a folder with the files that it mentions. Other
//! tests compare the output in blocks marked `text`.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::Command;

/// Returns the commands of a document that call the program: lines of shell blocks, commands of workflows, and inline
/// code.
fn commands(document: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let shell = |line: &str| line.split("   #").next().unwrap_or(line).trim().to_owned();
    for (at, part) in document.split("\n```").enumerate() {
        if at % 2 == 0 {
            commands.extend(part.split('`').skip(1).step_by(2).map(|code| code.replace("\n   ", " ")));
            continue;
        }
        let (language, text) = part.split_once('\n').unwrap_or((part, ""));
        commands.extend(text.lines().map(str::trim).filter_map(|line| match language {
            "console" => line.strip_prefix("$ ").map(shell),
            "sh" => Some(shell(line)),
            "yaml" => line.strip_prefix("script: ").map(shell),
            _ => None,
        }));
    }
    let called = |command: String| {
        let arguments = ["cargo run -- ", "cargo run --release -- ", "genui-conform "]
            .iter()
            .find_map(|program| command.strip_prefix(program));
        match arguments {
            Some(arguments) => Some(format!("genui-conform {arguments}")),
            None => command.starts_with("$EDITOR").then_some(command),
        }
    };
    commands.into_iter().filter_map(called).collect()
}

/// Placeholders of the documents, and commands that take too long here, with their replacements.
const REPLACED: &[(&str, &str)] = &[
    ("node my-adapter.mjs", "./my-adapter"),
    ("ADAPTER", "./my-adapter"),
    ("COMMAND", "./my-adapter"),
    ("--from FILE", "--from found.json"),
    ("--time 60s", "--time 1s"),
    ("genui-conform compare", "genui-conform compare --no-derived"),
    ("adapters/compare.toml", "compare.toml"),
    ("openui/<topic>/<name>", "openui/plain-text/first"),
];

/// Commands that other tests run.
const RUN_ELSEWHERE: &[&str] = &["genui-conform prove"];

/// Creates a folder with the files that the documents mention: the program, adapters, a message, a comparison file, cases.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = |name: &str| folder.path().join(name);
    let write = |name: &str, text: &str| std::fs::write(place(name), text).expect("can be written");
    let make = |name: &str| std::fs::create_dir_all(place(name)).expect("a folder can be made");
    let link = |from: &Path, to: &str| std::os::unix::fs::symlink(from, place(to)).expect("a link can be made");
    make("bin");
    link(Path::new(env!("CARGO_BIN_EXE_genui-conform")), "bin/genui-conform");
    link(&root.join("adapters"), "adapters");
    // Adds a reason to each entry of a baseline.
    write("bin/editor", "#!/bin/sh\nsed -i 's/reason = \"\"/reason = \"It is a starter.\"/' \"$1\"\n");
    write("my-adapter", "#!/bin/sh\nexec genui-conform serve\n");
    for name in ["bin/editor", "my-adapter"] {
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(place(name), executable).expect("can be made executable");
    }
    let protocol = include_str!("../../spec/adapter-protocol.md");
    let adapter = protocol.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    write("hello.py", adapter.expect("there is an adapter"));
    let served = "command = [\"genui-conform\", \"serve\"]\n";
    let entrant = |name: &str| format!("[[implementation]]\nname = \"{name}\"\n{served}\n");
    write("compare.toml", &(entrant("ours") + &entrant("theirs")));
    write("message.txt", "]]>openui:content\nroot = Card([])\n");
    // A corpus for commands that write.
    for folder in ["corpus/openui/plain-text", "new-cases/openui/plain-text"] {
        make(folder);
        for file in std::fs::read_dir(root.join("tests/fixtures/plain/openui/plain-text")).expect("is there") {
            let file = file.expect("can be read");
            let to = place(folder).join(file.file_name());
            std::fs::copy(file.path(), to).expect("can be copied");
            std::fs::copy(file.path(), place("found.json")).expect("can be copied");
        }
    }
    folder
}

fn run_all(name: &str, document: &str) {
    let folder = workplace();
    let program = folder.path().join("bin");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let commands = commands(document);
    assert!(!commands.is_empty(), "{name} shows no command");
    for command in commands.into_iter().filter(|command| !RUN_ELSEWHERE.contains(&&command[..])) {
        let command = REPLACED.iter().fold(command, |command, (shown, here)| command.replace(shown, here));
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("EDITOR", "editor")
            .output()
            .expect("a shell can be started");
        // A command may fail, as the text around it says; usage errors and empty runs are not allowed.
        let code = output.status.code();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(code, Some(0 | 1)), "{name}: `{command}` exits with {code:?}: {said}");
    }
}

#[test]
fn readme_commands_run() {
    run_all("README.md", include_str!("../../README.md"));
}

#[test]
fn contributing_commands_run() {
    run_all("CONTRIBUTING.md", include_str!("../../CONTRIBUTING.md"));
}

#[test]
fn commands_are_found() {
    let document = "a `cargo run -- lint` and `b`\n```console\n$ genui-conform list     # all\n$ cargo test\n```\nb\n\
                    ```yaml\nscript: genui-conform run\n```\n";
    assert_eq!(commands(document), ["genui-conform lint", "genui-conform list", "genui-conform run"]);
}
