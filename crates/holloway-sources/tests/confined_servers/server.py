"""A small MCP server that tells what it can reach."""
import json
import os
import sys
import time


def fork(count):
    for _ in range(min(int(count), 50)):
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
    time.sleep(5)
    return "forked"


def read(path):
    with open(path) as file:
        return file.read()


def write(path):
    with open(path, "w") as file:
        file.write("x")
    return "written"


TOOLS = {"where": lambda _: os.getcwd(), "read": read, "write": write, "fork": fork}


def answer(method, params):
    if method == "initialize":
        info = {"name": "local", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    if method == "tools/call":
        try:
            text = TOOLS[params["name"]](params["arguments"]["text"])
        except OSError as error:
            text = "refused: " + type(error).__name__
        return {"content": [{"type": "text", "text": text}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    result = answer(message["method"], message.get("params", {}))
    if result is None:
        reply["error"] = {"code": -32601, "message": "unknown"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
