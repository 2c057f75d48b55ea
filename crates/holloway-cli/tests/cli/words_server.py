"""An MCP server with two tools that say nothing of what they give: python3 words_server.py

`translate_text` says in its definition what it does; `q7` does not.
"""
import json
import sys

TEXT = {"type": "string", "description": "A text"}
TOOLS = [
    {
        "name": "translate_text",
        "description": "Translate a text into another language.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": TEXT, "target_language": {"type": "string"}},
            "required": ["text", "target_language"],
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "q7",
        "description": "Seventh unit of the lab.",
        "inputSchema": {"type": "object", "properties": {"words": TEXT}, "required": ["words"]},
        "annotations": {"readOnlyHint": True},
    },
]


def call(name, arguments):
    if name == "translate_text":
        return "%s: %s" % (arguments["target_language"], arguments["text"].strip())
    first, second = arguments["words"].split(" ", 1)
    return second[0] + first[1:] + " " + first[0] + second[1:]


def result_of(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "words", "version": "1.0"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        text = call(params["name"], params["arguments"])
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
