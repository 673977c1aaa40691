"""An adapter that reads all of its input before it answers, and ends: one for --oneshot.

With `late` its process ends at once, and what it has forked answers a moment later, as if the pipe were slow.
"""

import json
import os
import sys
import time

if sys.argv[1:] == ["late"]:
    if os.fork():
        os._exit(0)
    time.sleep(0.1)

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
