//! End-to-end tests of adapters through the program: adapters with every known fault, and the starters. They need
//! python3 and the languages of the starters. If one is missing, its tests are ignored by name, or fail if
//! `GENUI_CONFORM_ALL` is set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use genui_conform::formats::FORMATS;
use genui_conform::open_points::OpenPoint;
use genui_conform::settings::ProfileName;
use libtest_mimic::{Arguments, Failed, Trial};

#[path = "support/choices.rs"]
mod choices;
use choices::is_tried_in;
#[path = "adapters/exits.rs"]
mod exits;
#[path = "support/snapshots.rs"]
mod snapshots;
use snapshots::kept_in;

fn main() {
    let mut trials: Vec<Trial> =
        MODES.iter().map(|mode| Trial::test(format!("misbehave::{}", mode.name), || misbehave(mode))).collect();
    trials.extend([
        Trial::test("misbehave::interrupted", interrupted),
        Trial::test("whole_message_as_content", whole_message_as_content),
        Trial::test("first_report_is_short", first_report_is_short),
        Trial::test("empty_results", empty_results),
        Trial::test("derived_failures_match_snapshot", derived_failures_match_snapshot),
        Trial::test("declared_choice_is_required", declared_choice_is_required),
        Trial::test("choices::undecided_numbers_are_reported", undecided_numbers_are_reported),
        Trial::test("choices::mixed_numbers_fail", mixed_numbers_fail),
        Trial::test("serve_is_an_adapter", serve_is_an_adapter),
        Trial::test("unsteady", unsteady),
        Trial::test("a_process_for_each_request", a_process_for_each_request),
        Trial::test("one_that_answers_and_ends", one_that_answers_and_ends),
        Trial::test("a_trace_has_every_line", a_trace_has_every_line),
        Trial::test("failed_cases_rerun", failed_cases_rerun),
        Trial::test("campaign::crash_is_found_and_shrunk", crash_is_found_and_shrunk),
        Trial::test("native::the_bundle_runs_without_the_runner", the_bundle_runs_without_the_runner),
        Trial::test("documents::the_smallest_adapter_runs", the_smallest_adapter_runs),
        Trial::test("documents::the_report_in_the_readme_is_real", the_report_in_the_readme_is_real),
    ]);
    for (mode, choice) in NUMBERS {
        let name = format!("choices::numbers_of_python_are_found::{mode}");
        trials.push(Trial::test(name, || numbers_of_python_are_found(mode, choice)));
    }
    trials.extend(
        IMPOLITE.iter().map(|(mode, says)| Trial::test(format!("check_adapter::{mode}"), || impolite(mode, says))),
    );
    let must_all_run = std::env::var_os("GENUI_CONFORM_ALL").is_some();
    let mut trials = ignore_unless(has("python3") || must_all_run, trials);
    for starter in &STARTERS {
        let mut of_language = starter_trials(starter);
        of_language.push(Trial::test(format!("starter::{}::follows_the_protocol", starter.name), || {
            finds_nothing(&starter.compiled(Path::new(starter.source()))?)
        }));
        of_language.push(Trial::test(format!("starter::{}::faults_are_no_refusals", starter.name), || {
            faults_are_no_refusals(starter)
        }));
        of_language.push(Trial::test(format!("starter::{}::to_fill_in", starter.name), || to_fill_in(starter)));
        trials.extend(ignore_unless(has(starter.command[0]) || must_all_run, of_language));
    }
    trials.extend(exits::trials());
    let mut arguments = Arguments::from_args();
    // The tests mostly wait for deadlines or processes.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(cores * 2);
    libtest_mimic::run(&arguments, trials).exit();
}

/// An independent implementation in another language.
struct Starter {
    name: &'static str,
    /// The command of the README.
    command: &'static [&'static str],
    /// The compilation, for languages that would compile at each start.
    compiled: Option<Compiled>,
    /// Whether each choice is also tried alone, and the derived checks run in every profile. Two implementations are enough
    /// for that; the others run all choices together, and the derived checks in one profile.
    is_tried_in_full: bool,
}

const STARTERS: [Starter; 5] = [
    Starter {
        name: "python",
        command: &["python3", "adapters/python/adapter.py"],
        compiled: None,
        is_tried_in_full: true,
    },
    Starter {
        name: "javascript",
        command: &["node", "adapters/javascript/adapter.mjs"],
        compiled: None,
        is_tried_in_full: true,
    },
    Starter {
        name: "java",
        command: &["java", "adapters/java/Adapter.java"],
        compiled: Some(JAVA),
        is_tried_in_full: false,
    },
    Starter {
        name: "go",
        command: &["go", "run", "adapters/go/adapter.go"],
        compiled: Some(GO),
        is_tried_in_full: false,
    },
    Starter { name: "ruby", command: &["ruby", "adapters/ruby/adapter.rb"], compiled: None, is_tried_in_full: false },
];

/// The commands that compile a file and start the result. `SOURCE` is the file, `OUT` a folder.
struct Compiled {
    compiler: &'static [&'static str],
    command: &'static [&'static str],
}

const JAVA: Compiled = Compiled {
    compiler: &["javac", "-d", "OUT", "SOURCE"],
    command: &["java", "-XX:+UseSerialGC", "-cp", "OUT", "CLASS"],
};
const GO: Compiled = Compiled { compiler: &["go", "build", "-o", "OUT/CLASS", "SOURCE"], command: &["OUT/CLASS"] };

