//! The end of every command: with its exit code even if the output has no reader, with an error if writing fails, soon after
//! a signal with partial results, and never with success on a silent adapter. The adapters are written in Python; if it is
//! missing, their tests are ignored by name, or fail if `GENUI_CONFORM_ALL` is set.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use genui_conform::case::{Corpus, LintCode, lint};
use libtest_mimic::{Failed, Trial};

const PROGRAM: &str = env!("CARGO_BIN_EXE_genui-conform");

/// Returns the trials; those that need python3 are ignored if it is missing.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("reader::every_command_is_tried", every_command_is_tried),
        Trial::test("reader::a_full_disk_is_an_error", a_full_disk_is_an_error),
        Trial::test("compare::a_missing_program_leaves_the_table", a_missing_program_leaves_the_table),
    ];
    for work in WORKS {
        trials.push(Trial::test(format!("reader::closes_at_once::{}", work.join(" ")), || closes_at_once(work)));
    }
    for signal in SIGNALS {
        for busy in BUSY {
            trials.push(Trial::test(format!("signal::{}::{}", signal.name, busy.name), || signalled(busy, signal)));
        }
        for work in WRITING {
            trials.push(Trial::test(format!("signal::{}::{}", signal.name, work.join(" ")), || {
                signalled_while_it_writes(work, signal)
            }));
        }
        for work in READING {
            trials.push(Trial::test(format!("signal::{}::{}", signal.name, work.join(" ")), || {
                signalled_while_it_reads(work, signal)
            }));
        }
        trials.push(Trial::test(format!("signal::{}::prove", signal.name), || signalled_while_it_proves(signal)));
    }
    for silence in SILENCES {
        for asked in ASKING {
            trials.push(Trial::test(format!("silence::{}::{asked}", silence.mode), || goes_silent(silence, asked)));
        }
    }
    for mode in ["crash", "gone", "markers", "refuses", "missing"] {
        trials.push(Trial::test(format!("saved::{mode}"), || saved_findings_can_be_read(mode)));
    }
    for (mode, why) in UNUSABLE {
        trials.push(Trial::test(format!("compare::{mode}_leaves_the_table"), || {
            an_unusable_one_leaves_the_table(mode, why)
        }));
    }
    let runs =
        Command::new("python3").arg("--version").output().is_ok() || std::env::var_os("GENUI_CONFORM_ALL").is_some();
    let trials = trials.into_iter().map(|trial| {
        let needs_python = !trial.name().starts_with("reader::every") && !trial.name().starts_with("reader::a_full");
        trial.with_ignored_flag(needs_python && !runs)
    });
    trials.collect()
}

fn check(holds: bool, message: String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(message.into()) }
}

fn conform(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

// ---- A closed reader, and a full disk ----

/// The command lines for every command: at least one, and one for each of its exit codes. `PROGRAM` represents this program,
/// `FOLDER` a new folder that contains `compare.toml`.
const WORKS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["run", "--help"],
    &["fly"],
    &["run", "--no-derived"],
    &["run", "--no-derived", "--", "PROGRAM", "serve", "--mutant", "plus-left-alone"],
    &["run", "--", "no-such-program-anywhere"],
    &["run", "nothing"],
    &["compare", "--no-derived", "FOLDER/compare.toml", "topic:end"],
    &["compare", "--no-derived", "FOLDER/compare.toml", "topic:attributes"],
    &["compare", "--json", "--no-derived", "FOLDER/compare.toml", "topic:attributes"],
    &["check-adapter", "--", "PROGRAM", "serve"],
    &["check-adapter", "--", "python3", "tests/adapters/impolite.py", "no-content"],
    &["starter", "python"],
    &["fuzz", "--runs", "100", "--seed", "1", "--", "PROGRAM", "serve"],
    &["fuzz", "--runs", "100", "--seed", "1", "--", "PROGRAM", "serve", "--mutant", "plus-left-alone"],
    &["shrink", "openui/attributes/plus-is-a-space", "--", "PROGRAM", "serve"],
    &["shrink", "openui/attributes/plus-is-a-space", "--", "PROGRAM", "serve", "--mutant", "plus-left-alone"],
    &["new", "openui/text/new", "README.md", "--cases", "FOLDER"],
    &["list"],
    &["list", "nothing"],
    &["show", "topic:end"],
    &["explain", "README.md"],
    &["lint"],
    &["lint", "--cases", "tests/fixtures/lint/unknown-rule"],
    &["rules"],
    &["export"],
    &["export", "--fixtures", "FOLDER/fixtures", "topic:end"],
    &["prove", "--cases", "tests/fixtures/lint/sound"],
    &["prove", "--json", "--cases", "tests/fixtures/lint/sound"],
    &["serve"],
    &["completions", "bash"],
    &["man"],
];

