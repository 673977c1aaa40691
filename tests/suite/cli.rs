//! The command line: output and exit code of each command.

#![cfg(feature = "cli")]

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::plain::plain;
use crate::snapshots::kept_in;

fn conform(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genui-conform"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .expect("the program can be started")
}

/// Returns standard output, standard error and the exit code as one text for a snapshot.
fn snapshot(name: &str, arguments: &[&str]) {
    let output = conform(arguments);
    let text = format!(
        "$ genui-conform {}\n{}{}exit code {}\n",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().expect("the program ends by itself")
    );
    kept_in("cli").bind(|| insta::assert_snapshot!(name, text));
}

fn exits(code: i32, arguments: &[&str], says: &str) {
    let output = conform(arguments);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert!(text.contains(says), "{arguments:?}: expected `{says}` in\n{text}");
}

#[test]
fn the_reference_conforms_in_each_profile() {
    for profile in ["core", "chat", "line-start"] {
        exits(0, &["run", "--profile", profile], &format!("conformant in profile {profile}"));
    }
    // Core is the default; its derived checks run above.
    exits(0, &["run", "--no-derived"], "conformant in profile core");
}

#[test]
fn usage_error_exits_with_2() {
    exits(2, &["run", "--nope"], "unexpected argument '--nope'");
    exits(2, &["fly"], "unrecognized subcommand 'fly'");
    exits(2, &["run", "--profile", "cor"], "[possible values: core, chat, line-start]");
    exits(2, &["run", "rool:x"], "id: rule: topic: level: method:");
    exits(2, &["run", "["], "expected a glob");
    exits(2, &["run", "--choice", "openui.read.stale-end"], "expected RULE=NAME");
    exits(2, &["run", "--choice", "openui.read.end=counts"], "expected an open rule");
    exits(2, &["run", "--choice", "openui.read.stale-end=maybe"], "counts, ignored");
    exits(2, &["run", "--choice", "openui.legacy.streaming=held"], "expected a rule that core leaves open");
    let twice = ["run", "--choice", "openui.read.stale-end=counts", "--choice", "openui.read.stale-end=ignored"];
    exits(2, &twice, "expected one choice for openui.read.stale-end");
    exits(2, &["run", "--timeout", "soon"], "expected a time above zero");
    exits(2, &["run", "--jobs", "0"], "1..=64");
    exits(2, &["run", "--cases", "no/such/folder"], "no/such/folder");
    exits(
        2,
        &["run", "--cases", "tests/fixtures/lint/unusable-unknown-key"],
        "case.json:17:10: unknown field `colour`",
    );
    exits(2, &["rules", "["], "expected a glob");
    exits(2, &["run", "topic:plain-text", "--"], "expected the adapter's command after `--`");
    exits(2, &["run", "--report", "json=-"], "expected a file after `=`");
    let twice = ["run", "--report", "json=/tmp/none/a", "--report", "junit=/tmp/none/a"];
    exits(2, &twice, "expected a different file for each report");
    exits(2, &["serve", "--mutant", "unknown"], "expected the name of a mutant");
    exits(2, &["starter", "cobol"], "python, javascript, java, go, ruby");
    let streaming = ["new", "openui/a/b", "README.md", "--method", "openui.build", "--streaming"];
    exits(2, &streaming, "expected --streaming only with openui.parse, but the method is openui.build");
    exits(2, &["run", "openui/nothing/*"], "no case matches `openui/nothing/*`");
    exits(2, &["run", "topic:no", "./a.py"], "did you mean `topic:no -- ./a.py`?");
    exits(2, &["list", "nothing"], "no case matches");
    exits(2, &["rules", "nothing"], "no rule matches");
    for count in ["--repeat=0", "--repeat=x", "--fail-fast=0", "--fail-fast=x"] {
        exits(2, &["run", count], "invalid value");
    }
    exits(2, &["prove", "--without", "openui.nothing"], "expected a rule of a case");
}

#[test]
fn an_adapter_that_does_not_start_exits_with_3() {
    exits(3, &["run", "--", "no-such-program-anywhere"], "`no-such-program-anywhere` cannot be started");
    exits(3, &["run", "--", "true"], "the adapter ended (exit status: 0)");
}

#[test]
fn nothing_to_run_exits_with_4() {
    exits(4, &["run", "topic:end", "method:toonui.reply"], "no case matches all of `topic:end method:toonui.reply`");
    exits(4, &["run", "--profile", "core", "openui/legacy/content-alone"], "profile core");
    exits(4, &["run", "--shard", "1/4000000000", "openui/end/alone"], "is in part 1/4000000000");
}