impl Starter {
    /// The file of the complete reader and writer.
    fn source(&self) -> &'static str {
        self.command.last().copied().unwrap_or("")
    }

    /// The command that starts a source file of this language. Java and Go would compile at each start, for a second or more;
    /// here each file is compiled once.
    fn compiled(&self, source: &Path) -> Result<Vec<String>, Failed> {
        static DONE: Mutex<BTreeMap<PathBuf, Vec<String>>> = Mutex::new(BTreeMap::new());
        let plain = || self.command.split_last().map(|(_, program)| program.to_vec()).unwrap_or_default();
        let Some(compiled) = &self.compiled else {
            let words = plain().into_iter().map(str::to_owned).chain([source.display().to_string()]);
            return Ok(words.collect());
        };
        let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(command) = done.get(source) {
            return Ok(command.clone());
        }
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", self.name, done.len()));
        std::fs::create_dir_all(&out)?;
        let class = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        let filled = |words: &[&str]| -> Vec<String> {
            let fill = |word: &&str| {
                let (out, source) = (out.display().to_string(), source.display().to_string());
                word.replace("OUT", &out).replace("SOURCE", &source).replace("CLASS", class)
            };
            words.iter().map(fill).collect()
        };
        let compiler = filled(compiled.compiler);
        let made = Command::new(&compiler[0])
            .args(&compiler[1..])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .map_err(|error| format!("{} cannot be started: {error}", compiler[0]))?;
        check(made.status.success(), format!("{compiler:?}: {}", String::from_utf8_lossy(&made.stderr)))?;
        let command = filled(compiled.command);
        done.insert(source.to_owned(), command.clone());
        Ok(command)
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn ignore_unless(runs: bool, trials: Vec<Trial>) -> Vec<Trial> {
    trials.into_iter().map(|trial| trial.with_ignored_flag(!runs)).collect()
}

/// Adds trials for each profile with all choices that are not the default: together, and for starters tried in full also
/// each one alone.
fn starter_trials(starter: &'static Starter) -> Vec<Trial> {
    let mut trials = Vec::new();
    for profile in FORMATS.profiles() {
        let points: Vec<&OpenPoint> = FORMATS.open_points().filter(|point| is_tried_in(profile, point)).collect();
        let mut trial = |name: &str, choices: Vec<(&'static str, &'static str)>| {
            let test = format!("starter::{}::{profile}{name}", starter.name);
            trials.push(Trial::test(test, move || starter_conforms(starter, profile, &choices)));
        };
        trial("", Vec::new());
        for point in points.iter().filter(|_| starter.is_tried_in_full) {
            for name in &point.names[1..] {
                trial(&format!("::{}={name}", point.rule), vec![(point.rule, name)]);
            }
        }
        // One trial for each choice of the point with most choices; the other points keep their last choice.
        let most = points.iter().map(|point| point.names.len()).max().unwrap_or(0);
        for at in 1..most {
            let choices = points.iter().map(|point| (point.rule, point.names[at.min(point.names.len() - 1)])).collect();
            let name = if at == 1 { "::all_others".to_owned() } else { format!("::all_others_{at}") };
            trial(&name, choices);
        }
    }
    trials
}

/// A fault, its exit code, and a word that the report must contain.
struct Mode {
    name: &'static str,
    exit: i32,
    says: &'static str,
}

const fn mode(name: &'static str, exit: i32, says: &'static str) -> Mode {
    Mode { name, exit, says }
}

const MODES: &[Mode] = &[
    mode("silent-at-start", 3, "within 1 s, but none came"),
    mode("dies-at-start", 3, "no licence found"),
    mode("garbage-at-start", 3, "Listening on port 8080"),
    mode("other-version", 3, "speaks 2"),
    mode("malformed-hello", 3, "missing field `implementation`"),
    mode("unknown-choice", 3, "sometimes"),
    mode("other-profile", 2, "line-start"),
    mode("unknown-rule", 0, "openui.read.horoscope"),
    mode("malformed", 1, "MALFORMED"),
    mode("not-utf8", 1, "MALFORMED"),
    mode("half-a-line", 1, "MALFORMED"),
    mode("escape-sequences", 1, "MALFORMED"),
    mode("deep", 1, "MALFORMED"),
    mode("unexpected-id", 1, "UNEXPECTED-ID"),
    mode("null-id", 1, "UNEXPECTED-ID"),
    mode("twice", 1, "UNEXPECTED-ID"),
    mode("twice-always", 1, "UNEXPECTED-ID"),
    mode("hang", 1, "TIMEOUT"),
    mode("never", 1, "TIMEOUT"),
    mode("exit", 1, "CRASH"),
    mode("signal", 1, "CRASH"),
    mode("closes-output", 1, "CRASH"),
    mode("oversized", 1, "OVERSIZED"),
    mode("flaky", 1, "FLAKY"),
    mode("dies-for-good", 1, "the lock file is still there"),
    mode("internal-error", 1, "ERROR"),
    mode("refusal-without-kind", 1, "ERROR"),
    mode("unexpected-refusal", 1, "FAIL"),
    mode("no-such-method", 1, "answered \"method not found\""),
    mode("not-offered", 1, "not on Mondays"),
    mode("reorder", 0, "conformant"),
    mode("slow-start", 0, "conformant"),
    mode("ignores-the-end", 0, "it was killed"),
    mode("leaves-children", 0, "left processes in its process group"),
    mode("babbles-at-the-end", 1, "MALFORMED"),
    mode("never-stops-talking", 1, "MALFORMED"),
    mode("leaves-its-group", 1, "TIMEOUT"),
    mode("exits-after", 1, "CRASH"),
    mode("babbles-after", 1, "MALFORMED"),
    mode("fails-at-the-end", 0, "could not save my state"),
];

/// A protocol fault of an adapter, and a word of the one error that it causes.
const IMPOLITE: &[(&str, &str)] = &[
    ("other-version", "the handshake: expected protocol version 1, but the adapter speaks 2"),
    ("nameless", "missing field `name`"),
    ("misspelt-method", "but found openui.biuld; did you mean openui.build?"),
    ("no-methods", "at least one method"),
    ("misspelt-profile", "found chatt; did you mean chat?"),
    ("no-profiles", "at least one profile"),
    ("misspelt-rule", "did you mean openui.read.stale-end?"),
    ("misspelt-omission", "but found atributes; did you mean attributes?"),
    ("misspelt-choice", "expected counts or ignored for openui.read.stale-end, but found count"),
    ("fixed-profile", "profile chat, asked for: expected chat to be listed"),
    ("greets", "the handshake: expected the answer to request 0, but a line on standard output is no answer"),
    ("ids-as-text", "expected the id of a request, but found \"0\""),
    ("no-jsonrpc", "expected an object with `\"jsonrpc\":\"2.0\"`"),
    ("error-beside-result", "expected either a result or an error"),
    ("never-flushes", "it came only when the input had ended; end each line with a LF and flush"),
    ("no-line-feed", "it came only when the input had ended; end each line with a LF and flush"),
    ("no-content", "openui.parse: a plain request: expected a string at /content of the result, but found nothing"),
    ("list-as-result", "expected an object as result, but found a list"),
    ("null-attributes", "expected an object at /attributes of the result, but found null"),
    ("number-attribute", "expected a string at /attributes/seed of the result, but found a number"),
    ("text-as-end", "expected a boolean at /end of the result, but found a string"),
    ("extra-member", "expected only content, context, attributes, end in the result, but found \"contents\""),
    ("code-without-kind", "code 1 without `data.kind`"),
    ("other-kind", "found forged_marker; did you mean forged-marker?"),
    ("not-there", "expected openui.build to be there, as `methods` says, but found -32601"),
    ("null-is-true", "a member that is null: expected null to count as absent"),
    ("latin-1", "is standard output written in UTF-8?"),
    ("latin-1-alone", "expected UTF-8, but the line holds other bytes"),
    ("ascii", "can standard output carry more than ASCII?"),
    ("one-behind", "expected each answer under the id of its request"),
    ("answers-twice", "expected one answer to request 8, but found two"),
    ("cuts-long-lines", "expected all 510000 bytes of the message in the content, but found 65536 bytes"),
    ("remembers", "expected the same answer to the same request"),
    ("dies-of-the-unknown", "a method that does not exist: expected the answer to request 1, but the adapter ended"),
    ("result-for-the-unknown", "expected the error -32601, but found null"),
    ("shallow", "a context of 900 levels: expected the answer to request 1, but the adapter ended"),
    ("drops-what-follows", "all at once, up to the end of input: expected the answer to request 1"),
    ("stays", "the adapter did not end within 2 s of the end of its input"),
    ("says-goodbye", "expected silence after the last answer"),
    ("leaves-a-child", "left processes in its process group"),
    ("fails-at-the-end", "could not save my state"),
];

/// Modes of reading numbers in Python, and the choice inferred from the answers.
const NUMBERS: &[(&str, &str)] = &[
    ("python", "exact-integers"),
    ("64-bit", "64-bit-integers"),
    ("double", "double"),
    ("reads", "exact-integers"),
    ("parses-and-streams", "exact-integers"),
];

/// The deadline for answers in these tests.
const DEADLINE: Duration = Duration::from_secs(2);

/// The allowance for process starts on a busy machine, in addition to the deadlines. It is far above the time of any run:
/// it only detects a run that hangs.
const SLACK: Duration = Duration::from_secs(20);

fn misbehave(mode: &'static Mode) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let pids = folder.path().join("pids");
    let started = Instant::now();
    // Only the adapter without a handshake needs a short deadline; on a busy machine the others may start slowly.
    let start_timeout = if mode.name == "silent-at-start" { "1s" } else { "20s" };
    let output = conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--jobs", "1"])
        .args(["--timeout", "2s", "--start-timeout", start_timeout])
        .args(["--", "python3", "tests/adapters/misbehave.py", mode.name])
        .env("PID_FILE", &pids)
        .output()?;
    let took = started.elapsed();
    let text = format!("{}{}", String::from_utf8(output.stdout.clone())?, String::from_utf8(output.stderr.clone())?);
    check(
        output.status.code() == Some(mode.exit),
        format!("expected exit code {}: {:?}\n{text}", mode.exit, output.status),
    )?;
    check(text.contains(mode.says), format!("expected `{}` in the report:\n{text}", mode.says))?;
    check(took < DEADLINE * 5 + SLACK, format!("it took {took:?}"))?;
    no_process_left(&pids)?;
    for character in text.chars() {
        check(!character.is_control() || character == '\n', format!("a raw {character:?} in the report"))?;
    }
    if output.status.code() != Some(3) && output.status.code() != Some(2) {
        check(text.contains("3 cases: "), format!("expected every case in the report:\n{text}"))?;
    }
    snapshot(&format!("adapter-{}", mode.name), &output)
}

fn interrupted() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let pids = folder.path().join("pids");
    let child =
        conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--jobs", "1", "--timeout", "600s"])
            .args(["--", "python3", "tests/adapters/misbehave.py", "hang"])
            .env("PID_FILE", &pids)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
    let deadline = Instant::now() + SLACK;
    while !pids.exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The first answer comes soon after the start; the second never comes.
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
    let output = child.wait_with_output()?;
    check(output.status.code() == Some(130), format!("expected exit code 130: {output:?}"))?;
    no_process_left(&pids)?;
    snapshot("adapter-interrupted", &output)
}

