"""The gate of action.yml: runs the suite with the inputs as values, and says what came of it by the report of this run.

An input is never a flag. What `arguments` may hold is listed here, so that no word in it makes another command of the
run. The outputs come from files that were not there before; without such a report nothing is called conformant.
"""

import json
import os
import secrets
import shlex
import signal
import subprocess
import sys

WRONG_USAGE = 2

# The flags of `run` that `arguments` may have: with a value, with one after `=` or none, and without.
WITH_VALUE = {
    "--cases", "--choice", "--color", "--fail-on", "--failed", "--fixtures", "--jobs", "--max-failures", "--new", "--repeat",
    "--sampled", "--shard", "--start-timeout", "--timeout", "--trace", "--write-baseline",
}
PERHAPS_WITH_VALUE = {"--fail-fast"}
WITHOUT_VALUE = {"--cost", "--no-derived", "--no-sampled", "--oneshot", "--quiet", "--summary", "-q"}
# Flags of `run` that an input represents.
INPUTS = {"--baseline": "baseline", "--profile": "profile", "--report": "reports"}
# Flags that end a run before it begins.
NO_RUN = {"--help", "--version"}

# The kinds of reports, with their files in the folder.
FILES = {
    "html": "page.html", "json": "report.json", "junit": "junit.xml", "badge": "badge.json", "markdown": "summary.md",
}
VERDICTS = ("conformant", "in-part", "not-conformant", "none")

# The adapter does not get the variables through which the action and GitHub communicate.
OWN_VARIABLES = {
    "ACTION", "PROGRAM", "COMMAND", "FILTERS", "PROFILE", "BASELINE", "ARGUMENTS", "REPORTS", "FAIL",
    "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY",
}


class WrongInput(Exception):
    """An input that cannot be used: what was expected, and what was found."""


def flags_of(text):
    """`arguments` as flags, each with its value after a `=`, where it cannot be mistaken for a flag."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise WrongInput(f"arguments: expected words as a shell reads them: {error}, in {text!r}") from None
    flags = []
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in INPUTS:
            raise WrongInput(f"arguments: {name} has an input of its own, {INPUTS[name]}")
        if equals and (name in WITH_VALUE or name in PERHAPS_WITH_VALUE):
            flags.append(f"{name}={value}")
        elif word in WITH_VALUE:
            if not words:
                raise WrongInput(f"arguments: expected a value after {word}")
            flags.append(f"{word}={words.pop(0)}")
        elif word in WITHOUT_VALUE or word in PERHAPS_WITH_VALUE:
            flags.append(word)
        elif word.startswith("-"):
            raise WrongInput(f"arguments: expected a flag of a run, but found {word!r}")
        else:
            raise WrongInput(f"arguments: expected a flag, but found {word!r}; filters have an input of their own")
    return flags


def filters_of(text):
    """`filters`, one or more, with white space between them."""
    filters = text.split()
    for name in filters:
        if name.startswith("-"):
            raise WrongInput(f"filters: expected globs such as openui/** or topic:context, but found the flag {name!r}")
    return filters


def command_of(text):
    """The adapter's command, for a shell: as GitHub runs the lines of a `run` step."""
    if not text:
        return []
    if not text.strip():
        raise WrongInput("command: expected a command or nothing, but found white space")
    return ["--", "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "--", text]


def folder_of(text):
    """The folder of the reports, empty of those that an earlier step left."""
    if not text.strip() or not text.isprintable():
        raise WrongInput(f"reports: expected the name of a folder on one line, but found {text!r}")
    try:
        os.makedirs(text, exist_ok=True)
        for file in FILES.values():
            path = os.path.join(text, file)
            if os.path.lexists(path):
                os.remove(path)
    except OSError as error:
        raise WrongInput(f"reports: expected a folder for reports: {error}") from None
    return text


def is_in(file, folder):
    """Whether a file is one of the reports in a folder."""
    file = os.path.realpath(file)
    return any(file == os.path.realpath(os.path.join(folder, name)) for name in FILES.values())


def may_fail(text):
    """Whether the step ends well where the implementation does not conform."""
    if text not in ("true", "false"):
        raise WrongInput(f"fail: expected true or false, but found {text!r}")
    return text == "false"


def run(words):
    """The exit code of the program. A signal to the step is one to the program, which ends its run and its reports."""
    program, early = None, []

    def pass_on(number, _frame):
        if program is None:
            early.append(number)
        else:
            program.send_signal(number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), pass_on)
    others = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    # GitHub takes lines of a certain form for commands. What an adapter says is none.
    token = secrets.token_hex(16) if os.environ.get("GITHUB_ACTIONS") == "true" else None
    if token:
        print(f"::stop-commands::{token}", flush=True)
    try:
        # In a session of its own, so that a signal to the whole group comes once.
        program = subprocess.Popen(words, env=others, start_new_session=True)
    except OSError as error:
        print(f"action.yml: the program cannot be started: {error}", file=sys.stderr)
        code = 127
    else:
        for number in early:
            program.send_signal(number)
        code = program.wait()
    if token:
        print(f"::{token}::", flush=True)
    return 128 - code if code < 0 else code