#[test]
fn lint_distinguishes_correct_from_broken_files() {
    exits(0, &["lint"], " cases, 0 findings");
    exits(1, &["lint", "--cases", "tests/fixtures/lint/unknown-rule"], "case.json:5:5: unknown-rule");
    exits(1, &["lint", "--cases", "tests/fixtures/lint/unusable-empty"], "EOF while parsing a value");
}

#[test]
fn only_derived_rules_are_untested() {
    let output = conform(&["rules", "--untested"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(!text.is_empty() && text.lines().all(|line| line.ends_with(" (derived)")), "{text}");
}

#[test]
fn command_output_matches_snapshots() {
    let sound = "tests/fixtures/lint/sound";
    snapshot("help", &["--help"]);
    snapshot("run-help", &["run", "--help"]);
    snapshot("list", &["list", "--cases", sound]);
    snapshot("show", &["show", "--cases", sound, "openui/text/open", "openui/text/cost"]);
    let of_each_format = ["toonui/forgery/crlf-in-value", "glossen/user-order/page-behind-the-question"];
    snapshot("show-formats", &[&["show"][..], &of_each_format].concat());
    snapshot("explain-help", &["explain", "--help"]);
    snapshot("rules", &["rules", "--cases", sound, "openui.read.{plain-text,stale-end}"]);
    snapshot("run-fixtures", &["run", "--cases", sound]);
    snapshot("run-choice", &["run", "--cases", sound, "--choice", "openui.read.stale-end=ignored"]);
}

/// Returns the names of the commands, as the help lists them.
fn command_names() -> Vec<String> {
    let help = String::from_utf8(conform(&["--help"]).stdout).expect("is text");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Wrapped lines are indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() > 10 && names.iter().any(|name| name == "run"), "{help}");
    names
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = conform(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let script = String::from_utf8(output.stdout).expect("is text");
        for name in command_names() {
            assert!(script.contains(&name), "{shell}: {name} is missing");
        }
    }
    let script = conform(&["completions", "bash"]).stdout;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash can be started");
    bash.stdin.take().expect("there is a pipe").write_all(&script).expect("bash reads the script");
    assert!(bash.wait().expect("bash ends").success(), "bash does not accept the script");
    exits(2, &["completions", "cobol"], "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn manual_has_every_command() {
    let output = conform(&["man"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = String::from_utf8(output.stdout).expect("is text");
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    let commands: Vec<String> =
        command_names().iter().map(|name| format!("\"GENUI-CONFORM {}\"", name.to_uppercase())).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let whole =
        [&["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"][..], &commands, &["\"EXIT STATUS\"", "VERSION"]].concat();
    assert_eq!(headings, whole);
    assert_eq!(page.matches("\n.SS OPTIONS\n").count(), commands.len());
    assert!(page.contains("\\fB\\-\\-fail\\-fast\\fR"), "{page}");
    assert!(page.contains("0 conformant, fully or in part; 1 failure"), "{page}");
    // A text that begins with a dot would be parsed as a request, and lost.
    let requests = [".SH ", ".SS ", ".TH ", ".TP", ".IP ", ".RS ", ".RE", ".br", ".ie ", ".el "];
    let lost = page.lines().find(|line| line.starts_with('.') && !requests.iter().any(|name| line.starts_with(name)));
    assert_eq!(lost, None);
}

#[test]
fn manual_is_written_as_one_page_for_each_command() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("share/man1");
    exits(0, &["man", "--out", &path.display().to_string()], "");
    let entries = std::fs::read_dir(&path).expect("the folder is made");
    let names = entries.map(|entry| entry.expect("can be read").file_name().to_string_lossy().into_owned());
    let pages = command_names().into_iter().map(|name| format!("genui-conform-{name}.1"));
    let pages: BTreeSet<String> = pages.chain(["genui-conform.1".to_owned()]).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), pages);
    let page = std::fs::read_to_string(path.join("genui-conform-fuzz.1")).expect("can be read");
    for says in [".TH genui-conform-fuzz 1", ".SH SYNOPSIS", ".SH OPTIONS", "\\-\\-seed"] {
        assert!(page.contains(says), "expected `{says}` in\n{page}");
    }
    exits(2, &["man", "--out", "README.md"], "README.md cannot be written");
}

/// Runs a command with these environment variables, and without the other variables that control colours.
fn conform_in(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genui-conform"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(variables.iter().copied()).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::null()).output().expect("the program can be started")
}

#[test]
fn colours_are_printed_on_request() {
    let run = ["run", "--no-derived", "--cases", "tests/fixtures/failures"];
    let (force, none) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    for (variables, flag, is_coloured) in [
        (&[][..], &[][..], false),
        (&[], &["--color", "auto"], false),
        (&[], &["--color=always"], true),
        (&[force], &[], true),
        (&[force], &["--color", "never"], false),
        (&[none], &["--color", "always"], true),
        (&[none, ("CLICOLOR", "1")], &[], false),
    ] {
        for arguments in [[&run[..], flag].concat(), [flag, &run].concat()] {
            let text = String::from_utf8(conform_in(variables, &arguments).stdout).expect("is text");
            assert_eq!(text.contains('\u{1b}'), is_coloured, "{variables:?} {arguments:?}: {text}");
        }
    }
    let coloured = String::from_utf8(conform_in(&[], &[&run[..], &["--color", "always"]].concat()).stdout);
    let without = String::from_utf8(conform_in(&[], &run).stdout).expect("is text");
    assert_eq!(plain(&coloured.expect("is text")), plain(&without), "nothing but the colours differs");
    for (arguments, is_coloured) in [(&["--color", "always", "--nope"], true), (&["--color", "never", "--nope"], false)]
    {
        let errors = conform_in(&[force], arguments).stderr;
        assert_eq!(errors.contains(&0x1b), is_coloured, "{arguments:?}");
    }
    assert!(conform_in(&[], &["--color", "always", "run", "--help"]).stdout.contains(&0x1b));
    exits(2, &["run", "--color", "sometimes"], "[possible values: auto, always, never]");
}

#[test]
fn quiet_command_prints_nothing_and_does_the_same() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (loud, quiet) = (format!("html={}", file("loud")), format!("html={}", file("quiet")));
    let baseline = file("known.toml");
    let program = env!("CARGO_BIN_EXE_genui-conform");
    let comparison = file("compare.toml");
    let entry = format!("[[implementation]]\nname = \"own\"\ncommand = [\"{program}\", \"serve\"]\n");
    std::fs::write(&comparison, entry).expect("can be written");
    let departures = ["run", "--no-derived", "--cases", "tests/fixtures/failures"];
    assert!(!conform(&[&departures[..], &["--report", &loud]].concat()).stdout.is_empty());
    for (code, arguments) in [
        (1, &[&departures[..], &["--report", &quiet, "--write-baseline", &baseline]].concat()[..]),
        (0, &["run", "openui/end"]),
        (0, &["compare", &comparison, "openui/end"]),
        (0, &["check-adapter", "--", program, "serve"]),
        (0, &["fuzz", "--runs", "1", "--", program, "serve"]),
        (0, &["shrink", "openui/end/alone", "--", program, "serve"]),
        (1, &["lint", "--cases", "tests/fixtures/lint/unknown-rule"]),
        (0, &["list", "openui/end"]),
    ] {
        // Arguments after `--` belong to the adapter.
        let output = conform(&[&["-q"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("was written");
    assert_eq!(read("loud").len(), read("quiet").len());
    assert!(read("known.toml").contains("[[known]]"));
    for (code, arguments) in [
        (2, &["list", "--quiet", "nothing"][..]),
        (3, &["run", "-q", "--", "no-such-program-anywhere"]),
        (4, &["run", "-q", "--profile", "core", "openui/legacy/content-alone"]),
    ] {
        let output = conform(arguments);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty() && output.stderr.starts_with(b"genui-conform: "), "{output:?}");
    }
    // Output that programs read is not a report.
    for arguments in [&["starter", "ruby"][..], &["completions", "zsh"], &["man"], &["export"]] {
        assert_eq!(conform(&[&["--quiet"], arguments].concat()).stdout, conform(arguments).stdout, "{arguments:?}");
    }
    let output = conform(&["-q", "--help"]);
    assert!(output.status.code() == Some(0) && !output.stdout.is_empty());
}

/// Runs `explain` with this standard input.
fn explains(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_genui-conform"))
        .arg("explain")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    // A program that rejects its arguments reads no input.
    let _ = child.stdin.take().expect("there is a pipe").write_all(input);
    child.wait_with_output().expect("the program ends at the end of its input")
}

#[test]
fn explain_reads_standard_input_and_files() {
    let message = b"A\n]]>openui:end";
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("stored.txt").display().to_string();
    std::fs::write(&file, message).expect("can be written");
    let outputs = [
        explains(&[], message),
        explains(&["-"], message),
        explains(&["--format", "openui"], message),
        explains(&[&file], b""),
    ];
    for output in &outputs {
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!((output.status.code(), &*text), (Some(0), &*String::from_utf8_lossy(&outputs[0].stdout)));
        assert!(
            text.starts_with("read as openui, profile core: 2 lines\n") && text.contains("openui.read.end"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "colours are in a pipe: {text}");
    }
    for (arguments, input, says) in [
        (&["--streaming"][..], &b"A\n]]>op"[..], "openui.stream.hold-prefix"),
        (&["--profile", "line-start"], b"A]]>openui:content", "profile line-start"),
        (&["--choice", "openui.read.stale-end=ignored"], b"", "openui.read.stale-end=ignored: 0 lines"),
        (&[], b"{\"kind\":\"ui_reply\"}", "read as toonui"),
        (&[], b"[{\"id\":1}]", "read as glossen"),
        (&["--choice", "glossen.validate.order=enforced"], b"[]", "glossen.validate.order=enforced"),
        (&["--format", "toonui"], b"[]", "expected an object as payload, but found a list (toonui.input.missing)"),
        (&["--json"], b"A", "\"format\": \"openui\""),
    ] {
        let output = explains(arguments, input);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.code() == Some(0) && text.contains(says), "{arguments:?}: expected `{says}` in\n{text}");
    }
}

#[test]
fn explain_reports_invalid_input() {
    exits(2, &["explain", "no/such/file"], "no/such/file: cannot be read");
    exits(2, &["explain", "--format", "xml"], "[possible values: openui, toonui, glossen]");
    exits(2, &["explain", "--profile", "cor"], "[possible values: core, chat, line-start]");
    exits(2, &["explain", "--choice", "openui.read.end=counts"], "expected an open rule");
    let deep = "[".repeat(1_000_000);
    for (arguments, input, says) in [
        (&[][..], &b"A\n\xff"[..], "standard input: expected UTF-8, but found invalid bytes at byte 2"),
        (&[], deep.as_bytes(), "levels of nesting"),
        (&["--format", "glossen"], deep.as_bytes(), "levels of nesting"),
        (&["--format", "toonui"], b"{\"kind\":", "standard input: expected toonui as JSON: expected"),
        (&[], &[b'A'; (16 << 20) + 1], "expected at most 16777216 bytes, but found more"),
    ] {
        let output = explains(arguments, input);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(says), "expected `{says}` in\n{text}");
    }
    assert_eq!(explains(&["--format", "openui"], deep.as_bytes()).status.code(), Some(0));
}

/// A wrong expectation looks like a wrong answer: cases that contradict the reference show each kind of failure.
#[test]
fn failure_report_matches_snapshot() {
    snapshot("run-departures", &["run", "--cases", "tests/fixtures/failures"]);
}

/// The report has the requested length and names the command for the rest.
#[test]
fn max_failures_limits_the_report() {
    let run = |more: &[&str]| {
        let cases = ["run", "--no-derived", "--cases", "tests/fixtures/failures"];
        let output = conform(&[&cases[..], more].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stdout).expect("is text")
    };
    let ids = |text: &str| {
        let shown = text.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(" openui/wrong/"));
        shown.map(|(_, id)| id.to_owned()).collect::<BTreeSet<_>>()
    };
    let verdict = "NOT conformant in profile core, with the reference's choices";
    for more in [&["--summary"][..], &["--max-failures", "0"], &["--max-failures", "all"], &[]] {
        let text = run(more);
        assert_eq!((text.lines().nth(1), text.lines().last()), (Some(verdict), Some(verdict)), "{text}");
        assert!(text.contains("\n  openui.section.body (must) "), "{text}");
    }
    assert!(ids(&run(&["--summary"])).is_empty() && ids(&run(&["--max-failures", "0"])).is_empty());
    assert!(!run(&["--summary"]).contains("\nChoices"), "a summary is the verdict and the rules");
    let all = ids(&run(&["--max-failures", "all"]));
    assert_eq!(all.len(), 13);
    let one = run(&["--max-failures", "1"]);
    assert!(one.contains(" more: 1 "), "{one}");
    // The printed commands show the omitted failures.
    let mut seen = ids(&one);
    assert!(seen.len() < all.len());
    let more = one.lines().filter_map(|line| line.trim().strip_prefix("genui-conform "));
    for command in more.filter(|line| line.contains("--max-failures all")) {
        let words: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
        let output = conform(&words);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {output:?}");
        seen.extend(ids(&String::from_utf8_lossy(&output.stdout)));
    }
    assert_eq!(seen, all);
    exits(2, &["run", "--max-failures", "many"], "expected a whole number or `all`");
    exits(2, &["run", "--max-failures", "-1"], "");
    exits(2, &["run", "--max-failures", "1", "--summary"], "cannot be used with");
}

/// Fixtures run like cases, and failures are rerun from the same folder.
#[test]
fn message_fixtures_run() {
    let sound = "tests/fixtures/messages/sound";
    exits(0, &["run", "--fixtures", sound], "8 cases: 8 pass");
    exits(0, &["run", "--fixtures", sound, "--profile", "line-start", "store"], "2 cases: 2 pass");
    exits(2, &["run", "--fixtures", sound, "nothing"], "no case matches");
    exits(2, &["run", "--fixtures", sound, "--cases", "corpus"], "cannot be used with");
    exits(2, &["run", "--fixtures", "corpus"], "expected expected.json and message.txt, but found neither");
    exits(2, &["run", "--fixtures", "no/such/folder"], "no/such/folder: cannot be read");
    snapshot("run-message-fixtures", &["run", "--fixtures", "tests/fixtures/messages/departs"]);
}

#[test]
fn every_unusable_fixture_is_reported() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, expected) in [("a", "{\"mode\":\"reed\"}"), ("b\u{1b}[31m", "{}")] {
        let path = folder.path().join(name);
        std::fs::create_dir(&path).expect("a folder can be made");
        std::fs::write(path.join("expected.json"), expected).expect("a file can be written");
    }
    let path = folder.path().display().to_string();
    exits(2, &["run", "--fixtures", &path], "a/expected.json:1:2: expected a mode (read, strip, turn, write)");
    exits(2, &["run", "--fixtures", &path], "b\\u{1b}[31m/expected.json:1:2: missing field `mode`");
}