/// An adapter whose second answer differs is detected with `--repeat 2`, and not without it.
fn unsteady() -> Result<(), Failed> {
    let plain = ["run", "--no-derived", "--cases", "tests/fixtures/plain", "--jobs", "1"];
    let adapter = ["--", "python3", "tests/adapters/unsteady.py"];
    let run = |more: &[&str]| conform(&plain).args(more).args(adapter).output();
    let once = run(&[])?;
    check(once.status.code() == Some(0), format!("expected exit code 0: {once:?}"))?;
    let twice = run(&["--repeat", "2"])?;
    check(twice.status.code() == Some(1), format!("expected exit code 1: {twice:?}"))?;
    snapshot("adapter-unsteady", &twice)
}

fn whole_message_as_content() -> Result<(), Failed> {
    for profile in FORMATS.profiles() {
        let output = conform(&["run", "--no-derived", "--max-failures", "all", "--profile", profile.name()])
            .args(["--", "python3", "tests/adapters/whole.py"])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let failed = text.lines().filter(|line| line.starts_with("  FAIL ")).count();
        check(output.status.code() == Some(1) && failed >= 100, format!("{profile}: only {failed} failures"))?;
    }
    Ok(())
}

/// The first report on an empty starter has the verdict first and last, and is short.
fn first_report_is_short() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (starter, markdown) = (folder.path().join("starter.py"), folder.path().join("report.md"));
    std::fs::write(&starter, conform(&["starter", "python"]).output()?.stdout)?;
    for more in [&[][..], &["--no-derived"]] {
        let output = conform(&["run", "--report", &format!("markdown={}", markdown.display())])
            .args(more)
            .args(["--", "python3"])
            .arg(&starter)
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let lines: Vec<&str> = text.lines().collect();
        check(lines.len() <= 150, format!("{} lines:\n{text}", lines.len()))?;
        let verdict = "NOT conformant in profile core";
        check(lines[1].starts_with(verdict) && lines[lines.len() - 1].starts_with(verdict), text.clone())?;
        let table = text.contains("openui.marker.grammar (must) ") && text.contains("  FAIL openui/");
        check(table && text.contains(" more rules") && text.contains(" cases: the adapter omits streaming"), text)?;
        let written = std::fs::read_to_string(&markdown)?;
        let length = written.encode_utf16().count();
        check(length <= 65_536, format!("{length} code units of Markdown"))?;
        let says = ["**NOT conformant**", "### Violated rules, failed/run", "`the adapter omits streaming`", "Omitted"];
        check(says.iter().all(|said| written.contains(said)), written)?;
    }
    Ok(())
}

