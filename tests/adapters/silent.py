"""An adapter that is right as long as it answers, and goes silent: silent.py MODE COMMAND..., where COMMAND is a right adapter
that reads and answers for it.

Modes: `handshake`, `first` and `hundredth`, from which request on all its processes say nothing (STATE names a file in which
they count together); `markers` and `streams`, which it hangs on; `crash`, a marker on which it ends, after which none of its
processes starts; `gone`, after a hundred answers (or GONE_AFTER) none of its processes answers or starts; `refuses`, which supports nothing
although it lists all; `missing`, which lists all and has nothing; `slow`, which answers slowly; `right`.
"""

import json
import os
import subprocess
import sys
import time

MODE, COMMAND = sys.argv[1], sys.argv[2:]
STATE = os.environ.get("STATE", "")
GONE_AFTER = int(os.environ.get("GONE_AFTER", "100"))


def answered() -> int:
    """How many requests all processes have answered by now."""
    return os.path.getsize(STATE) if os.path.exists(STATE) else 0


def is_marked(request) -> bool:
    return "]]>" in json.dumps(request["params"])


def is_stream(request) -> bool:
    return request["method"] == "openui.stream" or bool(request["params"].get("streaming"))


def hang() -> None:
    time.sleep(3600)


def end() -> None:
    print("out of licences", file=sys.stderr)
    os._exit(7)


def instead(request) -> dict | None:
    """Does what the mode does, and gives what is answered in place of the right answer."""
    if request["method"] == "initialize":
        if MODE == "handshake":
            hang()
        if MODE in ("crash", "gone") and os.path.exists(STATE + ".gone"):
            end()
        return None
    if MODE == "first" or (MODE == "hundredth" and answered() >= 99):
        hang()
    if (MODE == "markers" and is_marked(request)) or (MODE == "streams" and is_stream(request)):
        hang()
    if (MODE == "crash" and is_marked(request)) or (MODE == "gone" and answered() >= GONE_AFTER):
        open(STATE + ".gone", "w").close()
        end()
    if MODE == "refuses":
        return {"error": {"code": 2, "message": "later", "data": {"reason": "not yet"}}}
    if MODE == "missing":
        return {"error": {"code": -32601, "message": "not there"}}
    if MODE == "slow":
        time.sleep(0.02)
    if STATE:
        with open(STATE, "a") as state:
            state.write(".")
    return None


def main() -> None:
    if STATE:
        open(STATE, "a").close()
    right = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        other = instead(request)
        if other:
            answer = json.dumps({"jsonrpc": "2.0", "id": request["id"]} | other).encode() + b"\n"
        else:
            right.stdin.write(line)
            right.stdin.flush()
            answer = right.stdout.readline()
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    right.stdin.close()
    right.wait()


try:
    main()
except BrokenPipeError:
    os._exit(0)