def verdict_of(report):
    """The verdict of a report; a report of an older suite only says whether nothing failed."""
    if "verdict" in report:
        return report["verdict"] if report["verdict"] in VERDICTS else "not-conformant"
    if report.get("complete") is False:
        return "none"
    return "conformant" if report.get("conformant") is True else "not-conformant"


def read_report(folder):
    """The report of this run; none if there is none, or if it is no report."""
    try:
        with open(os.path.join(folder, FILES["json"]), encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    return report if isinstance(report, dict) else None


def count_failing(report):
    lists = [report.get(name) for name in ("cases", "derived")]
    items = [item for items in lists if isinstance(items, list) for item in items]
    return sum(1 for item in items if isinstance(item, dict) and item.get("fails") is True)


def write_outputs(outputs):
    for name, value in outputs.items():
        if not value.isprintable():
            raise ValueError(f"the output {name} is not on one line: {value!r}")
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in outputs.items())


def gate(outputs):
    """Runs, fills the outputs, and gives the exit code of the step."""
    given = os.environ
    is_forgiven = may_fail(given["FAIL"])
    words = [f"--profile={given['PROFILE']}"]
    if given["BASELINE"]:
        words.append(f"--baseline={given['BASELINE']}")
    flags = flags_of(given["ARGUMENTS"])
    words += flags + filters_of(given["FILTERS"])
    command = command_of(given["COMMAND"])
    for flag in flags:
        if flag.startswith("--failed=") and is_in(flag.partition("=")[2], given["REPORTS"]):
            raise WrongInput("arguments: expected an earlier report in another folder than reports, which is emptied")
    folder = folder_of(given["REPORTS"])
    files = {kind: os.path.join(folder, name) for kind, name in FILES.items()}
    words += [f"--report={kind}={path}" for kind, path in files.items()]

    code = run([given["PROGRAM"], "run", *words, *command])

    report = read_report(folder)
    if report is None:
        is_forgiven = False
        if code == 0:
            print("action.yml: expected a report of this run, but there is none", file=sys.stderr)
            code = WRONG_USAGE
    else:
        verdict = verdict_of(report)
        if code == 0 and verdict == "not-conformant":
            code = 1
        outputs["verdict"] = verdict
        conforms = code == 0 and report.get("conformant") is True and verdict in ("conformant", "in-part")
        outputs["conformant"] = "true" if conforms else "false"
        outputs["failing"] = str(count_failing(report))
    outputs["exit-code"] = str(code)
    for kind in ("html", "json", "junit", "badge"):
        if os.path.isfile(files[kind]):
            outputs[kind] = files[kind]
    if os.path.isfile(files["markdown"]):
        with open(files["markdown"], "rb") as summary, open(given["GITHUB_STEP_SUMMARY"], "ab") as out:
            out.write(summary.read())
    # A usage error and an adapter that cannot be used fail the step, whatever the inputs say.
    return 0 if is_forgiven and code == 1 else code


def main():
    outputs = {
        "conformant": "false", "verdict": "none", "failing": "0", "exit-code": str(WRONG_USAGE),
        "html": "", "json": "", "junit": "", "badge": "",
    }
    try:
        code = gate(outputs)
    except WrongInput as wrong:
        print(f"action.yml: {wrong}", file=sys.stderr)
        code = WRONG_USAGE
    write_outputs(outputs)
    return code


if __name__ == "__main__":
    sys.exit(main())