fn impolite(mode: &str, says: &str) -> Result<(), Failed> {
    // Faults without output need a deadline; all others appear as soon as the adapter starts.
    let waits = ["never-flushes", "no-line-feed", "stays"].contains(&mode);
    let deadline = if waits { "2s" } else { "20s" };
    let output = conform(&["check-adapter", "--timeout", deadline, "--start-timeout", deadline, "--"])
        .args(["python3", "tests/adapters/impolite.py", mode])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    check(output.status.code() == Some(1), format!("expected exit code 1: {text}"))?;
    let complaints: Vec<&str> = text.lines().filter(|line| line.starts_with("  FAILED")).collect();
    check(complaints.len() == 1 && complaints[0].contains(says), format!("expected one error, `{says}`: {text}"))
}

fn finds_nothing(command: &[String]) -> Result<(), Failed> {
    let output = conform(&["check-adapter", "--"]).args(command).output()?;
    let text = String::from_utf8(output.stdout)?;
    check(output.status.code() == Some(0) && text.ends_with("steps, 0 errors\n"), text)
}

/// The output of `starter` runs unchanged, reads text without markers correctly, and fails only by the rules.
fn to_fill_in(starter: &Starter) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (adapter, program) = starter.command.split_last().ok_or("no command")?;
    let extension = Path::new(adapter).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    // Java requires that a file is named after its class.
    let name = if extension == "java" { "Starter" } else { "starter" };
    let file = folder.path().join(format!("{name}.{extension}")).display().to_string();
    let printed = conform(&["starter", starter.name]).output()?;
    check(printed.status.code() == Some(0), format!("{printed:?}"))?;
    std::fs::write(&file, printed.stdout)?;
    // Once as in the README, otherwise compiled in advance.
    let as_printed: Vec<String> = program.iter().map(|word| (*word).to_owned()).chain([file.clone()]).collect();
    let command = starter.compiled(Path::new(&file))?;
    finds_nothing(&command)?;
    let run = |filter: &[&str], command: &[String]| {
        conform(&["run", "--no-derived"]).args(filter).arg("--").args(command).output()
    };
    let plain = run(&["topic:plain-text"], &as_printed)?;
    check(plain.status.code() == Some(0), String::from_utf8(plain.stdout)?)?;
    let whole = run(&[], &command)?;
    let text = String::from_utf8(whole.stdout)?;
    let tally = text.lines().rev().find(|line| line.contains(" cases: ")).unwrap_or("");
    check(whole.status.code() == Some(1), tally.to_owned())?;
    let other = ["error", "crash", "timeout", "malformed", "oversized", "unexpected-id", "flaky", "not-run"];
    check(!other.iter().any(|verdict| tally.contains(verdict)), format!("expected wrong answers alone: {tally}"))
}

/// The code of a faulty reader for a starter: it fails in the way that the message names.
struct Faulty {
    name: &'static str,
    /// The return expression of the printed starter.
    answer: &'static str,
    /// Its replacement.
    with: &'static str,
    /// The faults, and whether each must be an error. The others may be any failure: no language catches all faults.
    ways: &'static [(&'static str, bool)],
}

