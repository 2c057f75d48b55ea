"""Were the planted faults found? Compares the findings in the trace of an audit with faults.json."""
import json
import sys
from urllib.parse import urlsplit

LEAST = 0.9


def main() -> int:
    trace, faults = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    outputs = [entry.get("output") for entry in trace["entries"]]
    lists = [output.get("findings") for output in outputs if isinstance(output, dict)]
    findings = [finding for found in lists if isinstance(found, list) for finding in found]
    told = {(finding["rule"], urlsplit(finding["where"]["page"]).path or "/") for finding in findings}
    planted = {(fault["rule"], fault["page"]) for fault in faults}
    found = planted & told
    further = {place for place in told if place not in planted}
    print(f"planted faults: {len(planted)}, found: {len(found)}; told besides: {len(further)}")
    for rule, page in sorted(planted - told):
        print(f"  not found: {rule} on {page}")
    for rule, page in sorted(further):
        print(f"  told besides: {rule} on {page}")
    return 0 if len(found) >= LEAST * len(planted) and len(further) <= (1 - LEAST) * len(told) else 1


sys.exit(main())
