"""An adapter that reads every message as its own content, and each one otherwise the second time: unsteady.py."""

import json
import sys

seen: set[str] = set()

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        result = {
            "protocol": 1,
            "implementation": {"name": "unsteady"},
            "methods": ["openui.parse"],
            "profiles": ["core"],
        }
    elif request["method"] == "openui.parse":
        raw = request["params"]["raw"]
        result = {"content": raw + "!" if raw in seen else raw}
        seen.add(raw)
    else:
        error = {"code": -32601, "message": "no such method"}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