const FAULTY: [Faulty; 5] = [
    Faulty {
        name: "python",
        answer: "    return {\"content\": raw, \"context\": None, \"attributes\": {}, \"end\": False}\n",
        with: r#"    circular = []
    circular.append(circular)
    def deep(): return deep()
    def throw(why): raise why
    faults = {
        "value": lambda: int(raw), "type": lambda: raw + 1, "key": lambda: {}[raw], "index": lambda: [][1],
        "attribute": lambda: raw.lines, "assertion": lambda: throw(AssertionError()), "recursion": deep,
        "not-implemented": lambda: throw(NotImplementedError()), "decoding": lambda: b"\xff".decode(),
        "os": lambda: open("/nowhere/at/all"), "exit": lambda: sys.exit("gone"),
        "nan": lambda: float("nan"), "infinity": lambda: float("inf"), "set": lambda: {raw}, "bytes": lambda: b"a",
        "object": lambda: object(), "circular": lambda: circular, "function": lambda: deep,
    }
    return {"content": raw, "context": faults[raw]()}
"#,
        ways: &[
            ("value", true),
            ("type", true),
            ("key", true),
            ("index", true),
            ("attribute", true),
            ("assertion", true),
            ("recursion", true),
            ("not-implemented", true),
            ("decoding", true),
            ("os", true),
            ("nan", true),
            ("set", true),
            ("bytes", false),
            ("object", true),
            ("circular", true),
            ("function", true),
            ("infinity", false),
            ("exit", false),
        ],
    },
    Faulty {
        name: "javascript",
        answer: "  return { content: raw, context: null, attributes: {}, end: false };\n",
        with: r#"  const circular = [];
  circular.push(circular);
  const deep = () => deep() + 1;
  const raise = (why) => { throw why; };
  const faults = {
    range: () => "a".repeat(-1), type: () => null.length, reference: () => nowhere, syntax: () => JSON.parse("{"),
    recursion: deep, text: () => raise("gone"), nothing: () => raise(undefined), nul: () => raise(null),
    rejected: () => Promise.reject(new Error("gone")), nan: () => NaN, bigint: () => 1n, symbol: () => Symbol("a"),
    circular: () => circular, func: () => deep, exit: () => process.exit(3),
  };
  const context = faults[raw]();
  return context instanceof Promise ? context : { content: raw, context };
"#,
        ways: &[
            ("range", true),
            ("type", true),
            ("reference", true),
            ("syntax", true),
            ("recursion", true),
            ("text", true),
            ("nothing", true),
            ("nul", true),
            ("rejected", true),
            ("nan", true),
            ("bigint", true),
            ("symbol", true),
            ("circular", true),
            ("func", true),
            ("exit", false),
        ],
    },
    Faulty {
        name: "ruby",
        answer: "  { content: raw, context: nil, attributes: {}, end: false }\n",
        with: r#"  faults = {
    "argument" => -> { Integer(raw) }, "type" => -> { 1 + raw }, "key" => -> { {}.fetch(raw) }, "nil" => -> { nil.size },
    "recursion" => -> { parse(raw, false) }, "not-implemented" => -> { raise NotImplementedError },
    "uncaught" => -> { throw :gone }, "os" => -> { File.read("/nowhere/at/all") }, "runtime" => -> { raise "gone" },
    "nan" => -> { Float::NAN }, "bytes" => -> { "\xff".b }, "infinity" => -> { -Float::INFINITY }, "exit" => -> { exit 3 },
    "load" => -> { require "nowhere_at_all" },
  }
  { content: raw, context: faults.fetch(raw).call }
"#,
        ways: &[
            ("argument", true),
            ("type", true),
            ("key", true),
            ("nil", true),
            ("recursion", true),
            ("not-implemented", true),
            ("uncaught", true),
            ("os", true),
            ("runtime", true),
            ("load", true),
            ("nan", true),
            ("bytes", true),
            ("infinity", false),
            ("exit", false),
        ],
    },
    Faulty {
        name: "java",
        answer: "        return object(\"content\", raw, \"context\", null, \"attributes\", Map.of(), \"end\", false);\n",
        with: r#"        Object context = switch (raw) {
            case "argument" -> Integer.valueOf(raw);
            case "null" -> ((String) null).length();
            case "cast" -> (Integer) (Object) raw;
            case "unsupported" -> List.of().add(null);
            case "bounds" -> raw.charAt(99);
            case "recursion" -> parse(raw, false);
            case "assertion" -> throw new AssertionError();
            case "checked" -> throw new IOException("gone");
            case "nan" -> Double.NaN;
            case "float-nan" -> Float.NaN;
            case "infinity" -> Double.NEGATIVE_INFINITY;
            default -> new Object();
        };
        return object("content", raw, "context", context);
"#,
        ways: &[
            ("argument", true),
            ("null", true),
            ("cast", true),
            ("unsupported", true),
            ("bounds", true),
            ("recursion", true),
            ("assertion", true),
            ("checked", true),
            ("nan", true),
            ("float-nan", true),
            ("infinity", false),
            ("object", false),
        ],
    },
    Faulty {
        name: "go",
        answer: "\treturn object{\"content\": raw, \"context\": nil, \"attributes\": object{}, \"end\": false}, nil\n",
        with: r#"	var context any
	var zero float64
	switch raw {
	case "error":
		return nil, fmt.Errorf("gone")
	case "panic":
		panic("gone")
	case "bounds":
		context = raw[len(raw):][1]
	case "nil-map":
		var none map[string]any
		none[raw] = 1
	case "nan":
		context = zero / zero
	case "infinity":
		context = 1 / zero
	case "function":
		context = parse
	default:
		os.Exit(3)
	}
	return object{"content": raw, "context": context}, nil
"#,
        ways: &[
            ("error", true),
            ("panic", true),
            ("bounds", true),
            ("nil-map", true),
            ("nan", true),
            ("infinity", true),
            ("function", true),
            ("exit", false),
        ],
    },
];

