"""An adapter with one fault in how it talks: impolite.py MODE. What it says of messages does not matter here."""

import json
import os
import subprocess
import sys
import time

MODE = sys.argv[1]
HELLO = {
    "protocol": 1,
    "implementation": {"name": f"impolite {MODE}"},
    "methods": ["openui.parse", "openui.build"],
    "profiles": ["core"],
    "omits": ["streaming"],
}
seen: list[str] = []


def hello(params) -> dict:
    return HELLO | {
        "other-version": {"protocol": 2},
        "nameless": {"implementation": {}},
        "misspelt-method": {"methods": ["openui.parse", "openui.biuld"]},
        "no-methods": {"methods": []},
        "misspelt-profile": {"profiles": ["core", "chatt"]},
        "no-profiles": {"profiles": []},
        "misspelt-rule": {"choices": {"openui.read.stale-ends": "counts"}},
        "misspelt-omission": {"omits": ["streaming", "atributes"]},
        "misspelt-choice": {"choices": {"openui.read.stale-end": "count"}},
        "fixed-profile": {"profiles": ["core", "chat"] if params["profile"] == "core" else ["core"]},
    }.get(MODE, {})


def parse(raw: str) -> dict:
    seen.append(raw)
    if MODE == "remembers" and seen.count(raw) > 1:
        raw = "\n".join(seen)
    if MODE == "cuts-long-lines":
        raw = raw[:65536]
    return {"content": raw} | {
        "null-attributes": {"attributes": None},
        "number-attribute": {"attributes": {"seed": 1}},
        "text-as-end": {"end": "yes"},
        "extra-member": {"contents": []},
    }.get(MODE, {})


def answer(request) -> dict:
    method, params = request["method"], request["params"]
    if method == "initialize":
        return {"result": hello(params)}
    if method == "openui.parse":
        if params.get("streaming"):
            return {"error": {"code": 2, "message": "whole messages only", "data": {"reason": "no streaming"}}}
        if MODE == "null-is-true" and "streaming" in params:
            return {"error": {"code": 2, "message": "whole messages only", "data": {"reason": "no streaming"}}}
        if MODE == "code-without-kind":
            return {"error": {"code": 1, "message": "no"}}
        if MODE == "list-as-result":
            return {"result": [params["raw"]]}
        return {"result": {} if MODE == "no-content" else parse(params["raw"])}
    if method == "openui.build" and MODE == "not-there":
        return {"error": {"code": -32601, "message": "not yet"}}
    if method == "openui.build":
        if MODE == "shallow" and len(json.dumps(params)) > 1000:
            raise RecursionError("too deep for me")
        if MODE == "other-kind":
            return {"error": {"code": 1, "message": "no", "data": {"kind": "forged_marker"}}}
        return {"result": {"message": params["content"]}}
    if MODE == "dies-of-the-unknown":
        raise KeyError(method)
    if MODE == "result-for-the-unknown":
        return {"result": None}
    return {"error": {"code": -32601, "message": f"no method {method}"}}


def encoded(reply) -> bytes:
    if MODE == "latin-1":
        return json.dumps(reply, ensure_ascii=False).encode("utf-8").decode("latin-1").encode("utf-8")
    if MODE == "latin-1-alone":
        text = json.dumps(reply, ensure_ascii=False)
        return text.encode("latin-1" if all(ord(letter) < 256 for letter in text) else "utf-8")
    if MODE == "ascii":
        return json.dumps(reply, ensure_ascii=False).encode("ascii", "replace")
    return json.dumps(reply).encode("ascii")


def lines():
    """The lines of standard input. One mode takes what came with the handshake for a part of it."""
    if MODE != "drops-what-follows":
        yield from sys.stdin
        return
    time.sleep(0.2)
    begun = b""
    while chunk := os.read(0, 1 << 20):
        *whole, begun = (begun + chunk).split(b"\n")
        yield from whole[:1] if b"initialize" in chunk else whole


def main() -> None:
    if MODE == "greets":
        print("ready")
    late, unflushed = [], []
    for line in lines():
        request = json.loads(line)
        text = encoded({"jsonrpc": "2.0", "id": request["id"]} | answer(request))
        if MODE == "ids-as-text":
            text = text.replace(b'"id": ', b'"id": "', 1).replace(b",", b'",', 2).replace(b'",', b",", 1)
        if MODE == "no-jsonrpc":
            text = text.replace(b'"jsonrpc": "2.0", ', b"")
        if MODE == "error-beside-result":
            text = text[:-1] + b', "error": null}'
        if MODE == "one-behind" and request["method"] == "openui.parse":
            # The first of two answers goes out under the id of the second.
            late.append(request["id"])
            if len(late) == 2:
                first = encoded({"jsonrpc": "2.0", "id": late[1]} | answer(request | {"params": {"raw": seen[-2]}}))
                text = text.replace(b'"id": %d' % late[1], b'"id": %d' % late[0]) + b"\n" + first
                late.clear()
            elif "number" in request["params"]["raw"]:
                continue
            else:
                late.clear()
        if MODE == "answers-twice" and "number 7" in str(line):
            text += b"\n" + text
        if MODE == "never-flushes":
            unflushed.append(text)
            continue
        sys.stdout.buffer.write(text + (b"" if MODE == "no-line-feed" else b"\n"))
        sys.stdout.buffer.flush()
    for text in unflushed:
        sys.stdout.buffer.write(text + b"\n")
    if MODE == "stays":
        time.sleep(600)
    if MODE == "says-goodbye":
        print("bye")
    if MODE == "leaves-a-child":
        subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
    if MODE == "fails-at-the-end":
        sys.exit("could not save my state")


try:
    main()
except BrokenPipeError:
    os._exit(0)