fn filled_in(work: &[&str], folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    work.iter().map(|word| word.replace("PROGRAM", PROGRAM).replace("FOLDER", &folder)).collect()
}

/// Runs a command line in a new folder with this standard output.
fn run_with(work: &[&str], out: impl Into<Stdio>) -> Result<Output, Failed> {
    let folder = tempfile::tempdir()?;
    let wrong = ["serve", "--mutant", "plus-left-alone"];
    write_lineup(&folder.path().join("compare.toml"), &[("wrong", &[&[PROGRAM][..], &wrong].concat())])?;
    let requests = folder.path().join("requests.jsonl");
    std::fs::write(&requests, r#"{"jsonrpc":"2.0","id":1,"method":"openui.parse","params":{"raw":"Good morning"}}"#)?;
    let mut command = conform(&[]);
    command
        .args(filled_in(work, folder.path()))
        .stdin(std::fs::File::open(requests)?)
        .stdout(out)
        .stderr(Stdio::piped());
    Ok(command.spawn()?.wait_with_output()?)
}

fn write_lineup(file: &Path, implementations: &[(&str, &[&str])]) -> Result<(), Failed> {
    let table =
        |(name, command): &(&str, &[&str])| format!("[[implementation]]\nname = {name:?}\ncommand = {command:?}\n");
    Ok(std::fs::write(file, implementations.iter().map(table).collect::<String>())?)
}

fn closes_at_once(work: &[&str]) -> Result<(), Failed> {
    let read = run_with(work, Stdio::piped())?;
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    let unread = run_with(work, writer)?;
    let (expected, found) = (read.status.code(), unread.status.code());
    check(expected.is_some() && found == expected, format!("expected {expected:?}, but found {:?}", unread.status))?;
    let complaint = String::from_utf8_lossy(&unread.stderr);
    check(!complaint.contains("pipe") && !complaint.contains("panicked"), complaint.into_owned())
}

/// All commands of `--help` have command lines, with each of their exit codes.
fn every_command_is_tried() -> Result<(), Failed> {
    let help = String::from_utf8(conform(&["--help"]).output()?.stdout)?;
    let (_, commands) = help.split_once("Commands:\n").ok_or("no commands in the help")?;
    let listed: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty() && *word != "help")
        .collect();
    check(listed.len() >= 15, format!("{listed:?}"))?;
    let missing: Vec<_> = listed.iter().filter(|name| !WORKS.iter().any(|work| work[0] == **name)).collect();
    check(missing.is_empty(), format!("not tried: {missing:?}"))
}

fn a_full_disk_is_an_error() -> Result<(), Failed> {
    for work in WORKS.iter().filter(|work| !["fly", "check-adapter"].contains(&work[0]) && work[1..] != ["nothing"]) {
        if work.contains(&"no-such-program-anywhere") {
            continue;
        }
        let output = run_with(work, OpenOptions::new().write(true).open("/dev/full")?)?;
        let text = text_of(&output);
        check(output.status.code() == Some(1), format!("{work:?}: {:?} {text}", output.status))?;
        check(text.contains("standard output cannot be written"), format!("{work:?}: {text}"))?;
    }
    Ok(())
}

// ---- Signals ----

struct Signal {
    name: &'static str,
    code: i32,
}

const SIGNALS: &[Signal] =
    &[Signal { name: "INT", code: 130 }, Signal { name: "TERM", code: 143 }, Signal { name: "HUP", code: 129 }];

/// The program ends within 2 s of a signal; on a busy machine it may take longer. Waiting for a deadline takes longer than
/// this limit.
const SOON: Duration = Duration::from_secs(4);