/// Every fault of a reader in a starter is an error or another failure: never a refusal, never "unsupported", and never
/// lost.
fn faults_are_no_refusals(starter: &Starter) -> Result<(), Failed> {
    let faulty = FAULTY.iter().find(|faulty| faulty.name == starter.name).ok_or("no faults")?;
    let folder = tempfile::tempdir()?;
    let extension = Path::new(starter.source()).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let name = if extension == "java" { "Starter" } else { "starter" };
    let file = folder.path().join(format!("{name}.{extension}"));
    let printed = String::from_utf8(conform(&["starter", starter.name]).output()?.stdout)?;
    check(printed.contains(faulty.answer), format!("expected `{}` in the starter", faulty.answer))?;
    std::fs::write(&file, printed.replace(faulty.answer, faulty.with))?;
    let cases = folder.path().join("openui/fault");
    std::fs::create_dir_all(&cases)?;
    for (way, _) in faulty.ways {
        let case = format!(
            r#"{{"about": "A fault.", "rules": ["openui.read.plain-text"], "level": "must", "since": "0.1.0",
                "method": "openui.parse", "params": {{"raw": "{way}"}}, "expect": {{"result": {{"content": "{way}"}}}}}}"#
        );
        std::fs::write(cases.join(format!("{way}.json")), case)?;
    }
    let report = folder.path().join("report.json");
    let output = conform(&["run", "--no-derived", "--cases"])
        .arg(folder.path())
        .args(["--report", &format!("json={}", report.display()), "--"])
        .args(starter.compiled(&file)?)
        .output()?;
    let text = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
    check(output.status.code() == Some(1), text.clone())?;
    let report: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(report)?)?;
    for (way, is_error) in faulty.ways {
        let id = format!("openui/fault/{way}");
        let case = report["cases"].as_array().and_then(|cases| cases.iter().find(|case| case["id"] == id.as_str()));
        let verdict = case.and_then(|case| case["verdict"].as_str()).unwrap_or("none");
        let fails = verdict == "error" || (!is_error && ["fail", "crash", "malformed"].contains(&verdict));
        check(fails, format!("{way} is {verdict}:\n{text}"))?;
    }
    Ok(())
}

/// The choices for numbers of Python and other correct readers are inferred from their answers.
fn numbers_of_python_are_found(mode: &str, choice: &str) -> Result<(), Failed> {
    // The derived checks send a hundred times more requests. One mode runs them on all cases; the modes differ only in contexts.
    let runs: &[&[&str]] = match mode {
        "python" => &[&["openui/**"]],
        _ => &[&["--no-derived", "openui/**"], &["rule:openui.context.*"]],
    };
    for what in runs {
        let output =
            conform(&["run"]).args(*what).args(["--", "python3", "tests/adapters/python_numbers.py", mode]).output()?;
        let text = String::from_utf8(output.stdout)?;
        check(output.status.code() == Some(0), format!("{mode}, {what:?}: {text}"))?;
        check(text.contains(&format!("openui.context.numbers={choice}")), format!("{mode}, {what:?}: {text}"))?;
    }
    Ok(())
}

/// Choices that no answer decides are reported.
fn undecided_numbers_are_reported() -> Result<(), Failed> {
    let output = conform(&["run", "--no-derived", "openui/context/integer-beyond-2-53", "--"])
        .args(["python3", "tests/adapters/python_numbers.py", "python"])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let left = "exact or exact-integers or 64-bit-integers (inferred from openui/context/integer-beyond-2-53)";
    check(output.status.code() == Some(0) && text.contains(left), text)
}

/// Integers that are read exactly and written as doubles, and a written NaN, fail at level must.
fn mixed_numbers_fail() -> Result<(), Failed> {
    for (mode, says) in [("mixes", "fail"), ("nan", "4 malformed")] {
        let output = conform(&["run", "--no-derived", "openui/**", "--"])
            .args(["python3", "tests/adapters/python_numbers.py", mode])
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        check(output.status.code() == Some(1) && text.contains(says), format!("{mode}: {text}"))?;
    }
    Ok(())
}

/// An adapter that reads all of its input before it answers, and ends.
fn one_that_answers_and_ends() -> Result<(), Failed> {
    let run = |flags: &[&str], more: &[&str]| {
        let output = conform(flags).args(["--", "python3", "tests/adapters/once.py"]).args(more).output()?;
        Ok::<_, Failed>((output.status.code(), String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?))
    };
    for more in [&[][..], &["late"]] {
        let (code, text) = run(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--oneshot"], more)?;
        check(code == Some(0) && text.contains("3 cases: 3 pass"), text)?;
    }
    let (code, text) = run(&["check-adapter", "--oneshot"], &[])?;
    check(code == Some(0) && text.contains("0 errors"), text)
}

fn a_process_for_each_request() -> Result<(), Failed> {
    let run = |mode: &str| {
        let folder = tempfile::tempdir()?;
        let pids = folder.path().join("pids");
        let output = conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--oneshot"])
            .args(["--timeout", "2s", "--start-timeout", "20s", "--"])
            .args(["python3", "tests/adapters/misbehave.py", mode])
            .env("PID_FILE", &pids)
            .output()?;
        no_process_left(&pids)?;
        let started = std::fs::read_to_string(&pids)?.lines().count();
        Ok::<_, Failed>((output.status.code(), String::from_utf8(output.stdout)?, started))
    };
    let (code, text, started) = run("none")?;
    check(code == Some(0) && text.contains("3 cases: 3 pass"), text)?;
    check(started == 4, format!("expected a process for the handshake and each request, but found {started}"))?;
    // Only the faulty case is blamed.
    for (mode, verdict) in [
        ("hang", "timeout"),
        ("exit", "crash"),
        ("malformed", "malformed"),
        ("oversized", "oversized"),
        ("twice", "unexpected-id"),
        ("babbles-after", "malformed"),
        ("internal-error", "error"),
    ] {
        let (code, text, _) = run(mode)?;
        check(code == Some(1) && text.contains(&format!("3 cases: 2 pass, 1 {verdict}")), format!("{mode}: {text}"))?;
        check(text.contains("--oneshot"), format!("expected the flag in the line that repeats it: {text}"))?;
    }
    let (code, text, _) = run("never")?;
    check(code == Some(1) && text.contains("3 cases: 3 crash"), format!("it ends with its input: {text}"))?;
    let (code, text, _) = run("fails-at-the-end")?;
    check(code == Some(0) && text.contains("could not save my state"), text)
}

fn a_trace_has_every_line() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("trace.txt");
    let output = conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--jobs", "1", "--trace"])
        .arg(&file)
        .args(["--", "python3", "tests/adapters/misbehave.py", "exit"])
        .output()?;
    check(output.status.code() == Some(1), format!("{output:?}"))?;
    let trace = std::fs::read_to_string(&file)?;
    let count = |way: &str, word: &str| {
        trace.lines().filter(|line| line.split(way).nth(1).is_some_and(|line| line.contains(word))).count()
    };
    check(!trace.contains(|character: char| character.is_control() && character != '\n'), trace.clone())?;
    check(count(" ** ", "started") == count(" -> ", "initialize"), format!("a process without a handshake: {trace}"))?;
    check(count(" -> ", "second") >= 2, format!("expected the request that kills it, twice: {trace}"))?;
    check(count(" <- ", "second") == 0, format!("an answer that never was: {trace}"))?;
    for text in ["first", "third"] {
        check(
            count(" <- ", &format!("\"content\": \"{text}")) >= 1,
            format!("expected the answer to {text}: {trace}"),
        )?;
    }
    check(count(" !! ", "panic: index out of range") >= 1, format!("expected standard error: {trace}"))?;
    check(count(" ** ", "ended (exit status: 3)") >= 1, format!("expected its end: {trace}"))?;
    // A write error is reported and does not shorten the report.
    let output = conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain", "--trace", "/dev/full"])
        .args(["--report", "json=/dev/full", "--", "python3", "tests/adapters/whole.py"])
        .output()?;
    let (report, complaint) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    check(output.status.code() == Some(2) && complaint.contains("cannot be written"), complaint)?;
    check(report.contains("3 cases: 3 pass"), report)
}

