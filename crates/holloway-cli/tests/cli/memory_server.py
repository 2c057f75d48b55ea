"""An MCP server that remembers what it is told of people and things: python3 memory_server.py"""
import json
import sys

TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}
ENTITY = {
    "type": "object",
    "properties": {"name": TEXT, "entityType": TEXT, "observations": LIST},
    "required": ["name", "entityType", "observations"],
}
TOOLS = [
    {
        "name": "create_entities",
        "description": "Create multiple new entities in the knowledge graph",
        "inputSchema": {
            "type": "object",
            "properties": {"entities": {"type": "array", "items": ENTITY}},
            "required": ["entities"],
        },
    },
    {
        "name": "open_nodes",
        "description": "Open specific nodes in the knowledge graph by their names",
        "inputSchema": {"type": "object", "properties": {"names": LIST}, "required": ["names"]},
        "annotations": {"readOnlyHint": True},
    },
]
known = {}


def call(name, arguments):
    if name == "create_entities":
        known.update({entity["name"]: entity for entity in arguments["entities"]})
        return "%d remembered" % len(arguments["entities"])
    return json.dumps([known.get(name) for name in arguments["names"]])


def result_of(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "memory", "version": "1.0"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": call(params["name"], params["arguments"])}]}
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
