"""A tiny MCP server on stdio: python3 notes_server.py DEFINITION.json NOTES.txt

It offers what DEFINITION.json says, so that a definition can be changed to see
what becomes of it. `add_note` writes a line; `wait` waits for a file. Both can be
asked to wait, so that there is time to kill the server in the middle of a call.
Every call leaves a line in NOTES.txt.calls.
"""
import json
import os
import sys
import time

definition_file, notes_file = sys.argv[1], sys.argv[2]


def tools():
    with open(definition_file) as file:
        return json.load(file)


def call(name, arguments):
    with open(notes_file + ".calls", "a") as file:
        file.write(name + "\n")
    if name == "add_note":
        with open(notes_file, "a") as file:
            file.write(arguments["text"] + "\n")
    while "until" in arguments and not os.path.exists(arguments["until"]):
        time.sleep(0.02)
    return "kept" if name == "add_note" else "done"


def result_of(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "notes", "version": "1.0"},
        }
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        text = call(params["name"], params.get("arguments") or {})
        return {"content": [{"type": "text", "text": text}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = result_of(message)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if result is None:
        answer["error"] = {"code": -32601, "message": "no such method"}
    else:
        answer["result"] = result
    print(json.dumps(answer), flush=True)