fn failed_cases_rerun() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let path = report.display().to_string();
    let run = |flags: &[&str], mode: &str| {
        let output = conform(&["run", "--no-derived", "--cases", "tests/fixtures/plain"])
            .args(flags)
            .args(["--", "python3", "tests/adapters/misbehave.py", mode])
            .output()?;
        let text = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
        Ok::<_, Failed>((output.status.code(), text))
    };
    run(&["--report", &format!("json={path}")], "internal-error")?;
    let (code, text) = run(&["--failed", &path], "internal-error")?;
    check(code == Some(1) && text.contains("1 case: 1 error"), text)?;
    let (code, text) = run(&["--failed", &path, "openui/plain-text/first"], "none")?;
    check(code == Some(4) && text.contains("no selected case failed"), text)?;
    let (code, text) = run(&["--failed", &path, "--report", &format!("json={path}")], "none")?;
    check(code == Some(0) && text.contains("1 case: 1 pass"), text)?;
    let (code, text) = run(&["--failed", &path], "none")?;
    check(code == Some(4) && text.contains("nothing failed in"), text)?;
    let (code, text) = run(&["--failed", "README.md"], "none")?;
    check(code == Some(2) && text.contains("README.md: expected a report of kind json"), text)?;
    std::fs::write(&report, r#"{"cases": [{"id": "openui/gone/case", "fails": true}], "derived": []}"#)?;
    let (code, text) = run(&["--failed", &path], "none")?;
    check(code == Some(2) && text.contains("but found openui/gone/case"), text)
}

fn crash_is_found_and_shrunk() -> Result<(), Failed> {
    let output = conform(&["fuzz", "--runs", "600", "--seed", "1", "--jobs", "1"])
        .args(["--", "python3", "tests/adapters/fragile.py"])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    check(output.status.code() == Some(1), text.clone())?;
    let crash = text.split("\n\n").find(|finding| finding.contains("no answer, crash")).unwrap_or("");
    let small = |line: &str| line.starts_with("    request") && line.len() < 60 && line.contains('%');
    check(crash.lines().any(small), format!("expected a crash with a small request: {text}"))
}

/// The corpus as one document, loaded and judged by Python only.
fn the_bundle_runs_without_the_runner() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let bundle = folder.path().join("bundle.json");
    std::fs::write(&bundle, conform(&["export"]).output()?.stdout)?;
    let native = |flags: &[&str]| {
        let mut command = Command::new("python3");
        command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("tests/native/run_bundle.py").args(flags).arg(&bundle);
        let output = command.output()?;
        Ok::<_, Failed>((output.status.code(), String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?))
    };
    let (code, text) = native(&[])?;
    check(code == Some(0), text.clone())?;
    for profile in FORMATS.profiles() {
        let runner = conform(&["run", "--no-derived", "--profile", profile.name()]).output()?;
        let runner = String::from_utf8(runner.stdout)?;
        let tally = runner.lines().rev().find(|line| line.contains(" cases: ")).unwrap_or("");
        let tally = format!("{profile}: {}", tally.split(';').next().unwrap_or(""));
        check(text.contains(&tally), format!("expected `{tally}`, as the runner says: {text}"))?;
    }
    let (code, text) = native(&["--implementation", "whole"])?;
    let failures = text.lines().find(|line| line.starts_with("core: ")).and_then(|line| {
        line.split(", ").find_map(|part| part.split_once(" fail")?.0.rsplit(' ').next()?.parse::<usize>().ok())
    });
    let fails = failures.is_some_and(|count| count > 100);
    check(code == Some(1) && fails, format!("it has to be able to fail: {code:?}, {failures:?}"))?;
    let document = std::fs::read_to_string(&bundle)?;
    let vectors = document.matches("\"equal\": ").count();
    std::fs::write(&bundle, document.replacen("\"equal\": true", "\"equal\": false", 1))?;
    let (code, text) = native(&[])?;
    let all_but_one = format!("{} hold", vectors - 1);
    check(code == Some(1) && text.contains(&all_but_one), format!("one of {vectors} vectors does not hold: {text}"))?;
    std::fs::write(&bundle, "{}")?;
    let (code, text) = native(&[])?;
    check(code == Some(2), format!("no bundle: {text}"))
}

fn derived_failures_match_snapshot() -> Result<(), Failed> {
    let output =
        conform(&["run", "--cases", "tests/fixtures/plain", "--", "python3", "tests/adapters/whole.py"]).output()?;
    check(output.status.code() == Some(1), format!("expected exit code 1: {output:?}"))?;
    snapshot("adapter-derived", &output)
}