/// A baseline lists cases without a rule by id.
#[test]
fn baseline_covers_message_fixtures() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("known.toml");
    let known = file.display().to_string();
    let run = ["run", "--no-derived", "--fixtures", "tests/fixtures/messages/departs"];
    exits(1, &[&run[..], &["--write-baseline", &known]].concat(), "5 fail");
    let text = std::fs::read_to_string(&file).expect("was written");
    assert!(text.contains("cases = \"turn-label/model-text\""), "{text}");
    std::fs::write(&file, text.replace("reason = \"\"", "reason = \"Wrong on purpose.\"")).expect("can be written");
    exits(0, &[&run[..], &["--baseline", &known]].concat(), "5 known");
}

/// In a root with folders of several areas, message fixtures run and their known failures are known.
#[test]
fn message_fixtures_run_beside_other_areas() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("is in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("can be written");
    };
    let root = folder.path().display().to_string();
    let run = ["run", "--no-derived", "--fixtures", &root];
    write("message/plain/message.txt", "A");
    write("message/plain/expected.json", r#"{"mode":"read","result":{"content":"A"}}"#);
    write("message/wrong/message.txt", "A");
    write("message/wrong/expected.json", r#"{"mode":"turn","result":{"content":"B","modelText":"B"}}"#);
    write("parser/loop/expected.json", r#"{"statements":[1,2]}"#);
    write("parser/loop/program.txt", "root = A()");
    write("parser/deep/er/expected.json", r#"[{"mode":"read"}]"#);
    write("stream/expected.json", "not JSON at all");
    write("empty/.keep", "");
    let passed_over = "4 folders of other areas ignored: empty (1), parser (2), stream (1)";
    exits(1, &run, passed_over);
    exits(1, &run, "3 cases: 1 pass, 2 fail");
    exits(0, &[&run[..], &["message/plain"]].concat(), passed_over);
    exits(2, &[&run[..], &["message/plian"]].concat(), "did you mean `message/plain`?");

    for known in [
        r#"["message/wrong", "parser/loop", "parser/gone"]"#,
        r#"[{"fixture": "message/wrong", "reason": "Not done yet."}]"#,
        r#"{"message/wrong": "Not done yet.", "stream": "Nor that."}"#,
        r#"{"message": ["wrong"], "parser": ["loop"]}"#,
        r#"{"_comment": "x", "message": {"wrong": {"reason": "Not done yet."}}}"#,
        r#"{"fixtures": ["message/wrong/read", "message/wrong/model-text"]}"#,
        r#"["wrong"]"#,
    ] {
        write("known-failing.json", known);
        exits(0, &run, "3 cases: 1 pass, 2 known");
        let says = if known.contains("Not done") { "Not done yet." } else { "It is in known-failing.json." };
        exits(0, &run, says);
        exits(0, &run[..].iter().copied().filter(|flag| *flag != "--no-derived").collect::<Vec<_>>(), "conformant");
    }
    write("known-failing.json", r#"["message/wrong/read"]"#);
    exits(1, &run, "1 pass, 1 fail, 1 known");
    write("known-failing.json", r#"["message/wrong", "message/plain"]"#);
    exits(1, &run, "UNEXPECTED PASS");
    exits(0, &[&run[..], &["message/wrong"]].concat(), "2 known");
    for (known, says) in [
        (r#"["message/worng"]"#, "but found `message/worng`; did you mean `message/wrong`?"),
        (r#"["unknown"]"#, "known-failing.json: expected the name of a fixture, but found `unknown`"),
        (r#"[1]"#, "expected the name of a fixture, but found 1"),
        ("3", "expected a list or an object"),
        ("[", "known-failing.json: expected JSON"),
    ] {
        write("known-failing.json", known);
        exits(2, &run, says);
    }
    write("known-failing.json", r#"["message/wrong"]"#);
    let baseline = folder.path().join("known.toml").display().to_string();
    exits(0, &[&run[..], &["--write-baseline", &baseline]].concat(), "0 entries are in");
    exits(0, &[&run[..], &["--baseline", &baseline]].concat(), "2 known failures: known-failing.json: message/wrong");

    // A folder declared as a message fixture is one, in any place.
    write("parser/strip/expected.json", r#"{"mode":"strip","result":"A"}"#);
    exits(2, &run, "parser/strip/message.txt: expected the message for mode strip");
    write("parser/strip/message.txt", "A");
    exits(0, &run, "4 cases: 2 pass, 2 known");
    write("parser/text/message.txt", "A");
    exits(2, &run, "parser/text/expected.json: expected what is asked");
    std::fs::remove_dir_all(folder.path().join("parser/text")).expect("is there");
    write("message/broken/expected.json", r#"{"statements":[]}"#);
    exits(2, &run, "message/broken/expected.json:1:13: unknown field `statements`");
}

#[test]
fn verdict_states_the_restrictions_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (json, junit) = (format!("json={}", file("a.json")), format!("junit={}", file("a.xml")));
    let reports = ["--report", &json, "--report", &junit];
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("was written");
    let report = || -> serde_json::Value { serde_json::from_str(&read("a.json")).expect("is JSON") };
    let run = ["run", "--cases", "tests/fixtures/failures"];
    exits(1, &[&run[..], &["--fail-fast"], &reports].concat(), "Not run: the run ended at its limit of 1 failure");
    assert_eq!((&report()["counts"]["fail"], &report()["ended_early"]), (&1.into(), &true.into()));
    let failing = report()["cases"].as_array().expect("is a list").iter().filter(|case| case["fails"] == true).count();
    assert_eq!(failing, 1, "what was not asked is no failure");
    assert!(report()["counts"]["not-run"].as_u64() > Some(5), "{}", report()["counts"]);
    exits(1, &[&run[..], &["--fail-fast=3"], &reports].concat(), "the run ended at its limit of 3 failures");
    assert_eq!(report()["counts"]["fail"], 3);
    exits(0, &["run", "openui/end", "--no-derived", "--fail-fast", "--repeat", "3"], "conformant");

    let program = env!("CARGO_BIN_EXE_genui-conform");
    for more in [&[][..], &["--", program, "serve"], &["--oneshot", "--", program, "serve"]] {
        exits(0, &[&["run", "openui/end", "--no-derived"][..], &reports, more].concat(), "conformant");
        let cases = report()["cases"].as_array().expect("is a list").clone();
        assert!(!cases.is_empty() && cases.iter().all(|case| case["duration_ms"].is_number()), "{cases:?}");
        let junit = read("a.xml");
        let mut tests = junit.lines().filter(|line| line.contains("<testcase ")).peekable();
        assert!(tests.peek().is_some() && tests.all(|test| test.contains(" time=\"")), "{junit}");
    }
}

#[test]
fn cases_are_written_as_message_fixtures() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let output = conform(&["export", "--fixtures", &path("sound"), "--cases", "tests/fixtures/lint/sound"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).replace(&path("sound"), "DIR");
    kept_in("cli").bind(|| insta::assert_snapshot!("export-fixtures", text));
    exits(2, &["export", "--fixtures", &path("sound")], "expected a new or empty folder");

    let all = ["export", "--fixtures", &path("all"), "openui/context", "openui/build"];
    exits(0, &all, "a refusal is expected, and no result (21 cases)");
    let repeat = conform(&["run", "--no-derived", "--fixtures", &path("all")]);
    assert_eq!(repeat.status.code(), Some(0), "{}", String::from_utf8_lossy(&repeat.stdout));
    let chosen = ["export", "--fixtures", &path("chosen"), "--choice", "openui.build.forged-marker=written"];
    let written = [&chosen[..], &["openui/build/forged-at-the-end"]].concat();
    exits(
        0,
        &written,
        "1 fixture of 1 case, for profile core\n  and for the choice openui.build.forged-marker=written",
    );

    exits(
        4,
        &["export", "--fixtures", &path("none"), "method:openui.stream"],
        "no fixture can represent any of the selected cases",
    );
    assert!(!folder.path().join("none").exists(), "nothing is written for nothing");
    exits(2, &["export", "--fixtures", &path("none"), "topic:nothing"], "no case matches");
    exits(2, &["export", "topic:context"], "--fixtures <DIR>");
    exits(2, &["export", "--choice", "a=b"], "--fixtures <DIR>");
    exits(2, &["export", "--fixtures", &path("none"), "--choice", "a=b"], "expected an open rule");
    exits(2, &["export", "--fixtures", "README.md"], "README.md cannot be written");
}

#[test]
fn serve_answers_line_by_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_genui-conform"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"openui.build\",\"params\":{{\"content\":\"\",\"context\":{}1{}}}}}",
        "[".repeat(2000),
        "]".repeat(2000)
    );
    let lines = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"suite":"0.1.0","profile":"chat","choices":{"openui.read.stale-end":"ignored"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"openui.parse","params":{"raw":"<content>A</content>"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"openui.build","params":{"content":"]]>openui:end"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"openui.dance","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"openui.parse","params":{"row":1}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"openui.parse","params":["A"]}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"openui.parse","params":{"raw":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","method":"openui.parse","params":{"raw":"no answer is wanted"}}"#,
        "this is no JSON",
        r#"{"jsonrpc":"2.0","id":8,"method":"openui.parse","params":{"raw":"]]>openui:content\nA\n]]>openui:context\n{\"n\":1e400,\"s\":\"\\ud800\"}"}}"#,
        &deep,
    ];
    let mut input = child.stdin.take().expect("there is a pipe");
    input.write_all((lines.join("\n") + "\n").as_bytes()).expect("the lines can be written");
    drop(input);
    let output = child.wait_with_output().expect("the program ends at the end of its input");
    assert_eq!(output.status.code(), Some(0));
    kept_in("cli").bind(|| insta::assert_snapshot!("serve", String::from_utf8_lossy(&output.stdout)));
}

#[test]
fn verdict_on_other_cases_states_their_number() {
    let cases = ["run", "--no-derived", "--cases", "tests/fixtures/choice"];
    exits(0, &cases, "with the reference's choices (1 case selected, derived checks skipped)\n");
}

#[test]
fn reports_go_to_files() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let [json, junit] = ["report.json", "report.xml"].map(|name| folder.path().join(name).display().to_string());
    let (json_flag, junit_flag) = (format!("json={json}"), format!("junit={junit}"));
    exits(
        1,
        &["run", "--cases", "tests/fixtures/failures", "--report", &json_flag, "--report", &junit_flag],
        "13 cases",
    );
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("was written")).expect("is JSON");
    assert_eq!(report["counts"]["fail"], 9);
    assert!(std::fs::read_to_string(junit).expect("was written").starts_with("<?xml"));
    exits(
        2,
        &["run", "--report", "pdf=x"],
        "expected one of json=FILE, junit=FILE, markdown=FILE, html=FILE, badge=FILE",
    );
    exits(2, &["run", "openui/plain-text", "--no-derived", "--report", "json=no/such/folder/x"], "cannot be written");
    // A full disk hides no failure.
    let unwritten = "the report /dev/full cannot be written";
    let full = ["--no-derived", "--report", "json=/dev/full"];
    exits(1, &[&["run", "--cases", "tests/fixtures/failures"][..], &full].concat(), unwritten);
    exits(2, &[&["run", "openui/plain-text"][..], &full].concat(), unwritten);
}

#[test]
fn a_page_a_text_and_a_badge_go_to_files() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let flags = ["html=a.html", "markdown=a.md", "badge=a.json"].map(|flag| {
        let (kind, name) = flag.split_once('=').expect("is a flag");
        format!("{kind}={}", file(name))
    });
    let mut arguments = vec!["run", "--cases", "tests/fixtures/failures"];
    arguments.extend(flags.iter().flat_map(|flag| ["--report", flag]));
    exits(1, &arguments, "13 cases");
    let read = |name: &str| std::fs::read_to_string(file(name)).expect("was written");
    assert!(read("a.html").starts_with("<!doctype html>"));
    assert!(read("a.md").starts_with("## genui-conform"));
    assert!(read("a.json").contains("\"color\":\"red\""));
}

/// Two reports of `compare` for the reference and a wrong reader.
fn lineup(folder: &std::path::Path, command: &str) -> String {
    let file = folder.join("compare.toml");
    let text = format!("[[implementation]]\nname = \"served\"\ncommand = {command}\n");
    std::fs::write(&file, text).expect("can be written");
    file.display().to_string()
}

#[test]
fn compare_shows_the_answer_of_each_implementation() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = env!("CARGO_BIN_EXE_genui-conform");
    let right = lineup(folder.path(), &format!("[\"{program}\", \"serve\"]"));
    exits(0, &["compare", &right, "--no-derived", "topic:context"], "| `served` (`genui-conform reference`");
    let page = format!("html={}", folder.path().join("a.html").display());
    let wrong = ["compare", "--cases", "tests/fixtures/failures", "--no-derived", &right, "--report", &page];
    exits(1, &wrong, "all implementations and the reference agree, and the case expects something else");
    exits(2, &["compare", &right, "--report", "junit=x"], "expected one of json=FILE, markdown=FILE, html=FILE");
    exits(2, &["compare", &right, "openui/nothing"], "no case matches");
    let json = conform(&["compare", "--json", "--no-derived", &right, "topic:end"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("is JSON");
    assert_eq!(json["implementations"][1]["name"], "served");
    assert_eq!(json["implementations"].as_array().map(Vec::len), Some(2));
    let none = lineup(folder.path(), "[\"no-such-program-anywhere\"]");
    exits(3, &["compare", "--no-derived", &none], "served: the adapter cannot be used");
    let empty = lineup(folder.path(), "[]");
    exits(2, &["compare", &empty], "expected the program and its arguments");
    exits(2, &["compare", "no/such/file.toml"], "no/such/file.toml cannot be read");
}

#[test]
fn new_case_expects_the_reference_answer_and_is_unreviewed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let cases = folder.path().join("cases").display().to_string();
    let message = folder.path().join("message.txt");
    std::fs::write(&message, "]]>openui:content?a=1\r\nroot = X()\n]]>openui:end").expect("can be written");
    let message = message.display().to_string();
    let new = |id: &str, more: &[&str]| {
        let mut arguments = vec!["new", id, "--cases", &cases];
        arguments.extend(more);
        conform(&arguments)
    };
    let output = new("openui/end/new", &[&message]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = std::fs::read_to_string(format!("{cases}/openui/end/new.json")).expect("was written");
    kept_in("cli").bind(|| insta::assert_snapshot!("new", written));
    exits(0, &["run", "--cases", &cases, "--no-derived"], "1 case: 1 pass");
    exits(1, &["lint", "--cases", &cases], "unreviewed");
    assert_eq!(new("openui/end/new", &[&message]).status.code(), Some(2), "the case is there");
    assert_eq!(new("end/new", &[&message]).status.code(), Some(2), "no format");
    let wrong = new("toonui/a/b", &[&message]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("message.txt: expected JSON"), "{wrong:?}");
    assert_eq!(new("openui/a/b", &[&message, "--method", "glossen.edit"]).status.code(), Some(2));
    let long = folder.path().join("long.txt");
    std::fs::write(&long, vec![b'a'; 16 * 1024 * 1024 + 1]).expect("can be written");
    let refused = new("openui/a/d", &[&long.display().to_string()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("expected at most 16777216 bytes"), "nothing is cut off");
    assert_eq!(new("openui/a/c", &["--streaming"]).status.code(), Some(0), "standard input, which is empty here");
}

#[test]
fn warnings_fail_with_fail_on_should() {
    let warned = ["run", "--no-derived", "--cases", "tests/fixtures/failures", "openui/wrong/should"];
    exits(0, &warned, "1 case: 1 warn");
    exits(1, &[&warned[..], &["--fail-on", "should"]].concat(), "1 case: 1 warn");
    // A right answer with a warning does not fail.
    let warned_only =
        ["run", "--no-derived", "--cases", "tests/fixtures/failures", "openui/wrong/warned", "--fail-on", "should"];
    exits(0, &warned_only, "1 case: 1 warn");
}
