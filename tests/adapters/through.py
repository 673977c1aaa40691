"""An adapter that passes everything on to another one and changes what goes by, in one named way:
through.py MODE COMMAND.

- none: nothing changes.
- refuse: every request whose params are not plain text is refused with code 2.
- refuse-omitting: the same, and `omits` declares all features; it lists openui.parse alone.
- missing-but-parse: every method but openui.parse is listed and answered with -32601.
- raw-for-users: openui.model_text gives the whole message of a user.
- bare: read messages have neither attributes nor an end.
- bare-omitting: the same, and `omits` declares both.
- whole-omitting: requests with `streaming: true` are refused, and `omits` declares streaming.
- odd-omits: `omits` declares a feature that there is not.
- unordered: openui.build with two attributes or more is refused with the reason unordered-attributes.
- should-alone: it lists toonui.to_display_content alone.
"""

import json
import re
import subprocess
import sys

MODE, COMMAND = sys.argv[1], sys.argv[2:]
REASON = "unordered-attributes" if MODE == "unordered" else "plain text only"


def is_plain(request) -> bool:
    params = request.get("params", {})
    return request["method"] == "openui.parse" and "]]>" not in params["raw"] and "<" not in params["raw"]


def refused(request) -> bool:
    if MODE in ("refuse", "refuse-omitting"):
        return not is_plain(request) or request["params"].get("streaming") is True
    if MODE == "unordered":
        return request["method"] == "openui.build" and len(request["params"].get("attributes") or []) > 1
    return MODE == "whole-omitting" and request.get("params", {}).get("streaming") is True


def bare(message) -> None:
    message.pop("attributes", None)
    message.pop("end", None)


def changed(request, answer):
    result = answer.get("result")
    if request["method"] == "initialize":
        if MODE in ("refuse-omitting", "should-alone"):
            result["methods"] = ["toonui.to_display_content" if MODE == "should-alone" else "openui.parse"]
        omits = {
            "refuse-omitting": ["streaming", "attributes", "end"],
            "bare-omitting": ["attributes", "end"],
            "whole-omitting": ["streaming"],
            "odd-omits": ["steaming"],
        }
        result["omits"] = omits.get(MODE, [])
    elif result is not None and MODE == "raw-for-users" and request["method"] == "openui.model_text":
        if request["params"]["role"] == "user":
            result["text"] = request["params"]["raw"]
    elif result is not None and MODE in ("bare", "bare-omitting"):
        if request["method"] == "openui.parse":
            bare(result)
        elif request["method"] == "openui.stream":
            for snapshot in result["snapshots"]:
                bare(snapshot)
            bare(result["final"])
    return answer


def read(text: str):
    # Numbers stay as they are written: Python would read them its own way.
    number = "\ue000{}\ue001".format
    return json.loads(text, parse_int=number, parse_float=number)


def write(value) -> str:
    return re.sub(r'"\\ue000(.*?)\\ue001"', r"\1", json.dumps(value))


child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    request = json.loads(line)
    if MODE == "missing-but-parse" and request["method"] not in ("initialize", "openui.parse"):
        error = {"code": -32601, "message": "not there"}
        answer = json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error})
    elif request["method"] != "initialize" and refused(request):
        error = {"code": 2, "message": "no", "data": {"reason": REASON}}
        answer = json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error})
    else:
        child.stdin.write(line)
        child.stdin.flush()
        answer = write(changed(request, read(child.stdout.readline())))
    print(answer, flush=True)
child.stdin.close()
child.wait()