fn empty_results() -> Result<(), Failed> {
    let output =
        conform(&["run", "--no-derived", "--", "python3", "tests/adapters/misbehave.py", "empty-results"]).output()?;
    let text = String::from_utf8(output.stdout)?;
    check(output.status.code() == Some(1), format!("expected exit code 1:\n{text}"))?;
    let tally = text.lines().rev().find(|line| line.contains(" cases: ")).unwrap_or("");
    check(tally.contains(" fail") && !tally.contains(" pass"), format!("expected no case to pass: {tally}"))
}

fn declared_choice_is_required() -> Result<(), Failed> {
    let output = conform(&[
        "run",
        "--no-derived",
        "--cases",
        "tests/fixtures/choice",
        "--",
        "python3",
        "tests/adapters/misbehave.py",
        "contrary",
    ])
    .output()?;
    check(output.status.code() == Some(1), format!("expected exit code 1: {output:?}"))?;
    snapshot("adapter-contrary", &output)
}

fn serve_is_an_adapter() -> Result<(), Failed> {
    let program = env!("CARGO_BIN_EXE_genui-conform");
    for profile in FORMATS.profiles() {
        let output = conform(&["run", "--no-derived", "--profile", profile.name(), "--", program, "serve"]).output()?;
        check(output.status.code() == Some(0), format!("{profile}: {}", String::from_utf8_lossy(&output.stdout)))?;
    }
    let output = conform(&["run", "--profile", "core", "--", program, "serve", "--profile", "chat"]).output()?;
    check(output.status.code() == Some(2), format!("a server that holds to chat was run in core: {output:?}"))
}

fn starter_conforms(starter: &Starter, profile: ProfileName, choices: &[(&str, &str)]) -> Result<(), Failed> {
    let named: Vec<String> = choices.iter().map(|(rule, name)| format!("{rule}={name}")).collect();
    let flags = named.iter().flat_map(|choice| ["--choice", choice.as_str()]);
    // The derived checks send a hundred times more requests. They run on the whole corpus once, and with each single choice
    // on the cases of its rule.
    let is_whole = choices.is_empty() && (starter.is_tried_in_full || profile == ProfileName::default());
    let is_checked = is_whole || choices.len() == 1;
    let derived = if is_checked { &[][..] } else { &["--no-derived"][..] };
    let mut run = conform(&["run", "--profile", profile.name()]);
    // A single choice affects only the cases of its rule; all choices together are tried on the whole corpus.
    if let [(rule, _)] = choices {
        run.arg(format!("rule:{rule}"));
    }
    let command = starter.compiled(Path::new(starter.source()))?;
    let output = run.args(derived).args(flags).arg("--").args(command).output()?;
    let text = String::from_utf8(output.stdout)?;
    check(output.status.code() == Some(0), text.clone())?;
    check(named.iter().all(|choice| text.contains(choice)), format!("a choice was not followed:\n{text}"))
}

/// Creates a folder with `hello.py`, the adapter at the top of the protocol document, and a message.
fn hello_folder() -> Result<tempfile::TempDir, Failed> {
    let document = include_str!("../spec/adapter-protocol.md");
    let code = document.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).ok_or("no adapter")?;
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("hello.py"), code)?;
    std::fs::write(folder.path().join("saved.txt"), "Saved.\n ]]>openui:end\n")?;
    Ok(folder)
}

/// Returns the blocks of a document with a command and its output.
fn sessions(document: &str) -> Vec<(&str, &str)> {
    let blocks = document.split("```text\n$ genui-conform ").skip(1);
    blocks.filter_map(|block| block.split("```").next()?.split_once('\n')).collect()
}

fn same_as_printed(document: &str) -> Result<(), Failed> {
    let folder = hello_folder()?;
    let sessions = sessions(document);
    check(!sessions.is_empty(), "no session in the document".to_owned())?;
    for (command, printed) in sessions {
        let words: Vec<&str> = command.split(' ').collect();
        let output = conform(&words).current_dir(folder.path()).output()?;
        let text = String::from_utf8(output.stdout)?;
        check(text == printed, format!("$ genui-conform {command}\nprints\n{text}\nand not\n{printed}"))?;
    }
    Ok(())
}

fn the_smallest_adapter_runs() -> Result<(), Failed> {
    same_as_printed(include_str!("../spec/adapter-protocol.md"))
}

fn the_report_in_the_readme_is_real() -> Result<(), Failed> {
    same_as_printed(include_str!("../README.md"))
}

fn conform(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genui-conform"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn check(holds: bool, message: String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(message.into()) }
}

/// Checks that no process of these groups is alive. Killed processes may wait for their parent.
fn no_process_left(pids: &Path) -> Result<(), Failed> {
    let led: Vec<String> = std::fs::read_to_string(pids)?.lines().map(str::to_owned).collect();
    check(!led.is_empty(), "no process has written its id".to_owned())?;
    let processes = || std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let alive = || -> Vec<PathBuf> {
        processes()
            .map(|entry| entry.path().join("stat"))
            .filter(|stat| {
                let text = std::fs::read_to_string(stat).unwrap_or_default();
                // After the name in brackets: state, parent, process group.
                let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or("").split(' ').collect();
                let group = fields.get(2).copied().unwrap_or("");
                led.iter().any(|pid| pid == group) && !matches!(fields.first(), Some(&"Z" | &"X"))
            })
            .collect()
    };
    // The kernel kills asynchronously.
    let deadline = Instant::now() + SLACK;
    while !alive().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    check(alive().is_empty(), format!("processes are left: {:?}", alive()))
}

fn snapshot(name: &str, output: &Output) -> Result<(), Failed> {
    let text = format!(
        "{}{}exit code {}\n",
        String::from_utf8(output.stdout.clone())?,
        String::from_utf8(output.stderr.clone())?,
        output.status.code().unwrap_or(-1)
    );
    kept_in("reports").bind(|| insta::assert_snapshot!(name, text));
    Ok(())
}
