"""A tiny MCP server on stdio: python3 login_server.py SEEN.txt

`login` takes a user and a pin; `enrol` asks for a pin during its call. What they were given
stands in SEEN.txt, one line of JSON each.
"""
import json
import sys

PIN = {"type": "integer", "minimum": 1000}
TOOLS = [
    {"name": "login", "description": "Logs a user in. Returns ok.",
     "inputSchema": {"type": "object", "properties": {"user": {"type": "string"}, "pin": PIN}}},
    {"name": "enrol", "description": "Enrols a user. Returns ok.",
     "inputSchema": {"type": "object", "properties": {"user": {"type": "string"}}}},
]


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask():
    schema = {"type": "object", "properties": {"pin": PIN}, "required": ["pin"]}
    params = {"message": "Which pin?", "requestedSchema": schema}
    send({"id": "q1", "method": "elicitation/create", "params": params})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "q1":
            return message["result"].get("content")


def call(name, arguments):
    seen = ask() if name == "enrol" else arguments
    with open(sys.argv[1], "a") as file:
        file.write(json.dumps(seen, sort_keys=True) + "\n")
    return {"content": [{"type": "text", "text": "ok"}]}


def result_of(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "login", "version": "1.0"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params["name"], params.get("arguments") or {})
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        result = result_of(message["method"], message.get("params") or {})
        unknown = {"error": {"code": -32601, "message": "no such method"}}
        send({"id": message["id"], **({"result": result} if result is not None else unknown)})