/// The time limit for the requests before the signal.
const SLACK: Duration = Duration::from_secs(120);

/// An interrupted command must not print a verdict.
const AGREEMENT: &[&str] =
    &["conformant in profile", "same answer as the reference", "every mutant is killed", "steps, 0 errors\n"];

/// A command that is busy with an adapter: `ADAPTER` represents its command, `FOLDER` a new folder.
struct Busy {
    name: &'static str,
    arguments: &'static [&'static str],
    mode: &'static str,
    /// The number of answered requests before the interrupt.
    after: u64,
    /// Report files that must exist afterwards and contain text.
    reports: &'static [&'static str],
}

const BUSY: &[Busy] = &[
    Busy {
        name: "run",
        arguments: &["run", "--report", "json=FOLDER/a.json", "--report", "junit=FOLDER/a.xml", "--", "ADAPTER"],
        mode: "slow",
        after: 20,
        reports: &["a.json", "a.xml"],
    },
    Busy {
        name: "run, in silence",
        arguments: &["run", "--report", "json=FOLDER/a.json", "--timeout", "600s", "--", "ADAPTER"],
        mode: "hundredth",
        after: 99,
        reports: &["a.json"],
    },
    Busy {
        name: "run, at the handshake",
        arguments: &["run", "--report", "json=FOLDER/a.json", "--start-timeout", "600s", "--", "ADAPTER"],
        mode: "handshake",
        after: 0,
        reports: &["a.json"],
    },
    Busy {
        name: "run, in its derived checks",
        arguments: &["run", "topic:end", "--report", "markdown=FOLDER/a.md", "--", "ADAPTER"],
        mode: "slow",
        after: 150,
        reports: &["a.md"],
    },
    Busy {
        name: "run, with a process for each request",
        arguments: &["run", "--oneshot", "--report", "json=FOLDER/a.json", "--", "ADAPTER"],
        mode: "slow",
        after: 3,
        reports: &["a.json"],
    },
    Busy {
        name: "compare",
        arguments: &["compare", "FOLDER/compare.toml", "--no-derived", "--report", "json=FOLDER/a.json"],
        mode: "slow",
        after: 20,
        reports: &["a.json"],
    },
    Busy {
        name: "compare, at the handshake",
        arguments: &["compare", "FOLDER/compare.toml", "--no-derived", "--report", "html=FOLDER/a.html"],
        mode: "handshake",
        after: 0,
        reports: &["a.html"],
    },
    Busy {
        name: "fuzz",
        arguments: &["fuzz", "--time", "600s", "--", "ADAPTER"],
        mode: "slow",
        after: 20,
        reports: &[],
    },
    Busy {
        name: "fuzz, at the handshake",
        arguments: &["fuzz", "--start-timeout", "600s", "--", "ADAPTER"],
        mode: "handshake",
        after: 0,
        reports: &[],
    },
    Busy {
        name: "fuzz, in its campaign",
        arguments: &["fuzz", "--time", "600s", "--", "ADAPTER"],
        mode: "right",
        after: 4_000,
        reports: &[],
    },
    Busy {
        name: "shrink",
        arguments: &["shrink", "openui/end/absent", "--", "ADAPTER"],
        mode: "slow",
        after: 20,
        reports: &[],
    },
    Busy {
        name: "check-adapter",
        arguments: &["check-adapter", "--", "ADAPTER"],
        mode: "slow",
        after: 3,
        reports: &[],
    },
    Busy {
        name: "check-adapter, in silence",
        arguments: &["check-adapter", "--timeout", "600s", "--", "ADAPTER"],
        mode: "first",
        after: 0,
        reports: &[],
    },
];

