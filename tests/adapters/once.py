"""An adapter that reads all of its input before it answers, and ends: one for --oneshot."""

import json
import sys

for line in sys.stdin.read().splitlines():
    request = json.loads(line)
    if request["method"] == "initialize":
        hello = {"protocol": 1, "implementation": {"name": "once"}, "methods": ["openui.parse"], "profiles": ["core"]}
        outcome = {"result": hello}
    elif request["method"] == "openui.parse":
        outcome = {"result": {"content": request["params"]["raw"]}}
    else:
        outcome = {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"]} | outcome))
