"""Which tools and requests are there, and which requests are kept for validation?

Reads a benchmark folder (`<set>/tools.jsonl`, `<set>/requests.jsonl`) and cuts a tool into its five fields.
"""

import hashlib
import json
import os
import re

SETS = ("metatool", "sealtools", "bfcl", "ultratool", "nestful")
FIELDS = ("name", "server", "description", "parameters", "parameter_descriptions")
DESCRIPTION_LIMIT, PARAMETER_LIMIT, PARAMETER_DESCRIPTION_LIMIT = 1200, 16, 800


def held_out(set_name, request_id):
    """A quarter of the requests is never trained on: first byte of SHA-256 of `<set>/<id>` below 64."""
    return hashlib.sha256(f"{set_name}/{request_id}".encode()).digest()[0] < 64


def split_identifier(text):
    """camelCase, snake_case, kebab-case and paths to words apart."""
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", text)
    return re.sub(r"[_\-/.:@]+", " ", text)


def fields_of(tool):
    """The five texts of a tool, keyed by FIELDS."""
    schema = tool.get("input_schema") or {}
    properties = schema.get("properties") or {}
    properties = list(properties.items())[:PARAMETER_LIMIT] if isinstance(properties, dict) else []
    described = [body.get("description") for _, body in properties if isinstance(body, dict)]
    server = re.sub(r"^(npm|pypi):", "", tool.get("server") or "")
    return {
        "name": split_identifier(tool.get("name") or tool["id"]),
        "server": split_identifier(server),
        "description": (tool.get("description") or "")[:DESCRIPTION_LIMIT],
        "parameters": " ".join(split_identifier(name) for name, _ in properties),
        "parameter_descriptions": " ".join(d for d in described if isinstance(d, str))[:PARAMETER_DESCRIPTION_LIMIT],
    }


class Catalogue:
    """One set: tools, their fields, requests and for each request its gold entries (sets of tool indexes).

    `requests`: a file to read them from, if not the set's own.
    """

    def __init__(self, folder, set_name, requests=None):
        self.name = set_name
        self.tools = read_lines(os.path.join(folder, set_name, "tools.jsonl"))
        self.fields = [fields_of(tool) for tool in self.tools]
        self.ids, self.requests, self.gold, self.validation = [], [], [], []
        index = {tool["id"]: position for position, tool in enumerate(self.tools)}
        requests = requests or os.path.join(folder, set_name, "requests.jsonl")
        for request in read_lines(requests) if os.path.exists(requests) else []:
            entries = []
            for entry in request["tools"]:
                names = entry if isinstance(entry, list) else [entry]
                accepted = frozenset(index[name] for name in names if name in index)
                if accepted and accepted not in entries:
                    entries.append(accepted)
            if entries:
                self.ids.append(request["id"])
                self.requests.append(request["query"])
                self.gold.append(entries)
                self.validation.append(held_out(set_name, request["id"]))


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