fn signalled(busy: &Busy, signal: &Signal) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let adapter = ["python3", "tests/adapters/silent.py", busy.mode, PROGRAM, "serve"];
    // A correct implementation follows the slow one and is not started.
    let lineup = [("slow", &adapter[..]), ("right", &[PROGRAM, "serve"])];
    write_lineup(&folder.path().join("compare.toml"), &lineup)?;
    let arguments = busy
        .arguments
        .iter()
        .flat_map(|word| if *word == "ADAPTER" { &adapter[..] } else { std::slice::from_ref(word) });
    let arguments = filled_in(&arguments.copied().collect::<Vec<_>>(), folder.path());
    let state = folder.path().join("state");
    let child =
        conform(&[]).args(arguments).env("STATE", &state).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let deadline = Instant::now() + SLACK;
    // Every process has written its start; each answer adds to it.
    let answered = || std::fs::metadata(&state).ok().map(|file| file.len());
    while answered().is_none_or(|count| count < busy.after) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    check(answered().is_some_and(|count| count >= busy.after), "the adapter was not asked enough".to_owned())?;
    if busy.after == 0 {
        // The unanswered request is sent soon after the start.
        std::thread::sleep(Duration::from_millis(300));
    }
    let output = ends_soon(child, signal)?;
    let text = text_of(&output);
    check(busy.name.contains("handshake") || !output.stdout.is_empty(), "nothing was printed".to_owned())?;
    for word in AGREEMENT {
        check(!text.contains(word), format!("a word of agreement: {text}"))?;
    }
    for report in busy.reports {
        let written = std::fs::read_to_string(folder.path().join(report))?;
        check(written.len() > 200, format!("{report}: {written}"))?;
        if report.ends_with(".json") {
            let report: serde_json::Value = serde_json::from_str(&written)?;
            let run = if report["implementations"].is_array() { &report["implementations"][1] } else { &report };
            check(run["complete"] == false && run["conformant"] == false, format!("{report:.300}"))?;
        }
    }
    Ok(())
}

/// Sends the signal and checks how the program ends.
fn ends_soon(mut child: Child, signal: &Signal) -> Result<Output, Failed> {
    check(child.try_wait()?.is_none(), "it ended before the signal came".to_owned())?;
    let sent = Instant::now();
    Command::new("kill").args([&format!("-{}", signal.name), &child.id().to_string()]).status()?;
    let output = child.wait_with_output()?;
    let took = sent.elapsed();
    let text = text_of(&output);
    check(output.status.code() == Some(signal.code), format!("expected {}: {:?}\n{text}", signal.code, output.status))?;
    check(took < SOON, format!("it took {took:?}"))?;
    Ok(output)
}

