"""Were the planted outliers found? Compares the outliers in the trace of a price report with outliers.json."""
import json
import sys


def main() -> int:
    trace, planted = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    outputs = {entry["stepId"]: entry.get("output") for entry in trace["entries"]}
    place = lambda row: tuple(row.get("fields", row)[name] for name in ("date", "shop", "product"))
    told = {place(row) for row in outputs["outliers"]["outliers"]}
    wanted = {place(row) for row in planted}
    print(f"planted outliers: {len(wanted)}, found: {len(wanted & told)}, told besides: {len(told - wanted)}")
    return 0 if wanted == told else 1


sys.exit(main())
