"""A reader whose cost grows with the square: it takes one end line out after the other, each time from the start."""

import json
import sys

END = "]]>openui:end\n"
HELLO = {"protocol": 1, "implementation": {"name": "quadratic"}, "methods": ["openui.parse"], "profiles": ["core"]}

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "initialize":
        result = HELLO
    else:
        content = request["params"]["raw"]
        while END in content:
            content = content.replace(END, "", 1)
        result = {"content": content}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