fn signalled_while_it_proves(signal: &Signal) -> Result<(), Failed> {
    let child = conform(&["prove"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    std::thread::sleep(Duration::from_secs(1));
    let output = ends_soon(child, signal)?;
    let text = text_of(&output);
    check(text.contains("interrupted: ") && text.contains(": FAILED"), text.clone())?;
    check(!text.contains("ineffective cases: every mutant is killed"), text)
}

/// Commands that print more than the capacity of a pipe.
const WRITING: &[&[&str]] = &[&["list"], &["show"], &["rules"], &["export"]];

fn signalled_while_it_writes(work: &[&str], signal: &Signal) -> Result<(), Failed> {
    let mut child = conform(work).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut first = [0];
    child.stdout.as_mut().ok_or("no standard output")?.read_exact(&mut first)?;
    ends_soon(child, signal).map(|_| ())
}

/// Commands that wait for standard input, which does not end.
const READING: &[&[&str]] = &[&["explain"], &["new", "openui/text/new", "--cases", "no/such/folder"], &["serve"]];

fn signalled_while_it_reads(work: &[&str], signal: &Signal) -> Result<(), Failed> {
    let mut child = conform(work).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    input.write_all(b"Good ")?;
    std::thread::sleep(Duration::from_millis(500));
    let ended = ends_soon(child, signal);
    drop(input);
    ended.map(|_| ())
}

// ---- Silence ----

/// A kind of silence of an adapter, and the exit codes: of commands that judge answers, and of `shrink` on a case without
/// an answer.
struct Silence {
    mode: &'static str,
    /// Whether no request can be sent.
    unusable: bool,
}

const SILENCES: &[Silence] = &[
    Silence { mode: "handshake", unusable: true },
    Silence { mode: "first", unusable: false },
    Silence { mode: "hundredth", unusable: false },
    Silence { mode: "markers", unusable: false },
    Silence { mode: "streams", unusable: false },
    Silence { mode: "crash", unusable: false },
    Silence { mode: "gone", unusable: false },
    Silence { mode: "refuses", unusable: false },
    Silence { mode: "missing", unusable: false },
];

/// The commands that send requests to an adapter.
const ASKING: &[&str] =
    &["run", "compare", "fuzz", "fuzz, as the first", "fuzz, as the second", "fuzz --cost", "shrink"];

fn goes_silent(silence: &Silence, asked: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let adapter = ["python3", "tests/adapters/silent.py", silence.mode, PROGRAM, "serve"];
    let right = ["python3", "tests/adapters/silent.py", "right", PROGRAM, "serve"];
    let lineup = folder.path().join("compare.toml");
    write_lineup(&lineup, &[("silent", &adapter), ("right", &right)])?;
    let lineup = lineup.display().to_string();
    let campaign = ["fuzz", "--runs", "300", "--seed", "1"];
    let both =
        |first: &[&'static str], second: &[&'static str]| [&campaign[..], &["--"], first, &["--"], second].concat();
    let mut arguments: Vec<&str> = match asked {
        "run" => [&["run", "--no-derived", "--"][..], &adapter].concat(),
        "compare" => vec!["compare", "--no-derived", &lineup],
        "fuzz" => [&campaign[..], &["--"], &adapter].concat(),
        "fuzz, as the first" => both(&adapter, &right),
        "fuzz, as the second" => both(&right, &adapter),
        "fuzz --cost" => [&["fuzz", "--cost", "--time", "2s", "--"][..], &adapter].concat(),
        _ => [&["shrink", "openui/end/absent", "--"][..], &adapter].concat(),
    };
    let start_timeout = if silence.unusable { "500ms" } else { "30s" };
    arguments.splice(1..1, ["--timeout", "400ms", "--start-timeout", start_timeout]);
    let output = conform(&arguments).env("STATE", folder.path().join("state")).output()?;
    let (code, text) = (output.status.code().unwrap_or(-1), text_of(&output));
    let expected: &[i32] = match (silence.mode, asked) {
        ("handshake", _) => &[3],
        ("refuses" | "missing", "fuzz --cost") => &[4],
        // A refused request to a listed method is a finding.
        ("refuses", _) => &[1],
        // The adapter may be silent on other cases.
        ("hundredth" | "streams" | "gone" | "markers" | "crash", "shrink") => &[0, 1, 3],
        ("streams" | "gone" | "hundredth" | "markers" | "crash", "fuzz --cost") => &[0, 1, 3],
        (_, "shrink") => &[1, 3],
        (_, "fuzz --cost") => &[3],
        _ => &[1, 3],
    };
    check(expected.contains(&code), format!("expected {expected:?}, but found {code}: {text}"))?;
    if code == 0 {
        return Ok(());
    }
    for word in ["conformant in profile", "same answer as the reference"] {
        let is_said = text.lines().any(|line| line.contains(word) && !line.contains("NOT conformant"));
        check(!is_said, format!("a word of agreement: {text}"))?;
    }
    if asked.starts_with("fuzz") && asked != "fuzz --cost" && !silence.unusable {
        check(text.contains(" answered, "), format!("expected how many were answered: {text}"))?;
    }
    Ok(())
}

/// The saved findings can be read again, whatever the first of two adapters does.
fn saved_findings_can_be_read(mode: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let found = folder.path().join("found");
    let path = found.display().to_string();
    let adapter = ["python3", "tests/adapters/silent.py", mode, PROGRAM, "serve"];
    // One that crashes does so on a request of the corpus, of whatever method. The others answer some requests of the campaign,
    // after all of the corpus: those of this method show the mutant soon.
    let method: &[&str] = if mode == "crash" { &[] } else { &["--method", "openui.parse"] };
    let gone_after = Corpus::embedded().map_or(0, |corpus| corpus.cases.len()) + 300;
    let flags = ["fuzz", "--runs", "300", "--seed", "1", "--timeout", "400ms", "--save", &path];
    let flags = [&flags[..], method, &["--"]].concat();
    let wrong = ["--", PROGRAM, "serve", "--mutant", "plus-left-alone"];
    for round in ["state", "once-more"] {
        let output = conform(&[&flags[..], &adapter, &wrong].concat())
            .env("STATE", folder.path().join(round))
            .env("GONE_AFTER", gone_after.to_string())
            .output()?;
        let expected: &[i32] = if mode == "refuses" { &[1] } else { &[1, 3] };
        let code = output.status.code().unwrap_or(-1);
        check(
            expected.contains(&code),
            format!("{round}: expected {expected:?}, but found {code}: {}", text_of(&output)),
        )?;
        let (corpus, errors) = Corpus::from_folder_with_errors(&found);
        let errors: Vec<_> = errors.iter().filter(|error| error.file != found).collect();
        check(errors.is_empty(), format!("{round}: {errors:?}"))?;
        check(mode == "refuses" || !corpus.cases.is_empty(), format!("nothing was saved: {}", text_of(&output)))?;
        let wrong: Vec<_> = lint(&corpus).into_iter().filter(|finding| finding.code != LintCode::Unreviewed).collect();
        check(wrong.is_empty(), format!("{wrong:?}"))?;
    }
    Ok(())
}

// ---- Comparisons ----

/// Modes of misbehave.py that cannot be used, and a word of the reason.
const UNUSABLE: &[(&str, &str)] = &[
    ("silent-at-start", "within 1 s, but none came"),
    ("dies-at-start", "no licence found"),
    ("garbage-at-start", "Listening on port 8080"),
    ("other-version", "speaks 2"),
    ("other-profile", "it lists line-start"),
    ("unknown-choice", "sometimes"),
];

fn an_unusable_one_leaves_the_table(mode: &str, why: &str) -> Result<(), Failed> {
    let timeout = if mode == "silent-at-start" { "1s" } else { "30s" };
    leaves_the_table(&["python3", "tests/adapters/misbehave.py", mode], why, timeout)
}

fn a_missing_program_leaves_the_table() -> Result<(), Failed> {
    leaves_the_table(&["no-such-program-anywhere"], "`no-such-program-anywhere` cannot be started", "30s")
}

/// In every report the column of an unusable implementation states the reason, and the other columns are complete.
fn leaves_the_table(command: &[&str], why: &str, start_timeout: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = |name: &str| folder.path().join(name);
    let wrong = [PROGRAM, "serve", "--mutant", "plus-left-alone"];
    write_lineup(&file("compare.toml"), &[("absent", command), ("wrong", &wrong), ("right", &[PROGRAM, "serve"])])?;
    let reports = ["json", "html", "markdown"].map(|kind| format!("{kind}={}", file(kind).display()));
    let output = conform(&["compare", "--no-derived", "--start-timeout", start_timeout])
        .args([&file("compare.toml").display().to_string(), "topic:attributes"])
        .args(reports.iter().flat_map(|report| ["--report", report]))
        .output()?;
    let text = text_of(&output);
    check(output.status.code() == Some(3), format!("{:?}: {text}", output.status))?;
    check(text.contains("absent: the adapter cannot be used: ") && text.contains(why), text.clone())?;
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file("json"))?)?;
    let columns = &report["implementations"];
    check(columns[1]["name"] == "absent" && columns[1]["conformant"] == false, format!("{columns:#}"))?;
    let reason = columns[1]["unusable"].as_str().unwrap_or_default();
    check(reason.contains(why), format!("expected `{why}` in `{reason}`"))?;
    check(columns[2]["counts"]["fail"].as_u64() > Some(0) && columns[3]["conformant"] == true, format!("{columns:#}"))?;
    check(columns[2].get("unusable").is_none(), format!("{columns:#}"))?;
    let outcomes = report["cases"].as_array().into_iter().flatten().map(|case| &case["outcomes"]);
    check(outcomes.clone().count() > 0, "no cases".to_owned())?;
    check(outcomes.clone().all(|cells| cells[1].is_null() && cells[3]["verdict"] == "pass"), text.clone())?;
    let markdown = std::fs::read_to_string(file("markdown"))?;
    let row = markdown.lines().find(|line| line.starts_with("| `absent`")).unwrap_or_default();
    check(row.contains("**cannot be used**: ") && row.contains(why.trim_matches('`')), markdown.clone())?;
    check(markdown == String::from_utf8_lossy(&output.stdout), "another report on standard output".to_owned())?;
    let page = std::fs::read_to_string(file("html"))?;
    check(page.contains(">cannot be used</span>") && page.contains(why), "the page does not say so".to_owned())
}
