"""The shortest adapter: every message is its own content."""
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        result = {"protocol": 1, "implementation": {"name": "whole"}, "methods": ["openui.parse"], "profiles": ["core", "chat", "line-start"]}
    else:
        result = {"content": request["params"]["raw"]}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
