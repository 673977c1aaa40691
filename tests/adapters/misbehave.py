"""An adapter that goes wrong in one named way: misbehave.py MODE.

It reads every message as its own content, so that all of tests/fixtures/plain passes but for the way that the mode goes
wrong. Where PID_FILE names a file, each process writes its id there.
"""

import json
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
SECOND = "second"  # the message of the case that most modes go wrong on


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(request_id, result) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}) + "\n"


def failure(request_id, code, message, data=None) -> str:
    error = {"code": code, "message": message} | ({"data": data} if data else {})
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": error}) + "\n"


def note_pid(pid: int) -> None:
    if path := os.environ.get("PID_FILE"):
        with open(path, "a") as file:
            file.write(f"{pid}\n")


def hello(request) -> str:
    if MODE == "silent-at-start":
        time.sleep(600)
    if MODE == "slow-start":
        time.sleep(1.5)
    if MODE == "dies-at-start":
        print("no licence found", file=sys.stderr)
        sys.exit(7)
    if MODE == "garbage-at-start":
        return "Listening on port 8080\n"
    if MODE == "dies-for-good" and not once("start"):
        print("the lock file is still there", file=sys.stderr)
        sys.exit(5)
    result = {
        "protocol": 2 if MODE == "other-version" else 1,
        "implementation": {"name": f"misbehave {MODE}"},
        "methods": ["openui.parse"],
        "profiles": ["line-start"] if MODE == "other-profile" else ["core"],
        "choices": {},
    }
    if MODE == "unknown-choice":
        result["choices"] = {"openui.read.stale-end": "sometimes"}
    if MODE == "unknown-rule":
        result["choices"] = {"openui.read.horoscope": "yes"}
    if MODE == "contrary":
        result["choices"] = {"openui.attributes.duplicate": "last"}
    if MODE == "malformed-hello":
        del result["implementation"]
    return answer(request["id"], result)


def ordinary(request) -> str:
    return answer(request["id"], {"content": request["params"]["raw"]})


def once(name: str) -> bool:
    """Whether this is the first process of the run to come here."""
    path = os.environ["PID_FILE"] + "." + name
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def respond(request, held: list) -> str:
    raw = request["params"]["raw"]
    if MODE == "empty-results":
        return answer(request["id"], {})
    if MODE == "contrary":
        return answer(request["id"], {"content": "root = A()", "attributes": {"a": "1"}})
    if MODE == "never":
        return ""
    if MODE == "twice-always":
        return ordinary(request) * 2
    if MODE == "no-such-method":
        return failure(request["id"], -32601, "what is openui.parse?")
    if MODE == "not-offered":
        return failure(request["id"], 2, "later", {"reason": "not on Mondays"})
    if MODE == "reorder":
        held.append(ordinary(request))
        return "".join(reversed(held)) if len(held) == 3 else ""
    if MODE == "dies-for-good":
        time.sleep(0.2)
        os._exit(1)
    if MODE == "flaky" and once("flaky"):
        time.sleep(0.2)
        os._exit(1)
    if raw != SECOND:
        return ordinary(request)
    if MODE == "malformed":
        return "Traceback (most recent call last):\n"
    if MODE == "not-utf8":
        sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":1,"result":{"content":"\xff"}}\n')
        return ""
    if MODE == "half-a-line":
        say('{"jsonrpc":"2.0","id":')
        sys.exit(0)
    if MODE == "escape-sequences":
        return answer(request["id"], {"content": "\x1b[2J\x1b[31mgone\u202e"}) if len(held) else "\x1b[2J\x1b]0;owned\x07\n"
    if MODE == "unexpected-id":
        return answer(4711, {"content": raw})
    if MODE == "null-id":
        return failure(None, -32700, "could not parse that")
    if MODE == "twice":
        return ordinary(request) * 2
    if MODE == "hang":
        time.sleep(600)
    if MODE == "exit":
        print("panic: index out of range", file=sys.stderr)
        sys.exit(3)
    if MODE == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    if MODE == "closes-output":
        os.close(1)
        time.sleep(600)
    if MODE == "oversized":
        chunk = "x" * (1 << 20)
        say('{"jsonrpc":"2.0","id":1,"result":"')
        while True:
            say(chunk)
    if MODE == "internal-error":
        return failure(request["id"], -32603, "ValueError: nothing here")
    if MODE == "refusal-without-kind":
        return failure(request["id"], 1, "no")
    if MODE == "unexpected-refusal":
        return failure(request["id"], 1, "I would rather not", {"kind": "bad-params"})
    if MODE == "deep":
        return '{"jsonrpc":"2.0","id":%d,"result":%s1%s}\n' % (request["id"], "[" * 5000, "]" * 5000)
    if MODE in ("exits-after", "babbles-after"):
        # A fault after an answer must not be attributed to the next request.
        say(ordinary(request))
        time.sleep(0.1)
        if MODE == "exits-after":
            os._exit(3)
        return "late log line\n"
    if MODE == "leaves-its-group":
        os.setpgid(0, os.getpgid(os.getppid()))
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if MODE == "leaves-children":
        # The first keeps our standard output open, the second does not.
        note_pid(subprocess.Popen(["sleep", "600"]).pid)
        note_pid(subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL).pid)
    return ordinary(request)


def main() -> None:
    note_pid(os.getpid())
    held: list = []
    for line in sys.stdin:
        request = json.loads(line)
        if request["method"] == "initialize":
            say(hello(request))
        else:
            say(respond(request, held))
    if MODE == "ignores-the-end":
        time.sleep(600)
    while MODE == "never-stops-talking":
        say("[" + "0," * 200000 + "x\n")
    if MODE == "babbles-at-the-end":
        say("Bye!\n")
    if MODE == "fails-at-the-end":
        print("could not save my state", file=sys.stderr)
        sys.exit(9)


try:
    main()
except BrokenPipeError:
    os._exit(0)
