"""A reader that takes every message for its content, and ends itself where there is a malformed `%` in it."""

import json
import os
import re
import sys

HELLO = {"protocol": 1, "implementation": {"name": "fragile"}, "methods": ["openui.parse"], "profiles": ["core"]}

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        result = HELLO
    else:
        raw = request["params"]["raw"]
        if re.search("%(?![0-9a-f]{2})", raw):
            os._exit(3)
        result = {"content": raw}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
