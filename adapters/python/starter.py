"""An adapter for genui-conform with one gap: let `parse` call your reader. Python 3.11, standard library only.

    genui-conform run --no-derived topic:plain-text -- python3 starter.py
"""

import json
import os
import sys

# Standard output is for answers alone. What anything else prints from here on, on import too, goes to standard error.
ANSWERS = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
sys.stdout = sys.stderr

# import your_reader


def parse(raw: str, streaming: bool) -> dict:
    """FILL IN: read the message `raw` with your reader. For now the whole message is content."""
    if streaming:  # More of `raw` may come. If your reader can return the shown part so far, do that, and omit nothing.
        raise Refusal({"code": 2, "message": "no streaming", "data": {"reason": "reads whole messages only"}})
    return {"content": raw, "context": None, "attributes": {}, "end": False}


# The supported methods, from params to result. To support more, add them here, such as
#   "openui.build": lambda params: {"message": your_writer.build(params["content"], params.get("context"), ...)},
METHODS = {
    "openui.parse": lambda params: parse(params["raw"], bool(params.get("streaming"))),
}

HANDSHAKE = {
    "protocol": 1,
    "implementation": {"name": "my-reader", "version": "0.1.0", "language": "Python"},
    "methods": list(METHODS),
    # Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. If your
    # reader supports several, list them all and follow the params of initialize.
    "profiles": ["core"],
    # Missing features of your reader: "streaming", "attributes" or "end". Remove those that it has.
    "omits": ["streaming"],
    # "choices": {"openui.read.stale-end": "ignored"},  # Your choices on open points; the suite infers missing ones.
}


class Refusal(Exception):
    """An error that is not a fault: code 2 for an unsupported method, code 1 with a kind that a case may expect."""


def answer(line: bytes) -> str:
    identity = None
    try:
        request = json.loads(line)
        identity, method = request["id"], request["method"]
        if method != "initialize" and method not in METHODS:
            raise Refusal({"code": -32601, "message": f"no method {method}"})
        return reply(identity, result=HANDSHAKE if method == "initialize" else METHODS[method](request["params"]))
    except Refusal as refusal:
        return reply(identity, error=refusal.args[0])
    except Exception as why:  # It costs one case. To crash would cost the process too.
        return reply(identity, error={"code": -32603, "message": repr(why)})


def reply(identity: int | None, **outcome: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": identity} | sendable(outcome), allow_nan=False)


def sendable(value: object) -> object:
    """JSON has no infinity. A reader that made one of 1e400 answers with an integer beyond every double."""
    if isinstance(value, dict):
        return {name: sendable(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [sendable(item) for item in value]
    if isinstance(value, float) and abs(value) == float("inf"):
        return 10**400 if value > 0 else -(10**400)
    return value


sys.setrecursionlimit(10_000)  # A line may nest 1,000 levels deep.
for line in sys.stdin.buffer:  # Bytes in and ASCII out, whatever the locale.
    ANSWERS.write(answer(line).encode("ascii") + b"\n")
    ANSWERS.flush()
